# ema.sh: a moving average of the values (--ema): it is what validations, checkpoints and the final
# model have; the same bytes after stops and kills, on any devices and threads; with --freeze,
# --average, --init, several batches and each optimizer; of a parser, too.
set -e
. "$SOURCE/tests/support/shell/lib.sh"
generate data --seed 3 --train 600 --dev 20 --test 10

small transformer-dim-ffn=16 batch-tokens=250 save-freq=4u valid-freq=5u after=20u
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
usual=$valid_on valid_on=
train last.gguf --ema 0.05
valid_on=$usual
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
for turn in 1 2 3; do
    killed_saving killed.gguf start killed.gguf --ema 0.05 --after 200u --save-freq 2u --quiet
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
ends 2 'another setting than "ema = 0.06"' start one.gguf --ema 0.06 --after 30u
ends 2 'ema = 0.05' start one.gguf --after 30u
ends 2 'another setting than "ema = 0.05"' start plain.gguf --ema 0.05 --after 30u
for rate in 0 2 -1 nan x; do untrained 2 ema --ema $rate; done

# A parser.
learn() {
    model=$1
    shift
    "$DRAGOMAN" train-parser --train-sets data/dev.en.conllu --min-freq 1 --warmup 5 --dim-emb 8 \
        --dim-lstm 8 --dim-piece 8 --dim-piece-lstm 8 --enc-depth 1 --dim-arc 8 --dim-label 8 \
        --dim-tag 8 --batch-tokens 100 --save-freq 3u -m "$model" "$@" 2> log || fail "$(cat log)"
}
learn p.gguf --ema 0.1 --after 9u
learn q.gguf --ema 0.1 --after 4u
learn q.gguf --ema 0.1 --after 9u
cmp p.gguf q.gguf
learn r.gguf --after 9u
if cmp -s p.gguf r.gguf; then fail 'no mean of a parser'; fi
