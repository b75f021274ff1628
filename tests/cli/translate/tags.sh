# tags.sh: tags of source words: from a file of trees or from the parser inside the model, the
# same in training, translating and rescoring; none without a tree.
set -e
test -x "$GENERATE" || { echo "no generator"; exit 77; }
"$DRAGOMAN" train --quiet --dry-run --dim-vocabs 50 --model x.gguf --syntax tags 2> /dev/null ||
    { echo "no variant reads tags"; exit 77; }
"$GENERATE" --seed 7 --train 120 --dev 15 --test 40 --out data > /dev/null
"$DRAGOMAN" train-parser --quiet --train-sets data/train.en.conllu --min-freq 1 --after 25u \
    --save-freq 25u --warmup 5 --dim-emb 16 --dim-lstm 16 --dim-piece 8 --dim-piece-lstm 8 \
    --enc-depth 1 --dim-arc 16 --dim-label 8 --dim-tag 8 --max-length 30 --model p.gguf
for set in train dev test; do
    "$DRAGOMAN" parse -q -m p.gguf -f tokens < data/$set.en > $set.conllu
done

cat > small.conf <<CONF
tokenize = none
bpe-merges = 60
enc-depth = 1
dec-depth = 1
dim-emb = 16
transformer-dim-ffn = 24
transformer-heads = 2
max-length = 150
batch-tokens = 150
lr = 0.01
warmup = 10
after = 40u
save-freq = 20u
valid-freq = 20u
syntax = tags(dim=4)
CONF
train() {
    model=$1
    shift
    "$DRAGOMAN" train --quiet --config small.conf --model "$model" \
        --train-sets data/train.en data/train.de --valid-sets data/dev.en data/dev.de "$@"
}

# What is missing is said; the parser's trees are the same from a file, for any threads.
rc=0
train none.gguf 2> err || rc=$?
test $rc = 2
grep -q -e '--parser FILE' err
train m.gguf --parser p.gguf --threads 1
train file.gguf --parser p.gguf --train-trees train.conllu --valid-trees dev.conllu --threads 2
cmp m.gguf file.gguf
"$DRAGOMAN" inspect m.gguf | grep -q 'dragoman.vocab.tags.*<unk>.*</s>'
train plain.gguf --syntax none
if "$DRAGOMAN" inspect plain.gguf | grep -q 'vocab.tags'; then exit 1; fi

# A run that goes on from its checkpoint ends with the same bytes.
train part.gguf --parser p.gguf --after 20u
train part.gguf
cmp m.gguf part.gguf

# Translating and rescoring read the same tags from the parser and from a file.
translate() { "$DRAGOMAN" translate -q -m m.gguf -b 3 --scores "$@" < data/test.en; }
translate > auto.de
translate --trees test.conllu --threads 3 --maxi-batch 7 | cmp - auto.de
translate --batch-tokens 1 | cmp - auto.de
cut -f 2 auto.de > words.de
rescore() { "$DRAGOMAN" rescore data/test.en words.de -q -m m.gguf "$@"; }
rescore > auto.scores
rescore --trees test.conllu | cmp - auto.scores

# A relation that training did not have is one without a tree, here for every word.
rescore --trees none > none.scores
if cmp -s auto.scores none.scores; then echo "tags change no score"; exit 1; fi
awk -F '\t' 'NF == 10 { $8 = "never:seen" } { print }' OFS='\t' test.conllu > other.conllu
rescore --trees other.conllu | cmp - none.scores

# Models of different tags are no ensemble; one that reads none may stand beside one that does.
sed 's/	obj	/	object	/' train.conllu > renamed.conllu
train renamed.gguf --train-trees renamed.conllu --valid-trees dev.conllu
rc=0
"$DRAGOMAN" translate -q -m m.gguf renamed.gguf < data/test.en > /dev/null 2> err || rc=$?
test $rc = 4
grep -q 'renamed.gguf: .*vocabulary of tags' err
"$DRAGOMAN" translate -q -m plain.gguf m.gguf --trees test.conllu < data/test.en > both.de
test "$(wc -l < both.de)" = 40
