# two_roots.sh: train-parser --multi-root attach-first learns what `convert trees` with it writes: of two
# roots the second hangs on the first as "dep", since a parser calls the root alone "root".
set -e
. "$SOURCE/tests/support/shell/lib.sh"
for i in 1 2 3 4 5 6 7 8 9 10; do
    printf '1\ta\t_\tX\t_\t_\t0\troot\t_\t_\n2\tb\t_\tX\t_\t_\t1\tobj\t_\t_\n3\tc\t_\tX\t_\t_\t0\troot\t_\t_\n\n'
done > two.conllu
"$DRAGOMAN" convert trees --multi-root attach-first -i two.conllu -o one.conllu
learn() {
    "$DRAGOMAN" train-parser -q -m "$@" --enc-depth 1 --dim-emb 16 --dim-lstm 16 --dim-arc 16 \
        --dim-label 16 --dim-tag 8 --dim-piece 8 --dim-piece-lstm 8 --dropout 0 --word-dropout 0 \
        --recurrent-dropout 0 --warmup 5 --lr 0.02 --min-freq 1 --after 40u
}
learn two.gguf -t two.conllu --multi-root attach-first
learn one.gguf -t one.conllu
for model in two one; do
    printf 'a b c\n' | "$DRAGOMAN" parse -q -f tokens -m $model.gguf > $model.out
    test "$(awk -F '\t' '$2 == "c" { print $7, $8 }' $model.out)" = '1 dep' || fail "$(cat $model.out)"
done
cmp two.out one.out
