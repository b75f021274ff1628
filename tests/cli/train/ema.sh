# ema.sh: a moving average of the values (--ema): it is what validations, checkpoints and the final
# model have; the same bytes after stops and kills, on any devices and threads; with --freeze,
# --average, --init, several batches and each optimizer; of a parser, too.
set -e
test -x "$GENERATE" || { echo "no generator"; exit 77; }
"$GENERATE" --seed 3 --train 600 --dev 20 --test 10 --out data > /dev/null

fail() { echo "$*" >&2; exit 1; }
said() { grep -q -e "$1" log || { echo "expected: $1"; cat log; exit 1; }; }
valid='--valid-sets data/dev.en data/dev.de'
# start MODEL OPTION...: becomes the trainer.
start() {
    model=$1
    shift
    exec "$DRAGOMAN" train --tokenize none --bpe-merges 60 --enc-depth 1 --dec-depth 1 \
        --dim-emb 16 --transformer-dim-ffn 16 --transformer-heads 2 --batch-tokens 250 --lr 0.01 \
        --warmup 10 --train-sets data/train.en data/train.de $valid \
        --save-freq 4u --valid-freq 5u --after 20u -m "$model" "$@" 2> log
}
train() { (start "$@") || fail "$*: $(cat log)"; }
# sums MODEL: the checksums of its tensors that are the model's, in their order.
sums() {
    "$DRAGOMAN" inspect "$1" | sed -n 's/^  \([a-z][a-z0-9_.]*\)  *f32 .*/\1/p' > names
    "$DRAGOMAN" inspect -n 9999 "$1" | grep 'dragoman.tensor.checksums' |
        sed 's/^[^]]*] *//; s/, /\n/g' | paste names - | grep -v '^state'
}
newest() { ls "$1".ckpt/update-*.gguf | sort | tail -n 1; }

train plain.gguf
train one.gguf --ema 0.05 -j 1
said 'memory: the moving average'
train two.gguf --ema 0.05 -j 2
cmp one.gguf two.gguf
# A mean that moves all the way is the values.
train all.gguf --ema 1
cmp all.gguf plain.gguf
sums one.gguf > got
sums plain.gguf > wanted
if cmp -s got wanted; then fail 'no mean'; fi

# The training itself is not touched, what is validated is the mean, and the best of it is given
# away: without any validation, the last.
grep -v '"metric"' plain.gguf.ckpt/metrics.jsonl | sed 's/"wps": [^,}]*//' > wanted
grep -v '"metric"' one.gguf.ckpt/metrics.jsonl | sed 's/"wps": [^,}]*//' > got
cmp wanted got
grep '"metric"' plain.gguf.ckpt/metrics.jsonl > wanted
grep '"metric"' one.gguf.ckpt/metrics.jsonl > got
if cmp -s got wanted; then fail 'the values were validated'; fi
sums one.gguf > wanted
sums one.gguf.ckpt/best.gguf > got
cmp wanted got
with=$valid valid=
train last.gguf --ema 0.05
valid=$with
sums last.gguf > wanted
sums "$(newest last.gguf)" > got
cmp wanted got
"$DRAGOMAN" inspect "$(newest last.gguf)" | grep -q 'state.values'
if "$DRAGOMAN" inspect last.gguf | grep 'state.values'; then fail 'values in the model'; fi
train mean.gguf --ema 0.05 --average 3
"$DRAGOMAN" average -o outside.gguf $(ls mean.gguf.ckpt/update-*.gguf | sort | tail -n 3) 2> log
sums mean.gguf > wanted
sums outside.gguf > got
cmp wanted got

# In parts, with other updates of several batches, on several devices, with the other optimizer.
train parts.gguf --ema 0.05 --after 3u
train parts.gguf --ema 0.05 --after 5u
train parts.gguf --ema 0.05 --after 11u -j 2
train parts.gguf --ema 0.05
cmp one.gguf parts.gguf
train wide.gguf --ema 0.05 --accumulate 3 -d cpu,cpu --optimizer adadelta
train wide2.gguf --ema 0.05 --accumulate 3 --optimizer adadelta --after 7u
train wide2.gguf --ema 0.05 --accumulate 3 --optimizer adadelta
cmp wide.gguf wide2.gguf

# Killed at any moment, once there is a checkpoint more.
newest() { ls $1.ckpt/update-*.gguf 2> /dev/null | sort | tail -n 1; }
for turn in 1 2 3; do
    before=$(newest killed.gguf)
    (start killed.gguf --ema 0.05 --after 200u --save-freq 2u) &
    pid=$!
    while test "$(newest killed.gguf)" = "$before"; do
        kill -0 $pid 2> /dev/null || break
        sleep 0.01
    done
    kill -9 $pid 2> /dev/null || :
    wait $pid 2> /dev/null || :
done
train killed.gguf --ema 0.05 --after 200u --save-freq 2u
train whole.gguf --ema 0.05 --after 200u --save-freq 2u
cmp killed.gguf whole.gguf

# What stays as it is has no mean but itself.
train drawn.gguf --after 0u
train frozen.gguf --ema 0.07 --freeze 'encoder.*' --after 13u
sums drawn.gguf > before
sums frozen.gguf > after
grep '^encoder' before > wanted
grep '^encoder' after > got
cmp wanted got
if cmp -s before after; then fail 'no mean of the rest'; fi

# Another rate, or none, is another run; and so is the beginning with one.
refuse() {
    rc=0
    (start "$@") || rc=$?
    test $rc = 2 || fail "exit code $rc: $*: $(cat log)"
}
refuse one.gguf --ema 0.06 --after 30u
said 'another setting than "ema = 0.06"'
refuse one.gguf --after 30u
said 'ema = 0.05'
refuse plain.gguf --ema 0.05 --after 30u
said 'another setting than "ema = 0.05"'
for rate in 0 2 -1 nan x; do refuse x.gguf --ema $rate; done
test ! -e x.gguf

# A parser.
parser() {
    model=$1
    shift
    "$DRAGOMAN" train-parser --train-sets data/dev.en.conllu --min-freq 1 --warmup 5 --dim-emb 8 \
        --dim-lstm 8 --dim-piece 8 --dim-piece-lstm 8 --enc-depth 1 --dim-arc 8 --dim-label 8 \
        --dim-tag 8 --batch-tokens 100 --save-freq 3u -m "$model" "$@" 2> log || fail "$(cat log)"
}
parser p.gguf --ema 0.1 --after 9u
parser q.gguf --ema 0.1 --after 4u
parser q.gguf --ema 0.1 --after 9u
cmp p.gguf q.gguf
parser r.gguf --after 9u
if cmp -s p.gguf r.gguf; then fail 'no mean of a parser'; fi
