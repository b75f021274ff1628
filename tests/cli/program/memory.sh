# memory.sh: the memory that is promised is what is used, to 10 %: by training, translating and
# parsing; --memory refuses beforehand what needs more, and names a batch size that fits.
set -e
. "$SOURCE/tests/support/shell/lib.sh"
measures_memory
generate data --seed 3 --train 1500 --dev 150 --test 150
test -r /proc/self/statm || skip "no /proc/self/statm: the memory of a process is not known"

# peak FILE, plan FILE: what a log says, in MiB.
peak() { sed -n 's/.*memory: the peak was \([0-9.]*\) MiB.*/\1/p' "$1"; }
plan() { sed -n 's/.*memory: all in all, at most \([0-9.]*\) MiB.*/\1/p' "$1" | sort -n | tail -n 1; }
# A program with a sanitizer uses several times what it asks for.
"$DRAGOMAN" translate -m data/train.en --log-level debug < /dev/null 2> log || true
test -n "$(peak log)" || fail "no peak: $(cat log)"
if awk "BEGIN { exit !($(peak log) > 12) }"; then
    skip "$(peak log) MiB for doing nothing: a sanitizer? The promise is not tested"
fi
# kept NAME [RATIO]: the log of a run keeps the promise, which is no more than RATIO times what is used.
kept() {
    test -n "$(plan log)" && test -n "$(peak log)" || fail "$1: $(cat log)"
    awk "BEGIN { p = $(plan log); q = $(peak log); exit !(q <= 1.03 * p && p <= ${2:-1.1} * q + 1) }" ||
        fail "$1: $(plan log) MiB promised, $(peak log) MiB used"
}
small bpe-merges=0 enc-depth=2 dec-depth=2 dim-emb=64 transformer-dim-ffn=128 transformer-heads=4 batch-tokens=2048 \
    max-length=100 valid-freq=3u save-freq=3u after=4u threads=2
train_on="$train_on --log-level debug --overwrite"
train plain.gguf
kept train
promised=$(plan log)
train less.gguf --recompute
kept 'train --recompute'
cmp plain.gguf less.gguf
awk "BEGIN { exit !($(plan log) < $promised - 5) }" || fail "--recompute promises $(plan log) MiB, not $promised"
# The same run under a limit that only this form of it keeps to.
limit=$(awk "BEGIN { printf \"%dM\", $promised - 4 }")
ends 5 'Try --recompute or --batch-tokens [0-9]*$' start close.gguf --memory "$limit"
train close.gguf --memory "$limit" --recompute || fail "$limit with --recompute"
cmp plain.gguf close.gguf
train mean.gguf --average 3 --accumulate 2
kept 'train --average'
# A search promises room for hypotheses that have nothing in common, and takes it for what they have.
train bleu.gguf --valid-metrics bleu --beam-size 4
kept 'train --valid-metrics bleu' 1.4
# Long lines among short ones: validation begins with the long ones, wherever they stand.
for side in en de; do
    awk '{ print NR % 16 ? $1 " " $2 : $0 " " $0 " " $0 " " $0 }' data/train.$side > mixed.$side
done
paste mixed.en mixed.de | awk '{ print NF "\t" $0 }' | sort -rn > sorted
cut -f2 sorted > sorted.en
cut -f3 sorted > sorted.de
for order in mixed sorted; do
    train dry.gguf --dry-run --valid-metrics bleu --beam-size 5 --dec-depth 6 --batch-tokens 4000 \
        --valid-sets $order.en $order.de
    plan log > plan.$order
done
awk "BEGIN { p = $(cat plan.mixed); q = $(cat plan.sorted); exit !(p >= 0.98 * q && p <= 1.02 * q) }" ||
    fail "the order of lines: $(cat plan.mixed plan.sorted)"
train dry.gguf --dry-run --recompute
other=$(sed -n 's/.*largest step without --recompute \([0-9.]*\) MiB.*/\1/p' log)
test -n "$other" && ! grep -q 'step with --recompute' log || fail "a dry run with --recompute: $(cat log)"
train dry.gguf --dry-run
grep -q "largest step $other MiB" log && grep -q 'largest step with --recompute [0-9.]* MiB' log ||
    fail "a dry run: $(cat log)"
test -z "$(ls -d dry.gguf* 2> /dev/null)" || fail "a dry run wrote $(ls -d dry.gguf*)"
awk "BEGIN { p = $(plan log); q = $promised; exit !(p >= 0.95 * q && p <= 1.05 * q) }" ||
    fail "a dry run promises $(plan log) MiB, the run $promised"

