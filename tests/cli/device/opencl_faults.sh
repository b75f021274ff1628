# opencl_faults.sh: calls of OpenCL that fail while a model trains (reliability.md, R27): one clean
# message, the exit code of an error, and the checkpoint from before whole: going on from it ends in
# the same bytes as a run without faults.
test "$DEVICE_CHECK" || { echo "make check-device runs it"; exit 77; }
test -x "$GENERATE" || { echo "no generator"; exit 77; }
layer=${GENERATE%/corpora/generate}/tests/support/cl_fault.so
test -f "$layer" || { echo "out/tests/support/cl_fault.so was not built"; exit 77; }
XDG_CACHE_HOME=$(pwd)/cache
export XDG_CACHE_HOME
"$DRAGOMAN" devices > devices
grep -q '^      usable with --devices [0-9]' devices || { echo "no OpenCL device"; exit 77; }
fail() {
    echo "$*"
    exit 1
}
"$GENERATE" --seed 5 --train 60 --dev 5 --test 5 --out data > /dev/null
train_on() {
    device=$1 model=$2
    shift 2
    "$DRAGOMAN" train --devices "$device" --tokenize none --bpe-merges 0 --enc-depth 1 \
        --dec-depth 1 --dim-emb 16 --transformer-dim-ffn 24 --transformer-heads 2 \
        --batch-tokens 150 --lr 0.01 --warmup 10 --after 8u --save-freq 4u --model "$model" \
        --train-sets data/train.en data/train.de "$@"
}
train() { train_on opencl "$@"; }
DGM_CL_TRUST=0 # trials make calls, too
export DGM_CL_TRUST
train want.gguf 2> log || { cat log; fail 'no training on this device'; }
train_on cpu cpu.gguf -q
OPENCL_LAYERS=$layer
export OPENCL_LAYERS
CL_FAULT=GetPlatformIDs:1+:-1001 train none.gguf 2> err && { echo "the loader knows no layers"; exit 77; }

# Without a device: an error; with --devices auto, the CPU and one note.
for fault in GetPlatformIDs:1+:-1001 GetDeviceIDs:1+:-1 CreateContext:1:-2 CreateCommandQueue:1:-6; do
    CL_FAULT=$fault train none.gguf 2> err && fail "$fault goes unnoticed"
    rc=$?
    grep -q '^dragoman: error: ' err || { cat err; fail "$fault: no message"; }
    test $rc -lt 100 || fail "$fault: exit code $rc"
    test -f none.gguf && fail "$fault: a model nevertheless"

    rm -rf auto.gguf*
    CL_FAULT=$fault train_on auto auto.gguf 2> err || { cat err; fail "$fault: auto ends"; }
    test $(grep -c '\] computing on the CPU: ' err) = 1 ||
        { cat err; fail "$fault: not one note"; }
    cmp auto.gguf cpu.gguf || fail "$fault: auto makes another model"
done

# In the middle, once the first checkpoint is there.
for fault in CreateBuffer:1:-4 EnqueueNDRangeKernel:1:-5 EnqueueNDRangeKernel:40+:-5 \
    EnqueueReadBuffer:1:-5 EnqueueReadBuffer:9:-36 EnqueueWriteBuffer:2:-6 SetKernelArg:7:-51 Flush:2:-36; do
    rm -rf m.gguf m.gguf.ckpt
    CL_FAULT_AFTER=m.gguf.ckpt/update-00000004.gguf
    export CL_FAULT_AFTER
    if CL_FAULT=$fault train m.gguf 2> err; then
        # A warm step makes no buffer, so that this call may never come.
        case $fault in CreateBuffer*) ;; *) fail "$fault goes unnoticed" ;; esac
    else
        rc=$?
        call=cl${fault%%:*}
        test $(grep -c "^dragoman: error: .*$call" err) = 1 || { cat err; fail "$fault: not one message"; }
        test $rc -lt 100 || fail "$fault: exit code $rc"
    fi
    unset CL_FAULT_AFTER
    train m.gguf 2> err || { cat err; fail "$fault: cannot go on"; }
    cmp m.gguf want.gguf || fail "$fault: another model"
done
