package Shop::Stock;
use strict;
use warnings;

my %stock;

sub add { $stock{ $_[0] } += $_[1] }
sub left { $stock{ $_[0] } // 0 }

1;
