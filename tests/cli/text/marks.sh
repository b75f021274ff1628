# marks.sh: a byte-order mark at the start of codes, vocabularies and counts is no part of them: the
# same pieces, the same bytes of a model.
set -e
. "$SOURCE/tests/support/shell/lib.sh"
generate data --seed 3 --train 100 --dev 5 --test 5
marked() { printf '\357\273\277'; cat "$1"; }

"$DRAGOMAN" bpe learn -q -s 40 data/train.en data/train.de > codes
head -n 1 codes | grep -q '^#version' || fail 'the codes have no line of their version'
sed 1d codes > older # without one, the first line is a merge
for file in codes older; do
    marked $file > $file.marked
    "$DRAGOMAN" bpe apply -c $file < data/test.en > plain 2> plain.log
    "$DRAGOMAN" bpe apply -c $file.marked < data/test.en > got 2> got.log
    cmp plain got
    sed 's/\.marked//' got.log | diff plain.log -
done
for side in en de; do
    "$DRAGOMAN" bpe apply -q -c codes < data/train.$side | "$DRAGOMAN" vocab -q > vocab.$side
    marked vocab.$side > marked.$side
done
settings tokenize=none enc-depth=1 dec-depth=1 dim-emb=16 transformer-dim-ffn=32 transformer-heads=2 batch-size=20 \
    after=2u tied-embeddings=decoder
valid_on=
train plain.gguf --codes codes --vocabs vocab.en vocab.de
train marked.gguf --codes codes.marked --vocabs marked.en marked.de
cmp plain.gguf marked.gguf

# Dictionaries of other programs.
cp -r "$SOURCE/tests/cli/model/import/fairseq" folder
chmod -R u+w folder
"$DRAGOMAN" import -q folder -o before.gguf
for file in folder/dict.*; do
    marked "$file" > with
    mv with "$file"
done
"$DRAGOMAN" import -q folder -o after.gguf
cmp before.gguf after.gguf
