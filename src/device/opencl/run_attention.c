/*
 * run_attention.c: attention through OpenCL: a group of work-items for each sentence and head, or
 * several where there are too few of these.
 */
#include "device/opencl/launch.h"

static void add_inputs(struct dgm_launch *launch, const struct dgm_attention_inputs *in)
{
    const struct dgm_ref *refs = &in->q;

    for (size_t i = 0; i < sizeof *in / sizeof *refs; i++)
        dgm_launch_ref(launch, refs[i]);
}

/* ATTENTION_NUMBERS of attention.cl. */
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
