# looks.sh: text that was prepared for something else is told, in one warning: cut into pieces
# already (tok, score, train), running text where words are wanted (train --tokenize none), or text
# that no blank cuts into words (train); README's commands for one's own text have none.
set -e
. "$SOURCE/tests/support/shell/lib.sh"
generate data --seed 7 --train 60 --dev 8 --test 8
small after=1u save-freq=1u valid-freq=1u max-length=400
warnings() { test "$(grep -c warning log)" = "$1" || fail "warnings, not $1: $(cat log)"; }
quiet() { if grep warning log; then fail 'not expected'; fi; }

# ---- pieces --------------------------------------------------------------------------------------

mkdir bpe spm running
for l in en de; do
    "$DRAGOMAN" bpe learn -q -s 40 < data/train.$l > codes.$l
    for set in train dev; do
        "$DRAGOMAN" bpe apply -q -c codes.$l < data/$set.$l > bpe/$set.$l
        sed 's/^/▁/; s/ / ▁/g' data/$set.$l > spm/$set.$l
        sed 's/ \([.,?]\)/\1/g' data/$set.$l > running/$set.$l
    done
done
pieces() { # FOLDER MARK
    for command in "tok -i $1/train.de" "score $1/train.de -i $1/train.de --metrics bleu chrf" \
        "score $1/train.de $1/train.de -i $1/train.de"; do
        # shellcheck disable=SC2086
        "$DRAGOMAN" $command > out 2> log
        said "warning: the text looks cut into pieces already: [0-9]* % of the lines have $2; expected"
        warnings 1
    done
    "$DRAGOMAN" tok -j 3 -i $1/train.de 2> log | cmp - "$1.tok"
    warnings 1
    train_on="--train-sets $1/train.en $1/train.de" valid_on="--valid-sets $1/dev.en $1/dev.de"
    for how in 'none --bpe-merges 0' 'moses --bpe-merges 30'; do
        # shellcheck disable=SC2086
        train $1.gguf --no-resume --overwrite --tokenize $how
        said "warning: training text looks cut into pieces already: [0-9]* % of the lines have $2"
        warnings 1
    done
}
for kind in bpe spm; do
    "$DRAGOMAN" tok -q -i $kind/train.de > $kind.tok
done
pieces bpe @@
pieces spm U+2581
# Text that is no such thing; a few such words do not make it one.
{ cat data/train.de; echo 'an @@ and a@@b and c@@ d'; } > few
"$DRAGOMAN" tok -i few > out 2> log
quiet
"$DRAGOMAN" score few -i few > out 2> log
quiet

# ---- running text --------------------------------------------------------------------------------

train_on='--train-sets running/train.en running/train.de'
valid_on='--valid-sets running/dev.en running/dev.de'
train run.gguf
said 'warning: training text looks like running text: [0-9]* % of the lines end in a stop'
warnings 1
train run.gguf --no-resume --overwrite --tokenize moses
quiet
train_on='--train-sets data/train.en data/train.de' valid_on='--valid-sets data/dev.en data/dev.de'
train words.gguf
quiet

# Sentences of a script without blanks, which no rules cut into words.
for set in train dev; do
    sed 's/.*/子供たちは庭で犬と遊んでいるのか。/' data/$set.en > $set.ja
done
valid_on='--valid-sets dev.ja data/dev.de'
train_on='--train-sets train.ja data/train.de'
unspaced='warning: training text is in a script without blanks between words: 50 % .*--vocab-type unigram'
train ja.gguf
said "$unspaced"
warnings 1
train ja.gguf --no-resume --overwrite --tokenize moses --source-lang en
said "$unspaced"
warnings 1
train ja.gguf --no-resume --overwrite --tokenize moses --source-lang ja
said 'warning: language "ja" has no rules .*--vocab-type unigram'
warnings 1
train_on='--train-sets data/train.en data/train.de' valid_on='--valid-sets data/dev.en data/dev.de'

# README's command for one's own text, as it stands there.
cd running
cp train.en raw.en
cp train.de raw.de
sed -n '/^## Your own text/,/^    dragoman translate/p' "$SOURCE/README.md" | grep '^    dragoman train' |
    sed "s|^    dragoman|'$DRAGOMAN'|; s|\$| --dry-run|" > typed.sh
grep -q 'raw.en raw.de' typed.sh
rc=0
sh ./typed.sh > out 2> log || rc=$?
grep -q 'clean raw.en raw.de' out || { test $rc = 3 && grep -q 'pairs' log; } || fail "$(cat out log)"
silent looks
"$DRAGOMAN" train --dry-run -t raw.en raw.de --tokenize none > out 2> log
said 'looks like running text'
cd ..

# ---- links ---------------------------------------------------------------------------------------

"$DRAGOMAN" translate -m words.gguf -i data/test.en --alignment links > out 2> log
said 'warning: words.gguf: nothing in the file says that the model has learned links (train --guided'
warnings 1
"$DRAGOMAN" translate -m words.gguf -i data/test.en > out 2> log
quiet
sed 's/.*/0-0 1-1/' data/train.en > train.links
train links.gguf --guided-alignment train.links
"$DRAGOMAN" inspect links.gguf | grep -q 'dragoman.training.links'
"$DRAGOMAN" quantize -q --type bf16 links.gguf -o small.gguf
for model in links small; do
    "$DRAGOMAN" translate -m $model.gguf -i data/test.en --alignment links > out 2> log
    quiet
done
