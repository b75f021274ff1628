# golden.sh: the golden files of everything that this version has, on every instruction set of
# this processor; and the test of that test: mistakes planted in the numbers of one file of each
# kind are all found, and a file of an unknown variant fails.
set -e
. "$SOURCE/tests/support/shell/lib.sh"
check=$(dirname "$DRAGOMAN")/out/tests/golden/check
test -x "$check" || skip "no $check: make tests builds it"
own=$SOURCE/tests/golden/models
files=$(echo "$own"/*.gguf)
one_of_each=$files
if test -n "$SHARED" && test -d "$SHARED/golden"; then
    all=$SHARED/golden
    files="$(echo "$own"/*.gguf "$all"/*.gguf "$all"/beam/*.gguf "$all"/rnn/*.gguf)"
    one_of_each="$one_of_each $all/base-pre-vaswani-all.gguf $all/dbsa-query-bias.gguf
        $all/sgsa-default.gguf $all/tags-scaled.gguf $all/rnn/12_sequential_dependency.gguf
        $all/rnn/19_lexicalized_dynamic.gguf $all/beam/beam-shaw.gguf"
    least=107
else
    echo 'all golden files but eight: not beside the source tree'
    least=8
fi

for isa in '' $("$DRAGOMAN" devices | sed -n 's/^ *\(c\|sse2\|avx2\|avx512\|neon\)  *available.*/\1/p'); do
    DGM_CPU=$isa "$check" $files > out || { cat out; exit 1; }
    tail -n 1 out
    test "$(sed -n 's/ passed.*//p' out)" -ge $least
done

"$check" --mutants $one_of_each > out || { cat out; exit 1; }
test "$(grep -c 'mutants, 0 not found' out)" = "$(echo $one_of_each | wc -w)"

# Names of the same length, so that the file stays well-formed.
LC_ALL=C sed 's/deps-san/dops-san/' "$own"/deps-default.gguf > unknown.gguf
if "$check" unknown.gguf > out; then
    echo 'a file with an unknown variant passes'
    exit 1
fi
grep 'not ok - unknown.gguf: .*dops-san' out
LC_ALL=C sed 's/grad.encoder.layers.0.fc1.bias/grad.encoder.layers.7.fc1.bias/' \
    "$own"/deps-default.gguf > no_such_grad.gguf
if "$check" no_such_grad.gguf > out; then
    echo 'a file with the gradient of an unknown parameter passes'
    exit 1
fi
if "$check"; then
    echo 'no file at all passes'
    exit 1
fi
