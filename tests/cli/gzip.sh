# gzip files are read as the text they hold; without zlib they are refused.
command -v gzip > /dev/null 2>&1 || { echo 'no gzip here'; exit 77; }
fails() { echo "$1" >&2; exit 1; }
printf 'Hello, world!\r\n\nlast' > text
gzip -n < text > text.gz
if "$DRAGOMAN" version --build | grep -q '^gzip: none'; then
    "$DRAGOMAN" tok -i text.gz > out 2> err
    test $? = 3 || fails 'a gzip file was not refused'
    echo 'text.gz: error: gzip data (1F 8B); expected text (built without zlib: unpack it with gzip -d)' |
        diff - err || fails 'another message'
    exit 0
fi
"$DRAGOMAN" version --build | grep -q '^gzip: zlib$' || fails 'version --build says nothing'
"$DRAGOMAN" tok < text > want || exit 1
"$DRAGOMAN" tok -i text.gz > got || exit 1
cmp want got || fails 'a file'
"$DRAGOMAN" tok < text.gz > got || exit 1
cmp want got || fails 'standard input'
cat text.gz | "$DRAGOMAN" tok > got || exit 1
cmp want got || fails 'a pipe'
# Two sides of different kind agree.
"$DRAGOMAN" score --multi-bleu text -i text.gz > score || fails 'score'
# Damage is one message with the path, and never a crash.
head -c 20 text.gz > cut.gz
"$DRAGOMAN" tok -i cut.gz > out 2> err
test $? = 3 || fails 'a cut file was not refused'
echo 'cut.gz: error: gzip data breaks off; expected its end (file truncated?)' | diff - err || exit 1
printf '\037\213\010' > short.gz
"$DRAGOMAN" tok -i short.gz > out 2> err
test $? = 3 || fails 'a short file was not refused'
test "$(wc -l < err)" -eq 1 || fails 'more than one message'
