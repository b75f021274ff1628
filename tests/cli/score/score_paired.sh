# Paired bootstrap resampling from the command line: tables, JSON, and what is refused.
# Sixty lines; `good` is right in all but every tenth, `bad` in one of three, `other` differs from
# `good` in one line only.
. "$SOURCE/tests/support/shell/lib.sh"
awk 'BEGIN {
    for (i = 1; i <= 60; i++) {
        right = "the " i " . dog sees a cat in the garden of house " (i % 7)
        wrong = "one " i " . dog saw some cat at a garden of house " (i % 7)
        print right > "ref"
        print (i % 10 ? right : wrong) > "good"
        print (i % 3 ? wrong : right) > "bad"
        print (i % 10 && i != 5 ? right : wrong) > "other"
    }
}'
cp good 'a "copy"'
try score ref -i good -w 2 -tok none --paired-bs bad other 'a "copy"'
try score ref -i good -w 2 -m bleu chrf --short --seed 7 --paired-bs-n 200 --paired-bs bad
try score ref -i good -w 2 --multi-bleu -lc --paired-bs bad
try score ref -i good -w 2 -f json --paired-bs 'a "copy"' other
try score ref -i good -b -w 2 -tok none
try score ref -m bleu chrf -i good -f json --paired-bs-n 40 --paired-bs bad
# The same from a pipe; other systems, their order and threads change nothing.
"$DRAGOMAN" score ref --paired-bs bad other < good | awk '/other$/ { print $1, $2, $3, $4 }' > a
"$DRAGOMAN" score ref -j 1 -i good --paired-bs other | awk '/other$/ { print $1, $2, $3, $4 }' > b
test -s a && cmp a b && echo same
# By name, sacreBLEU's samples and its p: sacreBLEU 2.6.0 gives 0.000999, 0.153846 for BLEU here, and means
# 93.707885, 55.967549, 92.644996; for chrF2 0.000999, 0.101898. A copy of the baseline is its odd case.
try score ref -m bleu chrf -i good bad other good -w 6 --paired-bs --paired-bs-p sacrebleu
try score ref -i good other -f json -w 6 --paired-bs --paired-bs-p sacrebleu
try score ref -i good other --paired-bs --paired-bs-p sacre
echo 'bad input:'
try score ref -i good --paired-bs
try score ref -i good --paired-bs missing
try score ref --paired-bs bad -
try score -i good --paired-bs bad ref
try score ref -i good -sl --paired-bs bad
try score ref -i good -b --paired-bs bad
try score ref -i good -o bad --paired-bs bad
try score ref -i good --paired-bs-n 0 --paired-bs bad
head -n 3 bad > short
try score ref -i good --paired-bs short
: > empty
try score empty -i empty --paired-bs empty
