/*
 * bench_bahdanau.c: the decoder that attends, at the sizes of Bahdanau et al. (2015) in the
 * toolkit's form: 50 sentences of 25 words on both sides, d = 500, A = 1000; and its attention
 * alone.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/bench.h"
#include "graph/op.h"

enum { SENTENCES = 50, STEPS = 25, SPAN = 25, D = 500, A = 1000, LD = D + A };
enum { M = SENTENCES * STEPS, K = SENTENCES * SPAN, MOST_THREADS = 2 };

struct rig {
    struct dgm_env env;
    struct dgm_device *device;
    struct dgm_graph g;
    struct dgm_sample sample;
    struct dgm_bahdanau_decoder decoder;
    struct dgm_node *y;
    int32_t active[STEPS];
};

static void must(dgm_status status)
{
    if (status != DGM_OK)
        abort();
}

/* Weights of about the size that states keep away from 1. */
static struct dgm_node *leaf(struct rig *rig, int64_t rows, int64_t cols)
{
    struct dgm_node *node = dgm_sample_leaf(&rig->g, &rig->sample, rows, cols);
    struct dgm_axpby_args shrink;

    if (node == NULL)
        abort();
    memset(&shrink, 0, sizeof shrink);
    shrink.y = shrink.x = node->value;
    shrink.count = rows * cols;
    shrink.a = (dgm_real)0.05;
    must(dgm_device_run(&rig->env, rig->device, DGM_TASK_axpby, &shrink));
    return node;
}

/* The gradient from above: whatever the pool holds is as good as any. */
static dgm_status root_forward(struct dgm_graph *g, struct dgm_node *node)
{
    (void)g;
    (void)node;
    return DGM_OK;
}

static dgm_status root_backward(struct dgm_graph *g, struct dgm_node *node)
{
    struct dgm_fill_args fill;

    memset(&fill, 0, sizeof fill);
    fill.y = node->in[0]->grad;
    fill.count = node->in[0]->rows * node->in[0]->cols;
    fill.value = (dgm_real)0.01;
    node->in[0]->grad_ready = 1;
    return dgm_device_run(g->env, g->device, DGM_TASK_fill, &fill);
}

static const struct dgm_op root_op = {
    .name = "root",
    .is_loss = DGM_LOSS,
    .forward = root_forward,
    .backward = root_backward,
};

static void build(struct rig *rig)
{
    struct dgm_bahdanau_decoder *decoder = &rig->decoder;
    int32_t starts[SENTENCES], counts[SENTENCES];

    for (int s = 0; s < SENTENCES; s++) {
        starts[s] = s * SPAN;
        counts[s] = SPAN;
    }
    for (int t = 0; t < STEPS; t++)
        rig->active[t] = SENTENCES;
    decoder->steps.count = STEPS;
    decoder->steps.active = rig->active;
    decoder->memory.starts = dgm_sample_data(&rig->g, &rig->sample, starts, sizeof starts);
    decoder->memory.counts = dgm_sample_data(&rig->g, &rig->sample, counts, sizeof counts);
    decoder->memory.longest = SPAN;
    decoder->x = leaf(rig, M, 3 * D);
    decoder->start = leaf(rig, SENTENCES, D);
    decoder->keys = leaf(rig, K, A);
    decoder->values = leaf(rig, K, A);
    decoder->state1 = leaf(rig, 3 * D, D);
    decoder->query = leaf(rig, A, D);
    decoder->v = leaf(rig, 1, A);
    decoder->state2 = leaf(rig, 3 * D, D);
    decoder->bias2 = leaf(rig, 1, 3 * D);
    decoder->context = leaf(rig, 3 * D, A);
    rig->y = dgm_bahdanau_gru(&rig->g, decoder);
    dgm_node_new(&rig->g, &root_op, 1, 1, &rig->y, 1, NULL, 0);
}

static void open_rig(struct rig *rig, int threads)
{
    struct dgm_device_options options = { .threads = 0 };

    memset(rig, 0, sizeof *rig);
    options.threads = threads;
    options.isa = getenv("DRAGOMAN_ISA");
    dgm_env_init(&rig->env);
    must(dgm_device_open(&rig->env, &rig->device, "cpu", &options));
    must(dgm_graph_init(&rig->env, &rig->g, rig->device));
    dgm_random_init(&rig->sample.random, 3, 0, 0, 0);
    dgm_graph_begin(&rig->g, 1, 1, 1);
    build(rig);
    must(dgm_graph_run(&rig->g));
    must(dgm_graph_backward(&rig->g));
}

static void close_rig(struct rig *rig)
{
    dgm_sample_clear(&rig->g, &rig->sample);
    dgm_graph_clear(&rig->g);
    dgm_device_close(&rig->env, rig->device);
}

static void name_case(const char *what, int threads)
{
    static char label[80];

    snprintf(label, sizeof label, "%s, %d thread%s", what, threads, threads > 1 ? "s" : "");
    bench_case(label);
}

static struct dgm_ref columns(const struct dgm_node *node, int64_t column)
{
    return dgm_ref_at(node->value, (size_t)column * sizeof(dgm_real));
}

/* All steps of the attention: x and y serve as queries and as room. */
static void attend(struct rig *rig, int backward)
{
    const struct dgm_bahdanau_decoder *decoder = &rig->decoder;
    const struct dgm_additive core = { SENTENCES, A, A, SPAN, LD };
    const struct dgm_ref room = dgm_ref_at(decoder->x->grad, (size_t)M * A * sizeof(dgm_real));
    struct dgm_additive_forward_args forward = { columns(rig->y, D),
                                                 room,
                                                 columns(decoder->x, 0),
                                                 decoder->keys->value,
                                                 decoder->values->value,
                                                 decoder->v->value,
                                                 decoder->memory.starts,
                                                 decoder->memory.counts,
                                                 core };
    struct dgm_additive_backward_args grad = { decoder->x->grad,
                                               decoder->keys->grad,
                                               decoder->values->grad,
                                               decoder->v->grad,
                                               forward.ctx,
                                               room,
                                               forward.q,
                                               forward.keys,
                                               forward.values,
                                               forward.v,
                                               forward.starts,
                                               forward.counts,
                                               core };

    for (int t = 0; t < STEPS; t++)
        must(dgm_device_run(&rig->env, rig->device,
                            backward ? DGM_TASK_additive_backward : DGM_TASK_additive_forward,
                            backward ? (const void *)&grad : (const void *)&forward));
}

BENCH(attentive)
{
    for (int threads = 1; threads <= MOST_THREADS; threads++) {
        static struct rig rig;

        open_rig(&rig, threads);
        name_case("forward", threads);
        bench_flops(2.0 * M * (6.0 * D * D + 4.0 * D * A));
        while (bench_again())
            must(dgm_graph_run(&rig.g));
        name_case("forward and backward", threads);
        bench_flops(3 * 2.0 * M * (6.0 * D * D + 4.0 * D * A));
        while (bench_again()) {
            must(dgm_graph_run(&rig.g));
            must(dgm_graph_backward(&rig.g));
        }
        bench_flops(0);
        name_case("attention forward", threads);
        while (bench_again())
            attend(&rig, 0);
        name_case("attention backward", threads);
        while (bench_again())
            attend(&rig, 1);
        close_rig(&rig);
    }
}
