# nvptx.sh: NVIDIA, for check.sh: clang and libclc make PTX of a program for sm_80, as their driver
# does; ptxas, where there is one, makes machine code of it for sm_90.
library=$(ls /usr/lib/clc/nvptx64--nvidiacl.bc 2> /dev/null)
ptxas=$(command -v ptxas || ls /usr/local/cuda/bin/ptxas 2> /dev/null)
clang=$(command -v clang || command -v clang-14)

has_compiler() {
    test -n "$clang" && test -n "$library" || {
        echo "needs clang and libclc (Debian: clang libclc-14)"
        return 1
    }
    test -n "$ptxas" || echo "check-offline: nvptx: no ptxas here: compiled to PTX only" >&2
}

# Products of narrow numbers are for tensor cores: a program without them has lost its purpose.
uses_tensor_cores() {
    grep -q 'mma\.sync' "$1" && grep -q 'cp\.async' "$1" ||
        { echo "$1 does not use tensor cores" >&2; return 1; }
}

compile() {
    program=$1 file=$2
    shift 2
    "$clang" -x cl "$@" -Xclang -finclude-default-header -Wall -Werror -Wno-unused-function \
        -I"$srcdir/opencl" -include "$srcdir/opencl/common.cl" -O3 -target nvptx64--nvidiacl \
        -Xclang -target-cpu -Xclang sm_80 -Xclang -mlink-builtin-bitcode -Xclang "$library" \
        -S -o "$work/$program.ptx" "$file" || return 1
    case $program in
    gemm_bf16 | gemm_tf32) uses_tensor_cores "$work/$program.ptx" || return 1 ;;
    esac
    test -n "$ptxas" || return 0
    "$ptxas" -arch=sm_90 -v -o /dev/null "$work/$program.ptx" > "$work/ptxas" 2>&1 ||
        { cat "$work/ptxas" >&2; return 1; }
    awk '/entry function/ { split($0, part, "\047"); name = part[2] }
        /bytes stack frame/ { scratch = $1; spilled = $5 + $9 }
        /: Used / {
            registers = $5; local = 0
            if (match($0, /[0-9]+ bytes smem/)) local = substr($0, RSTART, RLENGTH) + 0
            print name, registers, spilled, scratch, local
        }' "$work/ptxas"
}
