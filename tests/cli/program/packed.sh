# Packed files are read as the text they hold; without the library that unpacks them they are refused.
. "$SOURCE/tests/support/shell/lib.sh"
printf 'Hello, world!\r\n\nlast' > text
# By gzip -n and by zstd: the tests need neither program.
printf '\037\213\010\000\000\000\000\000\000\003\363\110\315\311\311\327\121\050\317\057\312\111\121\344\345\342\312\111\054\056\001\000\007\151\044\175\024\000\000\000' > text.gzip
printf '\050\265\057\375\004\130\241\000\000\110\145\154\154\157\054\040\167\157\162\154\144\041\015\012\012\154\141\163\164\300\012\341\275' > text.zstd
# refused MESSAGE FILE
refused() {
    rc=0
    "$DRAGOMAN" tok -i "$2" > out 2> err || rc=$?
    test $rc = 3 || fail "$2 was not refused"
    echo "$2: error: $1" | diff - err || fail "another message of $2"
}
# check NAME LIBRARY: what the program does with text.NAME
check() {
    if "$DRAGOMAN" version --build | grep -q "^$1: none"; then
        refused "this is a $1 file, which a program built without $2 cannot read: unpack it with $1 -d" text.$1
        return
    fi
    "$DRAGOMAN" version --build | grep -q "^$1: $2\$" || fail 'version --build says nothing'
    "$DRAGOMAN" tok -i text.$1 > got || exit 1
    cmp want got || fail 'a file'
    "$DRAGOMAN" tok < text.$1 > got || exit 1
    cmp want got || fail 'standard input'
    cat text.$1 | "$DRAGOMAN" tok > got || exit 1
    cmp want got || fail 'a pipe'
    # Two sides of different kind agree.
    "$DRAGOMAN" score --multi-bleu text -i text.$1 > score || fail 'score'
    # Damage is one message with the path, and never a crash.
    head -c 20 text.$1 > cut.$1
    refused "$1 data breaks off; expected its end (file truncated?)" cut.$1
    head -c 4 text.$1 > short.$1
    refused "$1 data breaks off; expected its end (file truncated?)" short.$1
}
"$DRAGOMAN" tok < text > want || exit 1
check gzip zlib
check zstd libzstd
