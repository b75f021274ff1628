# Text tools with one thread and with several: the same bytes, the same warnings, the same place where
# a failure ends.
. "$SOURCE/tests/support/shell/lib.sh"
# Half a megabyte: many blocks of lines, some of them empty.
awk 'BEGIN {
    for (i = 0; i < 12000; i++)
        print (i % 11 == 0 ? "" : "Mr. Smith (aged " i ") said: \"that'"'"'s newer than " i * 7 % 1009 ", lowest\".")
}' > raw
awk 'NR % 3 == 0 { gsub(/e/, "o") } { print }' raw > other
"$DRAGOMAN" tok -j 1 < raw > tok.1
"$DRAGOMAN" tok -j 1 --normalize --lower < raw > lower.1
"$DRAGOMAN" detok -j 1 < tok.1 > detok.1
"$DRAGOMAN" bpe learn -s 200 -i tok.1 -o codes 2> err
"$DRAGOMAN" bpe apply -j 1 -c codes < tok.1 > bpe.1
"$DRAGOMAN" bpe apply -j 1 -c codes --dropout 0.3 --seed 4 < tok.1 > drop.1
"$DRAGOMAN" score -j 1 -m bleu chrf++ --sentence-level -w 6 -i other -- raw > score.1 2> told.1
"$DRAGOMAN" score -j 1 -m bleu chrf -i tok.1 -- raw > sum.1 2> warned.1
grep -q 'looks tokenised' warned.1 || fail 'no warning'
for j in 2 5; do
    "$DRAGOMAN" tok -j $j < raw | cmp - tok.1 || fail "differs: tok, $j threads"
    "$DRAGOMAN" tok -j $j --normalize --lower < raw | cmp - lower.1 || fail "differs: tok --lower, $j threads"
    "$DRAGOMAN" detok -j $j < tok.1 | cmp - detok.1 || fail "differs: detok, $j threads"
    "$DRAGOMAN" bpe apply -j $j -c codes < tok.1 | cmp - bpe.1 || fail "differs: bpe apply, $j threads"
    "$DRAGOMAN" bpe apply -j $j -c codes --dropout 0.3 --seed 4 < tok.1 | cmp - drop.1 ||
        fail "differs: bpe apply --dropout, $j threads"
    "$DRAGOMAN" bpe undo -j $j < bpe.1 | cmp - tok.1 || fail "differs: bpe undo, $j threads"
    "$DRAGOMAN" score -j $j -m bleu chrf++ --sentence-level -w 6 -i other -- raw > score.j 2> told.j
    cmp score.1 score.j && cmp told.1 told.j || fail "differs: score, $j threads"
    "$DRAGOMAN" score -j $j -m bleu chrf -i tok.1 -- raw > sum.j 2> warned.j
    cmp sum.1 sum.j && cmp warned.1 warned.j || fail "differs: score of a file, $j threads"
    sed '10001,$d' raw > short
    head -n 2 raw > two
    # A line that cannot be read is told behind the results of those before it.
    rc=0
    head -n 3 raw | "$DRAGOMAN" score -j $j --sentence-level two > out 2> err || rc=$?
    test $rc = 3 && test "$(wc -l < out)" = 2 && grep -q 'expected 3' err || fail "differs: $rc: $(cat err)"
    rc=0
    "$DRAGOMAN" score -j $j -m chrf -i short -- raw > out 2> err || rc=$?
    test $rc = 3 && grep -q '12000 lines; expected 10000 to match short' err || fail "differs: $rc: $(cat err)"
done
