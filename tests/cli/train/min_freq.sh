# min_freq.sh: the least count of a vocabulary's entries, for both sides together or for each.
set -e
exec >&2
fail() { echo "$*"; cat err; exit 1; }
# a: 3, b: 2, c: 1; A: 3, B: 2, C: 1; each sentence in both languages.
printf 'a b c\na b\na\n' > text.en
printf 'A B C\nA B\nA\n' > text.de
train() {
    "$DRAGOMAN" train --tokenize none --bpe-merges 0 --enc-depth 1 --dec-depth 1 --dim-emb 8 \
        --transformer-dim-ffn 8 --transformer-heads 1 --tied-embeddings decoder --train-sets text.en text.de --after 1u \
        --overwrite -m m.gguf "$@" 2> err
}
# has SOURCE TARGET: how many entries the vocabularies have, four special ones included.
has() { grep -q "vocabularies $1 and $2)" err || fail "expected $1 and $2"; }
train
has 7 7
train --min-freq 2
has 6 6
train --min-freq 1 3
has 7 5
train --min-freq 3,1
has 5 7
train --min-freq=2,3
has 6 5
printf 'min-freq = 3 2\n' > c.conf
train --config c.conf
has 5 6
train --tied-embeddings all --min-freq 3 # no entry is on both sides
has 6 6

refused() {
    what=$1
    shift
    rc=0
    train "$@" || rc=$?
    test $rc = 2 && grep -qF -- "$what" err || fail "rc $rc, expected: $what"
}
refused 'expected 1..1000000000, got "0"' --min-freq 2 0
refused 'expected 1..1000000000, got "-3"' --min-freq -3 1
refused '--min-freq names 3 numbers; expected one for both sides, or two' --min-freq 1 2 3
refused '--tied-embeddings all has one vocabulary' --tied-embeddings all --min-freq 2 3
refused '--min-freq: expected a whole number, 1..1000000000, got "two"' --min-freq two

# The same numbers in another form go on; others are another run.
train -m r.gguf --min-freq 2
train --no-overwrite -m r.gguf --min-freq 2 2 --after 2u
refused 'another setting than "min-freq = 2 3"' --no-overwrite -m r.gguf --min-freq 2 3 --after 3u
