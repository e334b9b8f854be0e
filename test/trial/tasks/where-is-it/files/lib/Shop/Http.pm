package Shop::Http;
use strict;
use warnings;
use Shop::Config;

# Calls the function again until it succeeds, or gives up.
sub with_retries {
    my ($call) = @_;
    my $left = Shop::Config::value('retries');
    while (1) {
        my $answer = $call->();
        return $answer if defined $answer;
        last if $left-- <= 0;
        select(undef, undef, undef, Shop::Http::Pause::seconds($left));
    }
    return undef;
}

package Shop::Http::Pause;

sub seconds {
    my ($left) = @_;
    return 0.2 * (4 - $left);
}

1;
