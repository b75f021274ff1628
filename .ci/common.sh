# common.sh: sourced by the steps beside it. Gives $top (the source tree), $scratch (a
# build folder of this step, emptied first) and $jobs; BUILD says where such folders go.
set -eu
top=$(cd "${0%/*}/.." && pwd)
step=${0##*/}
scratch=${BUILD:-${TMPDIR:-/tmp}/dragoman-ci-$(id -u)}/$step
jobs=${JOBS:-$(getconf _NPROCESSORS_ONLN 2> /dev/null || echo 2)}
# PoCL takes minutes to compile all kernels: all steps of one run share what it compiled.
POCL_CACHE_DIR=${POCL_CACHE_DIR:-${scratch%/*}/pocl}
# A machine that others use, too, is no reason to fail: a test that hangs is one in any case.
TEST_TIMEOUT=${TEST_TIMEOUT:-300}
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
    fi
}
