# The same thing by other names: aliases, links to the program, _ for -, letters, and `--`.
. "$SOURCE/tests/support/shell/lib.sh"
test -z "$TARGET_EXEC" || skip "the program is run by a script here"
echo 'It is, well, fine.' > text
want=$("$DRAGOMAN" tok --language en < text)
gives() {
    test "$1" = "$want" || { echo "$2: $1"; exit 1; }
}
gives "$("$DRAGOMAN" tokenize -l en -i text)" alias
gives "$("$DRAGOMAN" tok -len < text)" 'letter with value'
gives "$("$DRAGOMAN" tok --language=en --no_aggressive < text)" underscore
gives "$("$DRAGOMAN" tok -q --lang en -- < text)" 'end of options'
gives "$(DRAGOMAN_LANGUAGE=en "$DRAGOMAN" tok < text)" environment
ln -s "$DRAGOMAN" dragoman-tok
gives "$(./dragoman-tok < text)" link
ln -s "$DRAGOMAN" dragoman-learn-bpe
ln -s "$DRAGOMAN" dragoman-bpe-learn
./dragoman-learn-bpe -s 5 < text > a && ./dragoman-bpe-learn -s 5 < text > b &&
    "$DRAGOMAN" bpe learn -s 5 text > c && "$DRAGOMAN" learn-bpe -s5 text > d || exit 1
cmp a b && cmp a c && cmp a d || exit 1
test "$("$DRAGOMAN" --version)" = "dragoman $(cat "$SOURCE/VERSION")" || exit 1
test "$("$DRAGOMAN" -V)" = "$("$DRAGOMAN" version)" || exit 1
"$DRAGOMAN" version --build | grep -q '^compiler: ' || exit 1