for beam in 1 5; do
    "$DRAGOMAN" translate -m plain.gguf -b $beam --threads 2 --log-level debug < data/test.en \
        2> log > out.$beam
    kept "translate -b $beam" 2.5
done
# Rows of the output layer are copied for groups of sentences, a word of several groups several times:
# not without end.
train wide.gguf --dim-emb 256 --transformer-heads 8 --enc-depth 1 --dec-depth 1 --after 1u
"$DRAGOMAN" shortlist -q -m wide.gguf -t data/train.en data/train.de -o list
"$DRAGOMAN" shortlist -q -m wide.gguf -t data/train.en data/train.de -o list.all --first 1000000
cat data/test.en data/test.en data/test.en data/test.en > many.en
for turn in '4 list' '20 list.all'; do
    "$DRAGOMAN" translate -m wide.gguf -b ${turn% *} --threads 1 --max-length-factor 0.1 --batch-tokens 8000 \
        --shortlist ${turn#* } --log-level debug < many.en 2> log > out
    kept "translate -b ${turn% *} --shortlist ${turn#* }" 2.5
done
"$DRAGOMAN" train-parser -m parser.gguf -t data/train.en.conllu --valid-sets data/dev.en.conllu \
    --dim-emb 32 --dim-lstm 48 --enc-depth 1 --after 2u --threads 2 --log-level debug 2> log
kept train-parser
"$DRAGOMAN" train-parser -m less.gguf -t data/train.en.conllu --valid-sets data/dev.en.conllu --recompute \
    --dim-emb 32 --dim-lstm 48 --enc-depth 1 --after 2u --threads 1 --overwrite --no-resume --log-level debug 2> log
kept 'train-parser --recompute'
cmp parser.gguf less.gguf
# What validation has taken stays where the best checkpoint is read again.
"$DRAGOMAN" train-parser -m large.gguf -t data/train.en.conllu --valid-sets data/dev.en.conllu --dim-emb 256 \
    --dim-lstm 512 --enc-depth 1 --batch-tokens 300 --after 2u --valid-freq 1u --threads 2 --log-level debug 2> log
kept 'train-parser, large'
"$DRAGOMAN" parse -m parser.gguf -f tokens --threads 2 --log-level debug < data/test.en 2> log > trees
kept parse

# too_little LIMIT COMMAND...: exit code 5, and what it says to try works, with the same output.
too_little() {
    limit=$1
    shift
    rc=0
    "$@" --memory $limit > got 2> log || rc=$?
    test $rc = 5 || fail "$*: $rc, not 5: $(cat log)"
    grep -q "need.* MiB.*, --memory allows [0-9]*.* Try .*--batch-tokens [0-9]*\$" log ||
        fail "$*: $(cat log)"
    size=$(sed -n 's/.*--batch-tokens \([0-9]*\)$/\1/p' log)
    "$@" --memory $limit --batch-tokens $size > got 2> log || fail "$size tokens: $(cat log)"
}
too_little 26M "$DRAGOMAN" translate -m plain.gguf -j 2 -i data/test.en
cmp out.5 got
too_little 24M "$DRAGOMAN" parse -m parser.gguf -f tokens -j 2 -i data/test.en
cmp trees got
rm -f tight.gguf
too_little 30M "$DRAGOMAN" train --tokenize none --bpe-merges 0 --dim-emb 64 --enc-depth 2 --dec-depth 2 \
    --transformer-dim-ffn 128 --transformer-heads 4 --after 2u -j 2 -m tight.gguf -t data/train.en data/train.de
# What later windows of lines need is no more than the first: they share its room.
"$DRAGOMAN" translate -m plain.gguf -j 2 --log-level debug -i data/test.en > got 2> log
limit=$(awk "BEGIN { printf \"%dM\", $(plan log) + 2 }")
cat data/test.en data/test.en data/test.en > thrice
"$DRAGOMAN" translate -m plain.gguf -j 2 --memory "$limit" --maxi-batch "$(wc -l < data/test.en)" -i thrice \
    > got 2> log || fail "three windows in $limit: $(cat log)"
cat out.5 out.5 out.5 | cmp - got
# What does not fit in any way, and what is no size.
refuse 5 memory translate -m plain.gguf --memory 1M -i data/test.en
test ! -s out || fail '1M: an output'
for size in 1X -1 M 1e30 ''; do refuse 2 memory translate -m plain.gguf --memory "$size" -i data/test.en; done
