/*
 * cells_c.c: the kernels of cells.h in plain C, the reference for all others.
 */
#include "kernel/cells.h"

#include "kernel/simd/real_math.h"

/* What row i carries over, at column j. */
static dgm_real carried(const struct dgm_cell_states *from, int64_t i, int64_t j)
{
    const dgm_real *a = dgm_cell_first(from, i), *b = dgm_cell_second(from, i);

    return from->carry * ((a ? a[j] : 0) + (b ? b[j] : 0));
}

static void gated_forward(const struct dgm_gated_cell_forward_job *job, int64_t begin, int64_t end)
{
    const struct dgm_cell_states from = DGM_CELL_STATES(job);
    const int64_t dim = job->dim;

    for (int64_t i = begin; i < end; i++) {
        const dgm_real *x = job->x ? job->x + i * job->ldx : NULL;
        const dgm_real *h = job->h ? job->h + i * job->ldh : NULL;
        dgm_real *y = job->y + i * job->ldy;
        dgm_real *saved = job->saved ? job->saved + i * job->ld_saved : NULL;
        for (int64_t j = 0; j < dim; j++) {
            dgm_real u = dgm_real_sigmoid((x ? x[j] : 0) + (h ? h[j] : 0));
            dgm_real r = dgm_real_sigmoid((x ? x[dim + j] : 0) + (h ? h[dim + j] : 0));
            dgm_real q = h ? h[2 * dim + j] : 0, fresh = x ? x[2 * dim + j] : h[3 * dim + j];
            dgm_real c = dgm_real_tanh(r * q + fresh);
            y[j] = (1 - u) * c + u * carried(&from, i, j);
            if (saved) {
                /* saved may be h: column j of all its parts has been read. */
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

static void gated_backward(const struct dgm_gated_cell_backward_job *job, int64_t begin,
                           int64_t end)
{
    const struct dgm_cell_states from = DGM_CELL_STATES(job);
    const int64_t dim = job->dim;

    for (int64_t i = begin; i < end; i++) {
        const dgm_real *dy = job->dy + i * job->lddy, *saved = job->saved + i * job->ld_saved;
        dgm_real *dx = job->dx ? job->dx + i * job->lddx : NULL;
        dgm_real *dh = job->dh ? job->dh + i * job->lddh : NULL;
        dgm_real *dcarry = job->dcarry ? job->dcarry + i * job->lddcarry : NULL;
        for (int64_t j = 0; j < dim; j++) {
            dgm_real u = saved[j], r = saved[dim + j], q = saved[2 * dim + j];
            dgm_real c = saved[3 * dim + j], d = dy[j], dc = d * (1 - u) * (1 - c * c);
            dgm_real du = d * (carried(&from, i, j) - c) * (u * (1 - u));
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
                if (job->joint)
                    hand(dh + 3 * dim + j, dc, job->accumulate_h);
            }
            if (dcarry)
                hand(dcarry + j, from.carry * (d * u), job->accumulate_carry);
        }
    }
}

static void modulate_forward(const struct dgm_modulate_forward_job *job, int64_t begin, int64_t end)
{
    for (int64_t i = begin; i < end; i++) {
        const dgm_real *z = job->z + i * job->core.ldz;
        dgm_real *t = job->t + i * job->core.ldt;
        for (int64_t b = 0; b < job->core.blocks; b++) {
            for (int f = 0; f < 3; f++) {
                const int64_t at = i * job->core.ld_factor[f] + b * job->core.dim;
                for (int64_t j = 0; job->factor[f] && j < job->core.dim; j++)
                    *t++ = z[j] * job->factor[f][at + j];
            }
            for (int64_t j = 0; j < job->core.dim; j++)
                *t++ = z[j];
        }
    }
}

/* Column j of block b of row i: hands on what its factors get, and returns what z gets. */
static dgm_real modulate_column(const struct dgm_modulate_backward_job *job, const dgm_real *dt,
                                int64_t i, int64_t at, dgm_real z)
{
    dgm_real sum = 0;

    for (int f = 0; f < 3; f++) {
        if (job->factor[f] == NULL)
            continue;
        /* dfactor may be the factor: it is read before. */
        sum += *dt * job->factor[f][i * job->core.ld_factor[f] + at];
        if (job->dfactor[f])
            hand(job->dfactor[f] + i * job->lddf[f] + at, *dt * z, job->accumulate[f]);
        dt += job->core.dim;
    }
    return sum + *dt;
}

static void modulate_backward(const struct dgm_modulate_backward_job *job, int64_t begin,
                              int64_t end)
{
    const int64_t dim = job->core.dim;
    const int64_t parts = 1 + !!job->factor[0] + !!job->factor[1] + !!job->factor[2];

    for (int64_t i = begin; i < end; i++)
        for (int64_t j = 0; j < dim; j++) {
            /* dz may be z: one read serves all blocks. */
            const dgm_real z = job->z[i * job->core.ldz + j];
            dgm_real sum = 0;
            for (int64_t b = 0; b < job->core.blocks; b++)
                sum += modulate_column(job, job->dt + i * job->core.ldt + b * parts * dim + j, i,
                                       b * dim + j, z);
            job->dz[i * job->core.ldz + j] = sum;
        }
}

const struct dgm_cell_kernels dgm_cells_c = { gated_forward, gated_backward, modulate_forward,
                                              modulate_backward };
