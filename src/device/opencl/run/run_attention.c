/*
 * run_attention.c: attention through OpenCL: a group of work-items for each sentence and head, or
 * several where there are too few of these.
 */
#include <string.h>

#include "device/opencl/core/launch.h"

static void add_inputs(struct dgm_launch *launch, const struct dgm_attention_inputs *in)
{
    const struct dgm_ref *refs = &in->q;

    for (size_t i = 0; i < sizeof *in / sizeof *refs; i++)
        dgm_launch_ref(launch, refs[i]);
}

/* ATTENTION_NUMBERS of attention.clh. */
static void add_numbers(struct dgm_launch *launch, const struct dgm_attention *core)
{
    dgm_launch_int(launch, core->sentences);
    dgm_launch_int(launch, core->heads);
    dgm_launch_int(launch, core->head_dim);
    dgm_launch_int(launch, core->value_dim > 0 ? core->value_dim : core->head_dim);
    dgm_launch_int(launch, core->ldq);
    dgm_launch_int(launch, core->ldk);
    dgm_launch_int(launch, core->ldv);
    dgm_launch_int(launch, core->ld_parser_q);
    dgm_launch_int(launch, core->ld_parser_k);
    dgm_launch_int(launch, core->causal);
    for (int f = 0; f < 2; f++) {
        dgm_launch_int(launch, core->factor_first[f]);
        dgm_launch_int(launch, core->factor_heads[f]);
    }
    dgm_launch_int(launch, core->label_count[0]);
    dgm_launch_int(launch, core->label_count[1]);
    dgm_launch_int(launch, core->clip[0]);
    dgm_launch_int(launch, core->clip[1]);
    dgm_launch_int(launch, core->parser_head);
    dgm_launch_int(launch, core->parser_dim);
    dgm_launch_real(launch, core->scale);
    dgm_launch_real(launch, core->window_size);
    dgm_launch_drop(launch, &core->drop);
}

/* Groups that share the queries of a sentence and head, by the mean length: 32 queries each. */
static int64_t parts_of(const struct dgm_attention *core)
{
    const int64_t mean = core->sentences > 0 ? core->rows / core->sentences : 0;

    return mean > 48 ? (mean + 31) / 32 : 1;
}

dgm_status dgm_opencl_run_attention_forward(struct dgm_env *env, struct dgm_opencl *opencl,
                                            const void *args_)
{
    const struct dgm_attention_forward_args *args = args_;
    struct dgm_launch launch;

    dgm_launch_begin(&launch, env, opencl, DGM_KERNEL_attention_forward);
    dgm_launch_ref(&launch, args->z);
    dgm_launch_ref(&launch, args->lse);
    add_inputs(&launch, &args->in);
    add_numbers(&launch, &args->core);
    dgm_launch_int(&launch, args->core.ldz);
    return dgm_launch_groups(&launch, args->core.sentences * args->core.heads,
                             parts_of(&args->core), 1);
}

/* ---- backward ------------------------------------------------------------------------------ */

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
    const int64_t numbers[] = { args->lddq,
                                args->lddk,
                                args->lddv,
                                args->lddz,
                                args->ld_dparser_q,
                                args->ld_dparser_k,
                                accumulate_bits(args),
                                parts->size,
                                parts->key_at[0],
                                parts->key_at[1],
                                parts->value_at[0],
                                parts->value_at[1] };
    struct dgm_launch launch;

    dgm_launch_begin(&launch, env, opencl, DGM_KERNEL_attention_backward);
    dgm_launch_ref(&launch, args->dq);
    dgm_launch_ref(&launch, args->dk);
    dgm_launch_ref(&launch, args->dv);
    dgm_launch_ref(&launch, args->dcenter);
    dgm_launch_ref(&launch, args->dwindow);
    dgm_launch_ref(&launch, args->dparser_q);
    dgm_launch_ref(&launch, args->dparser_k);
    dgm_launch_ref(&launch, args->dz);
    dgm_launch_ref(&launch, args->lse);
    dgm_launch_ref(&launch, parts->memory);
    add_inputs(&launch, &args->in);
    add_numbers(&launch, &args->core);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        dgm_launch_int(&launch, numbers[i]);
    return dgm_launch_groups(&launch, parts->groups, 1, 1);
}

static dgm_status add_parts(struct dgm_env *env, struct dgm_opencl *opencl, struct dgm_ref table,
                            const struct parts *parts, int64_t at, int64_t size)
{
    struct dgm_launch launch;

    if (at < 0)
        return DGM_OK;
    dgm_launch_begin(&launch, env, opencl, DGM_KERNEL_add_parts);
    dgm_launch_ref(&launch, table);
    dgm_launch_ref(&launch, dgm_ref_at(parts->memory, (size_t)at * sizeof(dgm_real)));
    dgm_launch_int(&launch, size);
    dgm_launch_int(&launch, parts->size);
    dgm_launch_int(&launch, parts->groups);
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
