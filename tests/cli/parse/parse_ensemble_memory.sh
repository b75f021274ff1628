# parse_ensemble_memory.sh: the memory that several parsers promise together is what they use, to 10 %;
# --memory refuses beforehand what needs more, and names a batch size that fits.
set -e
. "$SOURCE/tests/support/shell/lib.sh"
test -r /proc/self/statm || skip "no /proc/self/statm: the memory of a process is not known"
generate data --seed 3 --train 300 --dev 1 --test 400
learn() { "$DRAGOMAN" train-parser -q -t data/train.en.conllu --enc-depth 1 --after 2u "$@"; }
learn -m a.gguf --dim-emb 32 --dim-lstm 48
learn -m b.gguf --dim-emb 48 --dim-lstm 64 --seed 2
learn -m c.gguf --dim-emb 64 --encoder transformer --transformer-heads 4 --transformer-dim-ffn 128

# peak FILE, plan FILE: what a log says, in MiB.
peak() { sed -n 's/.*memory: the peak was \([0-9.]*\) MiB.*/\1/p' "$1"; }
plan() { sed -n 's/.*memory: all in all, at most \([0-9.]*\) MiB.*/\1/p' "$1" | sort -n | tail -n 1; }
work() { sed -n 's/.*memory: the work takes \([0-9.]*\) MiB.*/\1/p' "$1" | tail -n 1; }
parse() { "$DRAGOMAN" parse -f tokens -i data/test.en --log-level debug "$@" 2> log; }
parse -m a.gguf --threads 1 > one
# A program with a sanitizer uses several times what it asks for.
if awk "BEGIN { exit !($(peak log) > 40) }"; then
    skip "$(peak log) MiB for a small parser: a sanitizer? The promise is not tested"
fi
alone=0
for model in a b c; do
    parse -m $model.gguf --threads 1 > one
    alone=$(awk "BEGIN { print $alone + $(work log) }")
done
# Of two threads one may be so late that the other has done all.
for threads in 1 2; do
    ratio=$(test $threads = 1 && echo 1.1 || echo 1.6)
    parse -m a.gguf b.gguf c.gguf --threads $threads > together
    awk "BEGIN { p = $(plan log); q = $(peak log); exit !(q <= 1.03 * p && p <= $ratio * q + 1) }" ||
        fail "$threads threads: $(plan log) MiB promised, $(peak log) MiB used"
    test $threads = 2 || awk "BEGIN { d = $(work log) / $alone; exit !(d > 0.99 && d < 1.01) }" ||
        fail "three parsers take $(work log) MiB, one after the other $alone"
done

limit=$(awk "BEGIN { printf \"%dM\", $(plan log) - 0.7 * $(work log) }") rc=0
parse -m a.gguf b.gguf c.gguf --threads 2 --memory $limit > out || rc=$?
test $rc = 5 || fail "$limit: $rc, not 5: $(cat log)"
grep -q "need.* MiB.*, --memory allows [0-9]*.* Try .*--batch-tokens [0-9]*\$" log || fail "$limit: $(cat log)"
size=$(sed -n 's/.*--batch-tokens \([0-9]*\)$/\1/p' log)
parse -m a.gguf b.gguf c.gguf --threads 2 --memory $limit --batch-tokens $size > out || fail "$size words: $(cat log)"
cmp together out
