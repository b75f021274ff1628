/*
 * run_attention.c: attention through OpenCL: a group of work-items for each sentence and head, or
 * several where there are too few of these.
 */
#include <string.h>

#include "device/opencl/gemm/pack/packed_rows.h"
#include "device/opencl/run/form.h"
#include "device/opencl/run/push.h"

/* Kernels are told the width of values in any case. */
static struct dgm_attention core_of(const struct dgm_attention *core)
{
    struct dgm_attention known = *core;

    known.value_dim = core->value_dim > 0 ? core->value_dim : core->head_dim;
    return known;
}

/* Whether scores have no term of syntax: kernels without them take fewer registers. */
static int is_plain(const struct dgm_attention_inputs *in, const struct dgm_attention *core)
{
    return in->factor[0].buffer == NULL && in->factor[1].buffer == NULL &&
           in->addend.buffer == NULL && in->hidden.buffer == NULL && in->center.buffer == NULL &&
           core->label_count[0] == 0 && core->label_count[1] == 0 && core->parser_dim == 0;
}

int dgm_opencl_is_plain_attention_forward(const void *args_)
{
    const struct dgm_attention_forward_args *args = args_;

    return is_plain(&args->in, &args->core);
}

int dgm_opencl_is_plain_attention_backward(const void *args_)
{
    const struct dgm_attention_backward_args *args = args_;

    return is_plain(&args->in, &args->core);
}

/* Groups that share the queries of a sentence and head, by the mean length: 32 queries each. */
static int64_t parts_of(const struct dgm_attention *core)
{
    const int64_t mean = core->sentences > 0 ? core->rows / core->sentences : 0;

    return mean > 48 ? (mean + 31) / 32 : 1;
}

/* Heads' values beside each other, in pairs of columns. */
static struct dgm_cl_packing begin_packing(struct dgm_env *env, struct dgm_opencl *opencl,
                                           enum dgm_cl_kernel_id id,
                                           const struct dgm_attention_forward_args *args)
{
    const struct dgm_attention *core = &args->core;

    return dgm_cl_packing_begin(env, opencl, id, args->z, core->rows, core->ldz,
                                core->value_dim % 2 == 0 &&
                                    core->ldz == core->heads * core->value_dim);
}

dgm_status dgm_opencl_run_attention_forward(struct dgm_env *env, struct dgm_opencl *opencl,
                                            const void *args_)
{
    const struct dgm_attention_forward_args *args = args_;
    const enum dgm_cl_kernel_id id = dgm_opencl_is_plain_attention_forward(args)
                                         ? DGM_KERNEL_attention_forward_plain
                                         : DGM_KERNEL_attention_forward;
    struct dgm_attention_forward_args known = *args;
    struct dgm_cl_packing packing;
    struct dgm_launch launch;

    known.core = core_of(&args->core);
    packing = begin_packing(env, opencl, id, &known);
    dgm_launch_begin(&launch, env, opencl, id);
    dgm_push_attention_forward(&launch, &known);
    dgm_launch_int(&launch, args->core.ldz);
    dgm_cl_packing_push(&launch, &packing);
    DGM_TRY(dgm_launch_groups(&launch, args->core.sentences * args->core.heads,
                              parts_of(&args->core), 1));
    return dgm_cl_packing_end(env, opencl, id, &packing);
}

/* ---- backward ---------------------------------------------------------------------------- */

/* Where the gradients of the tables lie in a group's part of scratch memory; -1: not wanted. */
struct parts {
    struct dgm_ref memory;
    int64_t size, groups, key_at[2], value_at[2], key_size[2], value_size[2];
};

static int64_t take_part(struct parts *parts, struct dgm_ref wanted, struct dgm_ref table,
                         int64_t size)
{
    const int64_t at = parts->size;

    if (wanted.buffer == NULL || table.buffer == NULL || size == 0)
        return -1;
    parts->size += size;
    return at;
}

/*
 * Groups: one for each sentence and head, but with tables no more than all their sums have room
 * for; each goes through as many sentences and heads as it takes.
 */
