# Lines of every kind: one line in, one line out, split on LF only.
. "$SOURCE/tests/support/shell/lib.sh"
show() { od -A n -t x1 | sed 's/^ *//'; }
printf '"Hello," it'"'"'s (fine) & well.\nDr. No costs $3.50 a-b.\n' | try tok
printf 'Das ist z. B. "gut", nicht?\n' | try tok --language de
printf "L'homme n'est pas la.\n" | try tok -l fr
printf 'A <b> c|d [e]\n' | try tok --no-escape
printf 'well-known and state-of-the-art\n' | try tok --aggressive
printf 'LOUD \342\200\234quoted\342\200\235 Text\n' | try tok --lower --normalize
printf 'Hello , world ! &quot; It &apos;s &quot; 5 &amp; 6 .\n' | try detok
printf 'l&apos; homme n&apos; est pas\n' | try detok -l fr
echo 'CR LF, no LF at the end, BOM:'
printf '\357\273\277one\r\ntwo' | "$DRAGOMAN" tok | show
echo 'empty lines and blank lines:'
printf '\n \n\t\n\343\200\200\n' | "$DRAGOMAN" tok | show
echo 'NUL, ill-formed UTF-8, controls:'
printf 'a\0b \377\376x \300\257 \355\240\200\n\001\n' | "$DRAGOMAN" tok | show
echo 'no line ends but LF:'
printf 'a\342\200\250b\302\205c\013d\014e\rf\n' | "$DRAGOMAN" tok | wc -l | tr -d ' '
echo 'empty input:'
"$DRAGOMAN" tok < /dev/null | show
printf '\377\376a\0' > utf16
try detok -i utf16
awk 'BEGIN { for (i = 0; i < 3000; i++) print (i % 7 == 0 ? "" : "a, b. " i) }' > many
for command in tok detok 'bpe undo'; do
    "$DRAGOMAN" $command < many | wc -l | tr -d ' '
done
# A line of 20 MB is cut, with a warning, and costs the next one nothing.
awk 'BEGIN { for (i = 0; i < 2000000; i++) printf "abcdefgh. "; print ""; print "next" }' > long
"$DRAGOMAN" detok -i long 2>&1 > out
tail -n 1 out
wc -l < out | tr -d ' '
