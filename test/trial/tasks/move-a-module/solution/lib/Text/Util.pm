package Text::Util;
use strict;
use warnings;

sub trim {
    my ($text) = @_;
    $text =~ s/^\s+|\s+$//g;
    return $text;
}

1;
