# models.sh: models that are at hand: listed, chosen by their languages where none is named, asked for a language by
# its tag; what is ambiguous, missing or damaged is told.
set -e
. "$SOURCE/tests/support/shell/lib.sh"
generate data --seed 7 --train 60 --dev 5 --test 3
small after=1u save-freq=1u bpe-merges=0
valid_on=
XDG_DATA_HOME=$PWD/data XDG_DATA_DIRS=$PWD/site:/nowhere
export XDG_DATA_HOME XDG_DATA_DIRS
unset DRAGOMAN_MODELS
briefly 2 "no translation model among 0 models in $PWD/data/dragoman, $PWD/site/dragoman/models, " "$DRAGOMAN" translate
try models

train m.gguf
train tags.gguf --train-tags '<de>'
mkdir -p data/dragoman site/dragoman/models
cp m.gguf data/dragoman/en-de.gguf
"$DRAGOMAN" import -q "$SOURCE/tests/cli/model/import/hf-m2m100" -o site/dragoman/models/many.gguf
"$DRAGOMAN" langid train -q en=data/train.en de=data/train.de -o data/dragoman/languages.gguf
printf '1\ta\t_\tX\t_\t_\t0\troot\t_\t_\n\n' > train.conllu
"$DRAGOMAN" train-parser -q -m data/dragoman/parser.gguf -t train.conllu --after 1u --enc-depth 1 --dim-emb 8 \
    --dim-lstm 8 --dim-piece 4 --dim-piece-lstm 4 --dim-arc 8 --dim-label 4 --dim-tag 4 --batch-tokens 50 --average 0
echo 'no model' > data/dragoman/notes.txt
list() { "$DRAGOMAN" models "$@" | sed "s|$PWD/||; s/  *[0-9.]* MiB//; s/, \"bytes\": [0-9]*//"; }
list
list --to fr -f json
list --from de -m data/dragoman m.gguf

# The one that fits, of the first folder that has one; it is named, and its bytes are those of --models.
translate() { "$DRAGOMAN" translate -i data/test.en -b 1 "$@" 2> log; }
translate -m m.gguf > want
for how in '' '--to de' '--from en' '--from en --to de' '-m data/dragoman' '-m site/dragoman/models data/dragoman --to de'; do
    case $how in *site*) model=site/dragoman/models/many.gguf ;; *) model=data/dragoman/en-de.gguf ;; esac
    # shellcheck disable=SC2086
    case $how in *site*) translate $how --from en > out ;; *) translate $how > out && cmp want out ;; esac
    said "note: model: .*$model"
done
DRAGOMAN_MODELS=data/dragoman translate --to de | cmp - want
"$DRAGOMAN" rescore -q data/test.en data/test.de > out
"$DRAGOMAN" rescore -q data/test.en data/test.de -m m.gguf | cmp - out
echo 'a b' | "$DRAGOMAN" parse -q -f tokens > out
echo 'a b' | "$DRAGOMAN" annotate -q -f tokens > /dev/null

# Languages are tags: in front of the line, or of the translation too; of two the other one.
many() { "$DRAGOMAN" translate -q -b 1 -i data/test.en -m site/dragoman/models/many.gguf "$@"; }
many --tag '<en>' --target-tag '<fr>' > want
many --from en --to fr | cmp - want
many --to fr > some
differ some want
translate --from en --to fr | cmp - want
translate -m tags.gguf --tag '<de>' > want
translate -m tags.gguf --to de | cmp - want

# What is refused.
refuse 2 'm.gguf: error: does not translate from fr, but from en to de' translate -m m.gguf --from fr
refuse 2 'm.gguf: error: does not translate to en, but from en to de' translate -m m.gguf --to en
refuse 2 'many.gguf: error: translates to de en fr; expected one of them behind --to' translate --from fr
refuse 2 'no translation model from en to en' translate --from en --to en
refuse 2 'no translation model to xx among 4 models' translate --to xx
refuse 2 '\-\-to with --tag\|\-\-to .*--tag' translate -m tags.gguf --to de --tag '<de>'
refuse 2 '\-\-tag with --from, which names it itself' translate -m site/dragoman/models --from en --target-tag '<de>' --tag '<de>'
cp m.gguf data/dragoman/second.gguf
refuse 2 'dragoman/en-de.gguf and .*second.gguf both fit' translate --to de
refuse 2 'data/dragoman: error: a folder beside the file m.gguf' translate -m m.gguf data/dragoman
refuse 4 'none.gguf' models -m none.gguf
# A damaged one is passed over.
head -c 100 m.gguf > data/dragoman/second.gguf
translate > out
said 'second.gguf: passed over'
said 'note: model: .*en-de.gguf'
