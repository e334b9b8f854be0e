package Writer;
use strict;
use warnings;
use Text::Util;

sub line { return Text::Util::trim($_[0]) . "\n" }

1;
