# Vocabularies in fairseq's form.
try() {
    echo "\$ dragoman $*"
    "$DRAGOMAN" "$@" 2>&1
    echo "-> $?"
}
printf 'b a b c <unk>\nb a </s>\n' > text
printf 'c c d\n' > more
try vocab text more
try vocab --min-freq 2 text more
try vocab -m 6 -i text more
try vocab --size 3 text
try vocab -o out text
cat out
"$DRAGOMAN" bpe vocab text more > counts
"$DRAGOMAN" vocab text more > a
"$DRAGOMAN" vocab --dict-input counts | cmp a -
"$DRAGOMAN" vocab < text | diff - out
try vocab missing
try vocab --dict-input text
try vocab text -o text
try vocab /dev/null
