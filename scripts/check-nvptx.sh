#!/bin/sh
# check-nvptx.sh SRCDIR: whether every program of opencl/, but those for processors, compiles for
# NVIDIA's GPUs, on a machine without one: clang and libclc make PTX for sm_80; ptxas, where there
# is one, makes machine code of it for sm_90, and what it says of registers and spilled ones is
# shown. A kernel that spills fails. smem: bytes of local memory, at most 48 KiB (49152).
srcdir=$1
clang=$(command -v clang || command -v clang-14) || clang=''
library=$(ls /usr/lib/clc/nvptx64--nvidiacl.bc 2> /dev/null)
ptxas=$(command -v ptxas || ls /usr/local/cuda/bin/ptxas 2> /dev/null)
if test -z "$clang" || test -z "$library"; then
    echo "check-nvptx: SKIPPED: needs clang and libclc (Debian: clang libclc-14)"
    exit 0
fi
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' 0
failed=0
for file in "$srcdir"/opencl/*.cl; do
    name=${file##*/} name=${name%.cl}
    case $name in common | *_cpu) continue ;; esac
    if ! "$clang" -x cl -cl-std=CL1.2 -Xclang -finclude-default-header -Wall -Werror \
        -Wno-unused-function -I"$srcdir/opencl" -include "$srcdir/opencl/common.cl" \
        -DVEC=1 -DLANES=64 -DIS_CPU=0 -DHAS_DOUBLE=1 -O3 -target nvptx64--nvidiacl \
        -Xclang -target-cpu -Xclang sm_80 -Xclang -mlink-builtin-bitcode -Xclang "$library" \
        -S -o "$work/$name.ptx" "$file"; then
        failed=$((failed + 1))
        continue
    fi
    test -n "$ptxas" || continue
    if ! "$ptxas" -arch=sm_90 -v -o /dev/null "$work/$name.ptx" > "$work/log" 2>&1; then
        cat "$work/log"
        failed=$((failed + 1))
    elif grep 'spill' "$work/log" | grep -v ' 0 bytes spill stores, 0 bytes spill loads'; then
        echo "check-nvptx: $name.cl has a kernel that spills registers"
        failed=$((failed + 1))
    fi
    sed -n "s/.*entry function '\([^']*\)'.*/\1/p
        s/.*: Used \([0-9]* registers\).* \([0-9]* bytes smem\).*/    \1, \2/p; t
        s/.*: Used \([0-9]* registers\).*/    \1/p" \
        "$work/log" | paste -s -d '\t\n' - | sed "s/^/  $name.cl	/"
    case $name in gemm_bf16 | gemm_tf32)
        if ! grep -q 'mma\.sync' "$work/$name.ptx" || ! grep -q 'cp\.async' "$work/$name.ptx"; then
            echo "check-nvptx: $name.cl does not use tensor cores"
            failed=$((failed + 1))
        fi ;;
    esac
done
test -n "$ptxas" || echo "check-nvptx: no ptxas here: compiled to PTX only"
echo "check-nvptx: $failed programs failed"
test $failed = 0
