/*
 * bench_math.c: the kernels on arrays and rows, of every instruction set this machine runs. The
 * data stays in the first or second cache; "flops" are elements.
 */
#include "bench/bench.h"
#include "kernel/kernel.h"

enum { COUNT = 4096, WIDTH = 512, VOCAB = 10000 };

static dgm_real x[2 * VOCAB], y[2 * VOCAB];

static void set_input(double low, double high)
{
    for (int i = 0; i < 2 * VOCAB; i++)
        x[i] = (dgm_real)(low + (high - low) * (i * 7919 % 10007) / 10007.0);
}

/* Which member of the math table: exp, log, tanh, sigmoid. */
static void bench_map(int which, double low, double high)
{
    set_input(low, high);
    bench_flops(COUNT);
    for (size_t i = 0; i < dgm_kernels_count(); i++) {
        const struct dgm_kernels *kernels = dgm_kernels_entry(i);
        if (!kernels)
            continue;
        bench_case(kernels->name);
        while (bench_again())
            switch (which) {
            case 0: kernels->math->exp(y, x, COUNT); break;
            case 1: kernels->math->log(y, x, COUNT); break;
            case 2: kernels->math->tanh(y, x, COUNT); break;
            default: kernels->math->sigmoid(y, x, COUNT); break;
            }
        bench_use((double)y[7]);
    }
}

BENCH(exp)
{
    bench_map(0, -20, 20);
}

BENCH(log)
{
    bench_map(1, 1e-3, 1e3);
}

BENCH(tanh)
{
    bench_map(2, -4, 4);
}

BENCH(sigmoid)
{
    bench_map(3, -8, 8);
}

BENCH(residual_dropout)
{
    const struct dgm_kernels *kernels;
    static const int32_t places[2] = { 1, 2 };
    static const uint32_t key[2] = { 3, 4 };
    const struct dgm_residual_forward_job job = { .y = y,
                                                  .x = x,
                                                  .r = x + VOCAB,
                                                  .places = places,
                                                  .dim = WIDTH,
                                                  .mask = dgm_mask_make((dgm_real)0.1, 1, key) };

    set_input(-1, 1);
    bench_flops(WIDTH);
    for (size_t i = 0; i < dgm_kernels_count(); i++)
        if ((kernels = dgm_kernels_entry(i)) != NULL) {
            bench_case(kernels->name);
            while (bench_again())
                kernels->rows->residual(&job, 0, 1);
        }
}

BENCH(norm_forward)
{
    const struct dgm_kernels *kernels;
    const struct dgm_norm_forward_job job = {
        .y = y, .x = x, .gain = x, .bias = x, .dim = WIDTH, .eps = (dgm_real)1e-5
    };

    set_input(-1, 1);
    bench_flops(8 * WIDTH);
    for (size_t i = 0; i < dgm_kernels_count(); i++)
        if ((kernels = dgm_kernels_entry(i)) != NULL) {
            bench_case(kernels->name);
            while (bench_again())
                kernels->rows->norm_forward(&job, 0, 8);
        }
}

BENCH(norm_backward)
{
    const struct dgm_kernels *kernels;
    static dgm_real dgain[WIDTH], dbias[WIDTH];
    static const dgm_real stats[16] = { 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1 };
    const struct dgm_norm_backward_job job = {
        .dx = y, .dy = x + 3, .x = x, .stats = stats, .gain = x, .dim = WIDTH
    };

    set_input(-1, 1);
    bench_flops(8 * WIDTH);
    for (size_t i = 0; i < dgm_kernels_count(); i++)
        if ((kernels = dgm_kernels_entry(i)) != NULL) {
            bench_case(kernels->name);
            while (bench_again())
                kernels->rows->norm_backward(&job, 0, 8, dgain, dbias);
        }
}

BENCH(cross_entropy)
{
    const struct dgm_kernels *kernels;
    static const int32_t target = 5;
    dgm_real losses[2];
    const struct dgm_loss_rows job = { y, losses, &target, VOCAB, 1e-5, 0.9, 1, 1 };

    bench_flops(VOCAB);
    for (size_t i = 0; i < dgm_kernels_count(); i++)
        if ((kernels = dgm_kernels_entry(i)) != NULL) {
            bench_case(kernels->name);
            while (bench_again()) /* on its own output: the time does not depend on values */
                kernels->rows->cross_entropy(&job, 0, 1);
        }
}

BENCH(top_k)
{
    const struct dgm_kernels *kernels;
    static dgm_real values[10];
    static int32_t ids[10];
    const struct dgm_top_k_job job = { .values = values,
                                       .ids = ids,
                                       .x = x,
                                       .vocab = VOCAB,
                                       .k = 10,
                                       .forbidden = { -1, -1 },
                                       .normalize = 1 };

    set_input(-10, 10);
    bench_flops(VOCAB);
    for (size_t i = 0; i < dgm_kernels_count(); i++)
        if ((kernels = dgm_kernels_entry(i)) != NULL) {
            bench_case(kernels->name);
            while (bench_again())
                kernels->rows->top_k(&job, 0, 1);
        }
}

BENCH(adam)
{
    const struct dgm_kernels *kernels;
    static dgm_real m[COUNT], v[COUNT];
    static const struct dgm_adam_job step = { .rate = (dgm_real)1e-3,
                                              .step_size = (dgm_real)1e-3,
                                              .beta1 = (dgm_real)0.9,
                                              .beta2 = (dgm_real)0.98,
                                              .eps = (dgm_real)1e-9,
                                              .weight_decay = (dgm_real)0,
                                              .grad_scale = (dgm_real)1 };

    set_input(-1, 1);
    bench_flops(COUNT);
    for (size_t i = 0; i < dgm_kernels_count(); i++)
        if ((kernels = dgm_kernels_entry(i)) != NULL) {
            bench_case(kernels->name);
            while (bench_again())
                kernels->math->adam(y, m, v, x, COUNT, &step);
        }
}

/* Cells of a sentence of 20 tokens, and their gradients. */
BENCH(ssru)
{
    enum { ROWS = 20, CELLS = 512 };
    static const int32_t offsets[] = { 0, ROWS };
    static dgm_real c[ROWS * CELLS], dx[ROWS * CELLS], dg[ROWS * CELLS];
    const struct dgm_ssru_forward_job there = {
        .c = c, .x = x, .g = x + 5000, .offsets = offsets, .sentences = 1, .width = CELLS
    };
    const struct dgm_ssru_backward_job back = { .dx = dx,
                                                .dg = dg,
                                                .dc = x + 2500,
                                                .c = c,
                                                .x = x,
                                                .g = x + 5000,
                                                .offsets = offsets,
                                                .sentences = 1,
                                                .width = CELLS };
    const struct dgm_kernels *kernels;

    set_input(-2, 2);
    bench_flops(ROWS * CELLS);
    for (size_t i = 0; i < dgm_kernels_count(); i++)
        if ((kernels = dgm_kernels_entry(i)) != NULL) {
            bench_case(kernels->name);
            while (bench_again()) {
                kernels->gates->ssru_forward(&there, 0, 1);
                kernels->gates->ssru_backward(&back, 0, 1);
            }
        }
}
