package Reader;
use strict;
use warnings;
use Util;

sub rows {
    my ($text) = @_;
    return map { Util::trim($_) } split /\n/, $text;
}

1;
