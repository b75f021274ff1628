# two_forms.sh: whatever learns from words says so where letters with accents are written in two ways, and nothing
# where they are written in one.
. "$SOURCE/tests/support/shell/lib.sh"
e=$(printf 'caf\303\251') d=$(printf 'cafe\314\201') # composed, decomposed
# text WORD WORD: sentences with the one and with the other.
text() { awk -v a="$1" -v b="$2" 'BEGIN { for (i = 0; i < 4; i++) print "the", a, "is a", b, "of", i; }' > text; }
# trees WORD WORD: of the same.
trees() {
    awk -v a="$1" -v b="$2" 'BEGIN {
        for (i = 0; i < 4; i++) printf "1\t%s\t_\tX\t_\t_\t0\troot\t_\t_\n2\t%s\t_\tX\t_\t_\t1\tdep\t_\t_\n\n", a, b }' \
        > train.conllu
}
learn() {
    "$DRAGOMAN" "$@" > out 2> log || fail "$*: $(cat log)"
    if grep -q 'composed in 1 words and decomposed in 1:' log; then echo "$1 $2" >> warned; fi
}
all() {
    rm -rf warned p.gguf*
    text "$1" "$2"
    trees "$1" "$2"
    learn bpe learn -s 5 -i text
    learn bpe vocab -i text
    learn vocab -i text
    learn truecase train -i text
    learn vectors train --dim 4 --epochs 1 --min-freq 1 -o vectors text
    learn train-parser -m p.gguf -t train.conllu --after 1u --enc-depth 1 --dim-emb 8 --dim-lstm 8 \
        --dim-piece 4 --dim-piece-lstm 4 --dim-arc 8 --dim-label 4 --dim-tag 4 --batch-tokens 50 --average 0
}
all "$e" "$d"
cat warned
for word in "$e" "$d"; do
    all "$word" "$word"
    test ! -e warned || fail "one way of writing: $(cat warned)"
done
