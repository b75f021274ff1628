# batch_tokens.sh: --batch-tokens auto chooses what --memory has room for, once: whatever the threads,
# in a dry run, and for good, so that a run that is killed and goes on elsewhere has the same bytes.
set -e
. "$SOURCE/tests/support/shell/lib.sh"
measures_memory
generate data --seed 3 --train 1500 --dev 100 --test 10
# What is chosen has no room for what a sanitizer adds to the program.
"$DRAGOMAN" translate -m data/train.en --log-level debug < /dev/null 2> log || :
base=$(sed -n 's/.*memory: the peak was \([0-9.]*\) MiB.*/\1/p' log)
if awk "BEGIN { exit !($base > 12) }"; then
    skip "$base MiB for doing nothing: a sanitizer? The choice is not tested"
fi

small bpe-merges=0 dim-emb=32 transformer-dim-ffn=64 max-length=100 after=12u save-freq=4u valid-freq=6u disp-freq=3u \
    average=0 batch-tokens=auto
chosen() { sed -n 's/.*batch-tokens: auto chose \([0-9]*\),.*/\1/p' log; }

# A dry run says the number of the run, which is that of any number of threads, and trains as if it had
# been given; the log and the metrics say it.
train dry.gguf --memory 48M --dry-run
tokens=$(chosen)
test -n "$tokens" || fail "a dry run: $(cat log)"
for threads in 1 3; do
    train "t$threads.gguf" --memory 48M --threads $threads
    test "$(chosen)" = "$tokens" || fail "$threads threads: $(cat log)"
    grep -q "auto chose $tokens, [0-9]* batches an epoch, to fit --memory 48 MiB" log || fail "$(cat log)"
done
cmp t1.gguf t3.gguf
grep -q "\"update\": 3, .*\"batch_tokens\": $tokens}" t1.gguf.ckpt/metrics.jsonl ||
    fail "$(cat t1.gguf.ckpt/metrics.jsonl)"
train given.gguf --batch-tokens "$tokens"
cmp t1.gguf given.gguf
! grep -q 'auto\|batch_tokens' log given.gguf.ckpt/metrics.jsonl || fail "given: $(cat log)"

# More memory, and a step that takes less of it, have room for more.
before=0
for limit in 32M 48M 80M 200M; do
    train more.gguf --memory $limit --dry-run
    test "$(chosen)" -ge "$before" || fail "$limit: $(chosen) tokens, and $before with less"
    before=$(chosen)
done
test "$before" -gt "$tokens" || fail "200M: $before tokens, and $tokens with 48M"
train more.gguf --memory 48M --dry-run --recompute
test "$(chosen)" -gt "$tokens" || fail "--recompute: $(cat log)"
# Without a limit it is a share of the machine's memory, here all text in a batch; as many sentences as
# --batch-size allows are never more tokens than that.
train machine.gguf --dry-run
grep -q 'auto chose [0-9]*, 1 batches an epoch, to fit [0-9]* MiB$' log || fail "the machine: $(cat log)"
grep -q 'warning: batch-tokens: an epoch has only 1 batches' log || fail "no warning: $(cat log)"
train sentences.gguf --memory 200M --dry-run --batch-size 2
grep -q 'auto chose [0-9]*, 750 batches an epoch' log || fail "--batch-size: $(cat log)"
"$DRAGOMAN" train --config small.conf --dry-run --dim-vocabs 100 2> log || fail "no text: $(cat log)"
test -z "$(chosen)" || fail "chosen without a text: $(cat log)"

# Stopped by a kill, resumed with another limit, other threads and --recompute: the same number, the
# same bytes. The log says so.
for limit in 64M 47M; do
    killed_saving killed.gguf start killed.gguf --memory 48M --threads 1 --quiet
    train killed.gguf --memory $limit --threads 2 --recompute
    grep -q "batch-tokens: $tokens, as auto chose when this training began" log || fail "$limit: $(cat log)"
    test -z "$(chosen)" || fail "$limit chose anew: $(cat log)"
    cmp t1.gguf killed.gguf
    rm -rf killed.gguf killed.gguf.ckpt
done
# A limit that has no room for it is refused, with what would do. --overwrite chooses anew.
if test -r /proc/self/statm; then
    ends 5 "with the $tokens tokens of a batch that --batch-tokens auto chose, --memory allows 2[0-9]. Try .*--memory [0-9]*M" \
        start t1.gguf --memory 24M --after 14u
    limit=$(sed -n 's/.*--memory \([0-9]*M\)$/\1/p' err)
    train t1.gguf --memory "$limit" --after 14u
fi
train t1.gguf --memory 40M --overwrite --no-resume
test "$(chosen)" -lt "$tokens" || fail "--overwrite: $(cat log)"

# The same of a parser, and of several devices.
for threads in 1 2; do
    "$DRAGOMAN" train-parser -m "parser$threads.gguf" -t data/train.en.conllu --valid-sets data/dev.en.conllu \
        --dim-emb 32 --dim-lstm 48 --enc-depth 1 --after 4u --valid-freq 2u --batch-tokens auto --memory 80M \
        --threads $threads 2> log || fail "a parser: $(cat log)"
    chosen > parser$threads
done
test -s parser1 || fail "a parser: $(cat log)"
cmp parser1 parser2
cmp parser1.gguf parser2.gguf
train two.gguf --memory 48M --accumulate 2 -d cpu,cpu
test "$(chosen)" -lt "$tokens" || fail "two devices: $(cat log)"

# What is wrong, and what is not enough.
untrained 2 'batch-tokens.*: expected auto, or 1..16777216, got "auot"; did you mean "auto"?' --batch-tokens auot
untrained 2 'batch-tokens.*: expected auto, or 1..16777216, got "0"' --batch-tokens 0
untrained 2 'batch-tokens.*: expected auto, or 1..16777216, got "16777217"' --batch-tokens 16777217
untrained 2 'batch-tokens.*: expected auto, or 1..16777216, got ""' --batch-tokens ''
untrained 2 'batch-tokens' --batch-tokens
untrained 5 'batch-tokens auto: with one sentence at a time this run needs [0-9]* MiB, --memory allows 16. Try --memory [0-9]*M' \
    --memory 16M
limit=$(sed -n 's/.*--memory \([0-9]*M\)$/\1/p' err)
train least.gguf --memory "$limit" --after 2u
ends 2 'checkpoints were trained with another setting than "batch-tokens = 200"' start two.gguf --accumulate 2 \
    --batch-tokens 200 --after 20u
ends 2 'checkpoints were trained with another setting than "batch-tokens = auto"' start given.gguf --after 20u
rc=0
"$DRAGOMAN" translate -m t3.gguf --batch-tokens auto < /dev/null 2> log || rc=$?
test $rc = 2 && grep -q 'batch-tokens' log || fail "translate: $rc: $(cat log)"
