/*
 * body_additive.h: the kernels of additive.h over the vector vocabulary, by the helpers of
 * body_math.h.
 *
 * Nearly all the time goes into the tanh of queries and keys: (queries x keys x A) of them, in
 * each pass. Memory is read key by key, so that it streams.
 */
#include <math.h>

/* v . tanh(q + key) */
static inline float additive_score(const struct dgm_additive_forward_job *job, const float *q,
                                   const float *key)
{
    vec sum = vec_zero();

    for (int64_t c = 0; c < job->core.dim; c += VEC_WIDTH) {
        int lanes = rows_lanes(job->core.dim - c);
        vec t = vec_tanh(vec_add(rows_load(q + c, lanes), rows_load(key + c, lanes)));
        sum = vec_fma(rows_load(job->v + c, lanes), t, sum);
    }
    return vec_sum(sum);
}

/* Softmax of `count` scores, count > 0. */
static inline void additive_normalise(float *x, int64_t count)
{
    vec sum = vec_zero();
    float largest = x[0], factor;

    for (int64_t j = 1; j < count; j++)
        largest = x[j] > largest ? x[j] : largest;
    for (int64_t j = 0; j < count; j += VEC_WIDTH) {
        int lanes = rows_lanes(count - j);
        vec e = vec_exp(vec_sub(rows_load(x + j, lanes), vec_set1(largest)));
        e = vec_keep_first(e, lanes);
        rows_store(x + j, e, lanes);
        sum = vec_add(sum, e);
    }
    factor = 1.0f / vec_sum(sum);
    for (int64_t j = 0; j < count; j++)
        x[j] *= factor;
}

static inline void additive_context(const struct dgm_additive_forward_job *job, int64_t i)
{
    const float *values = job->values + job->starts[i] * job->core.width;
    const float *weights = job->weights + i * job->core.longest;
    float *ctx = job->ctx + i * job->core.ld_ctx;

    for (int64_t c = 0; c < job->core.width; c++)
        ctx[c] = 0;
    for (int64_t j = 0; j < job->counts[i]; j++) {
        const vec weight = vec_set1(weights[j]);
        const float *value = values + j * job->core.width;
        for (int64_t c = 0; c < job->core.width; c += VEC_WIDTH) {
            int lanes = rows_lanes(job->core.width - c);
            vec sum = vec_fma(weight, rows_load(value + c, lanes), rows_load(ctx + c, lanes));
            rows_store(ctx + c, sum, lanes);
        }
    }
}

static void additive_forward(const struct dgm_additive_forward_job *job, int64_t begin, int64_t end)
{
    for (int64_t i = begin; i < end; i++) {
        const int64_t count = job->counts[i];
        const float *keys = job->keys + job->starts[i] * job->core.dim;
        float *weights = job->weights + i * job->core.longest;
        for (int64_t j = 0; j < count; j++)
            weights[j] = additive_score(job, job->q + i * job->core.dim, keys + j * job->core.dim);
        for (int64_t j = count; j < job->core.longest; j++)
            weights[j] = 0;
        if (count > 0)
            additive_normalise(weights, count);
        additive_context(job, i);
    }
}

/* The gradients of the scores; as find_slopes of additive_c.c. */
static inline void additive_slopes(const struct dgm_additive_backward_job *job, int64_t i,
                                   float *slopes)
{
    const float *dctx = job->dctx + i * job->core.ld_ctx;
    const float *values = job->values + job->starts[i] * job->core.width;
    const float *weights = job->weights + i * job->core.longest;
    float mean = 0;

    for (int64_t j = 0; j < job->counts[i]; j++) {
        const float *value = values + j * job->core.width;
        vec sum = vec_zero();
        for (int64_t c = 0; c < job->core.width; c += VEC_WIDTH) {
            int lanes = rows_lanes(job->core.width - c);
            sum = vec_fma(rows_load(dctx + c, lanes), rows_load(value + c, lanes), sum);
        }
        slopes[j] = vec_sum(sum);
        mean += weights[j] * slopes[j];
    }
    for (int64_t j = 0; j < job->counts[i]; j++)
        slopes[j] = weights[j] * (slopes[j] - mean);
}

/* What one key of query i, at `row`, adds to the gradients of q, of the key and of v. */
static inline void additive_add_key(const struct dgm_additive_backward_job *job, int64_t i,
                                    int64_t row, float slope_, float *dv)
{
    const float *q = job->q + i * job->core.dim, *key = job->keys + row * job->core.dim;
    float *dq = job->dq + i * job->core.dim;
    float *dkey = job->dkeys ? job->dkeys + row * job->core.dim : NULL;
    const vec slope = vec_set1(slope_);

    for (int64_t c = 0; c < job->core.dim; c += VEC_WIDTH) {
        int lanes = rows_lanes(job->core.dim - c);
        vec t = vec_tanh(vec_add(rows_load(q + c, lanes), rows_load(key + c, lanes)));
        vec d =
            vec_mul(vec_mul(slope, rows_load(job->v + c, lanes)), vec_fnma(t, t, vec_set1(1.0f)));
        rows_store(dq + c, vec_add(rows_load(dq + c, lanes), d), lanes);
        rows_store(dv + c, vec_fma(slope, t, rows_load(dv + c, lanes)), lanes);
        if (dkey)
            rows_store(dkey + c, vec_add(rows_load(dkey + c, lanes), d), lanes);
    }
}

static inline void additive_add_value(const struct dgm_additive_backward_job *job, int64_t i,
                                      int64_t row, float weight_)
{
    const float *dctx = job->dctx + i * job->core.ld_ctx;
    float *to = job->dvalues + row * job->core.width;
    const vec weight = vec_set1(weight_);

    for (int64_t c = 0; c < job->core.width; c += VEC_WIDTH) {
        int lanes = rows_lanes(job->core.width - c);
        vec sum = vec_fma(weight, rows_load(dctx + c, lanes), rows_load(to + c, lanes));
        rows_store(to + c, sum, lanes);
    }
}

static void additive_backward(const struct dgm_additive_backward_job *job, int64_t begin,
                              int64_t end, float *dv, float *scratch)
{
    for (int64_t i = begin; i < end; i++) {
        additive_slopes(job, i, scratch);
        for (int64_t c = 0; c < job->core.dim; c++)
            job->dq[i * job->core.dim + c] = 0;
        for (int64_t j = 0; j < job->counts[i]; j++) {
            additive_add_key(job, i, job->starts[i] + j, scratch[j], dv);
            if (job->dvalues)
                additive_add_value(job, i, job->starts[i] + j,
                                   job->weights[i * job->core.longest + j]);
        }
    }
}

static const struct dgm_additive_kernels additive_kernels = { additive_forward, additive_backward };
