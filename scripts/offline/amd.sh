# amd.sh: what gfx90a.sh and gfx1100.sh have in common: clang with the device libraries of ROCm, as in
# their driver. The table of a kernel's needs stands at the end of its assembly. The two say
#   isa_number    what the libraries call the device
#   is_wave_64    on: a wave has 64 work-items; off: 32
bitcode=/usr/lib/x86_64-linux-gnu/amdgcn/bitcode
for clang in clang-19 clang-18 clang-17 clang-16 clang; do
    clang=$(command -v $clang) && break
done

has_compiler() {
    test -n "$clang" && test -f "$bitcode/ocml.bc" &&
        "$clang" --print-targets | grep -q amdgcn || {
        echo "needs clang and the device libraries (Debian: clang-16 rocm-device-libs)"
        return 1
    }
}

# Products in tf32 are NVIDIA's assembly.
takes() {
    test "$1" != gemm_tf32
}

# Products of narrow numbers are for matrix instructions: a kernel without them has lost its purpose.
has_matrix_instructions() {
    awk '/^gemm_bf16_[a-z0-9]+:/ { name = $1 } /v_mfma_f32_16x16x16|v_wmma_f32_16x16x16/ { has[name] = 1 }
        END { exit !(has["gemm_bf16_128:"] && has["gemm_bf16_64:"] && has["gemm_bf16_thin:"]) }' "$1" ||
        { echo "$1: kernels without matrix instructions" >&2; return 1; }
}

# make_isa: the number of the device, for the libraries: they have a file with it for each device, but
# a release older than a device has none.
make_isa() {
    printf '@__oclc_ISA_version = linkonce_odr protected addrspace(4) constant i32 %d\n' \
        "$isa_number" > "$work/isa.ll"
    "$clang" -x ir -target amdgcn-amd-amdhsa -mcpu="$target" -nogpulib -emit-llvm -c \
        -o "$work/isa.bc" "$work/isa.ll"
}

compile() {
    program=$1 file=$2
    shift 2
    make_isa || return 1
    for name in opencl ocml ockl oclc_abi_version_400 "oclc_wavefrontsize64_$is_wave_64" \
        oclc_daz_opt_off oclc_finite_only_off oclc_unsafe_math_off oclc_correctly_rounded_sqrt_on; do
        set -- "$@" -Xclang -mlink-builtin-bitcode -Xclang "$bitcode/$name.bc"
    done
    "$clang" -x cl "$@" -Xclang -mlink-builtin-bitcode -Xclang "$work/isa.bc" -Xclang \
        -finclude-default-header -target amdgcn-amd-amdhsa -mcpu="$target" -nogpulib -O3 \
        -I"$srcdir/opencl" -include "$srcdir/opencl/common.cl" -S -o "$work/$program.s" "$file" ||
        return 1
    test "$program" != gemm_bf16 || has_matrix_instructions "$work/$program.s" || return 1
    # Scratch that no instruction touches is only reserved: for scalars that lie in vector registers.
    awk '/^[A-Za-z_0-9]+:.*@/ { name = $1; sub(/:.*/, "", name) }
        /^\t(scratch_|buffer_(load|store))/ { touches[name] = 1 }
        /^ +\.?-? *\.agpr_count:/ { accumulators = $NF }
        /\.group_segment_fixed_size:/ { local = $NF }
        /^    \.name: / { kernel = $NF }
        /\.private_segment_fixed_size:/ { scratch = $NF }
        /\.vgpr_count:/ { registers = $NF }
        /\.vgpr_spill_count:/ { spilled = 4 * $NF }
        /\.wavefront_size:/ {
            print kernel, registers, spilled, touches[kernel] ? scratch : 0, local
        }' "$work/$program.s"
}
