# forms.sh: the forms that models of other programs have, as options of a model: each is trained,
# translates alike alone and in batches, with any threads, in fewer bits, and
# goes on after a stop to the same bytes; a model without them does not name them.
set -e
. "$SOURCE/tests/support/shell/lib.sh"
generate data --seed 3 --train 300 --dev 10 --test 8
small transformer-dim-ffn=32 batch-tokens=250 warmup=5 after=12u
valid_on=
translate() { "$DRAGOMAN" translate --quiet --scores "$@" < data/test.en; }
config() { "$DRAGOMAN" inspect -n 99 "$1"; }
forms='ffn-activation|embedding-scale|decoder-start|output-bias'
marian='--ffn-activation swish --positions marian --decoder-start pad --output-bias 1'
other='--ffn-activation gelu --embedding-scale one --decoder-start bos --transformer-norm pre'

train plain.gguf
train same.gguf --ffn-activation relu --embedding-scale sqrt --decoder-start eos --output-bias 0
cmp plain.gguf same.gguf
if config plain.gguf | grep -E "$forms"; then exit 1; fi

train marian.gguf $marian
train other.gguf $other
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
train half.gguf $marian --after 5u --save-freq 5u
train half.gguf $marian --save-freq 5u
train whole.gguf $marian --save-freq 5u
cmp half.gguf whole.gguf
# Fine-tuning takes the forms of the parent.
"$DRAGOMAN" train --quiet --init other.gguf --train-sets data/train.en data/train.de \
    --batch-tokens 250 --after 2u -m tuned.gguf
named tuned.gguf

shown() {
    rc=0
    "$DRAGOMAN" train -q -m x.gguf --train-sets data/train.en data/train.de "$@" 2> err || rc=$?
    echo "$rc: $(cat err)"
}
shown --ffn-activation gelo
shown --decoder-start unk
shown --output-bias 2
shown --encoder sequential --output-bias 1
shown --encoder sequential --decoder-start pad
shown --encoder sequential --ffn-activation swish
