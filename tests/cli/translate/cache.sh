# cache.sh: a sentence that comes again is searched once, in the same lines and in later ones, and
# all that is written is what it would be otherwise.
set -e
. "$SOURCE/tests/support/shell/lib.sh"
generate data --seed 3 --train 60 --dev 4 --test 6
small after=3u batch-size=20
valid_on=
train model.gguf
{ cat data/test.en; sed -n '2p;2p;5p' data/test.en; echo; cat data/test.en; echo 'THE CAT'; sed -n 2p data/test.en; } > in

# both OPTION...: with the cache and without.
both() {
    "$DRAGOMAN" translate -m model.gguf "$@" < in > with 2> with.log
    "$DRAGOMAN" translate -m model.gguf --no-cache "$@" < in > without 2> without.log
    cmp with without
    cmp with.log without.log
}
# again COUNT OPTION...: so many sentences are not searched.
again() {
    count=$1
    shift
    "$DRAGOMAN" translate -m model.gguf -b 2 --log-level debug "$@" < in 2> log > out
    said "debug: $count sentences came again"
}
both
both -b 3 --n-best 3 --scores
both -b 2 --maxi-batch 4
both -b 2 --keep-tokens --case auto --split sentence
for shown in attention alignment; do
    "$DRAGOMAN" translate -q -m model.gguf -b 2 --$shown shown < in > with
    "$DRAGOMAN" translate -q -m model.gguf -b 2 --$shown shown.without --no-cache < in > without
    cmp with without
    cmp shown shown.without
done

again 10
again 10 --maxi-batch 4
"$DRAGOMAN" translate -m model.gguf --no-cache --log-level debug < in 2> log > out
silent 'came again'
"$DRAGOMAN" translate -m model.gguf --memory 200M --log-level debug < in 2> log > out
silent 'came again'
