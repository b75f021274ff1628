# cut_lines.sh: a line of more than 1 MiB costs training its pair, of more than 16 MiB it is cut
# elsewhere; train, shortlist, translate and rescore say so once, the quiet as well; the memory that
# training promises is true of a text with such a line, too.
set -e
. "$SOURCE/tests/support/shell/lib.sh"
awk 'BEGIN { for (i = 0; i < 17; i++) printf "a b\n" }' > source
cp source target
awk 'BEGIN { for (i = 0; i < 1200000; i++) printf "abcdefgh abcdef"; print "" }' > long
cat source long > source.long
cat target target > some && head -n 18 some > target.long
cut='source.long:18: this line is longer than 1048576 bytes: its pair is left out'
"$DRAGOMAN" train --train-sets source.long target.long --model m.gguf --tokenize none --bpe-merges 0 --dim-emb 8 \
    --transformer-heads 1 --transformer-dim-ffn 8 --enc-depth 1 --dec-depth 1 --max-length 5 --after 1u \
    --log-level debug 2> log
said '18 pairs read, 17 used, 0 blank, 1 longer than max-length, 0 ill-formed'
test "$(grep -c "warning: $cut" log)" = 1 || fail "not one warning: $(cat log)"
# What a log says, in MiB. A program with a sanitizer uses several times what it asks for.
plan=$(sed -n 's/.*memory: all in all, at most \([0-9.]*\) MiB.*/\1/p' log)
peak=$(sed -n 's/.*memory: the peak was \([0-9.]*\) MiB.*/\1/p' log)
if awk "BEGIN { exit !($peak < 60) }"; then
    awk "BEGIN { exit !($peak <= $plan) }" || fail "$plan MiB promised, $peak used"
fi
paste source.long target.long > both
"$DRAGOMAN" train -q --tsv --train-sets both --model both.gguf --tokenize none --bpe-merges 0 --dim-emb 8 \
    --transformer-heads 1 --transformer-dim-ffn 8 --enc-depth 1 --dec-depth 1 --max-length 5 --after 1u 2> log
said 'warning: both:18: this line is longer than 2097153 bytes: its pair is left out'
cmp m.gguf both.gguf
"$DRAGOMAN" shortlist -q -m m.gguf -t source.long target.long -o list 2> log
said "warning: $cut"
"$DRAGOMAN" translate -q -m m.gguf < long > out 2> log
said 'warning: .*:1: line cut at 16777216 bytes'
head -n 1 source > one
"$DRAGOMAN" rescore -q one long --models m.gguf > out 2> log
said 'warning: long:1: line cut at 16777216 bytes'
