#!/usr/bin/env perl
# piece-tables.perl: prints src/text/unicode/piece_data.c from the Unicode Character Database that
# this Perl carries. Usage: scripts/piece-tables.perl > src/text/unicode/piece_data.c
#
# What learning pieces needs beside script_data.c: the script of every character, not of letters
# alone, since pieces end where scripts change; and the characters that NFKC rewrites.
use strict;
use warnings;
use Unicode::UCD qw(prop_invmap);
use Unicode::Normalize qw(NFKC NFD NFC getComposite);

my %kana = map { $_ => 1 } qw(Hiragana Katakana Han Katakana_Or_Hiragana);
my ($starts, $scripts) = prop_invmap('sc');
my %number = (Common => 1, Inherited => 2, Han => 3);
my (@runs, $last);
for my $at (0 .. $#$starts) {
    my $name = $scripts->[$at];
    $name = 'Han' if $kana{$name};
    $name = 'Common' if $name eq 'Unknown';
    $number{$name} //= 1 + keys %number;
    my $number = $number{$name};
    push @runs, sprintf '0x%X', $starts->[$at] << 8 | $number unless defined $last && $last == $number;
    $last = $number;
}
die "more than 255 scripts" if keys %number > 255;

my (@singles, @pairs, $count);
for my $code (0x80 .. 0x10FFFF) {
    next if ($code >= 0xD800 && $code <= 0xDFFF) || ($code >= 0xAC00 && $code <= 0xD7A3);
    my $char = chr $code;
    my @to = map { ord } split //, NFKC($char);
    if (@to != 1 || $to[0] != $code) {
        push @singles, map { sprintf '0x%X', $_ } $code | @to << 24, @to;
        next;
    }
    my @parts = split //, NFD($char);
    next if @parts < 2 || NFC($char) ne $char;
    my $second = pop @parts;
    my $first = NFC(join '', @parts);
    next if length $first != 1 || (getComposite(ord $first, ord $second) // 0) != $code;
    push @pairs, map { sprintf '0x%X', $_ } ord $first, ord $second, $code;
}

my $version = Unicode::UCD::UnicodeVersion();
print <<"END_OF_HEAD";
/*
 * piece_data.c: the script of each character of Unicode $version, and what NFKC rewrites, as tables.
 *
 * Written by scripts/piece-tables.perl from the Unicode Character Database; do not edit.
 */
#include "text/unicode/piece_data.h"

/* clang-format off */
END_OF_HEAD
print_table('script_run', @runs);
print_table('nfkc_word', @singles);
print_table('nfkc_pair_word', @pairs);
print "/* clang-format on */\n";

sub print_table {
    my $name = shift;
    print "const size_t dgm_piece_${name}_count = ", scalar @_, ";\n";
    print "const uint32_t dgm_piece_${name}s[] = {\n";
    print_words(@_);
    print "};\n\n";
}

# Fills lines up to 90 columns.
sub print_words {
    my $line = '   ';
    for my $word (@_) {
        if (length($line) + length($word) > 88) {
            print "$line\n";
            $line = '   ';
        }
        $line .= " $word,";
    }
    print "$line\n";
}
