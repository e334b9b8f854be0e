#!/usr/bin/perl
use strict;
use warnings;
use lib 'lib';
use Shop::Order;

print Shop::Order::submit({ item => $ARGV[0] }, sub { 'ok' }), "\n";
