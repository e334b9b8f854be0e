package Writer;
use strict;
use warnings;
use Util;

sub line { return Util::trim($_[0]) . "\n" }

1;
