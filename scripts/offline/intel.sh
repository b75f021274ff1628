# intel.sh: what dg2.sh and pvc.sh have in common: Intel's offline compiler, which their driver for
# GPUs brings along and which needs none of them. It tells of kernels that spill, and of no others.

has_compiler() {
    command -v ocloc > /dev/null || {
        echo "needs ocloc (Debian: intel-opencl-icd; .ci/ocloc unpacks it)"
        return 1
    }
}

# Products in tf32 are NVIDIA's assembly.
takes() {
    test "$1" != gemm_tf32
}

# extension PROGRAM: ocloc of some distributions has the matrix instruction and does not say so.
extension() {
    test "$1" != gemm_bf16 || echo -Dcl_intel_subgroup_matrix_multiply_accumulate
}

# Products of narrow numbers are for matrix instructions: a kernel without them has lost its purpose.
has_matrix_instructions() {
    rm -rf "$work/dump"
    ocloc disasm -file "$1" -dump "$work/dump" > "$work/disasm" 2>&1
    test -f "$work/dump/gemm_bf16_128_KernelHeap.asm" ||
        { echo "check-offline: $target: ocloc has no disassembler: not looked for dpas" >&3; return; }
    for kernel in 128 64 thin; do
        grep -q 'dpas\.' "$work/dump/gemm_bf16_${kernel}_KernelHeap.asm" ||
            { echo "gemm_bf16_$kernel has no matrix instructions" >&2; return 1; }
    done
}

compile() {
    program=$1
    shift 2
    printf '#include "common.cl"\n#include "%s.cl"\n' "$program" > "$work/$program.cl"
    ocloc compile -file "$work/$program.cl" -device "$target" -options "$* $(extension "$program") -I$srcdir/opencl" \
        -output "$program" -out_dir "$work/intel" > "$work/ocloc" 2>&1 ||
        { cat "$work/ocloc" >&2; return 1; }
    test "$program" != gemm_bf16 || has_matrix_instructions "$work"/intel/gemm_bf16_*.bin || return 1
    # "kernel NAME  compiled SIMD16 allocated 128 regs and spilled around 10"
    awk '/spilled around/ { for (i = 1; i < NF; i++) if ($i == "kernel") print $(i + 1), "-", $NF, "-", "-" }' \
        "$work/ocloc"
}
