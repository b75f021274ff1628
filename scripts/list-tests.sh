#!/bin/sh
# list-tests.sh TEST|BENCH FILE...: a C table entry for every line that opens a test (or a
# benchmark), so that none can be forgotten:
#     TEST(bpe_merges) {   ->   ENTRY(bpe_merges, "text/bpe/test_bpe")
macro=$1
shift
echo "/* Written by scripts/list-tests.sh from the $macro( lines of the test files. */"
for file in "$@"; do
    name=${file##*/tests/} name=${name#tests/}
    sed -n "s|^$macro(\([A-Za-z0-9_]*\)).*|ENTRY(\1, \"${name%.c}\")|p" "$file"
done
