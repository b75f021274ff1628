# min_freq.sh: the least count of a vocabulary's entries, for both sides together or for each.
set -e
. "$SOURCE/tests/support/shell/lib.sh"
# a: 3, b: 2, c: 1; A: 3, B: 2, C: 1; each sentence in both languages.
printf 'a b c\na b\na\n' > text.en
printf 'A B C\nA B\nA\n' > text.de
train_on='--train-sets text.en text.de' valid_on=
small bpe-merges=0 dim-emb=8 transformer-dim-ffn=8 transformer-heads=1 tied-embeddings=decoder after=1u overwrite=true
# has SOURCE TARGET: how many entries the vocabularies have, four special ones included.
has() { grep -q "vocabularies $1 and $2)" log || fail "expected $1 and $2: $(cat log)"; }
train m.gguf
has 7 7
train m.gguf --min-freq 2
has 6 6
train m.gguf --min-freq 1 3
has 7 5
train m.gguf --min-freq 3,1
has 5 7
train m.gguf --min-freq=2,3
has 6 5
printf 'min-freq = 3 2\n' > c.conf
train m.gguf --config c.conf
has 5 6
train m.gguf --tied-embeddings all --min-freq 3 # no entry is on both sides
has 6 6

untrained 2 'expected 1..1000000000, got "0"' --min-freq 2 0
untrained 2 'expected 1..1000000000, got "-3"' --min-freq -3 1
untrained 2 '--min-freq names 3 numbers; expected one for both sides, or two' --min-freq 1 2 3
untrained 2 '--tied-embeddings all has one vocabulary' --tied-embeddings all --min-freq 2 3
untrained 2 '--min-freq: expected a whole number, 1..1000000000, got "two"' --min-freq two

# The same numbers in another form go on; others are another run.
train r.gguf --min-freq 2
train r.gguf --no-overwrite --min-freq 2 2 --after 2u
ends 2 'another setting than "min-freq = 2 3"' start r.gguf --no-overwrite --min-freq 2 3 --after 3u
