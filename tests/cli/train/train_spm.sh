# Training and translating from raw text with SentencePiece models.
. "$SOURCE/tests/support/shell/lib.sh"
generate data --seed 5 --train 60 --dev 5 --test 5
cases=$SOURCE/tests/cli/text/spm
small='--dim-emb 16 --transformer-dim-ffn 32 --transformer-heads 2 --enc-depth 1 --dec-depth 1 --save-freq 10u
    --batch-size 20 --devices cpu --source-lang en --target-lang de --quiet'
run() {
    model=$1
    shift
    "$DRAGOMAN" train $small -t data/train.en data/train.de -m "$model" "$@" || fail "train $*"
}
show() {
    echo "\$ dragoman $*" | sed "s|$cases/||g"
    "$DRAGOMAN" "$@" 2>&1 | sed "s|$cases/||g"
}

# Two models; a run in two parts gives the bytes of one.
two="--spm $cases/unigram.model $cases/bpe-bytes.model --tied-embeddings decoder"
run two.gguf $two --after 20u --valid-sets data/dev.en data/dev.de --valid-metrics bleu chrf
run again.gguf $two --after 10u
run again.gguf $two --after 20u
"$DRAGOMAN" translate -m again.gguf -i data/test.en > again.de || fail translate
run whole.gguf $two --after 20u
"$DRAGOMAN" translate -m whole.gguf -i data/test.en | cmp - again.de
cmp whole.gguf again.gguf || fail 'two parts, other bytes'
printf 'a\n\n\t \n\377 \342\226\201 b\n' | "$DRAGOMAN" translate -m two.gguf | wc -l | tr -d ' '
"$DRAGOMAN" inspect -n 3 two.gguf | grep -e 'dragoman.spm' -e 'dragoman.vocab'

# One model for a vocabulary of both sides; a tag; further training; an average; fewer bits.
run one.gguf --spm "$cases/unigram-bytes.model" --tied-embeddings all --after 4u --train-tags '<de>'
"$DRAGOMAN" translate -m one.gguf --tag '<de>' -i data/test.en > one.de || fail 'translate with a tag'
"$DRAGOMAN" inspect one.gguf | grep -c 'dragoman.spm'
"$DRAGOMAN" train --init two.gguf -t data/train.en data/train.de -m next.gguf --after 2u --batch-size 20 \
    --devices cpu --quiet || fail 'train --init'
"$DRAGOMAN" average -o mean.gguf again.gguf whole.gguf || fail average
"$DRAGOMAN" quantize -o q8.gguf two.gguf || fail quantize
"$DRAGOMAN" translate -m q8.gguf -i data/test.en > /dev/null || fail 'translate in fewer bits'
"$DRAGOMAN" translate -m two.gguf next.gguf -i data/test.en > /dev/null || fail 'translate with two'


# A vocabulary that lacks pieces, and grows: in two parts and in one, the same pieces are known.
"$DRAGOMAN" spm encode -m "$cases/unigram.model" < data/train.en | tr ' ' '\n' | sort | uniq -c | sort -k1,1nr -k2 |
    awk '{ print $2, $1 }' > full.en
"$DRAGOMAN" spm encode -m "$cases/bpe-bytes.model" < data/train.de | tr ' ' '\n' | sort | uniq -c | sort -k1,1nr -k2 |
    awk '{ print $2, $1 }' > full.de
head -n 20 full.en > few.en
head -n 20 full.de > few.de
(cat few.en; echo '<sep> 1') > sep.en
run few.gguf $two --vocabs few.en few.de --after 2u 2> log || fail 'few pieces'
grow() {
    "$DRAGOMAN" train --init few.gguf --vocabs full.en full.de -t data/train.en data/train.de -m "$@" \
        --batch-size 20 --devices cpu --save-freq 2u --quiet 2> log || fail "train $*: $(cat log)"
}
grow grown.gguf --after 6u
grow parts.gguf --after 2u
grow parts.gguf --after 6u
cmp grown.gguf parts.gguf || fail 'a grown vocabulary: two parts, other bytes'
grep 'become <unk>' log && fail 'pieces that the vocabulary has'

# A recipe's models of SentencePiece are passed over where the parent brings its own text.
run plain.gguf --tokenize none --bpe-merges 20 --after 1u
printf 'spm = %s\n' "$cases/unigram.model" > recipe.conf
"$DRAGOMAN" train --config recipe.conf --init plain.gguf -t data/train.en data/train.de -m over.gguf --after 1u \
    --batch-size 20 --devices cpu --quiet 2> log || fail "a recipe with spm: $(cat log)"

echo 'refused:'
base="train -t data/train.en data/train.de -m no.gguf --dry-run"
show $base --spm "$cases/bpe.model" --tokenize moses
show $base --spm "$cases/bpe.model" --tokenize none
show $base --tokenize spm
show $base --spm "$cases/bpe.model" --codes codes
show $base --spm "$cases/bpe.model" --bpe-merges 10
show $base --spm "$cases/bpe.model" "$cases/char.model" --tied-embeddings all
show $base --spm "$cases/bpe.model" --syntax 'deps-san' 
show $base --spm "$cases/bpe.model" --multitask --train-brackets none
show $base --spm none
show $base --spm data/train.en
show $base --spm "$cases/unigram-symbols.model" --train-tags '<sep>'
show $base --spm "$cases/unigram-symbols.model" --vocabs sep.en --train-tags '<sep>'
show $base --init two.gguf --init-partial --bpe-merges 0
show $base --init two.gguf --init-partial --tokenize none
show $base --init plain.gguf --init-partial --tokenize spm
show train --dry-run -m no.gguf --spm "$cases/bpe.model"
show $base --init two.gguf --spm "$cases/bpe.model"
show translate -m two.gguf one.gguf -i data/test.en
