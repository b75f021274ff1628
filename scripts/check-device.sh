#!/bin/sh
# check-device.sh: from the build folder: what OpenCL devices compute. Each task against the CPU,
# the unit tests of operations and models on the device, the golden files, and each kernel under
# Oclgrind. Where there is no device it says so, in one line, and that is no failure. Ends with one
# line: N passed, M failed[, K skipped]. From the Makefile: srcdir, T (unit tests with that in their
# name), V. DGM_TRIALS: instances of each task. DEVICE_QUICK: what make check has not run, in short.
# JOBS: tests at a time (all processors). POCL_CACHE_DIR: where PoCL keeps what it compiled, which
# is most of the time where that is empty.
LC_ALL=C
export LC_ALL
top=$(cd "$srcdir" && pwd)
runner=out/tests/runner
passed=0 failed=0 skipped=0
TEST_TARGET=check-device
# The first compilation of a program may take long.
test "${TEST_TIMEOUT:-0}" -ge 300 || TEST_TIMEOUT=300
export TEST_TARGET TEST_TIMEOUT
. "$top/scripts/pocl-cache.sh"
. "$top/scripts/share-tests.sh"
scratch=$(mktemp -d "${TMPDIR:-/tmp}/dragoman-device.XXXXXX") || exit 1
trap 'rm -rf "$scratch"' 0
trap 'exit 130' 1 2 15

# tests LABEL RUNNER-OPTION...: runs unit tests and says how long they took.
tests() {
    echo "== $1"
    begin=$(date +%s)
    shift
    if test "$1" = -f; then named "$2"; fi
    unit_options=$*
    share run_unit
    took
}

# named FILE,...: each is the beginning of a test file's name, or a failure: a test that was renamed
# would not be missed.
named() {
    for name in $(echo "$1" | tr ',' ' '); do
        find "$top/tests" -name "$name*.c" | grep -q . && continue
        echo "not ok - check-device names $name, which is no file of tests"
        failed=$((failed + 1))
    done
}

# took: how long it was since `begin`.
took() {
    echo "   $(($(date +%s) - begin)) s"
}

# one RC: counts a check that is no unit test.
one() {
    if test "$1" = 0; then passed=$((passed + 1)); else failed=$((failed + 1)); fi
}

# ---- is there a device? --------------------------------------------------------------

# why_skipped: why tests of the device are skipped, if they are.
why_skipped() {
    DGM_TRIAL=none $TARGET_EXEC $runner opencl_parity_elements |
        sed -n 's/^skipped [0-9]* - opencl_parity_elements: //p'
}
reason=$(why_skipped)
if test -n "$reason"; then
    echo "skipped - check-device: $reason"
    exit 0
fi
# Kernels of processors need not run on GPUs.
shapes='16x1 1x64'
reason=$(
    DGM_CL_SHAPE=16x1
    export DGM_CL_SHAPE
    why_skipped
)
if test -n "$reason"; then
    echo "skipped - shape 16x1: $reason"
    shapes=1x64 skipped=1
fi

# ---- each task against the CPU -------------------------------------------------------

# The kernels of processors, where the device is one, then those of GPUs, on whatever device there
# is.
quick=${DEVICE_QUICK-}
test "$quick" &&
    echo 'check-device: quick: no walk through all failing calls, fewer unit tests,' \
        'of emulated tensor cores one test each'
DGM_TRIALS=${DGM_TRIALS:-100}
export DGM_TRIALS
for shape in own $shapes; do
    test $shape = own || { DGM_CL_SHAPE=$shape; export DGM_CL_SHAPE; }
    DGM_TRIAL_TABLE=$scratch/$shape
    export DGM_TRIAL_TABLE
    tests "tasks against the CPU, shape: $shape" opencl_parity
    sort "$DGM_TRIAL_TABLE" > "$DGM_TRIAL_TABLE.sorted"
    unset DGM_CL_SHAPE DGM_TRIAL_TABLE
done
echo "   worst normalised mean square errors of $DGM_TRIALS instances (1e-7 is allowed):"
for shape in $shapes; do
    join "$scratch/own.sorted" "$scratch/$shape.sorted" > "$scratch/joined"
    mv "$scratch/joined" "$scratch/own.sorted"
