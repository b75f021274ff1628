# truecase.sh: learning how words are written, applying it and undoing it: one line in, one line out, with any number
# of threads; models of Moses are read.
. "$SOURCE/tests/support/shell/lib.sh"
cat > text <<'END'
At last the man saw Berlin .
" So , " said the man , " the US told us : The e-mail is from McDonald . "
BREAKING NEWS FROM THE US

Then he and the men of the US saw us , us .
END
try truecase train text
"$DRAGOMAN" truecase train -o model < text || exit 1
"$DRAGOMAN" truecase train -i text text -o double || exit 1
sort -r text | "$DRAGOMAN" truecase train | diff model - || fail 'the order of the lines counts'
cat > new <<'END'
The man saw us .
 (  Us .  Berlin is . " US men ! "
THE MEN OF THE US SAW MCDONALD 'S E-MAIL
Nobody knows

END
printf 'Bad \377 The\n' >> new
try truecase apply -m model -i new
"$DRAGOMAN" truecase apply -m double < new > true || exit 1
try truecase undo -i true
printf 'ILIK ijs\nilk . ijs\n' > letters
for language in tr nl en; do
    try truecase undo -l $language -i letters
done
# As Moses writes models: fractions, other totals, no order.
printf 'The (0.1) the (12.3/12.4)\r\nBerlin (2/2)\n' > moses
try truecase apply -m moses -i new
awk 'BEGIN { for (i = 0; i < 9000; i++) print (i % 7 ? "The man " i " . THE US SAW US ! Us" : "") }' > long
"$DRAGOMAN" truecase apply -j 1 -m model < long > one
"$DRAGOMAN" truecase apply -j 3 -m model < long | cmp - one
"$DRAGOMAN" truecase undo -j 1 < one > back
"$DRAGOMAN" truecase undo -j 3 < one | cmp - back
test "$(wc -l < back)" = 9000 || fail 'lines are lost'
echo 'bad input:'
try truecase apply -i new
try truecase apply -m none -i new
try truecase apply -m text -i new
: > empty
try truecase apply -m empty -i new
try truecase train empty
try truecase train -l klingon text
printf 'caf\303 (1/1)\n' > bad
try truecase apply -m bad -i new
