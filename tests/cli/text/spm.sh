# SentencePiece models: pieces, numbers and text as the library makes them. scripts/peers/spm_cases.py
# has made the models and what is expected.
cases=$SOURCE/tests/cli/text/spm
for model in "$cases"/*.model; do
    name=${model##*/} name=${name%.model}
    for form in pieces ids; do
        "$DRAGOMAN" spm encode -m "$model" -f $form -i "$cases/text" > out || exit 1
        cmp out "$cases/$name.$form" || diff out "$cases/$name.$form"
        "$DRAGOMAN" spm decode -m "$model" -f $form -i "$cases/$name.$form" > back || exit 1
        test $form = pieces || cmp back "$cases/$name.back" || diff back "$cases/$name.back"
    done
    "$DRAGOMAN" spm encode -m "$model" --threads 3 < "$cases/text" | cmp - "$cases/$name.pieces"
done
DRAGOMAN_SEED=3 "$DRAGOMAN" spm encode -m "$cases/bpe.model" -i "$cases/text" | cmp - "$cases/bpe.pieces" || exit 1
# What is no unknown piece comes back from its text, too.
"$DRAGOMAN" spm encode -m "$cases/bpe-bytes.model" -i "$cases/text" |
    "$DRAGOMAN" spm decode -m "$cases/bpe-bytes.model" | cmp - "$cases/bpe-bytes.back"

show() {
    echo "\$ dragoman $*" | sed "s|$cases/||"
    "$DRAGOMAN" "$@" 2>&1 | sed "s|$cases/||"
}
show spm info "$cases/unigram-symbols.model"
show spm info --pieces "$cases/bpe-symbols.model" | head -n 8
echo 'bad input:'
show spm encode -i "$cases/text"
show spm encode -m none -i "$cases/text"
echo 'low 3' > dict
show spm info dict
head -c 3000 "$cases/bpe.model" > cut
show spm info cut
: > empty
show spm info empty
echo '5 7 x' > ids
show spm decode -m "$cases/bpe.model" -f ids -i ids
printf '5 7\n5 302\n' > ids
show spm decode -m "$cases/bpe.model" -f ids -i ids
show spm decode -m "$cases/bpe.model" -f ids -i ids -f words
show spm encode -m "$cases/bpe.model" -i ids --seed 3
show spm info
