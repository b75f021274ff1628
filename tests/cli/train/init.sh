# init.sh: a run starts from a finished model (--init): with its values, options and vocabularies,
# or with what fits of them (--init-partial); what it was not begun from is refused when it goes on.
# --freeze leaves parameters as they are.
set -e
. "$SOURCE/tests/support/shell/lib.sh"
generate general --seed 3 --train 600 --dev 20 --test 10
generate domain --seed 9 --train 200 --dev 20 --test 10

# parent MODEL OPTION...: a model that begins from nothing.
parent() {
    model=$1
    shift
    "$DRAGOMAN" train --tokenize none --bpe-merges 60 --enc-depth 2 --dec-depth 1 --dim-emb 16 \
        --transformer-dim-ffn 16 --transformer-heads 2 --batch-tokens 500 --lr 0.01 --warmup 10 \
        --train-sets general/train.en general/train.de --after 20u -m "$model" "$@" 2> log ||
        fail "$(cat log)"
}
child() {
    "$DRAGOMAN" train --train-sets domain/train.en domain/train.de --batch-tokens 500 --lr 0.001 \
        --warmup 5 --save-freq 3u "$@"
}
# must OPTION...: a child is trained.
must() { child "$@" 2> log || fail "$(cat log)"; }
# sums MODEL: the checksums of its tensors, in their order.
sums() { "$DRAGOMAN" inspect -n 9999 "$1" | grep 'dragoman.tensor.checksums'; }
# tensors MODEL: its tensors by name, each with its checksum.
tensors() {
    "$DRAGOMAN" inspect "$1" | sed -n 's/^  \([a-z][a-z0-9_.]*\)  *f32 .*/\1/p' > names
    sums "$1" | sed 's/^[^]]*] *//; s/, /\n/g' | paste names -
}

parent general.gguf

# ---- the model's own options ---------------------------------------------------------------------

# Without a step it is the parent: same options, vocabularies, values.
must --init general.gguf -m same.gguf --after 1u --lr 0 --warmup-init-lr 0
said 'values of [0-9]* of [0-9]* parameters are those of general.gguf'
test "$(sums same.gguf)" = "$(sums general.gguf)" || fail "values differ"
"$DRAGOMAN" translate -m general.gguf < domain/test.en > before 2> log
"$DRAGOMAN" translate -m same.gguf < domain/test.en > after 2> log
cmp before after

# It learns from there, the same on any threads, and goes on where it was stopped.
must --init general.gguf -m one.gguf --after 9u -j 1
must --init general.gguf -m two.gguf --after 9u -j 2
cmp one.gguf two.gguf
test "$(sums one.gguf)" != "$(sums general.gguf)" || fail "nothing was learned"
must --init general.gguf -m parts.gguf --after 3u
must --init general.gguf -m parts.gguf --after 9u
said 'resuming after update 3'
cmp one.gguf parts.gguf

# A checkpoint is a model, too; how it is trained may be another way.
must --init one.gguf.ckpt/$(ls one.gguf.ckpt | grep gguf | sort | tail -n 1) -m third.gguf \
    --after 2u --dropout 0.3 --label-smoothing 0

# ---- what is refused -----------------------------------------------------------------------------

ends 2 'general.gguf: error: the model of --init has enc-depth = 2, not 3, dim-emb = 16, not 8;' child \
    --init general.gguf -m x.gguf --enc-depth 3 --dim-emb 8
ends 2 '--codes with --init' child --init general.gguf -m x.gguf --codes codes
ends 2 '--init-partial without --init' child --init-partial -m x.gguf
ends 2 'are the same file' child --init general.gguf -m general.gguf
ends 4 'nothing.gguf: error: ' child --init nothing.gguf -m x.gguf
echo 'no model' > text.gguf
ends 4 'text.gguf.*error: ' child --init text.gguf -m x.gguf
"$DRAGOMAN" quantize general.gguf -o small.gguf --type bf16 2> log
ends 4 'small.gguf.*error: ' child --init small.gguf -m x.gguf
parent other.gguf --seed 2
# Other settings are a run of its own, from a checkpoint of the first.
if (parent general.gguf --lr 0.5) > out 2>&1; then fail 'another --lr passed'; fi
grep -q 'another setting than "lr = 0.5". Try the old setting, --overwrite, or another --model; with --init CHECKPOINT' log
ends 2 'other.gguf: error: the checkpoints did not start from this model' child \
    --init other.gguf -m parts.gguf --after 12u
printf '%s\n' 'tokenize = none' 'bpe-merges = 60' 'enc-depth = 2' 'dec-depth = 1' 'dim-emb = 16' \
    'transformer-dim-ffn = 16' 'transformer-heads = 2' > drawn.conf
must --config drawn.conf --train-sets general/train.en general/train.de -m drawn.gguf --after 3u
ends 2 'the checkpoints did not start from this model' child --init general.gguf -m drawn.gguf \
    --config drawn.conf --train-sets general/train.en general/train.de --after 6u
test ! -e x.gguf || fail "a run that was refused wrote a model"

# A recipe that was written for runs from nothing may name codes: they are not used.
printf 'bpe-merges = 99\ndim-emb = 16\n' > recipe.conf
must --config recipe.conf --init general.gguf -m recipe.gguf --after 1u
said 'bpe-merges = is not used'

# What a model's file is called says nothing: "command line" is no origin of its options. It keeps
# an option that its encoder does not have, which only a recipe may name.
printf 'dim-rnn = 7\n' > more.conf
parent general2.gguf --config more.conf
cp general2.gguf 'command line'
cp general2.gguf default
must --init 'command line' -m named.gguf --after 1u
must --init default -m named2.gguf --after 1u
cmp named.gguf named2.gguf

