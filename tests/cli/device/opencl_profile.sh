# opencl_profile.sh: the layer that tells how long kernels take (tests/support/cl_profile.c): it changes
# no byte of a model, its report names the kernels of an update, and updates are left out.
. "$SOURCE/tests/support/shell/lib.sh"
test "$DEVICE_CHECK" || skip "make check-device runs it"
layer=${GENERATE%/corpora/generate}/tests/support/cl_profile.so
test -f "$layer" || skip "out/tests/support/cl_profile.so was not built"
XDG_CACHE_HOME=$(pwd)/cache
DGM_CL_TRUST=0 # trials launch kernels, too
export XDG_CACHE_HOME DGM_CL_TRUST
"$DRAGOMAN" devices > devices
grep -q '^      usable with --devices [0-9]' devices || skip "no OpenCL device"
generate data --seed 5 --train 60 --dev 5 --test 5
small bpe-merges=0 after=4u devices=opencl
valid_on=
# launches REPORT KERNEL: how many of them the report has.
launches() { awk -v kernel="$2" '$6 == kernel { n += $2 } END { print n + 0 }' "$1"; }

train want.gguf || fail 'no training on this device'
for skip in 0 3; do
    rm -rf m.gguf m.gguf.ckpt
    OPENCL_LAYERS=$layer CL_PROFILE=report.$skip CL_PROFILE_SKIP=$skip train m.gguf -q ||
        fail "no training with the layer"
    test -f report.$skip || skip "the loader knows no layers"
    cmp want.gguf m.gguf || fail "the layer changes a model"
    grep -q "^busy [0-9.]* ms of [0-9.]* ms, $((4 - skip)) updates, 0 launches lost" report.$skip ||
        { head -n 1 report.$skip; fail "skip $skip: another first line"; }
done
test "$(launches report.0 adam)" = 4 || fail "$(launches report.0 adam) launches of adam in 4 updates"
test "$(launches report.3 adam)" = 1 || fail "$(launches report.3 adam) launches of adam in 1 update"
test "$(launches report.0 residual_norm_forward)" -gt "$(launches report.3 residual_norm_forward)" ||
    fail "as many norms in four updates as in one"
