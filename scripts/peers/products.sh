#!/bin/sh
# products.sh [THREADS [NN|NT|TN|cold]]: our matrix product beside OpenBLAS, BLIS and
# oneDNN, where they are installed. Run it in a build folder after `make`. OpenBLAS and BLIS
# may not recognise a new processor: name it with OPENBLAS_CORETYPE and BLIS_ARCH_TYPE.
set -e
source=$(dirname "$0")/../..
library=$(ls out/libdragoman.a libdragoman.a 2>/dev/null | head -n 1)
test -n "$library" || { echo "no libdragoman.a here: run make first" >&2; exit 1; }
if grep -q avx512f /proc/cpuinfo 2> /dev/null; then
    export OPENBLAS_CORETYPE="${OPENBLAS_CORETYPE-SkylakeX}"
fi
${CC:-cc} -std=c99 -O2 -D_POSIX_C_SOURCE=200809L -I"$source/src" -I"$source/include" \
    "$source/tests/bench/peers/gemm_peers.c" "$library" -lm -lpthread -ldl -o out/gemm_peers
exec out/gemm_peers "${1:-1}" ${2:+"$2"}
