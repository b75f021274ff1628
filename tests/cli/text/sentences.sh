# sentences.sh: one sentence a line, by the rules of its language, and paragraphs apart.
. "$SOURCE/tests/support/shell/lib.sh"
cat > text.en << END
Hello, world! This is "raw" text.  Mr. J. Brown paid \$3.50 at 5 p.m. He left.

One. Two? Three
END
printf 'Am 3. Oktober, z. B. um 8 Uhr. Der Zug kam.\n' > text.de
try sentences -i text.en
try sentences -p < text.en
try sentences -l de < text.de
try sentences -l english < text.de
"$DRAGOMAN" sentences -i text.en -o got
"$DRAGOMAN" sentences --threads 2 < text.en | cmp - got
"$DRAGOMAN" sentences < got | cmp - got
