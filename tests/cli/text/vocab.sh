# Vocabularies in fairseq's form.
. "$SOURCE/tests/support/shell/lib.sh"
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
# A word has at most 65,535 bytes.
awk 'BEGIN { for (i = 0; i < 65535; i++) printf "x"; print ""; for (i = 0; i < 65536; i++) printf "y"; print " a"
             for (i = 0; i < 70000; i++) printf "z"; print "" }' > wide
head -n 2 wide > wide.one
try vocab wide.one -o out
cut -c 1-3 out
awk '{ print length($1) }' out
try vocab wide -o out
try vocab wide -q -o out
try vocab --min-freq 2 wide -o out
try vocab missing
try vocab --dict-input text
try vocab text -o text
try vocab /dev/null
