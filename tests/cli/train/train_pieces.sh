# Pieces that are learned inside train, and drawn anew in each epoch.
. "$SOURCE/tests/support/shell/lib.sh"
generate data --seed 5 --train 60 --dev 5 --test 5
small='--dim-emb 16 --transformer-dim-ffn 32 --transformer-heads 2 --enc-depth 1 --dec-depth 1 --save-freq 5u
    --batch-size 20 --devices cpu --source-lang en --target-lang de --quiet'
run() {
    model=$1
    shift
    "$DRAGOMAN" train $small -t data/train.en data/train.de -m "$model" "$@" || fail "train $*"
}
show() {
    echo "\$ dragoman $*"
    "$DRAGOMAN" "$@" 2>&1
}
# Over the end of an epoch (3 updates): in two parts and on two threads, the same bytes; without drawing, others.
drawn() {
    name=$1 chance=$2
    shift 2
    run $name.gguf "$@" $chance --after 8u
    run parts.gguf "$@" $chance --after 4u --threads 2
    run parts.gguf "$@" $chance --after 8u --threads 2
    cmp $name.gguf parts.gguf || fail "$*: two parts, other bytes"
    run best.gguf "$@" --after 8u --overwrite
    cmp -s $name.gguf best.gguf && fail "$*: $chance changes nothing"
    rm -rf parts.gguf* best.gguf*
}
entries() { "$DRAGOMAN" inspect $1 | grep 'dragoman.vocab\|dragoman.spm' | sed 's/  */ /g'; }

drawn unigram '--spm-sampling 0.2' --vocab-type unigram --dim-vocabs 60
entries unigram.gguf
drawn joint '--spm-sampling 0.1' --vocab-type unigram --dim-vocabs 80 --tied-embeddings all --train-tags '<de>'
entries joint.gguf
drawn codes '--bpe-dropout 0.2' --bpe-merges 60 --valid-sets data/dev.en data/dev.de
"$DRAGOMAN" spm train --type bpe -V 60 --quiet -o bpe.model data/train.en
"$DRAGOMAN" spm train --type unigram -V 60 --quiet -o unigram.model data/train.de
drawn noise '--augment case=0.4,typo=0.4,punct=0.4' --bpe-merges 60
drawn noises '--augment case=0.4,typo=0.4,punct=0.4 --bpe-dropout 0.1' --spm bpe.model --tied-embeddings all
drawn both '--spm-sampling 0.2 --bpe-dropout 0.2' --spm bpe.model unigram.model --tied-embeddings decoder
run char.gguf --vocab-type char --after 2u
entries char.gguf
for model in unigram codes both char; do
    "$DRAGOMAN" translate -m $model.gguf -i data/test.en > out || fail "translate -m $model.gguf"
    test "$(wc -l < out)" -eq "$(wc -l < data/test.en)" || fail "lines of $model"
done
# Codes are those without dropout, whose vocabulary has all that they make; bpe is the default.
run plain.gguf --bpe-merges 60 --after 1u
run typed.gguf --bpe-merges 60 --vocab-type bpe --after 1u
cmp plain.gguf typed.gguf || fail '--vocab-type bpe is not the default'
# With trees, words keep their numbers.
run trees.gguf --bpe-merges 20 --bpe-dropout 0.5 --syntax 'deps-san' --train-trees data/train.en.conllu --tokenize none \
    --after 4u || fail 'trees'
# A child has its parent's pieces.
"$DRAGOMAN" train --init unigram.gguf -t data/train.en data/train.de -m child.gguf --after 2u --batch-size 20 \
    --spm-sampling 0.3 --devices cpu --quiet || fail 'train --init'

echo 'refused:'
base="train -t data/train.en data/train.de --source-lang en --target-lang de -m no.gguf --dry-run --quiet"
for with in '--codes codes' '--bpe-merges 10' '--spm bpe.model' '--min-freq 2' '--vocabs dict' '--tokenize moses'; do
    show $base --vocab-type unigram $with
done
show $base --vocab-type word
show $base --vocab-type unigram --dim-vocabs 12
show $base --vocab-type char --spm-sampling 0.1
show $base --vocab-type unigram --bpe-dropout 0.1
show $base --spm bpe.model --spm-sampling 0.1
show $base --spm-sampling 0.1
show $base --bpe-merges 0 --bpe-dropout 0.1
show $base --augment case=1.5
show $base --augment noise=0.1
show $base --tokenize none --train-trees data/train.en.conllu --syntax deps-san --augment typo=0.1
show $base --bpe-dropout 1.5
show $base --multitask --train-brackets none --bpe-dropout 0.1
show $base --tokenize none --guided-alignment none --bpe-dropout 0.1
exit 0
