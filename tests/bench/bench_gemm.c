/*
 * bench_gemm.c: the matrix product on one thread and on two, at the shapes of training (many
 * rows) and of decoding (few rows, weights that no cache holds). scripts/peers/products.sh sets
 * the same work beside other libraries.
 */
#include <stdio.h>
#include <stdlib.h>

#include "bench/bench.h"
#include "device/choice.h"
#include "device/device.h"
#include "device/task.h"
#include "kernel/narrow/matrix.h"

struct shape {
    int m, n, k;
    enum dgm_gemm_form form;
};

/* A device with operands for every shape, all of them noise. */
struct rig {
    struct dgm_env env;
    struct dgm_device *device;
    struct dgm_ref a, b, c;
};

enum { MOST_REALS = 1 << 24, MOST_THREADS = 2 };

static void noise(struct rig *rig, struct dgm_ref *ref)
{
    const size_t bytes = MOST_REALS * sizeof(dgm_real);
    dgm_real *x = malloc(bytes);
    uint32_t state = 1;

    ref->offset = 0;
    for (size_t i = 0; x && i < MOST_REALS; i++) {
        state = state * 1664525u + 1013904223u;
        x[i] = (dgm_real)(state >> 8) / 16777216 - (dgm_real)0.5;
    }
    if (!x || dgm_device_alloc(&rig->env, rig->device, &ref->buffer, bytes) != DGM_OK ||
        dgm_device_write(&rig->env, rig->device, *ref, x, bytes) != DGM_OK)
        abort();
    free(x);
}

static void open_rig(struct rig *rig, int threads, const char *precision)
{
    const struct dgm_device_options options = { .threads = threads, .precision = precision };

    dgm_env_init(&rig->env);
    if (dgm_device_open_chosen(&rig->env, &rig->device, "cpu", &options) != DGM_OK)
        abort();
    noise(rig, &rig->a);
    noise(rig, &rig->b);
    noise(rig, &rig->c);
}

static void close_rig(struct rig *rig)
{
    dgm_device_release(&rig->env, rig->device, rig->a.buffer);
    dgm_device_release(&rig->env, rig->device, rig->b.buffer);
    dgm_device_release(&rig->env, rig->device, rig->c.buffer);
    dgm_device_close(&rig->env, rig->device);
}

/* `cold`: every round takes other weights, until the buffer ends. */
static void measure(struct rig *rig, const struct shape *shape, const char *precision, int threads,
                    int cold)
{
    static const char *const forms[] = { "NN", "NT", "TN" };
    const size_t weights = (size_t)shape->n * (size_t)shape->k;
    struct dgm_gemm_args args = { 0 };
    char label[80];
    size_t turn = 0;

    args.c = rig->c;
    args.a = rig->a;
    args.form = shape->form;
    args.m = shape->m;
    args.n = shape->n;
    args.k = shape->k;
    args.lda = shape->form == DGM_TN ? shape->m : shape->k;
    args.ldb = shape->form == DGM_NT ? shape->k : shape->n;
    args.ldc = shape->n;
    args.batch = 1;
    args.alpha = 1;
    args.beta = shape->form == DGM_TN;
    snprintf(label, sizeof label, "%s %s %d x %d x %d, %d thread%s", precision, forms[shape->form],
             shape->m, shape->n, shape->k, threads, threads > 1 ? "s" : "");
    bench_case(label);
    bench_flops(2.0 * shape->m * shape->n * shape->k);
    while (bench_again()) {
        size_t skip = cold ? turn++ % (MOST_REALS / weights) * weights : 0;

        args.b = dgm_ref_at(rig->b, skip * sizeof(dgm_real));
        if (dgm_device_run(&rig->env, rig->device, DGM_TASK_gemm, &args) != DGM_OK)
            abort();
    }
}

static void measure_all(const struct shape *shapes, int count, int cold)
{
    for (int threads = 1; threads <= MOST_THREADS; threads++) {
        struct rig rig;

        open_rig(&rig, threads, NULL);
        for (int i = 0; i < count; i++)
            measure(&rig, &shapes[i], "f32", threads, cold);
        close_rig(&rig);
    }
}

#define COUNT(list) (int)(sizeof(list) / sizeof(list)[0])

BENCH(gemm_training)
{
    static const struct shape shapes[] = {
        { 1024, 128, 128, DGM_NT },   { 2048, 256, 256, DGM_NT },   { 4096, 512, 512, DGM_NT },
        { 1024, 128, 128, DGM_NN },   { 2048, 256, 512, DGM_NN },   { 4096, 512, 512, DGM_NN },
        { 128, 128, 1000, DGM_TN },   { 256, 256, 2048, DGM_TN },   { 512, 512, 4096, DGM_TN },
        { 1000, 10000, 256, DGM_NT }, { 1000, 256, 10000, DGM_NN }, { 10000, 256, 1000, DGM_TN },
    };

    measure_all(shapes, COUNT(shapes), 0);
}

BENCH(gemm_decoding)
{
    static const struct shape shapes[] = {
        { 1, 512, 512, DGM_NT },  { 5, 256, 256, DGM_NT },    { 5, 512, 2048, DGM_NT },
        { 5, 2048, 512, DGM_NT }, { 5, 10000, 256, DGM_NT },  { 12, 512, 512, DGM_NT },
        { 40, 512, 512, DGM_NT }, { 40, 10000, 256, DGM_NT },
    };

    measure_all(shapes, COUNT(shapes), 1);
}

