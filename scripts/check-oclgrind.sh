#!/bin/sh
# check-oclgrind.sh: from the build folder: runs a few small instances of each task under Oclgrind,
# a device that watches memory: no access out of bounds, no data race. It is slow; OCLGRIND_TRIALS
# (1) says how many instances, DGM_TRIAL which tasks. Its third check, --uninitialized, is left out:
# version 21.10 reports sound vector code, and stops at LLVM's instruction freeze.
LC_ALL=C
export LC_ALL
program=$(command -v oclgrind) || {
    echo 'skipped - check-oclgrind: no oclgrind here (Debian: oclgrind)'
    exit 0
}
driver=$(find "${program%/bin/*}/lib" -name 'liboclgrind-rt-icd.so' 2> /dev/null | head -n 1)
if test -z "$driver"; then
    echo "skipped - check-oclgrind: $program has no driver liboclgrind-rt-icd.so beside it"
    exit 0
fi
scratch=$(mktemp -d "${TMPDIR:-/tmp}/dragoman-oclgrind.XXXXXX") || exit 1
trap 'rm -rf "$scratch"' 0
trap 'exit 130' 1 2 15
OCL_ICD_VENDORS=$driver OCLGRIND_DATA_RACES=1 OCLGRIND_CHECK_API=1
OCLGRIND_MAX_ERRORS=20 DGM_TRIALS=${OCLGRIND_TRIALS:-1} TEST_TARGET=check-device
OCLGRIND_LOCAL_MEM_SIZE=65536 # attention of 16x1 needs 49536 bytes; processors and GPUs have more
test "${TEST_TIMEOUT:-0}" -ge 300 || TEST_TIMEOUT=300
export OCL_ICD_VENDORS OCLGRIND_DATA_RACES OCLGRIND_CHECK_API OCLGRIND_LOCAL_MEM_SIZE
export OCLGRIND_MAX_ERRORS DGM_TRIALS TEST_TARGET TEST_TIMEOUT

# check SHAPE: the tasks in one shape; fails where a test does, or where there are reports.
check() {
    folder=$scratch/$1 good=yes
    mkdir "$folder"
    : > "$folder/log"
    DGM_CL_SHAPE=$1 XDG_CACHE_HOME=$folder OCLGRIND_LOG=$folder/log
    export DGM_CL_SHAPE XDG_CACHE_HOME OCLGRIND_LOG
    $TARGET_EXEC out/tests/runner opencl_parity > "$folder/out" || good=no
    echo "== Oclgrind, $1"
    grep -v '^[0-9]* passed' "$folder/out"
    grep -q '^skipped' "$folder/out" && good=no # the driver is there
    if test -s "$folder/log"; then
        good=no
        grep -c 'Kernel:' "$folder/log" | sed 's/$/ reports/'
        grep 'Kernel:' "$folder/log" | sort | uniq -c
        head -n 60 "$folder/log"
    fi
    test $good = yes
}

# Both at the same time: each keeps one processor busy.
check 16x1 > "$scratch/told" 2>&1 &
check 1x64
rc=$?
wait $! || rc=1
cat "$scratch/told"
exit $rc
