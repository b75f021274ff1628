# opencl_faults.sh: calls of OpenCL that fail while a model trains (reliability.md, R27): one clean
# message, the exit code of an error, and the checkpoint from before whole: going on from it ends in
# the same bytes as a run without faults.
. "$SOURCE/tests/support/shell/lib.sh"
test "$DEVICE_CHECK" || skip "make check-device runs it"
layer=${GENERATE%/corpora/generate}/tests/support/cl_fault.so
test -f "$layer" || skip "out/tests/support/cl_fault.so was not built"
XDG_CACHE_HOME=$(pwd)/cache
export XDG_CACHE_HOME
"$DRAGOMAN" devices > devices
grep -q '^      usable with --devices [0-9]' devices || skip "no OpenCL device"
generate data --seed 5 --train 60 --dev 5 --test 5
small bpe-merges=0 after=8u save-freq=4u devices=opencl
valid_on=
DGM_CL_TRUST=0 # trials make calls, too
export DGM_CL_TRUST
train want.gguf || fail 'no training on this device'
train cpu.gguf --devices cpu
OPENCL_LAYERS=$layer
export OPENCL_LAYERS
CL_FAULT=GetPlatformIDs:1+:-1001 train none.gguf && skip "the loader knows no layers"

# Without a device: an error; with --devices auto, the CPU and one note.
for fault in GetPlatformIDs:1+:-1001 GetDeviceIDs:1+:-1 CreateContext:1:-2 CreateCommandQueue:1:-6; do
    CL_FAULT=$fault train none.gguf && fail "$fault goes unnoticed"
    rc=$?
    said '^dragoman: error: '
    test $rc -lt 100 || fail "$fault: exit code $rc"
    test -f none.gguf && fail "$fault: a model nevertheless"

    rm -rf auto.gguf*
    CL_FAULT=$fault train auto.gguf --devices auto || fail "$fault: auto ends"
    test $(grep -c '\] computing on the CPU: ' log) = 1 || fail "$fault: not one note: $(cat log)"
    cmp auto.gguf cpu.gguf || fail "$fault: auto makes another model"
done

# In the middle, once the first checkpoint is there.
for fault in CreateBuffer:1:-4 EnqueueNDRangeKernel:1:-5 EnqueueNDRangeKernel:40+:-5 \
    EnqueueReadBuffer:1:-5 EnqueueReadBuffer:9:-36 EnqueueWriteBuffer:2:-6 SetKernelArg:7:-51 Flush:2:-36; do
    rm -rf m.gguf m.gguf.ckpt
    CL_FAULT_AFTER=m.gguf.ckpt/update-00000004.gguf
    export CL_FAULT_AFTER
    if CL_FAULT=$fault train m.gguf; then
        # A warm step makes no buffer, so that this call may never come.
        case $fault in CreateBuffer*) ;; *) fail "$fault goes unnoticed" ;; esac
    else
        rc=$?
        call=cl${fault%%:*}
        test $(grep -c "^dragoman: error: .*$call" log) = 1 || fail "$fault: not one message: $(cat log)"
        test $rc -lt 100 || fail "$fault: exit code $rc"
    fi
    unset CL_FAULT_AFTER
    train m.gguf || fail "$fault: cannot go on"
    cmp m.gguf want.gguf || fail "$fault: another model"
done
