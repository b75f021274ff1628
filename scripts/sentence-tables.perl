#!/usr/bin/env perl
# sentence-tables.perl: prints src/text/sentence/break_data.c from the Unicode Character Database that
# this Perl carries. Usage: scripts/sentence-tables.perl > src/text/sentence/break_data.c
#
# The property is Sentence_Break of UAX 29. Which of its three kinds most letters are, the flags of
# src/text/unicode/unicode.h say; the table names those that are otherwise.
use strict;
use warnings;
use feature 'unicode_strings';
use Unicode::UCD qw(prop_invmap);

# As the enum in src/text/sentence/breaks.h; 12: a letter, by its flags.
my %number = (
    Other => 0, Sep => 1, CR => 1, LF => 1, Extend => 2, Format => 2, Sp => 3, Numeric => 4,
    ATerm => 5, STerm => 6, SContinue => 7, Close => 8, OLetter => 9, Lower => 10,
    Upper => 11,
);

my ($starts, $kinds) = prop_invmap('SB');
my (@ascii, @runs);
my ($last, $at) = (-1, 0);
for my $code (0 .. 0x10FFFF) {
    $at++ while $at + 1 < @$starts && $starts->[ $at + 1 ] <= $code;
    next if $code >= 0xD800 && $code <= 0xDFFF;
    my $kind = $kinds->[$at];
    my $told = chr($code) =~ /\p{Lowercase}/ ? 'Lower' : chr($code) =~ /\p{Uppercase}/ ? 'Upper' : 'OLetter';
    my $class = $kind eq $told ? 12 : $number{$kind};
    push @ascii, $number{$kind} if $code < 128;
    push @runs, sprintf '0x%X', $code << 4 | $class if $class != $last;
    $last = $class;
}

# Fills lines up to 90 columns.
sub print_words {
    my $line = "   ";
    for my $word (@_) {
        if (length($line) + length($word) > 88) {
            print "$line\n";
            $line = "   ";
        }
        $line .= " $word,";
    }
    print "$line\n";
}

my $version = Unicode::UCD::UnicodeVersion();
print <<"END";
/*
 * break_data.c: the property Sentence_Break of Unicode $version, as a table.
 *
 * Written by scripts/sentence-tables.perl from the Unicode Character Database; do not edit.
 */
#include "text/sentence/break_data.h"

/* clang-format off */
END
print "const uint8_t dgm_break_ascii[128] = {\n";
print_words(@ascii);
print "};\n\nconst size_t dgm_break_run_count = ", scalar @runs, ";\n";
print "const uint32_t dgm_break_runs[] = {\n";
print_words(@runs);
print "};\n";
