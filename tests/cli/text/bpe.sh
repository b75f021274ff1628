# Learning, applying, counting and undoing byte pair encoding.
. "$SOURCE/tests/support/shell/lib.sh"
printf 'low low low low low lower lower newest newest newest newest newest newest widest widest widest\n' > text
try bpe learn -s 6 text
"$DRAGOMAN" bpe learn -s 6 -o codes text || exit 1
printf 'low lowest newer wide@@\n\n' > new
try bpe apply -c codes -i new
"$DRAGOMAN" bpe apply -c codes < new | "$DRAGOMAN" bpe undo > back
printf 'low lowest newer wide@@\n\n' | diff - back
try bpe apply -c codes -m 2 -s '##' -i new
try bpe apply -c codes -m 0 -i new
"$DRAGOMAN" bpe apply -c codes -m -1 -i new > all
"$DRAGOMAN" bpe apply -c codes -i new | cmp all -
try bpe apply -c codes --glossaries lowest newer -i new
echo 'low12est <b>wider</b> 3.5' > marked
try bpe apply -c codes --glossaries '\d+(?:\.\d+)?' '</?\w+>' -i marked
try bpe apply -c codes --glossaries '(a' -i marked
"$DRAGOMAN" bpe apply -c codes < text | "$DRAGOMAN" bpe vocab > vocab
cat vocab
try bpe apply -c codes --vocabulary vocab --vocabulary-threshold 4 -i text
"$DRAGOMAN" bpe apply -c codes --dropout 0.5 --seed 3 -i text > a
"$DRAGOMAN" bpe apply -c codes --dropout 0.5 --seed 3 -i text > b
"$DRAGOMAN" bpe apply -c codes --dropout 0.5 --seed 4 -i text > c
cmp a b
cmp -s a c && echo 'another seed, the same pieces'
"$DRAGOMAN" bpe undo < a | diff - text
"$DRAGOMAN" bpe vocab text > counts
"$DRAGOMAN" bpe learn -s 6 --dict-input counts | diff - codes
echo 'bad input:'
try bpe apply -c none -i new
try bpe apply -c . -i new
: > empty
try bpe apply -c empty -i new
printf '#version: 9.9\na b\n' > bad
try bpe apply -c bad -i new
printf '#version: 0.2\na b\na b c\n' > bad
try bpe apply -c bad -i new
printf '#version: 0.2\r\na b\r\n' > crlf
try bpe apply -c crlf -i new
echo 'codes of fastBPE have a count behind each merge, and are those of version 0.2:'
awk 'NR > 1 { print $0, 1000 - NR }' codes > fast
try bpe apply -c fast -i new
"$DRAGOMAN" bpe apply -q -c codes -i new > want
"$DRAGOMAN" bpe apply -q -c fast -i new | cmp - want
printf 'a b 3\nc d e\n' > bad
try bpe apply -c bad -i new
printf '#version: 0.2\n\377 b\n' > bad
try bpe apply -c bad -i new
printf 'low many\n' > bad
try bpe apply -c codes --vocabulary bad -i new
try bpe apply -c codes -s '' -i new
try bpe apply -c codes --vocabulary-threshold 4 -i new
try bpe apply -c codes --seed 3 -i new
DRAGOMAN_SEED=3 try bpe apply -c codes -i new
try bpe apply -c codes -i new -o new
try bpe learn -s 0 text
try bpe learn text missing
try bpe learn -i text -o text
try bpe learn empty
try bpe learn --dict-input bad
