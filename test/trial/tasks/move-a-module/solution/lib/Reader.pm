package Reader;
use strict;
use warnings;
use Text::Util;

sub rows {
    my ($text) = @_;
    return map { Text::Util::trim($_) } split /\n/, $text;
}

1;
