# golden.sh: the golden files of everything that this version has, on every instruction set of
# this processor.
set -e
check=$(dirname "$DRAGOMAN")/out/tests/golden-check
test -n "$SHARED" && test -d "$SHARED/golden" || { echo "no golden files beside the tree"; exit 77; }
test -x "$check" || { echo "no golden-check beside the program"; exit 77; }
for isa in '' $("$DRAGOMAN" devices | sed -n 's/^ *\(c\|sse2\|avx2\|avx512\|neon\)  *available.*/\1/p'); do
    DGM_CPU=$isa "$check" "$SHARED"/golden/*.gguf "$SHARED"/golden/beam/*.gguf "$SHARED"/golden/rnn/*.gguf > out || { cat out; exit 1; }
    tail -n 1 out
done
test "$(sed -n 's/ passed.*//p' out)" -ge 30
