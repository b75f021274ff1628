/*
 * additive_c.c: the kernels of additive.h in plain C, the reference for all others. Dot products
 * run in double.
 */
#include "kernel/additive.h"

#include "kernel/simd/real_math.h"

static double dot(const dgm_real *a, const dgm_real *b, int64_t n)
{
    double sum = 0;

    for (int64_t c = 0; c < n; c++)
        sum += (double)a[c] * (double)b[c];
    return sum;
}

static dgm_real score(const struct dgm_additive_forward_job *job, const dgm_real *q,
                      const dgm_real *key)
{
    double sum = 0;

    for (int64_t c = 0; c < job->core.dim; c++)
        sum += (double)job->v[c] * (double)dgm_real_tanh(q[c] + key[c]);
    return (dgm_real)sum;
}

/* Softmax of count scores, which are more than none. */
static void normalise(dgm_real *x, int64_t count)
{
    dgm_real largest = x[0], sum = 0;

    for (int64_t j = 1; j < count; j++)
        largest = x[j] > largest ? x[j] : largest;
    for (int64_t j = 0; j < count; j++)
        sum += x[j] = dgm_real_exp(x[j] - largest);
    for (int64_t j = 0; j < count; j++)
        x[j] /= sum;
}

static void forward(const struct dgm_additive_forward_job *job, int64_t begin, int64_t end)
{
    for (int64_t i = begin; i < end; i++) {
        const int64_t count = job->counts[i];
        const dgm_real *keys = job->keys + job->starts[i] * job->core.dim;
        const dgm_real *values = job->values + job->starts[i] * job->core.width;
        dgm_real *weights = job->weights + i * job->core.longest,
                 *ctx = job->ctx + i * job->core.ld_ctx;
        for (int64_t j = 0; j < job->core.longest; j++)
            weights[j] =
                j < count ? score(job, job->q + i * job->core.dim, keys + j * job->core.dim) : 0;
        if (count > 0)
            normalise(weights, count);
        for (int64_t c = 0; c < job->core.width; c++) {
            ctx[c] = 0;
            for (int64_t j = 0; j < count; j++)
                ctx[c] += weights[j] * values[j * job->core.width + c];
        }
    }
}

/* slopes_j: the gradients of the scores, w_j (dctx . value_j - sum over l of w_l dctx . value_l) */
static void find_slopes(const struct dgm_additive_backward_job *job, int64_t i, dgm_real *slopes)
{
    const dgm_real *values = job->values + job->starts[i] * job->core.width;
    const dgm_real *weights = job->weights + i * job->core.longest;
    dgm_real mean = 0;

    for (int64_t j = 0; j < job->counts[i]; j++) {
        slopes[j] = (dgm_real)dot(job->dctx + i * job->core.ld_ctx, values + j * job->core.width,
                                  job->core.width);
        mean += weights[j] * slopes[j];
    }
    for (int64_t j = 0; j < job->counts[i]; j++)
        slopes[j] = weights[j] * (slopes[j] - mean);
}

static void add_key(const struct dgm_additive_backward_job *job, int64_t i, int64_t row,
                    dgm_real slope, dgm_real *dv)
{
    const dgm_real *q = job->q + i * job->core.dim, *key = job->keys + row * job->core.dim;
    dgm_real *dq = job->dq + i * job->core.dim;
    dgm_real *dkey = job->dkeys ? job->dkeys + row * job->core.dim : NULL;

    for (int64_t c = 0; c < job->core.dim; c++) {
        dgm_real t = dgm_real_tanh(q[c] + key[c]), d = slope * job->v[c] * (1 - t * t);
        dq[c] += d;
        dv[c] += slope * t;
        if (dkey)
            dkey[c] += d;
    }
}

static void backward(const struct dgm_additive_backward_job *job, int64_t begin, int64_t end,
                     dgm_real *dv, dgm_real *scratch)
{
    for (int64_t i = begin; i < end; i++) {
        const dgm_real *dctx = job->dctx + i * job->core.ld_ctx;
        find_slopes(job, i, scratch);
        for (int64_t c = 0; c < job->core.dim; c++)
            job->dq[i * job->core.dim + c] = 0;
        for (int64_t j = 0; j < job->counts[i]; j++) {
            const int64_t row = job->starts[i] + j;
            const dgm_real weight = job->weights[i * job->core.longest + j];
            add_key(job, i, row, scratch[j], dv);
            for (int64_t c = 0; job->dvalues && c < job->core.width; c++)
                job->dvalues[row * job->core.width + c] += weight * dctx[c];
        }
    }
}

const struct dgm_additive_kernels dgm_additive_c = { forward, backward };
