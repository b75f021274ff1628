# intel.sh: what dg2.sh and pvc.sh have in common: Intel's offline compiler, which their driver for
# GPUs brings along and which needs none of them. It tells of kernels that spill, and of no others.

has_compiler() {
    command -v ocloc > /dev/null || {
        echo "needs ocloc (Debian: intel-opencl-icd; .ci/ocloc unpacks it)"
        return 1
    }
}

takes() {
    case $1 in gemm_bf16 | gemm_tf32) return 1 ;; esac
}

compile() {
    program=$1
    shift 2
    printf '#include "common.cl"\n#include "%s.cl"\n' "$program" > "$work/$program.cl"
    ocloc compile -file "$work/$program.cl" -device "$target" -options "$* -I$srcdir/opencl" \
        -output "$program" -out_dir "$work/intel" > "$work/ocloc" 2>&1 ||
        { cat "$work/ocloc" >&2; return 1; }
    # "kernel NAME  compiled SIMD16 allocated 128 regs and spilled around 10"
    awk '/spilled around/ { for (i = 1; i < NF; i++) if ($i == "kernel") print $(i + 1), "-", $NF, "-", "-" }' \
        "$work/ocloc"
}
