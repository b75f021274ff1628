# Reports on GGUF files, and on files that are none.
. "$SOURCE/tests/support/shell/lib.sh"
corpus=$SOURCE/tests/fuzz/corpus/gguf
cp "$corpus"/*.gguf . || exit 1
try inspect --verify keys.gguf
try inspect --verify tensors.gguf
try inspect --no-tensors -n 1 tensors.gguf
try inspect -f json keys.gguf
try inspect --format json --verify tensors.gguf
try inspect empty.gguf
echo 'what could steer a terminal:'
# A text of ESC ] 0 ; x BEL " \ U+202E, in a file made by hand, without checksums.
{
    printf 'GGUF\003\000\000\000\000\000\000\000\000\000\000\000\001\000\000\000\000\000\000\000'
    printf '\004\000\000\000\000\000\000\000evil\010\000\000\000'
    printf '\015\000\000\000\000\000\000\000\033]0;x\007%%n"\\\342\200\256'
    head -c 32 /dev/zero
} > evil.gguf
size=$(wc -c < evil.gguf)
head -c $(((size - 32 + 31) / 32 * 32)) evil.gguf > steer.gguf
try inspect --verify steer.gguf
try inspect -f json steer.gguf
echo 'damage:'
size=$(wc -c < tensors.gguf)
head -c $((size - 1)) tensors.gguf > cut.gguf
try inspect cut.gguf
cp tensors.gguf flip.gguf
printf '\377' | dd of=flip.gguf bs=1 seek=$((size - 32)) conv=notrunc 2> /dev/null
"$DRAGOMAN" inspect --verify flip.gguf > out 2>&1
echo "flip -> $?"
try inspect missing.gguf
try inspect .
: > zero
try inspect zero
printf 'G' > one
try inspect one
printf '\037\213\010\000\000\000\000\000\000\000\000\000\000\000\000\000\000\000\000\000\000\000\000\000' > x.gz
try inspect x.gz
printf '<!DOCTYPE html><html><body>404 Not Found</body></html>' > page.gguf
try inspect page.gguf
try inspect /dev/zero
try inspect tensors.gguf -o tensors.gguf
try average -o out.gguf cut.gguf tensors.gguf
try average -o out.gguf flip.gguf tensors.gguf
test ! -f out.gguf || echo 'a result of damaged files'
try average -o out.gguf keys.gguf tensors.gguf
try average tensors.gguf
try average -o missing/out.gguf tensors.gguf
try average -o out.gguf
try average -o out.gguf tensors.gguf tensors.gguf
# All but the sums of the head, of which the file had one less when it was written.
same() { "$DRAGOMAN" inspect --verify "$1" | grep -v -e '^f' -e '^metadata' -e 'meta\.checksum' -e 'contents\.checksum'; }
same out.gguf > a
same tensors.gguf | diff - a
"$DRAGOMAN" average -o twice.gguf out.gguf out.gguf
cmp twice.gguf out.gguf
cp tensors.gguf before.gguf
try average -o tensors.gguf tensors.gguf
cmp tensors.gguf before.gguf
try average -o out.gguf tensors.gguf
try average --overwrite -o out.gguf tensors.gguf
try average --overwrite -o evil.gguf tensors.gguf
test -z "$(find . -name "*tmp*")" || echo "a temporary file is left"
