/*
 * cells_c.c: the kernels of cells.h in plain C, the reference for all others.
 */
#include "kernel/cells.h"

#include "kernel/real_math.h"

/* What row i carries over, at column j. */
static dgm_real carried(const struct dgm_cell_states *from, int64_t i, int64_t j)
{
    const dgm_real *a = dgm_cell_first(from, i), *b = dgm_cell_second(from, i);

    return from->carry * ((a ? a[j] : 0) + (b ? b[j] : 0));
}

static void gated_forward(const struct dgm_gated_cell_rows *job, int64_t begin, int64_t end)
{
    const int64_t dim = job->dim;

    for (int64_t i = begin; i < end; i++) {
        const dgm_real *x = job->x + i * job->ldx, *h = job->h ? job->h + i * job->ldh : NULL;
        dgm_real *y = job->y + i * job->ldy;
        dgm_real *saved = job->saved ? job->saved + i * job->ld_saved : NULL;
        for (int64_t j = 0; j < dim; j++) {
            dgm_real u = dgm_real_sigmoid(x[j] + (h ? h[j] : 0));
            dgm_real r = dgm_real_sigmoid(x[dim + j] + (h ? h[dim + j] : 0));
            dgm_real q = h ? h[2 * dim + j] : 0, c = dgm_real_tanh(r * q + x[2 * dim + j]);
            y[j] = (1 - u) * c + u * carried(&job->from, i, j);
            if (saved) {
                saved[j] = u;
                saved[dim + j] = r;
                saved[2 * dim + j] = q;
                saved[3 * dim + j] = c;
            }
        }
    }
}

static void hand(dgm_real *to, dgm_real d, int accumulate)
{
    *to = accumulate ? *to + d : d;
}

static void gated_backward(const struct dgm_gated_cell_grad *job, int64_t begin, int64_t end)
{
    const int64_t dim = job->dim;

    for (int64_t i = begin; i < end; i++) {
        const dgm_real *dy = job->dy + i * job->lddy, *saved = job->saved + i * job->ld_saved;
        dgm_real *dx = job->dx ? job->dx + i * job->lddx : NULL;
        dgm_real *dh = job->dh ? job->dh + i * job->lddh : NULL;
        dgm_real *dcarry = job->dcarry ? job->dcarry + i * job->lddcarry : NULL;
        for (int64_t j = 0; j < dim; j++) {
            dgm_real u = saved[j], r = saved[dim + j], q = saved[2 * dim + j];
            dgm_real c = saved[3 * dim + j], d = dy[j], dc = d * (1 - u) * (1 - c * c);
            dgm_real du = d * (carried(&job->from, i, j) - c) * (u * (1 - u));
            dgm_real dr = dc * q * (r * (1 - r));
            if (dx) {
                hand(dx + j, du, job->accumulate_x);
                hand(dx + dim + j, dr, job->accumulate_x);
                hand(dx + 2 * dim + j, dc, job->accumulate_x);
            }
            if (dh) {
                hand(dh + j, du, job->accumulate_h);
                hand(dh + dim + j, dr, job->accumulate_h);
                hand(dh + 2 * dim + j, dc * r, job->accumulate_h);
            }
            if (dcarry)
                hand(dcarry + j, job->from.carry * (d * u), job->accumulate_carry);
        }
    }
}

const struct dgm_cell_kernels dgm_cells_c = { gated_forward, gated_backward };