BENCH(gemm_large)
{
    static const struct shape shapes[] = {
        { 512, 512, 512, DGM_NN },    { 512, 512, 512, DGM_NT },    { 512, 512, 512, DGM_TN },
        { 2048, 2048, 2048, DGM_NN }, { 2048, 2048, 2048, DGM_NT }, { 2048, 2048, 2048, DGM_TN },
    };

    measure_all(shapes, COUNT(shapes), 0);
}

/* By matrix instructions (kernel/narrow/matrix.h), where this processor has them, beside f32. */
BENCH(gemm_bf16)
{
    static const struct shape shapes[] = {
        { 4096, 128, 128, DGM_NT },   { 4096, 512, 512, DGM_NT },   { 4096, 2048, 512, DGM_NT },
        { 4096, 512, 2048, DGM_NN },  { 512, 2048, 4096, DGM_TN },  { 128, 128, 4096, DGM_TN },
        { 1000, 10000, 512, DGM_NT }, { 1000, 512, 10000, DGM_NN }, { 10000, 512, 1000, DGM_TN },
    };
    static const char *const precisions[] = { "f32", "bf16" };

    for (int i = 0; i < (dgm_matrix_choose(NULL) ? COUNT(shapes) : 0); i++)
        for (int p = 0; p < 2; p++) {
            struct rig rig;

            open_rig(&rig, 1, precisions[p]);
            measure(&rig, &shapes[i], precisions[p], 1, 0);
            close_rig(&rig);
        }
}

/* ---- weights in panels, and in fewer bits ---------------------------------------------------- */

/* As many matrices as no cache holds. */
enum { MOST_MATRICES = 64, MATRIX_BYTES = 1 << 26 };

static int fill_matrices(struct rig *rig, const struct shape *shape, enum dgm_weights kind,
                         struct dgm_buffer *w[MOST_MATRICES], struct dgm_ref *room)
{
    const int64_t each = (int64_t)shape->n * shape->k;
    const int count =
        each * MOST_MATRICES > MATRIX_BYTES ? (int)(MATRIX_BYTES / each) : MOST_MATRICES;
    dgm_real *x = malloc((size_t)each * sizeof *x);
    size_t bytes;

    for (int64_t i = 0; x && i < each; i++)
        x[i] = (dgm_real)(i * 7919 % 251) / 251 - (dgm_real)0.5;
    if (rig->device->ops->weights_bytes(&rig->env, rig->device, &bytes, kind, shape->n, shape->k) !=
            DGM_OK ||
        dgm_device_alloc(&rig->env, rig->device, &room->buffer, bytes * (size_t)count) != DGM_OK)
        abort();
    for (int i = 0; i < count; i++) {
        room->offset = (size_t)i * bytes;
        if (!x || rig->device->ops->alloc_weights(&rig->env, rig->device, &w[i], *room, kind,
                                                  shape->n, shape->k) != DGM_OK)
            abort();
        rig->device->ops->write_weights(rig->device, w[i], 0, shape->n, x);
    }
    free(x);
    return count;
}

static void measure_weights(struct rig *rig, const struct shape *shape, enum dgm_weights kind)
{
    struct dgm_buffer *w[MOST_MATRICES];
    struct dgm_ref room = { NULL, 0 };
    const int count = fill_matrices(rig, shape, kind, w, &room);
    struct dgm_gemm_args args = { .c = rig->c, .a = rig->a, .form = DGM_NT };
    char label[80];
    int turn = 0;

    args.m = shape->m;
    args.n = args.ldc = shape->n;
    args.k = args.lda = args.ldb = shape->k;
    args.batch = 1;
    args.alpha = 1;
    snprintf(label, sizeof label, "%s %d x %d x %d",
             kind == DGM_WEIGHTS_PANELS ? "panels" : dgm_weights_name(kind), shape->m, shape->n,
             shape->k);
    bench_case(label);
    bench_flops(2.0 * shape->m * shape->n * shape->k);
    while (bench_again()) {
        args.b.buffer = w[turn++ % count];
        if (dgm_device_run(&rig->env, rig->device, DGM_TASK_gemm, &args) != DGM_OK)
            abort();
    }
    for (int i = 0; i < count; i++)
        dgm_device_release(&rig->env, rig->device, w[i]);
    dgm_device_release(&rig->env, rig->device, room.buffer);
}

/* The same shapes with reals as they lie, in panels, and with fewer bits, one after the other. */
BENCH(gemm_weights)
{
    static const struct shape shapes[] = {
        { 1, 512, 512, DGM_NT },    { 5, 512, 512, DGM_NT },   { 40, 512, 512, DGM_NT },
        { 1, 2048, 512, DGM_NT },   { 5, 2048, 512, DGM_NT },  { 40, 2048, 512, DGM_NT },
        { 1, 512, 2048, DGM_NT },   { 5, 512, 2048, DGM_NT },  { 40, 512, 2048, DGM_NT },
        { 1, 10000, 512, DGM_NT },  { 5, 10000, 512, DGM_NT }, { 40, 10000, 512, DGM_NT },
        { 200, 2048, 512, DGM_NT },
    };
    struct rig rig;

    open_rig(&rig, 1, NULL);
    for (int i = 0; i < COUNT(shapes); i++) {
        measure(&rig, &shapes[i], "f32", 1, 1);
        measure_weights(&rig, &shapes[i], DGM_WEIGHTS_PANELS);
        measure_weights(&rig, &shapes[i], DGM_WEIGHTS_INT8);
        measure_weights(&rig, &shapes[i], DGM_WEIGHTS_BF16);
    }
    close_rig(&rig);
}
