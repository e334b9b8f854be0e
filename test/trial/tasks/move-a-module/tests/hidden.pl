use strict;
use warnings;
use lib 'lib';

die "the old file is there\n" if -e 'lib/Util.pm';
require Text::Util;
die "trim\n" if Text::Util::trim("  a b ") ne 'a b';
my $copied = `printf ' x \n y\n' | perl bin/copy.pl`;
die "copy.pl: $copied\n" if $copied ne "x\ny\n";
die "the old name is used\n" if `grep -rnE '(^|[^:])\\bUtil(::|;)' lib bin` =~ /\S/;
