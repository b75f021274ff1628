/*
 * compose_c.c: the kernels of compose.h in plain C, the reference for all others.
 */
#include "kernel/compose.h"

#include "kernel/simd/real_math.h"

struct mix {
    dgm_real l, r, c;
};

static dgm_real larger(dgm_real a, dgm_real b)
{
    return a > b ? a : b;
}

/* e^a_L, e^a_R and 1 over their sum, by exponents that are not above 0. */
static struct mix shared_mix(dgm_real a_l, dgm_real a_r)
{
    const dgm_real most = larger(larger(a_l, a_r), 0);
    struct mix z;
    dgm_real sum;

    z.l = dgm_real_exp(a_l - most);
    z.r = dgm_real_exp(a_r - most);
    z.c = dgm_real_exp(-most);
    sum = z.l + z.r + z.c;
    z.l /= sum;
    z.r /= sum;
    z.c /= sum;
    return z;
}

static void forward_row(const struct dgm_compose_forward_job *job, int64_t i)
{
    const int64_t dim = job->core.dim, parts = dgm_compose_parts(&job->core);
    const int64_t width = parts * dim, last = width - dim;
    const dgm_real *bias = job->bias + i * job->ld_bias;
    dgm_real *left = job->left + i * width, *right = job->right + i * width;

    for (int64_t j = 0; j < dim; j++) {
        const dgm_real l = job->l[i * dim + j], r = job->r[i * dim + j];
        dgm_real a[5], c;
        struct mix z;
        for (int64_t p = 0; p < parts - 1; p++)
            a[p] = left[p * dim + j] + right[p * dim + j] + bias[p * dim + j];
        a[0] = dgm_real_sigmoid(a[0]);
        a[1] = dgm_real_sigmoid(a[1]);
        c = dgm_real_tanh(a[0] * left[last + j] + a[1] * right[last + j] + bias[last + j]);
        if (parts == 5) {
            z = shared_mix(a[2], a[3]);
        } else {
            z.l = dgm_real_sigmoid(a[2]);
            z.r = dgm_real_sigmoid(a[3]);
            z.c = dgm_real_sigmoid(a[4]);
        }
        job->y[i * dim + j] = z.l * l + z.r * r + z.c * c;
        left[j] = a[0];
        left[dim + j] = a[1];
        left[2 * dim + j] = z.l;
        left[3 * dim + j] = z.r;
        right[j] = z.c;
        right[dim + j] = c;
    }
}

static void forward(const struct dgm_compose_forward_job *job, int64_t begin, int64_t end)
{
    for (int64_t i = begin; i < end; i++)
        forward_row(job, i);
}

/* The gradients of a_L, a_R and, in sigmoids, of a_C. */
static void mix_gradient(dgm_real *d, int64_t parts, const struct mix *z, dgm_real dy, dgm_real l,
                         dgm_real r, dgm_real c)
{
    if (parts == 5) {
        /* Softmax: dy/da_L = z_L (l - y). y was not kept. */
        const dgm_real y = z->l * l + z->r * r + z->c * c;
        d[0] = z->l * dy * (l - y);
        d[1] = z->r * dy * (r - y);
        return;
    }
    d[0] = dy * l * (z->l * (1 - z->l));
    d[1] = dy * r * (z->r * (1 - z->r));
    d[2] = dy * c * (z->c * (1 - z->c));
}

static void backward_row(const struct dgm_compose_backward_job *job, int64_t i)
{
    const int64_t dim = job->core.dim, parts = dgm_compose_parts(&job->core);
    const int64_t width = parts * dim, last = width - dim;
    dgm_real *left = job->left + i * width, *right = job->right + i * width;

    for (int64_t j = 0; j < dim; j++) {
        const dgm_real r_l = left[j], r_r = left[dim + j], c = right[dim + j];
        const struct mix z = { left[2 * dim + j], left[3 * dim + j], right[j] };
        const dgm_real dy = job->dy[i * dim + j], dc = z.c * dy * (1 - c * c);
        dgm_real d[5];
        d[0] = dc * left[last + j] * (r_l * (1 - r_l));
        d[1] = dc * right[last + j] * (r_r * (1 - r_r));
        mix_gradient(d + 2, parts, &z, dy, job->l[i * dim + j], job->r[i * dim + j], c);
        /* Column j of left and right has been read: gradients take its place. */
        for (int64_t p = 0; p < parts - 1; p++)
            left[p * dim + j] = right[p * dim + j] = d[p];
        left[last + j] = dc * r_l;
        right[last + j] = dc * r_r;
        job->dl[i * dim + j] = z.l * dy;
        job->dr[i * dim + j] = z.r * dy;
        job->dy[i * dim + j] = dc;
    }
}

static void backward(const struct dgm_compose_backward_job *job, int64_t begin, int64_t end)
{
    for (int64_t i = begin; i < end; i++)
        backward_row(job, i);
}

/* ---- child sums ---------------------------------------------------------------------------- */

static void child_sum_forward(const struct dgm_child_sum_forward_job *job, int64_t begin,
                              int64_t end)
{
    const int64_t dim = job->dim;

    for (int64_t i = begin; i < end; i++) {
        const dgm_real *l = job->l + i * dim, *r = job->r + i * dim, *bias = job->bias;
        dgm_real *left = job->left + 3 * i * dim, *right = job->right + 3 * i * dim;
        for (int64_t j = 0; j < dim; j++) {
            dgm_real u = dgm_real_sigmoid(left[j] + right[j] + bias[j]);
            dgm_real r_l = dgm_real_sigmoid(left[dim + j] + bias[dim + j]);
            dgm_real r_r = dgm_real_sigmoid(right[dim + j] + bias[dim + j]);
            dgm_real c = dgm_real_tanh(r_l * left[2 * dim + j] + r_r * right[2 * dim + j] +
                                       bias[2 * dim + j]);
            job->y[i * dim + j] = (1 - u) * c + u * (l[j] + r[j]);
            left[j] = u;
            left[dim + j] = r_l;
            right[j] = c;
            right[dim + j] = r_r;
        }
    }
}

static void child_sum_backward(const struct dgm_child_sum_backward_job *job, int64_t begin,
                               int64_t end)
{
    const int64_t dim = job->dim;

    for (int64_t i = begin; i < end; i++) {
        dgm_real *left = job->left + 3 * i * dim, *right = job->right + 3 * i * dim;
        for (int64_t j = 0; j < dim; j++) {
            const dgm_real u = left[j], r_l = left[dim + j], c = right[j], r_r = right[dim + j];
            const dgm_real dy = job->dy[i * dim + j], dc = dy * (1 - u) * (1 - c * c);
            const dgm_real carried = job->l[i * dim + j] + job->r[i * dim + j];
            /* The products h, 2 D further on, are read before their gradients replace them. */
            left[j] = right[j] = dy * (carried - c) * (u * (1 - u));
            left[dim + j] = dc * left[2 * dim + j] * (r_l * (1 - r_l));
            right[dim + j] = dc * right[2 * dim + j] * (r_r * (1 - r_r));
            left[2 * dim + j] = dc * r_l;
            right[2 * dim + j] = dc * r_r;
            job->dcarry[i * dim + j] = u * dy;
            job->dy[i * dim + j] = dc;
        }
    }
}

const struct dgm_compose_kernels dgm_compose_c = { forward, backward, child_sum_forward,
                                                   child_sum_backward };
