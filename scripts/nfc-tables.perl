#!/usr/bin/env perl
# nfc-tables.perl: prints src/text/unicode/nfc_data.c from the Unicode Character Database that this
# Perl carries. Usage: scripts/nfc-tables.perl > src/text/unicode/nfc_data.c
#
# What the normal form NFC needs beside the compositions of piece_data.c: the canonical combining
# class of every character, the characters that are not in NFC themselves, and the compositions of
# those that NFKC writes otherwise.
use strict;
use warnings;
use Unicode::UCD;
use Unicode::Normalize qw(NFD NFC NFKC getCombinClass isComp2nd);

my (@runs, @words, @pairs, $last);
for my $code (0 .. 0x10FFFF) {
    next if $code >= 0xD800 && $code <= 0xDFFF;
    my $class = getCombinClass($code);
    $class = 255 if $class == 0 && (isComp2nd($code) || getCombinClass(ord NFD(chr $code)) > 0);
    push @runs, sprintf '0x%X', $code << 8 | $class unless defined $last && $last == $class;
    $last = $class;
    next if $code >= 0xAC00 && $code <= 0xD7A3;
    my @to = map { ord } split //, NFD(chr $code);
    if (NFC(chr $code) eq chr $code) {
        next if @to == 1 || NFKC(chr $code) eq chr $code;
        die "more than two" if @to > 2;
        push @pairs, map { sprintf '0x%X', $_ } @to, $code;
        next;
    }
    push @words, map { sprintf '0x%X', $_ } $code | @to << 24, @to;
}

my $version = Unicode::UCD::UnicodeVersion();
print <<"END_OF_HEAD";
/*
 * nfc_data.c: canonical combining classes of Unicode $version, and the characters that normal form
 * NFC rewrites, as tables.
 *
 * Written by scripts/nfc-tables.perl from the Unicode Character Database; do not edit.
 */
#include "text/unicode/nfc_data.h"

/* clang-format off */
END_OF_HEAD
print_table('class_run', @runs);
print_table('word', @words);
print_table('pair_word', @pairs);
print "/* clang-format on */\n";

sub print_table {
    my $name = shift;
    print "const size_t dgm_nfc_${name}_count = ", scalar @_, ";\n";
    print "const uint32_t dgm_nfc_${name}s[] = {\n";
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
