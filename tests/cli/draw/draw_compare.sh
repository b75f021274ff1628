# Translations of two systems side by side: sorted by what one gains, what differs marked, as text, HTML and SVG.
. "$SOURCE/tests/support/shell/lib.sh"
printf 'Ein Hund <bellt> .\nHallo Welt .\nNoch & mehr .\nDie die die Katze .\n' > src
printf 'A dog <barks> .\nHello world .\nEven & more .\nThe the the cat .\n' > ref
printf 'A dog <barks> .\nHello word .\nMore & more .\nThe the cat .\n' > one
printf 'A hound .\nHello world .\nMore & more .\nThe the the the cat cat .\n' > other
try draw compare ref -i one other
try draw compare ref -i one other --source src -f html
try draw compare ref -i one other -f svg -n 1
try draw compare ref -i one other -n 1 -m ter
try draw compare ref -i one other -n 1 -m bleu --tokenize none
# Other way round all gains are losses; a file ends in its form; a system against itself differs in nothing.
"$DRAGOMAN" draw compare ref -i other one | grep '^line' | sed 's/.*, //' | tr -d + | sort -n > back
"$DRAGOMAN" draw compare ref -i one other | grep '^line' | sed 's/.*, //' | tr -d + | awk '{ print ($1 == 0 ? "0.0" : -$1) }' | sort -n | cmp - back && echo same
"$DRAGOMAN" draw compare ref -i one other -o out.html && head -n 1 out.html
"$DRAGOMAN" draw compare ref -i one other -o out.svg && head -c 5 out.svg && echo
"$DRAGOMAN" draw compare ref -i one one | grep -E '^line|^of|sentences|[+] ' | head -n 3
# No word steers a terminal or a browser.
printf 'a\033[31mb <script>x</script> \303(\n' > odd
"$DRAGOMAN" draw compare odd -i odd odd | cat -v
"$DRAGOMAN" draw compare odd -i odd odd -f html --tokenize none | grep -c '<script'
echo 'bad input:'
try draw compare ref -i one
try draw compare ref -i one other one
try draw compare -i one other
try draw compare ref -i one other -m meteor
head -n 2 one > short
try draw compare ref -i one short
: > empty
try draw compare empty -i empty empty
try draw compare ref -i one missing
try draw compare ref -i one other -o other
