/*
 * gates_c.c: the kernels of gates.h in plain C, the reference for all others. Dot products run in
 * double.
 */
#include "kernel/gates.h"

#include "kernel/simd/real_math.h"

static void highway_forward(const struct dgm_highway_forward_job *job, int64_t begin, int64_t end)
{
    const int64_t width = job->width;

    for (int64_t i = begin; i < end; i++) {
        const dgm_real *h = job->ht + i * 2 * width, *c = job->c + i * width;
        dgm_real *y = job->y + i * width;
        for (int64_t j = 0; j < width; j++) {
            dgm_real s = dgm_real_sigmoid(h[width + j]), r = h[j] < 0 ? 0 : h[j];
            y[j] = r * s + c[j] * (1 - s);
        }
    }
}

static void highway_backward(const struct dgm_highway_backward_job *job, int64_t begin, int64_t end)
{
    const int64_t width = job->width;

    for (int64_t i = begin; i < end; i++) {
        const dgm_real *h = job->ht + i * 2 * width, *c = job->c + i * width;
        const dgm_real *dy = job->dy + i * width;
        dgm_real *dh = job->dht ? job->dht + i * 2 * width : NULL;
        dgm_real *dc = job->dc ? job->dc + i * width : NULL;
        for (int64_t j = 0; j < width; j++) {
            dgm_real s = dgm_real_sigmoid(h[width + j]), r = h[j] < 0 ? 0 : h[j];
            dgm_real slope = s * (1 - s);
            if (dh) {
                dgm_real a = h[j] > 0 ? dy[j] * s : 0, b = dy[j] * (r - c[j]) * slope;
                dh[j] = job->accumulate_ht ? dh[j] + a : a;
                dh[width + j] = job->accumulate_ht ? dh[width + j] + b : b;
            }
            if (dc)
                dc[j] = job->accumulate_c ? dc[j] + dy[j] * (1 - s) : dy[j] * (1 - s);
        }
    }
}

/* x_gate . (scale x) + c_gate . c of one head. */
static dgm_real mix_score(const struct dgm_gated_mix_forward_job *job, const dgm_real *x,
                          const dgm_real *c)
{
    double of_x = 0, of_c = 0;

    for (int64_t j = 0; j < job->core.width; j++) {
        of_x += (double)job->x_gate[j] * (double)x[j];
        of_c += (double)job->c_gate[j] * (double)c[j];
    }
    return (dgm_real)((double)job->core.scale * of_x + of_c);
}

static void mix_forward(const struct dgm_gated_mix_forward_job *job, int64_t begin, int64_t end)
{
    const dgm_real bias = *job->x_bias + *job->c_bias;

    for (int64_t i = begin; i < end; i++)
        for (int64_t h = 0; h < job->core.heads; h++) {
            const dgm_real *x = job->x + i * job->core.ldx + h * job->core.width;
            const dgm_real *c = job->c + i * job->core.ldc + h * job->core.c_step;
            dgm_real *y = job->y + (i * job->core.heads + h) * job->core.width;
            dgm_real l = dgm_real_sigmoid(mix_score(job, x, c) + bias);
            for (int64_t j = 0; j < job->core.width; j++)
                y[j] = (1 - l) * job->core.scale * x[j] + l * c[j];
            job->l[i * job->core.heads + h] = l;
        }
}

/* The gradient of what the gate's logistic function is given: l (1 - l) dy . (c - scale x). */
static dgm_real mix_slope(const struct dgm_gated_mix_backward_job *job, const dgm_real *dy,
                          const dgm_real *x, const dgm_real *c, dgm_real l)
{
    double sum = 0;

    for (int64_t j = 0; j < job->core.width; j++)
        sum += (double)dy[j] * ((double)c[j] - (double)job->core.scale * (double)x[j]);
    return (dgm_real)sum * (l * (1 - l));
}

static void mix_backward_head(const struct dgm_gated_mix_backward_job *job, int64_t i, int64_t h,
                              dgm_real *sums)
{
    const int64_t width = job->core.width, at_x = i * job->core.ldx + h * width;
    const int64_t at_c = i * job->core.ldc + h * job->core.c_step;
    const dgm_real *x = job->x + at_x, *c = job->c + at_c;
    const dgm_real *dy = job->dy + (i * job->core.heads + h) * width;
    const dgm_real l = job->l[i * job->core.heads + h], a = mix_slope(job, dy, x, c, l);

    for (int64_t j = 0; job->dx && j < width; j++) {
        dgm_real d = job->core.scale * ((1 - l) * dy[j] + a * job->x_gate[j]);
        job->dx[at_x + j] = job->accumulate_x ? job->dx[at_x + j] + d : d;
    }
    for (int64_t j = 0; job->dc && j < width; j++) {
        dgm_real d = l * dy[j] + a * job->c_gate[j];
        job->dc[at_c + j] = job->accumulate_c ? job->dc[at_c + j] + d : d;
    }
    for (int64_t j = 0; j < width; j++) {
        sums[j] += a * job->core.scale * x[j];
        sums[width + j] += a * c[j];
    }
    sums[2 * width] += a;
}

static void mix_backward(const struct dgm_gated_mix_backward_job *job, int64_t begin, int64_t end,
                         dgm_real *sums)
{
    for (int64_t i = begin; i < end; i++)
        for (int64_t h = 0; h < job->core.heads; h++)
            mix_backward_head(job, i, h, sums);
}

static void ssru_forward(const struct dgm_ssru_forward_job *job, int64_t begin, int64_t end)
{
    const int64_t width = job->width;

    for (int64_t s = begin; s < end; s++) {
        const dgm_real *before = job->start ? job->start + s * width : NULL;
        for (int64_t i = job->offsets[s]; i < job->offsets[s + 1]; i++) {
            dgm_real *c = job->c + i * width;
            for (int64_t j = 0; j < width; j++) {
                dgm_real f = dgm_real_sigmoid(job->g[i * width + j]);
                c[j] = f * (before ? before[j] : 0) + (1 - f) * job->x[i * width + j];
            }
            before = c;
        }
    }
}

static void hand(dgm_real *to, dgm_real d, int accumulate)
{
    *to = accumulate ? *to + d : d;
}

/* Column j of a sentence, from its last row to its first. */
static void ssru_backward_column(const struct dgm_ssru_backward_job *job, int64_t s, int64_t j)
{
    const int64_t width = job->width, first = job->offsets[s];
    dgm_real d = 0;

    for (int64_t i = job->offsets[s + 1] - 1; i >= first; i--) {
        const int64_t at = i * width + j;
        dgm_real f = dgm_real_sigmoid(job->g[at]), before = 0;
        if (i > first)
            before = job->c[at - width];
        else if (job->start)
            before = job->start[s * width + j];
        d += job->dc[at];
        if (job->dx)
            hand(job->dx + at, d * (1 - f), job->accumulate_x);
        if (job->dg)
            hand(job->dg + at, d * (before - job->x[at]) * (f * (1 - f)), job->accumulate_g);
        d *= f;
    }
    if (job->dstart)
        hand(job->dstart + s * width + j, d, job->accumulate_start);
}

static void ssru_backward(const struct dgm_ssru_backward_job *job, int64_t begin, int64_t end)
{
    for (int64_t s = begin; s < end; s++)
        for (int64_t j = 0; j < job->width; j++)
            ssru_backward_column(job, s, j);
}

const struct dgm_gate_kernels dgm_gates_c = { highway_forward, highway_backward, mix_forward,
                                              mix_backward,    ssru_forward,     ssru_backward };
