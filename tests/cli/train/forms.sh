# forms.sh: the forms that models of other programs have, as options of a model: each is trained,
# translates alike alone and in batches, with any threads, in fewer bits, and
# goes on after a stop to the same bytes; a model without them does not name them.
set -e
test -x "$GENERATE" || { echo "no generator"; exit 77; }
"$GENERATE" --seed 3 --train 300 --dev 10 --test 8 --out data > /dev/null

start() {
    model=$1
    shift
    "$DRAGOMAN" train --quiet --tokenize none --bpe-merges 60 --enc-depth 1 --dec-depth 1 \
        --dim-emb 16 --transformer-dim-ffn 32 --transformer-heads 2 --batch-tokens 250 --lr 0.01 \
        --warmup 5 --train-sets data/train.en data/train.de --after 12u -m "$model" "$@"
}
translate() { "$DRAGOMAN" translate --quiet --scores "$@" < data/test.en; }
config() { "$DRAGOMAN" inspect -n 99 "$1"; }
forms='ffn-activation|embedding-scale|decoder-start|output-bias'
marian='--ffn-activation swish --positions marian --decoder-start pad --output-bias 1'
other='--ffn-activation gelu --embedding-scale one --decoder-start bos --transformer-norm pre'

start plain.gguf
start same.gguf --ffn-activation relu --embedding-scale sqrt --decoder-start eos --output-bias 0
cmp plain.gguf same.gguf
if config plain.gguf | grep -E "$forms"; then exit 1; fi

start marian.gguf $marian
start other.gguf $other
named() { config "$1" | grep -E "$forms|^ *positions|output_projection" | sed 's/  */ /g; s/ f32.*//'; }
named marian.gguf
named other.gguf
for form in plain marian other; do
    translate -m $form.gguf > $form.de
    test "$(wc -l < $form.de)" = 8
    translate -m $form.gguf --threads 3 --batch-tokens 1 | cmp - $form.de
    cmp -s plain.de $form.de || echo "$form differs"
    "$DRAGOMAN" quantize $form.gguf -o $form.q.gguf 2> /dev/null
    translate -m $form.q.gguf > q.de
    test "$(wc -l < q.de)" = 8
    for type in int8 bf16; do
        translate -m $form.gguf --compute-type $type > $type.de
        test "$(wc -l < $type.de)" = 8
        translate -m $form.gguf --compute-type $type --threads 3 --batch-tokens 1 | cmp - $type.de
    done
done
# Ensembles of models that begin with different tokens.
"$DRAGOMAN" translate --quiet -m plain.gguf marian.gguf other.gguf < data/test.en > all.de
test "$(wc -l < all.de)" = 8

# A run that stops and goes on.
start half.gguf $marian --after 5u --save-freq 5u
start half.gguf $marian --save-freq 5u
start whole.gguf $marian --save-freq 5u
cmp half.gguf whole.gguf
# Fine-tuning takes the forms of the parent.
"$DRAGOMAN" train --quiet --init other.gguf --train-sets data/train.en data/train.de \
    --batch-tokens 250 --after 2u -m tuned.gguf
named tuned.gguf

refused() {
    rc=0
    "$DRAGOMAN" train -q -m x.gguf --train-sets data/train.en data/train.de "$@" 2> err || rc=$?
    echo "$rc: $(cat err)"
}
refused --ffn-activation gelo
refused --decoder-start unk
refused --output-bias 2
refused --encoder sequential --output-bias 1
refused --encoder sequential --decoder-start pad
refused --encoder sequential --ffn-activation swish
