#!/usr/bin/perl
use strict;
use warnings;
use lib 'lib';
use Reader;
use Writer;

local $/;
print Writer::line($_) for Reader::rows(<STDIN>);
