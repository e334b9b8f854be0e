package Shop::Order;
use strict;
use warnings;
use Shop::Http;

sub submit {
    my ($order, $send) = @_;
    return Shop::Http::with_retries(sub { $send->($order) });
}

1;
