# card.sh: what a model file says of itself: written, replaced, taken away; values and tensors stay.
set -e
. "$SOURCE/tests/support/shell/lib.sh"
generate data --seed 7 --train 60 --dev 5 --test 3
small after=1u save-freq=1u bpe-merges=0
valid_on=
train m.gguf
"$DRAGOMAN" card m.gguf -o one.gguf 'name=Englisch - Übung' license=CC-BY-2.0 languages=en,de url=http://x.org
"$DRAGOMAN" inspect --verify -n 99 one.gguf --no-tensors | grep 'general\.[a-z]* *string'
"$DRAGOMAN" models -m one.gguf | sed 's/  *[0-9.]* MiB//'
"$DRAGOMAN" card one.gguf -o two.gguf name=Other languages=fr url=
"$DRAGOMAN" inspect --verify two.gguf --no-tensors | grep 'general\.[a-z]* *string'
# With all taken away it is the first file.
"$DRAGOMAN" card two.gguf -o three.gguf name= license= languages=
cmp m.gguf three.gguf
"$DRAGOMAN" translate -q -m two.gguf -i data/test.en > out
"$DRAGOMAN" translate -q -m m.gguf -i data/test.en | cmp - out
# What another program writes into such a key is told; into one of ours, it is damage.
LC_ALL=C sed 's/CC-BY-2.0/CC-BY-4.0/' one.gguf > changed.gguf
"$DRAGOMAN" translate -m changed.gguf -i data/test.en > out 2> log
"$DRAGOMAN" translate -q -m m.gguf -i data/test.en | cmp - out
said 'note: changed.gguf: another program has changed it, but nothing that Dragoman computes with'
"$DRAGOMAN" card changed.gguf -o again.gguf url=
"$DRAGOMAN" inspect --verify again.gguf > out 2> log
grep -q CC-BY-4.0 out
test ! -s log
LC_ALL=C sed 's/norm-eps = 1e-5/norm-eps = 1e-6/' one.gguf > changed.gguf
cmp -s one.gguf changed.gguf && exit 1
refuse 4 'metadata: checksum mismatch (file damaged)' translate -m changed.gguf
# A parser by its language.
printf '1\ta\t_\tX\t_\t_\t0\troot\t_\t_\n\n' > train.conllu
"$DRAGOMAN" train-parser -q -m p.gguf -t train.conllu --after 1u --enc-depth 1 --dim-emb 8 --dim-lstm 8 --dim-piece 4 \
    --dim-piece-lstm 4 --dim-arc 8 --dim-label 4 --dim-tag 4 --batch-tokens 50 --average 0
mkdir models
"$DRAGOMAN" card p.gguf -o models/en.gguf languages=en,cy
"$DRAGOMAN" card p.gguf -o models/fr.gguf languages=fr
echo 'a b' | "$DRAGOMAN" parse -m models --language cy > out 2> log
said 'note: model: models/en.gguf'
refuse 2 'both fit' parse -m models
refuse 2 'no parser from de among 2 models in models' parse -m models --language de
for words in name color=red =x 'name=a name=b' "name=$(printf 'a\377')"; do
    # shellcheck disable=SC2086
    refuse 2 'expected KEY=TEXT in UTF-8, with one of name, ' card m.gguf -o x.gguf $words
done
refuse 2 'exists' card m.gguf -o one.gguf name=a
refuse 2 'one.gguf' card one.gguf -o one.gguf --overwrite name=a
test ! -e x.gguf
