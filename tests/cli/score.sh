# Scores, their forms, and text that does not fit together.
try() {
    echo "\$ dragoman $*"
    "$DRAGOMAN" "$@" 2>&1
    echo "-> $?"
}
printf 'the cat sat on the mat .\nhello there world .\n' > ref
printf 'a cat sat on the mat .\nhello , world .\n' > ref2
printf 'the Cat sat on a mat .\r\nhello world .' > hyp
try score ref -i hyp --force
try score ref ref2 -i hyp --force
try score ref -i hyp -m bleu chrf chrf++ -w 4 --force
try score -m chrf ref -i hyp
try score ref -i hyp -b -lc --force
try score ref -i hyp -sl -b -m chrf bleu
try score ref -i hyp --multi-bleu
try score ref -i hyp --multi-bleu -lc
try score ref -i hyp -f json -sh --smooth-method floor -sv 0.01 -tok intl
try score ref -i hyp -f json -m chrf bleu --force
try score ref -i ref -tok none
try score ref -i ref -tok char --max-ngram-order 2
"$DRAGOMAN" score ref --force < hyp > a && "$DRAGOMAN" eval ref --force -i hyp -o b && cmp a b
echo 'bad input:'
try score -i hyp
try score -m
try score -m blue ref -i hyp
try score -m chrf missing -i hyp
try score ref -i .
try score - -i -
try score ref -i hyp -o ref
head -n 1 hyp > short
try score ref -i short
try score ref short -i hyp
: > empty
try score empty -i empty
try score ref -i empty
try score ref -i hyp --multi-bleu -m chrf
printf '\300\257 a\0b \377\n\n' > odd
try score odd -i odd -b
