/*
 * bench_gru.c: a bidirectional GRU of a training batch, forward and backward: 50 sentences of 25
 * words, 500 units in each direction over words of 500 numbers; recurrence alone, and with the
 * products of its inputs.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/bench.h"
#include "graph/op.h"

enum { SENTENCES = 50, WORDS = 25, DIM = 500, ROWS = SENTENCES * WORDS, MOST_THREADS = 2 };

struct rig {
    struct dgm_env env;
    struct dgm_device *device;
    struct dgm_graph g;
    struct dgm_sample sample; /* owns all leaves */
    struct dgm_gru_block blocks[2 * WORDS];
};

static dgm_status ones_forward(struct dgm_graph *g, struct dgm_node *node)
{
    (void)g;
    (void)node;
    return DGM_OK;
}

static dgm_status ones_backward(struct dgm_graph *g, struct dgm_node *node)
{
    struct dgm_node *y = node->in[0];
    struct dgm_fill_args fill;

    memset(&fill, 0, sizeof fill);
    fill.y = y->grad;
    fill.count = y->rows * y->cols;
    fill.value = (dgm_real)0.01;
    y->grad_ready = 1;
    return dgm_device_run(g->env, g->device, DGM_TASK_fill, &fill);
}

static const struct dgm_op ones = {
    .name = "ones",
    .is_loss = DGM_LOSS,
    .forward = ones_forward,
    .backward = ones_backward,
};

/* Rows: one of zeros for each sentence and side, then by step and side. */
static struct dgm_gru_plan plan_of(struct rig *rig)
{
    struct dgm_gru_plan plan;
    int32_t parents[ROWS];

    memset(&plan, 0, sizeof plan);
    plan.roots = 2 * SENTENCES;
    plan.rows = 2 * ROWS;
    plan.sides = 2;
    plan.block_count = 2 * WORDS;
    plan.blocks = rig->blocks;
    for (int32_t s = 0; s < 2; s++) {
        for (int32_t t = 0; t < WORDS; t++) {
            const int32_t first = (2 * (t + 1) + s) * SENTENCES;
            const struct dgm_gru_block block = { s, first, SENTENCES, t * SENTENCES,
                                                 first - 2 * SENTENCES };
            rig->blocks[2 * t + s] = block;
            for (int32_t i = 0; i < SENTENCES; i++)
                parents[t * SENTENCES + i] = block.parents + i;
        }
        plan.side[s].rows = ROWS;
        plan.side[s].parent = dgm_sample_data(&rig->g, &rig->sample, parents, sizeof parents);
    }
    return plan;
}

/* A weight that is small enough. */
static struct dgm_node *small(struct rig *rig, struct dgm_node *leaf)
{
    struct dgm_axpby_args scale;

    memset(&scale, 0, sizeof scale);
    if (leaf == NULL)
        abort();
    scale.y = scale.x = leaf->value;
    scale.count = leaf->rows * leaf->cols;
    scale.a = (dgm_real)0.04;
    if (dgm_device_run(&rig->env, rig->device, DGM_TASK_axpby, &scale) != DGM_OK)
        abort();
    return leaf;
}

static void open_rig(struct rig *rig, int threads, int with_inputs)
{
    struct dgm_device_options options = { .threads = 0 };
    struct dgm_node *x[2], *w[2], *y;
    struct dgm_gru_plan plan;

    memset(rig, 0, sizeof *rig);
    options.threads = threads;
    dgm_env_init(&rig->env);
    if (dgm_device_open(&rig->env, &rig->device, "cpu", &options) != DGM_OK ||
        dgm_graph_init(&rig->env, &rig->g, rig->device) != DGM_OK)
        abort();
    dgm_graph_begin(&rig->g, 1, 1, 1);
    plan = plan_of(rig);
    for (int s = 0; s < 2; s++) {
        x[s] = dgm_sample_leaf(&rig->g, &rig->sample, ROWS, with_inputs ? DIM : 3 * DIM);
        if (with_inputs)
            x[s] = dgm_linear(&rig->g, x[s],
                              small(rig, dgm_sample_leaf(&rig->g, &rig->sample, 3 * DIM, DIM)),
                              dgm_sample_leaf(&rig->g, &rig->sample, 1, 3 * DIM));
        w[s] = small(rig, dgm_sample_leaf(&rig->g, &rig->sample, 3 * DIM, DIM));
    }
    y = dgm_gru(&rig->g, NULL, x, w, NULL, &plan, 1);
    if (y == NULL || dgm_node_new(&rig->g, &ones, 1, 1, &y, 1, NULL, 0) == NULL)
        abort();
}

static void close_rig(struct rig *rig)
{
    dgm_sample_clear(&rig->g, &rig->sample);
    dgm_graph_clear(&rig->g);
    dgm_device_close(&rig->env, rig->device);
}

static void run_rig(struct rig *rig, int threads, int with_inputs)
{
    static const char *const names[2] = { "recurrence", "with inputs" };
    static char label[80];

    open_rig(rig, threads, with_inputs);
    for (int backward = 0; backward < 2; backward++) {
        snprintf(label, sizeof label, "%s, forward%s, %d thread%s", names[with_inputs],
                 backward ? " and backward" : "", threads, threads > 1 ? "s" : "");
        bench_case(label);
        bench_flops(2.0 * 2 * ROWS * 3 * DIM * DIM * (1 + with_inputs) * (backward ? 3 : 1));
        while (bench_again())
            if (dgm_graph_run(&rig->g) != DGM_OK ||
                (backward && dgm_graph_backward(&rig->g) != DGM_OK))
                abort();
    }
    close_rig(rig);
}

BENCH(recur)
{
    static struct rig rig;

    for (int threads = MOST_THREADS; threads > 0; threads--)
        for (int with_inputs = 0; with_inputs < 2; with_inputs++)
            run_rig(&rig, threads, with_inputs);
}
