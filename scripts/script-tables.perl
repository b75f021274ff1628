#!/usr/bin/env perl
# script-tables.perl: prints src/text/unicode/script_data.c from the Unicode Character Database that
# this Perl carries. Usage: scripts/script-tables.perl > src/text/unicode/script_data.c
#
# Letters (general category L) alone have a script there: marks and punctuation are often shared by
# several, and a share of letters is what is asked for.
use strict;
use warnings;
use Unicode::UCD qw(prop_invmap prop_value_aliases);

# Where each run of one script begins, and which that is.
my ($starts, $scripts) = prop_invmap('sc');
my (%number, @names);
for my $short (sort keys %{ { map { $_ => 1 } @$scripts } }) {
    my ($code, $name) = prop_value_aliases('sc', $short);
    next if $code =~ /^(Zyyy|Zinh|Zzzz|Hrkt)$/; # shared, inherited, unassigned, Kana of both kinds
    $name =~ tr/_/ /;
    push @names, [ $code, $name ];
    $number{$short} = @names;
}
die "more than 255 scripts" if @names > 255;

my (@ascii, @runs);
my ($last, $at) = (-1, 0);
for my $code (0 .. 0x10FFFF) {
    $at++ while $at + 1 < @$starts && $starts->[ $at + 1 ] <= $code;
    next if $code >= 0xD800 && $code <= 0xDFFF;
    my $script = chr($code) =~ /\p{L}/ ? $number{ $scripts->[$at] } // 0 : 0;
    push @ascii, $script if $code < 128;
    push @runs, sprintf '0x%X', $code << 8 | $script if $script != $last;
    $last = $script;
}

my $version = Unicode::UCD::UnicodeVersion();
print <<"END_OF_HEAD";
/*
 * script_data.c: the scripts of Unicode $version, and of each letter its script, as tables.
 *
 * Written by scripts/script-tables.perl from the Unicode Character Database; do not edit.
 */
#include "text/unicode/script_data.h"

/* clang-format off */
const struct dgm_script_name dgm_script_names[] = {
    { "", "" },
END_OF_HEAD
printf "    { \"%s\", \"%s\" },\n", @$_ for @names;
print "};\nconst int dgm_script_count = ", scalar @names + 1, ";\n\n";
print "const uint8_t dgm_script_ascii[128] = {\n";
print_words(@ascii);
print "};\n\nconst size_t dgm_script_run_count = ", scalar @runs, ";\n";
print "const uint32_t dgm_script_runs[] = {\n";
print_words(@runs);
print "};\n";

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
