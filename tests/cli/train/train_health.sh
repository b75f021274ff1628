# train_health.sh: a training tells when it is sick: figures at each validation, a warning where
# states or attention are locked, none where a run learns; the model does not change by it.
set -e
. "$SOURCE/tests/support/shell/lib.sh"
generate data --seed 3 --train 1500 --dev 30 --test 10
settings tokenize=none bpe-merges=0 dim-emb=16 max-length=60 save-freq=1000u valid-freq=150u
train_on="$train_on --log-level warning"
recurrent() {
    train "$@" --encoder lexicalized --dim-rnn 16 --tied-embeddings none --optimizer adadelta \
        --adadelta-eps 1e-4 --cost-type mean --batch-size 20 --clip-norm 1
}
figure() { sed -n 's/.*"'$2'": \([^,}]*\).*/\1/p' $1.ckpt/metrics.jsonl | tail -n 1; }
keys() {
    sed -n '/encoder_rms/s/": [0-9.e+-]*,*//gp' $1.ckpt/metrics.jsonl | tail -n 1 | tr -d '{}' | tr -s '" ' ' '
}

# A Transformer and a recurrent model that learn.
train good.gguf --enc-depth 2 --dec-depth 2 --transformer-heads 2 --transformer-dim-ffn 32 --batch-tokens 300 \
    --tied-embeddings decoder --lr 0.005 --warmup 100 --after 320u
test ! -s log || fail "a healthy Transformer: $(cat log)"
want=' epoch update encoder_rms encoder_max encoder_largest_state attention_peak attention_entropy attention_same'
want="$want attention_entropy_1 attention_entropy_2 self_attention_entropy_1 self_attention_entropy_2"
for group in embeddings attention encoder decoder; do want="$want gradient_norm_$group"; done
test "$(keys good.gguf)" = "$want" || fail "keys: $(keys good.gguf)"
test "$(grep -c encoder_rms good.gguf.ckpt/metrics.jsonl)" = 3 || fail 'not once for each validation'
train again.gguf --enc-depth 2 --dec-depth 2 --transformer-heads 2 --transformer-dim-ffn 32 --batch-tokens 300 \
    --tied-embeddings decoder --lr 0.005 --warmup 100 --after 320u --valid-freq 40u
cmp good.gguf again.gguf || fail 'the model depends on when it was measured'
recurrent tree.gguf --train-trees data/train.en.conllu --valid-trees data/dev.en.conllu --after 320u
test ! -s log || fail "a healthy recurrent model: $(cat log)"
keys tree.gguf | grep -q ' encoder_gates_saturated decoder_gates_saturated attention_peak .* gradient_norm_output ' ||
    fail "keys: $(keys tree.gguf)"

# The groups of the gradient are all of it.
valid_on=
train norm.gguf --enc-depth 1 --dec-depth 1 --transformer-heads 2 --transformer-dim-ffn 32 --tied-embeddings none \
    --after 4u --disp-freq 1u --valid-freq 1u --batch-tokens 200
awk -F '[:,}]' '/"gnorm"/ { for (i = 1; i < NF; i++) if ($i ~ /gnorm/) g = $(i + 1) }
    /gradient_norm/ { s = 0; n++
        for (i = 1; i < NF; i++) if ($i ~ /gradient_norm/) s += $(i + 1) * $(i + 1)
        d = s / (g * g) - 1; if (d > 1e-4 || d < -1e-4) { print s, g * g; exit 1 } }
    END { exit n != 4 }' norm.gguf.ckpt/metrics.jsonl || fail 'the groups are not the gradient'

# Chains of words and a sum for the carry: states without end.
valid_on='--valid-sets data/dev.en data/dev.de'
recurrent chain.gguf --no-parse chain --train-trees none --valid-trees none --after 450u
test "$(grep -c 'update 300: states of the encoder grow.*Try --no-parse star, --carry mean' log)" = 1 ||
    fail "no warning of states: $(cat log)"
test "$(grep -c states log)" = 1 || fail "said twice: $(cat log)"
recurrent star.gguf --train-trees none --valid-trees none --after 320u
test ! -s log || fail "a star: $(cat log)"

# One word says it all: attention stays on it.
awk 'function below(n) { x = (x * 75 + 74) % 65537; return int(x / 16) % n }
    BEGIN { for (l = 0; l < 600; l++) {
        at = below(6); word = below(12); s = ""; t = ""
        for (i = 0; i < 6; i++) s = s (i == at ? "w" word : "f" below(9)) " "
        for (i = 0; i < 12; i++) t = t "v" word " "
        print s > "lock.s"; print t > "lock.t" } }'
train_on='--train-sets lock.s lock.t --log-level warning' valid_on=
train lock.gguf --enc-depth 1 --dec-depth 1 --transformer-dim-ffn 32 --transformer-heads 1 --tied-embeddings none \
    --dropout 0 --label-smoothing 0 --lr 0.04 --warmup 50 --batch-tokens 200 --after 450u
test "$(grep -c 'attention is locked on one position' log)" = 1 ||
    fail "no warning of attention: $(figure lock.gguf attention_peak) $(figure lock.gguf attention_same) $(cat log)"
