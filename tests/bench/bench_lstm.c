/*
 * bench_lstm.c: an LSTM of a training batch: 90 sentences of mixed lengths, about 2,000 rows,
 * H = 256 in each direction; beside it the same products of all rows at once, which no LSTM can
 * reach.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/bench.h"
#include "nn/schedule/sequences.h"

enum { SENTENCES = 90, DIM = 256, MOST_THREADS = 2, BUFFERS = 7 };

struct rig {
    struct dgm_env env;
    struct dgm_device *device;
    struct dgm_feed feed;
    struct dgm_sequence_slots slots;
    struct dgm_buffer *buffers[BUFFERS];
    int buffer_count;
    int64_t rows;
    struct dgm_lstm_forward_args forward;
    struct dgm_lstm_backward_args backward;
};

static struct dgm_ref noise(struct rig *rig, int64_t count)
{
    dgm_real *x = malloc((size_t)count * sizeof *x);
    struct dgm_ref ref = { NULL, 0 };
    uint32_t state = 1;

    for (int64_t i = 0; x && i < count; i++) {
        state = state * 1664525u + 1013904223u;
        x[i] = ((dgm_real)(state >> 8) / 16777216 - (dgm_real)0.5) / 8;
    }
    if (!x ||
        dgm_device_alloc(&rig->env, rig->device, &ref.buffer, (size_t)count * sizeof *x) !=
            DGM_OK ||
        dgm_device_write(&rig->env, rig->device, ref, x, (size_t)count * sizeof *x) != DGM_OK)
        abort();
    rig->buffers[rig->buffer_count++] = ref.buffer;
    free(x);
    return ref;
}

/* Lengths 4..41, 22 rows on average, in no order. */
static void stage(struct rig *rig)
{
    int32_t offsets[SENTENCES + 1] = { 0 };

    for (int s = 0; s < SENTENCES; s++)
        offsets[s + 1] = offsets[s] + 4 + s * 11 % 38;
    rig->rows = offsets[SENTENCES];
    if (dgm_sequences_stage(&rig->env, &rig->feed, &rig->slots, offsets, SENTENCES) != DGM_OK ||
        dgm_feed_send(&rig->env, &rig->feed) != DGM_OK)
        abort();
}

static void fill_args(struct rig *rig)
{
    const struct dgm_sequences sequences = dgm_sequences_sent(&rig->feed, &rig->slots);
    struct dgm_lstm_forward_args *forward = &rig->forward;
    struct dgm_lstm_backward_args *backward = &rig->backward;

    forward->core.sequences = sequences.count;
    forward->core.rows = sequences.rows;
    forward->core.steps = sequences.steps;
    forward->core.dim = DIM;
    forward->core.active = sequences.active;
    forward->offsets = backward->offsets = sequences.offsets;
    forward->order = backward->order = sequences.order;
    forward->y = noise(rig, rig->rows * 2 * DIM);
    forward->gates = noise(rig, rig->rows * 8 * DIM);
    forward->weight = backward->weight = noise(rig, 8 * DIM * DIM);
    forward->saved = backward->saved = noise(rig, dgm_lstm_saved(rig->rows, SENTENCES, DIM));
    backward->dy = noise(rig, rig->rows * 2 * DIM);
    backward->dgates = noise(rig, rig->rows * 8 * DIM);
    backward->dweight = noise(rig, 8 * DIM * DIM);
    backward->core = forward->core;
}

static void open_rig(struct rig *rig, int threads)
{
    struct dgm_device_options options = { .threads = 0 };

    memset(rig, 0, sizeof *rig);
    options.threads = threads;
    dgm_env_init(&rig->env);
    if (dgm_device_open(&rig->env, &rig->device, "cpu", &options) != DGM_OK)
        abort();
    dgm_feed_init(&rig->feed, rig->device);
    stage(rig);
    fill_args(rig);
}

static void close_rig(struct rig *rig)
{
    while (rig->buffer_count > 0)
        dgm_device_release(&rig->env, rig->device, rig->buffers[--rig->buffer_count]);
    dgm_sequence_slots_clear(&rig->env, &rig->slots);
    dgm_feed_clear(&rig->env, &rig->feed);
    dgm_device_close(&rig->env, rig->device);
}

static void run(struct rig *rig, enum dgm_task_kind kind, const void *args)
{
    if (dgm_device_run(&rig->env, rig->device, kind, args) != DGM_OK)
        abort();
}

static void name_case(const struct rig *rig, const char *what, int threads, int products)
{
    static char label[80];

    snprintf(label, sizeof label, "%s, %d thread%s", what, threads, threads > 1 ? "s" : "");
    bench_case(label);
    bench_flops(2.0 * products * (double)rig->rows * 8 * DIM * DIM);
}

/* The three products of an LSTM, each of all rows at once. */
static void multiply(struct rig *rig, int backward)
{
    struct dgm_gemm_args gemm = { 0 };

    gemm.batch = 2;
    gemm.alpha = 1;
    gemm.c = rig->forward.saved, gemm.a = rig->forward.y, gemm.b = rig->forward.weight;
    gemm.form = DGM_NT;
    gemm.m = rig->rows, gemm.n = 4 * DIM, gemm.k = DIM;
    gemm.lda = 2 * DIM, gemm.ldb = DIM, gemm.ldc = 8 * DIM;
    gemm.stride_a = DIM, gemm.stride_b = 4 * DIM * DIM, gemm.stride_c = 4 * DIM;
    run(rig, DGM_TASK_gemm, &gemm);
    if (!backward)
        return;
    gemm.c = rig->forward.y, gemm.a = rig->forward.saved;
    gemm.form = DGM_NN;
    gemm.n = DIM, gemm.k = 4 * DIM;
    gemm.lda = 8 * DIM, gemm.ldc = 2 * DIM;
    gemm.stride_a = 4 * DIM, gemm.stride_c = DIM;
    run(rig, DGM_TASK_gemm, &gemm);
    gemm.c = rig->backward.dweight, gemm.b = rig->backward.dy;
    gemm.form = DGM_TN;
    gemm.m = 4 * DIM, gemm.k = rig->rows;
    gemm.ldb = 2 * DIM, gemm.ldc = DIM;
    gemm.stride_b = DIM, gemm.stride_c = 4 * DIM * DIM;
    run(rig, DGM_TASK_gemm, &gemm);
}

static void measure(struct rig *rig, int threads)
{
    name_case(rig, "products forward", threads, 1);
    while (bench_again())
        multiply(rig, 0);
    name_case(rig, "forward", threads, 1);
    while (bench_again())
        run(rig, DGM_TASK_lstm_forward, &rig->forward);
    name_case(rig, "products", threads, 3);
    while (bench_again())
        multiply(rig, 1);
    name_case(rig, "forward and backward", threads, 3);
    while (bench_again()) {
        run(rig, DGM_TASK_lstm_forward, &rig->forward);
        run(rig, DGM_TASK_lstm_backward, &rig->backward);
    }
}

BENCH(lstm)
{
    for (int threads = 1; threads <= MOST_THREADS; threads++) {
        struct rig rig;

        open_rig(&rig, threads);
        measure(&rig, threads);
        close_rig(&rig);
    }
}
