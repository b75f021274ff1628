#!/bin/sh
# list-tests.sh TEST|BENCH FILE...: a C table entry for every line that opens a test (or a
# benchmark), so that none can be forgotten:
#     TEST(bpe_merges) {   ->   ENTRY(bpe_merges, "text/bpe/test_bpe")
# A test below #ifdef has its stand-in below #else, by TEST or a macro NEEDS_..., for builds without.
macro=$1
shift
echo "/* Written by scripts/list-tests.sh from the $macro( lines of the test files. */"
for file in "$@"; do
    name=${file##*/tests/} name=${name#tests/}
    sed -n "s|^$macro(\([A-Za-z0-9_]*\)).*|ENTRY(\1, \"${name%.c}\")|p" "$file"
done
awk -v macro="$macro" '
FNR == 1 { depth = 0 }
/^#if/ { branch[++depth] = "if" }
/^#el/ { branch[depth] = "else" }
/^#endif/ { depth-- }
depth > 0 && /^[A-Z_]+\([a-z0-9_]+\)/ {
    name = $0
    sub(/^[A-Z_]*\(/, "", name)
    sub(/\).*/, "", name)
    if (branch[1] == "else")
        stands_in[name] = 1
    else if (index($0, macro "(") == 1)
        place[name] = FILENAME ":" FNR
}
END {
    for (name in place)
        if (!(name in stands_in)) {
            print place[name] ": " name " is below an #if, and nothing stands in for it below #else" | "cat >&2"
            bad = 1
        }
    exit bad
}' "$@"
