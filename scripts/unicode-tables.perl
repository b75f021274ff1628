#!/usr/bin/env perl
# unicode-tables.perl: prints src/text/unicode/unicode_data.c from the Unicode Character Database that
# this Perl carries. Usage: scripts/unicode-tables.perl > src/text/unicode/unicode_data.c
#
# Perl rather than Python, because Python's unicodedata lacks the Alphabetic, Lowercase and
# Case_Ignorable properties. The flags follow the enum in src/text/unicode/unicode.h.
use strict;
use warnings;
use feature 'unicode_strings'; # lc and classes by Unicode also below U+0100
use Unicode::UCD;

my @flags = (
    [ 0x001, qr/\p{L}/ ],          [ 0x002, qr/\p{Alphabetic}/ ],
    [ 0x004, qr/\p{N}/ ],          [ 0x008, qr/\p{Nd}/ ],
    [ 0x010, qr/\p{P}/ ],          [ 0x020, qr/\p{S}/ ],
    [ 0x040, qr/\p{Sc}/ ],         [ 0x080, qr/\p{White_Space}/ ],
    [ 0x100, qr/\p{Lowercase}/ ],  [ 0x200, qr/\p{Uppercase}/ ],
    [ 0x400, qr/\p{Case_Ignorable}/ ],
);

sub flags_of {
    my ($code) = @_;
    return 0 if $code >= 0xD800 && $code <= 0xDFFF;
    my ($char, $set) = (chr $code, 0);
    $char =~ $_->[1] and $set |= $_->[0] for @flags;
    return $set;
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

my (@ascii, @runs, @lower);
my $last = -1;
for my $code (0 .. 0x10FFFF) {
    my $set = flags_of($code);
    push @ascii, sprintf "0x%03X", $set if $code < 128;
    push @runs, sprintf "0x%X", $code << 11 | $set if $set != $last;
    $last = $set;
    next if $code >= 0xD800 && $code <= 0xDFFF;
    my $low = lc chr $code;
    next if length $low != 1 || ord $low == $code;
    my $delta = ord($low) - $code;
    my $run = $lower[-1];
    my $step = $run ? $code - $run->{last} : 0;
    if ($run && $run->{delta} == $delta && $step <= 2 && ($run->{step} || $step) == $step) {
        @$run{qw(last step)} = ($code, $step);
    } else {
        push @lower, { first => $code, last => $code, step => 0, delta => $delta };
    }
}

my $version = Unicode::UCD::UnicodeVersion();
print <<"END";
/*
 * unicode_data.c: character properties and lower case of Unicode $version, as tables.
 *
 * Written by scripts/unicode-tables.perl from the Unicode Character Database; do not edit.
 */
#include "text/unicode/unicode_data.h"

/* clang-format off */
END
print "const uint16_t dgm_unicode_ascii[128] = {\n";
print_words(@ascii);
print "};\n\nconst size_t dgm_unicode_run_count = ", scalar @runs, ";\n";
print "const uint32_t dgm_unicode_runs[] = {\n";
print_words(@runs);
print "};\n\nconst size_t dgm_unicode_lower_count = ", scalar @lower, ";\n";
print "const struct dgm_unicode_lower_run dgm_unicode_lower_runs[] = {\n";
print_words(map { sprintf "{0x%X, 0x%X, %d, %d}", @$_{qw(first last)}, $_->{step} || 1,
    $_->{delta} } @lower);
print "};\n";
