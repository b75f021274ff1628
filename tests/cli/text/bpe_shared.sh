# The codes, pieces and vocabulary of subword-nmt, byte for byte.
. "$SOURCE/tests/support/shell/lib.sh"
test -n "$SHARED" || skip 'no shared data'
cd "$SHARED/data/bpe" || exit 77
"$DRAGOMAN" bpe learn -s 1000 < corpus.en | cmp - bpe.ref || exit 1
"$DRAGOMAN" bpe apply -c bpe.ref < corpus.en | cmp - corpus.bpe.ref.en || exit 1
"$DRAGOMAN" bpe undo < corpus.bpe.ref.en | cmp - corpus.en || exit 1
printf '  iron cement  \niron\302\240cement\n' | "$DRAGOMAN" bpe apply -c bpe.ref
