# spirv.sh: any driver, for check.sh: the programs are OpenCL C 1.2 to the letter (-pedantic), and
# what clang makes of them is valid SPIR-V, of which drivers of several vendors begin.
clang=$(command -v clang || command -v clang-14)
translator=$(ls /usr/bin/llvm-spirv-1[4-9] /usr/bin/llvm-spirv 2> /dev/null | head -n 1)

has_compiler() {
    test -n "$clang" && test -n "$translator" && command -v spirv-val > /dev/null || {
        echo "needs clang, llvm-spirv and spirv-val (Debian: clang llvm-spirv-15 spirv-tools)"
        return 1
    }
}

# Products on tensor cores are NVIDIA's assembly.
takes() {
    case $1 in gemm_bf16 | gemm_tf32) return 1 ;; esac
}

compile() {
    program=$1 file=$2
    shift 2
    "$clang" -x cl -cl-std=CL1.2 -DIS_CPU=0 -DHAS_DOUBLE=0 "$@" -pedantic -Wall -Werror -Wno-unused-function -Xclang \
        -finclude-default-header -I"$srcdir/opencl" -include "$srcdir/opencl/common.cl" -O0 \
        -target spir64 -emit-llvm -c -o "$work/$program.bc" "$file" &&
        "$translator" --spirv-max-version=1.0 "$work/$program.bc" -o "$work/$program.spv" >&2 &&
        spirv-val --target-env opencl1.2 "$work/$program.spv" >&2
}