done
(echo "task own $shapes" && cat "$scratch/own.sorted") |
    awk '{ printf "   %-26s", $1; for (i = 2; i <= NF; i++) printf " %8s", $i; print "" }'
# Sums without doubles, as many GPUs need them.
for shape in $shapes; do
    DGM_CL_SHAPE=$shape DGM_CL_DOUBLE=0
    export DGM_CL_SHAPE DGM_CL_DOUBLE
    tests "without doubles, $shape" opencl_parity_optimizer
    unset DGM_CL_SHAPE DGM_CL_DOUBLE
done
DEVICE_CHECK=1 # for tests that are too long, where a driver compiles, for make check
test "$quick" && DEVICE_CHECK=''
export DEVICE_CHECK
tests 'failing calls, trials, cache, limits' -f test_opencl_faults,test_opencl_self_test,test_opencl_tiles
# make check runs those of them that are short.
if test "$quick"; then
    wanted_trials=$DGM_TRIALS DGM_TRIALS=6
    tests 'tensor cores, emulated: each instruction' opencl_tensor_parity
    DGM_TRIALS=$wanted_trials
else
    tests 'tensor cores, emulated; tuning; little memory' -f test_opencl_pair,test_opencl_tensor,test_opencl_tensor_train,test_opencl_tuning,test_opencl_local
fi
echo '== failing calls while a model trains, and times of kernels'
begin=$(date +%s)
T=opencl_ sh "$top/scripts/check.sh" cli > "$scratch/cli"
counts=$(tail -n 1 "$scratch/cli" | tr -d ',')
sed '$d' "$scratch/cli"
took
p=0 f=1 s=0
test -z "$counts" || { set -- $counts; p=$1 f=$3 s=${5:-0}; }
passed=$((passed + p)) failed=$((failed + f)) skipped=$((skipped + s))

# ---- unit tests on the device --------------------------------------------------------

# device_files: those whose tests open the device that TEST_DEVICE names, by way of any header.
device_files() {
    headers=open_device.h
    for round in 1 2; do
        for header in $(find "$top/tests/support" -name '*.h' | LC_ALL=C sort); do
            includes=$(printf '%s\n' $headers | sed 's/.*/-e "&"/' | tr '\n' ' ')
            eval "grep -q $includes \"\$header\"" && headers="$headers ${header##*/}"
        done
        headers=$(printf '%s\n' $headers | sort -u)
    done
    includes=$(printf '%s\n' $headers | sed 's/.*/-e "&"/' | tr '\n' ' ')
    eval "grep -rl --include='test_*.c' $includes \"\$top\"/tests" | sed 's|.*/||; s|\.c$||' |
        grep -v '^test_opencl' | tr '\n' ','
}

# Left out: gradients are compared with differences in doubles, which run on the CPU.
left_out=gradient_of,gradient_check
TEST_DEVICE=opencl
DGM_CL_TRUST=0 # else a task that disagrees would run on the CPU
DGM_CL_CACHE=1 # each test opens devices of its own; PoCL reads sources slowly
export TEST_DEVICE DGM_CL_TRUST DGM_CL_CACHE
files=$(device_files)
# Of models, the golden files below try every variant and every encoder.
test "$quick" && files=test_graph,test_transformer,test_beam,test_run_lstm,test_pairs,test_op_gru &&
    left_out=$left_out,recurrent_
tests 'unit tests on the device' -f "$files" -x "$left_out" $T

# ---- golden files --------------------------------------------------------------------

if test -z "$T"; then
    echo '== golden files'
    begin=$(date +%s)
    sh "$top/scripts/check-golden.sh" > "$scratch/golden"
    one $?
    grep -v -e '^ok' -e '^skipped' "$scratch/golden"
    took
fi
unset TEST_DEVICE DGM_CL_TRUST DGM_CL_CACHE

# ---- Oclgrind ------------------------------------------------------------------------

if test -z "$T"; then
    begin=$(date +%s)
    sh "$top/scripts/check-oclgrind.sh" > "$scratch/oclgrind"
    rc=$?
    cat "$scratch/oclgrind"
    took
    if grep -q '^skipped' "$scratch/oclgrind"; then skipped=$((skipped + 1)); else one $rc; fi
fi

line="$passed passed, $failed failed"
test $skipped = 0 || line="$line, $skipped skipped"
echo "$line"
test $failed = 0
