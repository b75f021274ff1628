/*
 * run_elements.c: element-by-element tasks on the CPU, in chunks of CHUNK elements: fill, axpby,
 * the gradient of relu, activations, and sums of probabilities given by their logarithms.
 */
#include "device/cpu/blocks.h"

#define CHUNK 8192
#define STRIP 256 /* of log_add: as many as fit on the stack */

static void fill_rows(const struct dgm_kernels *kernels, const void *work, int64_t begin,
                      int64_t end)
{
    const struct dgm_fill_job *job = work;

    kernels->math->fill(job->y + begin, job->value, end - begin);
}

DGM_CPU_RUN_ROWS(fill, job.count, CHUNK, fill_rows)

static void axpby_rows(const struct dgm_kernels *kernels, const void *work, int64_t begin,
                       int64_t end)
{
    const struct dgm_axpby_job *job = work;

    kernels->math->axpby(job->y + begin, job->a, job->x + begin, job->b, end - begin);
}

DGM_CPU_RUN_ROWS(axpby, job.count, CHUNK, axpby_rows)

static void relu_backward_rows(const struct dgm_kernels *kernels, const void *work, int64_t begin,
                               int64_t end)
{
    const struct dgm_relu_backward_job *job = work;

    kernels->math->relu_backward(job->dx + begin, job->dy + begin, job->y + begin, end - begin,
                                 job->accumulate);
}

DGM_CPU_RUN_ROWS(relu_backward, job.count, CHUNK, relu_backward_rows)

/* ---- activations ------------------------------------------------------------------------- */

static void activate_forward_rows(const struct dgm_kernels *kernels, const void *work,
                                  int64_t begin, int64_t end)
{
    const struct dgm_activate_forward_job *job = work;
    const dgm_real *x = job->x + begin;
    dgm_real *y = job->y + begin;
    const int64_t count = end - begin;

    switch (job->kind) {
    case DGM_TANH: kernels->math->tanh(y, x, count); break;
    case DGM_LEAKY_RELU:
        for (int64_t i = 0; i < count; i++)
            y[i] = x[i] > 0 ? x[i] : job->slope * x[i];
        break;
    case DGM_SWISH:
    case DGM_GELU: kernels->math->self_gate(y, x, count, job->kind); break;
    }
}

DGM_CPU_RUN_ROWS(activate_forward, job.count, CHUNK, activate_forward_rows)

/* The slope of the activation whose output is y, which has the sign of its input. */
static dgm_real slope_at(const struct dgm_activate_backward_job *job, dgm_real y)
{
    if (job->kind == DGM_TANH)
        return 1 - y * y;
    return y > 0 ? 1 : job->slope;
}

static void activate_backward_rows(const struct dgm_kernels *kernels, const void *work,
                                   int64_t begin, int64_t end)
{
    const struct dgm_activate_backward_job *job = work;
    const dgm_real *dy = job->dy + begin, *v = job->v + begin;
    dgm_real *dx = job->dx + begin;
    const int64_t count = end - begin;

    if (job->kind == DGM_SWISH || job->kind == DGM_GELU) {
        kernels->math->self_gate_backward(dx, dy, v, count, job->kind, job->accumulate);
        return;
    }
    for (int64_t i = 0; i < count; i++) {
        dgm_real d = dy[i] * slope_at(job, v[i]);

        dx[i] = job->accumulate ? dx[i] + d : d;
    }
}

DGM_CPU_RUN_ROWS(activate_backward, job.count, CHUNK, activate_backward_rows)

/* ---- sums of probabilities --------------------------------------------------------------- */

/*
 * log(e^y + e^x) = larger + log(1 + e^(smaller - larger)), which neither overflows nor loses small
 * probabilities. Two impossible events differ by nothing, so that their sum stays impossible; NaN
 * stays NaN.
 */
static void add_strip(const struct dgm_math_kernels *math, dgm_real *y, const dgm_real *x,
                      int64_t n)
{
    dgm_real rest[STRIP] = { 0 };
    int64_t i;

    for (i = 0; i < n; i++) {
        rest[i] = y[i] == x[i] ? 0 : y[i] > x[i] ? x[i] - y[i] : y[i] - x[i];
        y[i] = y[i] > x[i] ? y[i] : x[i];
    }
    math->exp(rest, rest, n);
    for (i = 0; i < n; i++)
        rest[i] += 1;
    math->log(rest, rest, n);
    math->add(y, y, rest, n);
}

static void log_add_rows(const struct dgm_kernels *kernels, const void *work, int64_t begin,
                         int64_t end)
{
    const struct dgm_log_add_job *job = work;

    for (int64_t i = begin; i < end; i += STRIP)
        add_strip(kernels->math, job->y + i, job->x + i, dgm_cpu_min(STRIP, end - i));
}

DGM_CPU_RUN_ROWS(log_add, job.count, CHUNK, log_add_rows)
