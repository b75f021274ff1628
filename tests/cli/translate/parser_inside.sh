# parser_inside.sh: a parser inside a translation model: it makes the trees of training and of
# translating, the same ones that `parse` writes; files, threads, batches, kills change no byte.
set -e
. "$SOURCE/tests/support/shell/lib.sh"
generate data --seed 7 --train 120 --dev 15 --test 40
# One line that the parser (max-length 30) cannot read, and one that is blank.
long=$(awk 'BEGIN { for (i = 0; i < 40; i++) printf "the old ball "; print "." }')

parser p.gguf data/train.en.conllu
parser other.gguf data/train.en.conllu --seed 2

small enc-depth=2 dec-depth=2 dropout=0.2 max-length=150 after=40u save-freq=7u valid-freq=20u average=3 \
    'syntax=deps-san(layers=1)'
train_on='--train-sets train.en train.de'
{ cat data/train.en; echo "$long"; } > train.en
{ cat data/train.de; echo "der alte Ball ."; } > train.de

# What is missing is said; training with the parser is training with its trees in a file.
ends 2 '--parser FILE' start none.gguf
train m.gguf --parser p.gguf --threads 1
train t2.gguf --parser p.gguf --threads 2
cmp m.gguf t2.gguf
for set in train data/dev; do
    "$DRAGOMAN" parse -q -m p.gguf -f tokens < $set.en > "$(basename $set).conllu"
done
train file.gguf --parser p.gguf --train-trees train.conllu --valid-trees dev.conllu
cmp m.gguf file.gguf
train bare.gguf --train-trees train.conllu --valid-trees dev.conllu
train log.gguf --after 1u --parser p.gguf
said 'training text: 121 sentences parsed in .* words/s; 1 longer than the parser reads, in parts'

# The parser inside is the parser: `parse`, and the mean of any number of files, which is exact.
"$DRAGOMAN" parse -q -m m.gguf -f tokens < data/test.en > test.conllu
"$DRAGOMAN" parse -q -m p.gguf -f tokens < data/test.en | cmp - test.conllu
"$DRAGOMAN" average -q -o mean.gguf -i m.gguf m.gguf m.gguf
cmp m.gguf mean.gguf
"$DRAGOMAN" average -q -o two.gguf -i m.gguf.ckpt/update-*.gguf
"$DRAGOMAN" parse -q -m two.gguf -f tokens < data/test.en | cmp - test.conllu
"$DRAGOMAN" inspect m.gguf | grep -q parser

# Killed and resumed, with the parser named again or taken from the checkpoint.
for pause in 0.1 0.25 0.4; do
    rm -rf killed.gguf killed.gguf.ckpt
    killed $pause start killed.gguf --quiet --parser p.gguf --threads 2
    train killed.gguf --parser p.gguf
    cmp m.gguf killed.gguf
done
rm -rf part.gguf part.gguf.ckpt
train part.gguf --parser p.gguf --after 14u
ends 2 'other.gguf: .*another parser' start part.gguf --parser other.gguf
train part.gguf
cmp m.gguf part.gguf
ends 2 parser start bare.gguf --train-trees train.conllu --valid-trees dev.conllu --parser p.gguf
rm -rf part.gguf part.gguf.ckpt
train part.gguf --parser p.gguf --after 14u
train part.gguf --parser other.gguf --allow-data-change

# translate --trees: auto is what `parse` writes, given as a file; none is a model without parser.
translate() { "$DRAGOMAN" translate --quiet --models m.gguf -b 3 --scores "$@"; }
translate < data/test.en > auto.de
translate --trees test.conllu < data/test.en | cmp - auto.de
translate --trees auto --threads 1 --batch-tokens 1 < data/test.en | cmp - auto.de
translate --threads 3 --maxi-batch 7 < data/test.en | cmp - auto.de
head -n 12 data/test.en | while read -r line; do echo "$line" | translate; done > lines.de
head -n 12 auto.de | cmp - lines.de
translate --trees none < data/test.en > none.de
differ auto.de none.de
"$DRAGOMAN" translate -q -m bare.gguf -b 3 --scores --trees none < data/test.en > bare.de
refuse 2 'bare.gguf: error: .*parser inside' translate -q -m bare.gguf -i data/test.en
test ! -s out
# An ensemble has the parser of whichever model has one.
"$DRAGOMAN" translate -q -m m.gguf bare.gguf -b 3 --scores < data/test.en > both.de
"$DRAGOMAN" translate -q -m bare.gguf m.gguf -b 3 --scores < data/test.en | cmp - both.de
cmp none.de bare.de

# A line of more words than the parser reads is parsed in parts, as `parse` does, and said once.
{ echo "$long"; echo; echo "$long"; cat data/test.en; } > odd.en
"$DRAGOMAN" translate -m m.gguf -b 3 --scores < odd.en > odd.de 2> odd.err
test "$(wc -l < odd.de)" = 43
test "$(grep -c 'the parser reads 30: parsed in parts' odd.err)" = 1
if grep 'had no tree' odd.err; then exit 1; fi
sed 1,3d odd.de | cmp - auto.de
echo "$long" | "$DRAGOMAN" parse -q -m p.gguf -f tokens > long.conllu
echo "$long" | translate --trees long.conllu > long.de
sed -n 1p odd.de | cmp - long.de
sed -n 3p odd.de | cmp - long.de

# rescore reads the same trees.
cut -f 2 auto.de > words.de
rescore() { "$DRAGOMAN" rescore data/test.en words.de -q -m m.gguf "$@"; }
rescore > auto.scores
rescore --trees test.conllu | cmp - auto.scores
rescore --threads 1 | cmp - auto.scores
rescore --trees none > none.scores
differ auto.scores none.scores

# A model that uses no trees keeps its parser and does not ask it.
train plain.gguf --syntax none --parser p.gguf
"$DRAGOMAN" translate -q -m plain.gguf < data/test.en > plain.de
"$DRAGOMAN" translate -q -m plain.gguf --trees none < data/test.en | cmp - plain.de
"$DRAGOMAN" parse -q -m plain.gguf -f tokens < data/test.en | cmp - test.conllu
