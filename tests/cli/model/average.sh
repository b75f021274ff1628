# average.sh: `average`: which files have a mean, what it holds and what is told of it.
set -e
. "$SOURCE/tests/support/shell/lib.sh"
generate data --seed 5 --train 60 --dev 10 --test 4
small bpe-merges=20 dim-emb=32 transformer-dim-ffn=32 batch-tokens=250
valid_on=
average() { "$DRAGOMAN" average "$@" --overwrite 2> note; }
quiet() { test ! -s note || { cat note; exit 1; }; }
training() { "$DRAGOMAN" inspect "$1" | grep 'dragoman.training' || :; }

# A model and its child learned other updates of other text: that is history, not configuration.
train a.gguf --after 3u --bpe-merges 20
train b.gguf --after 5u --init a.gguf
average -o mean.gguf a.gguf b.gguf
quiet
"$DRAGOMAN" inspect --verify mean.gguf > mean.txt
training mean.gguf > said
training b.gguf > last
test -s last
cmp said last
"$DRAGOMAN" translate -q -m mean.gguf < data/test.en > out
test "$(wc -l < out)" = 4

# A checkpoint, which has but two such keys yet, and the model at the end.
checkpoint=$(ls a.gguf.ckpt/update-*.gguf | tail -n 1)
average -o first.gguf "$checkpoint" a.gguf
quiet
training first.gguf > said
training a.gguf > last
cmp said last
average -o second.gguf a.gguf "$checkpoint"
quiet
training second.gguf | grep -v -e mean-source -e single-sentences > said || :
test ! -s said

# What says what the model is has to agree as before.
train c.gguf --after 2u --bpe-merges 20 --dropout 0.2
! average -o no.gguf a.gguf c.gguf
grep -q 'c.gguf: error: dragoman.config is not that of a.gguf; only models of one' note
test ! -e no.gguf

# Numbers in fewer bits: the last file says in how many, and it is told.
"$DRAGOMAN" quantize a.gguf -o q.gguf 2> /dev/null
average -o m.gguf q.gguf b.gguf
grep -q 'note: .*embed_tokens.weight is q8_0 in q.gguf and f32 in b.gguf.*last file, b.gguf' note
! "$DRAGOMAN" inspect m.gguf | grep q8_0
average -o m.gguf b.gguf a.gguf q.gguf
test "$(wc -l < note)" = 1
grep -q 'embed_tokens.weight is f32 in b.gguf and q8_0 in q.gguf.*last file, q.gguf' note
"$DRAGOMAN" inspect m.gguf | grep -q 'embed_tokens.weight.* q8_0'
average -o m.gguf b.gguf q.gguf a.gguf
grep -q 'f32 in b.gguf and q8_0 in q.gguf.*last file, a.gguf' note
average -o m.gguf q.gguf q.gguf
quiet
