# kinds.sh: models with recurrent sides go through every command: training and stopping, translating
# alone and with a Transformer, scoring, averaging, attention, a parser inside.
set -e
. "$SOURCE/tests/support/shell/lib.sh"
generate data --seed 5 --train 120 --dev 5 --test 20
# One file of settings for all kinds: what one of them does not have, others do.
demo dim-rnn=12 bpe-merges=80 after=12u train-trees=data/train.en.conllu
valid_on=
parser p.gguf data/train.en.conllu --after 5u
train plain.gguf
train lexicalized.gguf --encoder lexicalized --tied-embeddings none --parser p.gguf
train constituency.gguf --encoder constituency --attend-level 2 --decoder transformer
train mixed.gguf --encoder transformer --decoder recurrent --syntax 'deps-san(layers=1)'
train above.gguf --encoder constituency --attend-level '>1'
untrained 2 'encoder transformer, or no --syntax' --encoder sequential --syntax shaw
untrained 2 'no self-attention' --decoder recurrent --syntax 'shaw(sides=dec)'

# A run that was stopped ends with the bytes of one that was not.
train twice.gguf --encoder lexicalized --decoder transformer --after 5u
train twice.gguf --encoder lexicalized --decoder transformer
train once.gguf --encoder lexicalized --decoder transformer
cmp once.gguf twice.gguf

# Results do not depend on batches, alone or in an ensemble; rescore finds what the search found.
for models in lexicalized.gguf constituency.gguf mixed.gguf above.gguf \
    'plain.gguf mixed.gguf constituency.gguf lexicalized.gguf'; do
    translate() {
        # shellcheck disable=SC2086
        "$DRAGOMAN" translate -q -m $models -b 2 --trees data/test.en.conllu --penalty none \
            --max-length-factor 0.1 --scores --keep-tokens "$@" < data/test.en
    }
    translate > out
    translate -j 1 --batch-tokens 1 | cmp - out
    translate -j 3 --maxi-batch 7 | cmp - out
    test "$(wc -l < out)" = 20
    translate --beam-rule shrinking > shrinking
    test "$(wc -l < shrinking)" = 20
    cut -f 2 out > words
    # shellcheck disable=SC2086
    "$DRAGOMAN" rescore data/test.en words -q --trees data/test.en.conllu -m $models > given
    test "$(wc -l < given)" = 20
done
"$DRAGOMAN" average -q -o mean.gguf mixed.gguf mixed.gguf
"$DRAGOMAN" translate -q -m mean.gguf --trees none < data/test.en > mean.de
"$DRAGOMAN" translate -q -m mixed.gguf --trees none < data/test.en | cmp - mean.de
refuse 4 '' average -q -o bad.gguf mixed.gguf lexicalized.gguf

# The parser inside makes the trees.
"$DRAGOMAN" parse -q -m p.gguf -f tokens < data/test.en > inside.conllu
"$DRAGOMAN" parse -q -m lexicalized.gguf -f tokens < data/test.en | cmp - inside.conllu
refuse 4 '' parse -q -m lexicalized.gguf -f tokens --from-attention -i data/test.en
"$DRAGOMAN" translate -q -m lexicalized.gguf --scores < data/test.en > auto.de
"$DRAGOMAN" translate -q -m lexicalized.gguf --scores --trees inside.conllu < data/test.en |
    cmp - auto.de

# Attention: what there is, with a column for each piece of the source; what is not is refused.
look() {
    model=$1
    shift
    "$DRAGOMAN" translate -q -m "$model" -b 1 --max-length-factor 0.1 \
        --trees data/test.en.conllu --attention "$model.json" "$@" < data/test.en > /dev/null
}
all='--attention-kinds all --attention-layers all --attention-heads all'
# shellcheck disable=SC2086
for model in lexicalized.gguf constituency.gguf mixed.gguf; do
    look $model $all
    "$DRAGOMAN" draw attention -q -i $model.json > $model.txt
    test "$(grep -c '^line ' $model.txt)" = "$(grep -o '"kind"' $model.json | wc -l)"
done
test "$(grep -o '"kind":"[a-z]*","layer":[0-9]*,"head":[0-9]' lexicalized.gguf.json | sort -u)" = \
    '"kind":"cross","layer":1,"head":0'
test "$(grep -c '"kind":"encoder","layer":2,"head":3' mixed.gguf.json)" = 20
test "$(grep -c '"kind":"decoder","layer":2,"head":3' constituency.gguf.json)" = 20
test "$(grep -c '"kind":"encoder"' constituency.gguf.json)" = 0
look mixed.gguf --attention-kinds encoder,cross --attention-heads 0,3
ends 2 'no such attention' look lexicalized.gguf --attention-kinds encoder
ends 2 '' look lexicalized.gguf --attention-kinds decoder
ends 2 '' look lexicalized.gguf --attention-layers 2
ends 2 '' look lexicalized.gguf --attention-heads 1
ends 2 '' look mixed.gguf --attention-heads 4
ends 2 'constituents alone' look above.gguf
