# tags.sh: tags of source words: from a file of trees or from the parser inside the model, the
# same in training, translating and rescoring; none without a tree.
set -e
. "$SOURCE/tests/support/shell/lib.sh"
"$DRAGOMAN" train --quiet --dry-run --dim-vocabs 50 --model x.gguf --syntax tags 2> /dev/null ||
    skip "no variant reads tags"
generate data --seed 7 --train 120 --dev 15 --test 40
parser p.gguf data/train.en.conllu
for set in train dev test; do
    "$DRAGOMAN" parse -q -m p.gguf -f tokens < data/$set.en > $set.conllu
done

small max-length=150 after=40u save-freq=20u valid-freq=20u 'syntax=tags(dim=4)'

# What is missing is said; the parser's trees are the same from a file, for any threads.
ends 2 '--parser FILE' start none.gguf
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
differ auto.scores none.scores
awk -F '\t' 'NF == 10 { $8 = "never:seen" } { print }' OFS='\t' test.conllu > other.conllu
rescore --trees other.conllu | cmp - none.scores

# Models of different tags are no ensemble; one that reads none may stand beside one that does.
sed 's/	obj	/	object	/' train.conllu > renamed.conllu
train renamed.gguf --train-trees renamed.conllu --valid-trees dev.conllu
refuse 4 'renamed.gguf: .*vocabulary of tags' translate -q -m m.gguf renamed.gguf -i data/test.en
"$DRAGOMAN" translate -q -m plain.gguf m.gguf --trees test.conllu < data/test.en > both.de
test "$(wc -l < both.de)" = 40