static dgm_status plan_parts(struct dgm_env *env, struct dgm_opencl *opencl,
                             const struct dgm_attention_backward_args *args, struct parts *parts)
{
    enum { CPU_GROUPS = 32, GPU_GROUPS = 512, ROOM = 64 << 20 };
    const struct dgm_attention *core = &args->core;
    const int64_t dim_v = core->value_dim > 0 ? core->value_dim : core->head_dim;
    int64_t most = opencl->traits.is_cpu ? CPU_GROUPS : GPU_GROUPS;

    memset(parts, 0, sizeof *parts);
    for (int t = 0; t < 2; t++) {
        parts->key_size[t] = core->label_count[t] * core->head_dim;
        parts->value_size[t] = core->label_count[t] * dim_v;
        parts->key_at[t] =
            take_part(parts, args->dkey_table[t], args->in.key_table[t], parts->key_size[t]);
        parts->value_at[t] =
            take_part(parts, args->dvalue_table[t], args->in.value_table[t], parts->value_size[t]);
    }
    parts->groups = core->sentences * core->heads;
    if (parts->size == 0)
        return DGM_OK;
    while (most > 1 && most * parts->size * (int64_t)sizeof(dgm_real) > ROOM)
        most /= 2;
    parts->groups = parts->groups < most ? parts->groups : most;
    return dgm_cl_reserve(env, opencl, &parts->memory,
                          (size_t)(parts->groups * parts->size) * sizeof(dgm_real));
}

static int accumulate_bits(const struct dgm_attention_backward_args *args)
{
    return (args->accumulate_q != 0) | (args->accumulate_k != 0) << 1 |
           (args->accumulate_v != 0) << 2 | (args->accumulate_center != 0) << 3 |
           (args->accumulate_window != 0) << 4 | (args->accumulate_parser_q != 0) << 5 |
           (args->accumulate_parser_k != 0) << 6;
}

static dgm_status run_backward(struct dgm_env *env, struct dgm_opencl *opencl,
                               const struct dgm_attention_backward_args *args,
                               const struct parts *parts)
{
    const struct dgm_cl_attention_backward_args kernel = {
        .dq = args->dq,
        .dk = args->dk,
        .dv = args->dv,
        .dcenter = args->dcenter,
        .dwindow = args->dwindow,
        .dparser_q = args->dparser_q,
        .dparser_k = args->dparser_k,
        .dz = args->dz,
        .lse = args->lse,
        .parts = parts->memory,
        .in = args->in,
        .core = core_of(&args->core),
        .lddq = args->lddq,
        .lddk = args->lddk,
        .lddv = args->lddv,
        .lddz = args->lddz,
        .ld_dparser_q = args->ld_dparser_q,
        .ld_dparser_k = args->ld_dparser_k,
        .accumulate = accumulate_bits(args),
        .part_size = parts->size,
        .key_at = { parts->key_at[0], parts->key_at[1] },
        .value_at = { parts->value_at[0], parts->value_at[1] }
    };
    struct dgm_launch launch;

    dgm_launch_begin(&launch, env, opencl,
                     dgm_opencl_is_plain_attention_backward(args)
                         ? DGM_KERNEL_attention_backward_plain
                         : DGM_KERNEL_attention_backward);
    dgm_push_cl_attention_backward(&launch, &kernel);
    return dgm_launch_groups(&launch, parts->groups, 1, 1);
}

static dgm_status add_parts(struct dgm_env *env, struct dgm_opencl *opencl, struct dgm_ref table,
                            const struct parts *parts, int64_t at, int64_t size)
{
    struct dgm_cl_add_parts_args kernel = {
        .y = table, .size = size, .stride = parts->size, .count = parts->groups
    };
    struct dgm_launch launch;

    if (at < 0)
        return DGM_OK;
    kernel.parts = dgm_ref_at(parts->memory, (size_t)at * sizeof(dgm_real));
    launch = dgm_begin_cl_add_parts(env, opencl, &kernel);
    return dgm_launch_items(&launch, size);
}

dgm_status dgm_opencl_run_attention_backward(struct dgm_env *env, struct dgm_opencl *opencl,
                                             const void *args_)
{
    const struct dgm_attention_backward_args *args = args_;
    struct parts parts;

    DGM_TRY(plan_parts(env, opencl, args, &parts));
    DGM_TRY(run_backward(env, opencl, args, &parts));
    for (int t = 0; t < 2; t++) {
        DGM_TRY(add_parts(env, opencl, args->dkey_table[t], &parts, parts.key_at[t],
                          parts.key_size[t]));
        DGM_TRY(add_parts(env, opencl, args->dvalue_table[t], &parts, parts.value_at[t],
                          parts.value_size[t]));
    }
    return DGM_OK;
}
