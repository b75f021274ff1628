# precision.sh: --precision: who refuses it, with which exit code and how many words; auto goes on
# in f32; on the command line, in a settings file and in the environment.
. "$SOURCE/tests/support/shell/lib.sh"

# refused CODE TEXT ARGUMENT...: one line that has the text, but for what a driver itself prints.
refused() {
    code=$1 words=$2
    shift 2
    refuse "$code" "^dragoman: error: .*$words" "$@"
    test "$(grep -c '^dragoman: ' err)" = 1 || fail "not one line: $*: $(cat err)"
}

refused 2 'precision: expected one of f32|tf32|bf16, got "half"' rescore a b --precision half
DGM_CPU=c refused 1 'this CPU computes in f32; bf16 needs AMX .*, or a GPU' devices --explain --precision bf16
refused 1 'the CPU computes in f32; tf32 needs a GPU' devices --explain -d cpu --precision tf32
echo 'precision = bf16' > set.conf
DGM_CPU=c refused 1 'this CPU computes in f32; bf16 needs' devices --explain --config set.conf
DRAGOMAN_PRECISION=tf32 refused 1 'the CPU computes in f32; tf32 needs' devices --explain
unset DRAGOMAN_PRECISION DGM_CPU
"$DRAGOMAN" devices --explain --precision f32 > out || fail 'f32 is refused'

# A processor with matrix instructions takes bf16, and says so; a training has the same bytes on any
# number of threads, and others than in f32.
for word in a small black dog runs over wet green grass; do
    echo "$word $word the $word" >> en
    echo "der $word $word $word" >> de
done
train_on='-t en de' valid_on=
small bpe-merges=0 dim-emb=32 transformer-dim-ffn=48 after=4u
train f32 --threads 1 --precision f32 || exit 1
if "$DRAGOMAN" devices --explain --precision bf16 > out 2> err; then
    grep -q '^device: CPU, .*, bf16 by ' out || fail "no bf16: $(cat out)"
    "$DRAGOMAN" devices | grep -q '^products: .* --precision bf16 by none' && fail 'devices does not know'
    train bf16 --threads 1 --precision bf16 || exit 1
    grep -q 'bf16 by ' log || fail "the log does not say bf16: $(cat log)"
    train again --threads 3 --precision bf16 || exit 1
    cmp bf16 again || fail 'bf16 on three threads is another model'
    cmp -s bf16 f32 && fail 'bf16 is f32'
else
    refused 1 'this CPU computes in f32; bf16 needs' devices --explain --precision bf16
    "$DRAGOMAN" devices | grep -q '^products: .* --precision bf16 by none' || fail 'devices does not know'
fi

OCL_ICD_VENDORS=/nonexistent DGM_CPU=c "$DRAGOMAN" devices --explain -d auto --precision bf16 > out 2> err ||
    fail "auto fails: $(cat err)"
if grep -q '^device: CPU' out; then
    grep -q 'computing on the CPU: ' err || fail "no reason: $(cat err)"
    grep -q 'computing in f32, not in bf16' err || fail "no precision: $(cat err)"
fi

"$DRAGOMAN" devices | grep -q '^      usable with --devices' || exit 0
unset DGM_CL_TENSOR
if ! "$DRAGOMAN" devices --explain -d opencl --precision bf16 > /dev/null 2>&1; then
    refused 1 'has no matrix products in bf16: .*; use --precision f32' \
        devices --explain -d opencl --precision bf16
fi
refused 2 'gemm own' devices --explain -d opencl --precision tf32 --gemm clblast
exit 0