# ---- vocabularies that grow ----------------------------------------------------------------------

parent sides.gguf --tied-embeddings decoder

# A new tag is put behind the vocabulary: without it the model translates as before.
tagged() {
    "$DRAGOMAN" train --init sides.gguf --train-sets domain/train.en domain/train.de \
        --train-sets general/train.en general/train.de --train-tags '<sub>,none' \
        --batch-tokens 500 --lr 0.001 --warmup 5 --save-freq 3u "$@" 2> log
}
tagged -m tag.gguf --after 1u --lr 0 --warmup-init-lr 0 || fail "$(cat log)"
said '--init: the vocabulary of the source has [0-9]* entries of the model and 1 more: <sub>'
said '--init: encoder.embed_tokens.weight: rows of [0-9]* tokens, their mean for 1 more'
"$DRAGOMAN" translate -m sides.gguf < domain/test.en > before 2> log
"$DRAGOMAN" translate -m tag.gguf < domain/test.en > after 2> log
cmp before after
"$DRAGOMAN" translate -m tag.gguf --tag '<sub>' < domain/test.en > after 2> log
tensors sides.gguf | grep -v 'encoder.embed_tokens' > wanted
tensors tag.gguf | grep -v 'encoder.embed_tokens' > got
cmp wanted got
tagged -m tag9.gguf --after 9u -j 1 || fail "$(cat log)"
tagged -m parts9.gguf --after 3u -j 2 || fail "$(cat log)"
tagged -m parts9.gguf --after 9u -j 2 || fail "$(cat log)"
cmp tag9.gguf parts9.gguf

# So are entries of dictionaries; what the model has already stays where it is.
"$DRAGOMAN" vocab < domain/train.en > more.en 2> log
printf 'zyzzyva 1\n' >> more.en
printf 'Zyzzyva 1\nQuux 1\n' > more.de
must --init sides.gguf --vocabs more.en more.de -m more.gguf --after 1u --lr 0 \
    --warmup-init-lr 0
said 'of the source has [0-9]* entries of the model and [0-9]* more: .*'
said 'of the target has [0-9]* entries of the model and 2 more: Zyzzyva Quux$'
"$DRAGOMAN" translate -m more.gguf < domain/test.en > after 2> log
test "$(wc -l < after)" = "$(wc -l < domain/test.en)"
must --init more.gguf --vocabs more.en more.de -m again.gguf --after 1u
said 'of the target has [0-9]* entries of the model and 0 more$'
ends 2 '--vocabs names 1 file, and the model of --init has two vocabularies' child \
    --init sides.gguf --vocabs more.en -m x.gguf
printf 'a b 1\n' > bad.de
ends 3 'bad.de:1:' child --init sides.gguf --vocabs more.en bad.de -m x.gguf
ends 2 'names 2 files, and the model of --init has one vocabulary for both' child \
    --init general.gguf --vocabs more.en more.de -m x.gguf
must --init general.gguf --vocabs more.de --train-tags '<sub>' -m grown.gguf --after 1u
said 'of the two sides has [0-9]* entries of the model and 3 more: <sub> Zyzzyva Quux$'

# ---- a part of it --------------------------------------------------------------------------------

must --init general.gguf --init-partial --enc-depth 3 --bpe-merges 30 -m part.gguf --after 1u \
    --lr 0 --warmup-init-lr 0
said '--init: encoder.embed_tokens.weight: rows of [0-9]* of [0-9]* tokens'
said '--init: encoder.layers.2.fc1.weight is drawn'
tensors general.gguf | grep 'layers\.' > wanted
tensors part.gguf | grep 'layers\.' | grep -v 'encoder.layers.2' > got
cmp wanted got
# A bias of fc1 would fit, by chance.
ends 2 'is 16 wide, not 8: its values mean nothing' child --init general.gguf --init-partial \
    --dim-emb 8 -m x.gguf

# ---- parameters that stay ------------------------------------------------------------------------

must --init general.gguf --freeze 'encoder.layers.*,*.embed_tokens.weight' --clip-norm 1 \
    --weight-decay 0.1 -m frozen.gguf --after 6u
said '--freeze: [0-9]* of [0-9]* values stay as they are'
# norm MODEL: of the gradient of the first update, as it is clipped, with what stays left out.
norm() { sed -n 's/.*"update": *1,.*"gnorm": *\([0-9.e+-]*\).*/\1/p' "$1.ckpt/metrics.jsonl"; }
tensors general.gguf > before
tensors frozen.gguf > after
grep -e 'encoder.layers' -e embed before > wanted
grep -e 'encoder.layers' -e embed after > got
cmp wanted got
grep 'decoder.layers.*weight' before > old
if grep -Fx -f old after; then fail "not trained"; fi
# What stays is no part of the first update's gradient: its norm is that of the rest.
must --init general.gguf -m all.gguf --after 1u --disp-freq 1u
must --init general.gguf -m some.gguf --after 1u --disp-freq 1u --freeze 'encoder.*'
awk -v some="$(norm some.gguf)" -v all="$(norm all.gguf)" \
    'BEGIN { exit !(some > 0 && some < 0.99 * all) }' ||
    fail "norms: $(norm some.gguf) with --freeze, $(norm all.gguf) without"
ends 2 'no parameter is called like "encoder.foo"' child --init general.gguf --freeze encoder.foo \
    -m x.gguf
ends 2 'all parameters would stay' child --init general.gguf --freeze '*' -m x.gguf
ends 2 'freeze' child --init general.gguf -m frozen.gguf --clip-norm 1 --weight-decay 0.1 --after 8u
