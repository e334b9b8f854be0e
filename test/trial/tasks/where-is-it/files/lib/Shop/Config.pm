package Shop::Config;
use strict;
use warnings;

our %defaults = (currency => 'EUR', retries => 3, locale => 'en');

sub value {
    my ($name) = @_;
    return $ENV{"SHOP_\U$name"} // $defaults{$name};
}

1;
