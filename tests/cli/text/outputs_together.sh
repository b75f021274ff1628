# outputs_together.sh: outputs that belong together: where the second cannot take its place, the first goes back.
set -e
. "$SOURCE/tests/support/shell/lib.sh"

# spoiled TEXT TEMPORARY FOLDER: TEXT for standard input, once both temporary files are there and something
# has made a folder of the second output, which no file replaces.
spoiled() {
    until test "$(ls -A | grep -c -e "$2")" = 2 || test -s err; do sleep 0.02; done
    rm -f "$3" && mkdir "$3"
    cat "$1"
}
# untouched FILE TEMPORARY: it is the old one, and nothing is left but what may be.
untouched() {
    test "$(cat "$1")" = old || fail "$1: $(cat "$1")"
    test "$(ls -A | grep -c -e "$2")" = 0 || fail "$(ls -A)"
    grep -q 'cannot replace this file' err || fail "$(cat err)"
}

printf 'a house\na tree\n' > c.en
printf 'ein Haus\nein Baum\n' > c.de
mkdir clean && cd clean
echo old > out.en
rc=0
spoiled ../c.en '^\.tmp-' out.de | "$DRAGOMAN" clean - ../c.de -o out.en out.de 2> err || rc=$?
test $rc = 1 || fail "$rc: $(cat err)"
untouched out.en '^\.tmp-'
rmdir out.de
"$DRAGOMAN" clean -q - ../c.de -o out.en out.de < ../c.en
cmp out.en ../c.en && cmp out.de ../c.de
test "$(ls -A)" = "$(printf 'err\nout.de\nout.en')"

# A signal that comes between the renames waits for the last of them.
ASAN_OPTIONS=detect_leaks=0:$ASAN_OPTIONS # it needs ptrace for itself
export ASAN_OPTIONS
if strace -o ../log true 2> ../log; then
    echo old > out.en && echo old > out.de
    rc=0
    strace -o ../log '-einject=?rename,?renameat,?renameat2:signal=TERM:when=1' \
        "$DRAGOMAN" clean -q - ../c.de -o out.en out.de < ../c.en || rc=$?
    test $rc = 143 || fail "$rc: $(cat ../log)"
    cmp out.en ../c.en && cmp out.de ../c.de
    test "$(ls -A)" = "$(printf 'err\nout.de\nout.en')"
fi

# What there was nothing of is removed; the counts are an output like the others.
rm out.en out.de err
rc=0
spoiled ../c.en '^\.tmp-' counts | "$DRAGOMAN" clean - -o out.en --report counts 2> err || rc=$?
test $rc = 1 && test ! -e out.en || fail "$rc: $(ls -A) $(cat err)"
cd ..

# Translations that took hours stay: FILE.part.
"$DRAGOMAN" import -q "$SOURCE/tests/cli/model/import/hf-marian" -o model.gguf
mkdir translate && cd translate
echo old > out.de
rc=0
spoiled ../c.en '\.part$' links |
    "$DRAGOMAN" translate -m ../model.gguf -b 1 -o out.de --alignment links 2> err || rc=$?
test $rc = 1 || fail "$rc: $(cat err)"
untouched out.de '^\.tmp-'
test "$(wc -l < out.de.part)" = 2 && test "$(wc -l < links.part)" = 2
rmdir links
"$DRAGOMAN" translate -q -m ../model.gguf -b 1 -o out.de --alignment links < ../c.en
cmp out.de out.de.part.old && cmp links links.part.old
