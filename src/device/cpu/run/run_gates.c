/*
 * run_gates.c: tasks where gates blend two inputs on the CPU: highways and context gates.
 *
 * Blocks have rows of about BLOCK elements. The gates' own gradients are summed in each of few
 * blocks, and these in order.
 */
#include "device/cpu/blocks.h"

#define BLOCK 8192

/* ---- highways ------------------------------------------------------------------------------ */

DGM_CPU_BLOCK(highway_forward_block, gates->highway_forward)

dgm_status dgm_cpu_run_highway_forward(struct dgm_env *env, struct dgm_cpu *cpu, const void *args_)
{
    const struct dgm_highway_forward_args *args = args_;
    struct dgm_highway_rows work;

    (void)env;
    work.y = dgm_cpu_at(args->y);
    work.ht = dgm_cpu_at(args->ht);
    work.c = dgm_cpu_at(args->c);
    work.width = args->width;
    dgm_cpu_run_rows(cpu, &work, args->rows, dgm_cpu_block_rows(BLOCK, args->width),
                     highway_forward_block);
    return DGM_OK;
}

DGM_CPU_BLOCK(highway_backward_block, gates->highway_backward)

dgm_status dgm_cpu_run_highway_backward(struct dgm_env *env, struct dgm_cpu *cpu, const void *args_)
{
    const struct dgm_highway_backward_args *args = args_;
    struct dgm_highway_grad work;

    (void)env;
    work.dht = dgm_cpu_at(args->dht);
    work.dc = dgm_cpu_at(args->dc);
    work.dy = dgm_cpu_at(args->dy);
    work.ht = dgm_cpu_at(args->ht);
    work.c = dgm_cpu_at(args->c);
    work.width = args->width;
    work.accumulate_ht = args->accumulate_ht;
    work.accumulate_c = args->accumulate_c;
    dgm_cpu_run_rows(cpu, &work, args->rows, dgm_cpu_block_rows(BLOCK, args->width),
                     highway_backward_block);
    return DGM_OK;
}

/* ---- context gates ------------------------------------------------------------------------- */

static struct dgm_mix mix_of(const struct dgm_gated_mix *core, struct dgm_ref x, struct dgm_ref c,
                             struct dgm_ref x_gate, struct dgm_ref c_gate)
{
    struct dgm_mix mix;

    mix.x = dgm_cpu_at(x);
    mix.c = dgm_cpu_at(c);
    mix.x_gate = dgm_cpu_at(x_gate);
    mix.c_gate = dgm_cpu_at(c_gate);
    mix.bias = 0;
    mix.scale = core->scale;
    mix.heads = core->heads;
    mix.width = core->width;
    mix.c_step = core->c_step;
    mix.ldx = core->ldx;
    mix.ldc = core->ldc;
    return mix;
}

/* Rows in a block. */
static int64_t mix_step(const struct dgm_gated_mix *core)
{
    return dgm_cpu_block_rows(BLOCK, core->heads * core->width);
}

DGM_CPU_BLOCK(mix_forward_block, gates->mix_forward)

dgm_status dgm_cpu_run_gated_mix_forward(struct dgm_env *env, struct dgm_cpu *cpu,
                                         const void *args_)
{
    const struct dgm_gated_mix_forward_args *args = args_;
    const dgm_real *x_bias = dgm_cpu_at(args->x_bias), *c_bias = dgm_cpu_at(args->c_bias);
    struct dgm_mix_rows work;

    (void)env;
    work.y = dgm_cpu_at(args->y);
    work.l = dgm_cpu_at(args->l);
    work.mix = mix_of(&args->core, args->x, args->c, args->x_gate, args->c_gate);
    work.mix.bias = *x_bias + *c_bias;
    dgm_cpu_run_rows(cpu, &work, args->core.rows, mix_step(&args->core), mix_forward_block);
    return DGM_OK;
}

static void mix_backward_block(void *shared, int64_t block, int worker)
{
    const struct dgm_cpu_blocks *blocks = shared;

    (void)worker;
    blocks->kernels->gates->mix_backward(blocks->work, block * blocks->step,
                                         dgm_cpu_block_end(blocks, block),
                                         dgm_cpu_block_sums(blocks, block));
}

/* The gradients of gates and biases += the sums of one block. */
static void add_sums(const struct dgm_math_kernels *math,
                     const struct dgm_gated_mix_backward_args *args, const dgm_real *sums)
{
    const int64_t width = args->core.width;
    const struct dgm_ref to[4] = { args->dx_gate, args->dc_gate, args->dx_bias, args->dc_bias };

    for (int i = 0; i < 4; i++) {
        dgm_real *y = dgm_cpu_at(to[i]);
        if (y)
            math->add(y, y, sums + (i < 2 ? i : 2) * width, i < 2 ? width : 1);
    }
}

dgm_status dgm_cpu_run_gated_mix_backward(struct dgm_env *env, struct dgm_cpu *cpu,
                                          const void *args_)
{
    const struct dgm_gated_mix_backward_args *args = args_;
    struct dgm_mix_grad work;
    struct dgm_cpu_blocks blocks = {
        NULL, &work, args->core.rows, mix_step(&args->core), NULL, 2 * args->core.width + 1
    };

    work.dx = dgm_cpu_at(args->dx);
    work.dc = dgm_cpu_at(args->dc);
    work.dy = dgm_cpu_at(args->dy);
    work.l = dgm_cpu_at(args->l);
    work.mix = mix_of(&args->core, args->x, args->c, args->x_gate, args->c_gate);
    work.accumulate_x = args->accumulate_x;
    work.accumulate_c = args->accumulate_c;
    DGM_TRY(dgm_cpu_run_sums(env, cpu, &blocks, mix_backward_block));
    for (int64_t b = 0; b < dgm_cpu_count_blocks(&blocks); b++)
        add_sums(cpu->kernels->math, args, blocks.partial + b * blocks.sums);
    return DGM_OK;
}
