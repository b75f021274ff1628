/*
 * pack.c: launches the kernel that packs operands of products of narrow numbers.
 */
#include "device/opencl/gemm/pack/pack.h"

int64_t dgm_cl_pack_groups(const struct dgm_cl_operand *operand)
{
    return dgm_cl_divide_up(dgm_cl_divide_up(operand->lines, DGM_LINES) * operand->depth * 32,
                            DGM_PACK_ITEMS);
}

int dgm_cl_pack_flags(const struct dgm_cl_operand *operand)
{
    return operand->by_step + 2 * operand->is_aligned + 4 * operand->is_b;
}

static void push_operand(struct dgm_launch *launch, const struct dgm_cl_operand *operand)
{
    dgm_launch_ref(launch, operand->to);
    dgm_launch_ref(launch, operand->from);
    dgm_launch_int(launch, operand->lines);
    dgm_launch_int(launch, operand->k);
    dgm_launch_long(launch, operand->ld);
    dgm_launch_long(launch, operand->stride);
    dgm_launch_int(launch, operand->depth);
    dgm_launch_int(launch, dgm_cl_pack_flags(operand));
    dgm_launch_int(launch, dgm_cl_pack_groups(operand));
}

dgm_status dgm_cl_pack(struct dgm_env *env, struct dgm_opencl *opencl,
                       const struct dgm_cl_operand *operands, int count, int64_t batch)
{
    static const struct dgm_cl_operand none = { .lines = 0 };
    const size_t local[3] = { DGM_PACK_ITEMS, 1, 1 };
    size_t groups[3] = { 0, 1, 0 };
    struct dgm_launch launch;
    int left = DGM_PACK_MOST;

    groups[2] = (size_t)batch;
    for (int i = 0; i < count; i++)
        if (!operands[i].is_packed)
            groups[0] += (size_t)dgm_cl_pack_groups(&operands[i]);
    if (groups[0] == 0)
        return DGM_OK;
    dgm_launch_begin(&launch, env, opencl,
                     opencl->precision == DGM_BF16 ? DGM_KERNEL_gemm_bf16_pack
                                                   : DGM_KERNEL_gemm_tf32_pack);
    for (int i = 0; i < count; i++)
        if (!operands[i].is_packed) {
            push_operand(&launch, &operands[i]);
            left--;
        }
    for (; left > 0; left--)
        push_operand(&launch, &none);
    return dgm_launch_grid(&launch, groups, local);
}
