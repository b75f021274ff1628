# common.sh: sourced by the steps beside it. Gives $top (the source tree), $scratch (a
# build folder of this step, emptied first) and $jobs; BUILD says where such folders go.
set -eu
top=$(cd "${0%/*}/.." && pwd)
step=${0##*/}
. "$top/.ci/slow"
scratch=${BUILD:-${TMPDIR:-/tmp}/dragoman-ci-$(id -u)}/$step
jobs=${JOBS:-$(getconf _NPROCESSORS_ONLN 2> /dev/null || echo 2)}
# PoCL takes minutes to compile all kernels: all steps of one run share what it compiled, and it need not optimise
# (a third of the time), but in the step device-long, where it does.
POCL_CACHE_DIR=${POCL_CACHE_DIR:-${scratch%/*}/pocl}
test "$step" = device-long || export POCL_EXTRA_BUILD_FLAGS=-cl-opt-disable
# A machine that others use, too, is no reason to fail: a test that hangs is one in any case.
TEST_TIMEOUT=${TEST_TIMEOUT:-900}
export POCL_CACHE_DIR TEST_TIMEOUT
chmod -R u+w "$scratch" 2> /dev/null || :
rm -rf "$scratch"
mkdir -p "$scratch" "$POCL_CACHE_DIR"
cd "$scratch"
# What the step gcc has compiled is not compiled again where a prefix or MPI is all that differs. Other
# builds find nothing there, and keeping what they compile took half as long again.
case $step in gcc | install | mpi)
    if test -d /usr/lib/ccache; then
        PATH=/usr/lib/ccache:$PATH CCACHE_DIR=${scratch%/*}/ccache CCACHE_DEPEND=1
        export PATH CCACHE_DIR CCACHE_DEPEND
    fi ;;
esac

# For builds that are compiled for longer than they run: only where the loops are is the compiler given time.
hasty='CFLAGS=-O0 KERNEL_CFLAGS=-O1'

# configured OPTION...: a quiet configure that shows its log when it fails.
configured() {
    sh "$top/configure" "$@" || { tail -n 40 config.log; exit 1; }
}

# built_by_gcc: goes on in the folder of the step gcc, where that ran before; else in one of its own.
built_by_gcc() {
    if test -x "${scratch%/*}/gcc/out/tests/runner"; then
        cd "${scratch%/*}/gcc"
    else
        configured CC=gcc --enable-werror
        make -j"$jobs" all tests
    fi
}

# configured_sanitizers: for the steps sanitizers and fuzz, which share what is compiled. A null pointer that is
# followed ends the program under AddressSanitizer anyway: not asked each time. Kernels read no files, and their
# places are AddressSanitizer's affair: without coverage and overflows of pointers they take 0.4 of the time. A
# program at a fixed place begins in two thirds of it: there are half a million addresses to set otherwise.
configured_sanitizers() {
    configured CC=clang LDFLAGS=-no-pie CFLAGS='-O0 -fno-sanitize=null' TEST_CFLAGS='-fno-sanitize=undefined' \
        KERNEL_CFLAGS='-O1 -fno-sanitize=fuzzer-no-link,pointer-overflow' --enable-werror \
        --enable-sanitize=address,undefined,fuzzer-no-link
}

# names_tests WORD,...: each is in the name of a test or of a file of tests: one that was renamed would not be
# missed.
names_tests() {
    (cd "$top/tests" && find . -name 'test_*.c' | sed 's|^\./||; s|\.c$||' &&
        find cli -name '*.sh' | sed 's|.*/|cli/|; s|\.sh$||' &&
        grep -rhoE '^TEST\([A-Za-z0-9_]+' . | sed 's/^TEST(//') > tests.list
    for word in $(echo "$1" | tr ',' ' '); do
        grep -qF -e "$word" tests.list && continue
        echo "not ok - $step: no test has $word in its name"
        return 1
    done
}

# units_but WORD,...: the unit tests, or those that T names, but those with one of the words in their names.
units_but() {
    names_tests "$1${T:+,$T}"
    echo "${T:+tests with these in their names: $T; }left out: $1"
    make -j"$jobs" check-unit T="${T-}" X="$1"
}
