/*
 * body_cells.h: the kernels of cells.h over the vector vocabulary, by the helpers of body_math.h.
 */

/* Columns j .. of a row that may be absent: zeros. */
static inline vec cells_load(const float *row, int64_t j, int lanes)
{
    return row ? rows_load(row + j, lanes) : vec_zero();
}

/* carry (first + second) of one row. */
static inline vec cells_carried(const float *first, const float *second, vec carry, int64_t j,
                                int lanes)
{
    vec sum = cells_load(first, j, lanes);

    if (second)
        sum = vec_add(sum, rows_load(second + j, lanes));
    return vec_mul(carry, sum);
}

static inline void cells_gated_forward_row(const struct dgm_gated_cell_forward_job *job, int64_t i)
{
    const struct dgm_cell_states from = DGM_CELL_STATES(job);
    const int64_t dim = job->dim;
    const float *x = job->x ? job->x + i * job->ldx : NULL;
    const float *h = job->h ? job->h + i * job->ldh : NULL;
    const float *first = dgm_cell_first(&from, i), *second = dgm_cell_second(&from, i);
    const vec one = vec_set1(1.0f), carry = vec_set1(from.carry);
    float *y = job->y + i * job->ldy, *saved = job->saved ? job->saved + i * job->ld_saved : NULL;

    for (int64_t j = 0; j < dim; j += VEC_WIDTH) {
        int lanes = rows_lanes(dim - j);
        vec u = cells_load(x, j, lanes), r = cells_load(x, dim + j, lanes);
        vec c = rows_load(x ? x + 2 * dim + j : h + 3 * dim + j, lanes), q = vec_zero(), kept;
        if (h) {
            u = vec_add(u, rows_load(h + j, lanes));
            r = vec_add(r, rows_load(h + dim + j, lanes));
            q = rows_load(h + 2 * dim + j, lanes);
        }
        u = vec_sigmoid(u);
        r = vec_sigmoid(r);
        c = vec_tanh(vec_fma(r, q, c));
        kept = vec_mul(vec_sub(one, u), c);
        kept = vec_fma(u, cells_carried(first, second, carry, j, lanes), kept);
        rows_store(y + j, kept, lanes);
        if (saved) {
            rows_store(saved + j, u, lanes);
            rows_store(saved + dim + j, r, lanes);
            rows_store(saved + 2 * dim + j, q, lanes);
            rows_store(saved + 3 * dim + j, c, lanes);
        }
    }
}

static void cells_gated_forward(const struct dgm_gated_cell_forward_job *job, int64_t begin,
                                int64_t end)
{
    for (int64_t i = begin; i < end; i++)
        cells_gated_forward_row(job, i);
}

static inline void cells_hand(float *to, vec d, int lanes, int accumulate)
{
    if (accumulate)
        d = vec_add(rows_load(to, lanes), d);
    rows_store(to, d, lanes);
}

/* The gradients of u, r and of the third part, to the three parts of a row. */
static inline void cells_hand_parts(float *to, int64_t dim, vec du, vec dr, vec third, int lanes,
                                    int accumulate)
{
    cells_hand(to, du, lanes, accumulate);
    cells_hand(to + dim, dr, lanes, accumulate);
    cells_hand(to + 2 * dim, third, lanes, accumulate);
}

static inline void cells_gated_backward_row(const struct dgm_gated_cell_backward_job *job,
                                            int64_t i)
{
    const struct dgm_cell_states from = DGM_CELL_STATES(job);
    const int64_t dim = job->dim;
    const float *dy = job->dy + i * job->lddy, *saved = job->saved + i * job->ld_saved;
    const float *first = dgm_cell_first(&from, i), *second = dgm_cell_second(&from, i);
    const vec one = vec_set1(1.0f), carry = vec_set1(from.carry);
    float *dx = job->dx ? job->dx + i * job->lddx : NULL;
    float *dh = job->dh ? job->dh + i * job->lddh : NULL;
    float *dcarry = job->dcarry ? job->dcarry + i * job->lddcarry : NULL;

    for (int64_t j = 0; j < dim; j += VEC_WIDTH) {
        int lanes = rows_lanes(dim - j);
        vec u = rows_load(saved + j, lanes), r = rows_load(saved + dim + j, lanes);
        vec q = rows_load(saved + 2 * dim + j, lanes), c = rows_load(saved + 3 * dim + j, lanes);
        vec d = rows_load(dy + j, lanes), fresh = vec_mul(d, vec_sub(one, u));
        vec dc = vec_mul(fresh, vec_fnma(c, c, one));
        vec gap = vec_sub(cells_carried(first, second, carry, j, lanes), c);
        vec du = vec_mul(vec_mul(fresh, gap), u);
        vec dr = vec_mul(vec_mul(dc, q), vec_mul(r, vec_sub(one, r)));
        if (dx)
            cells_hand_parts(dx + j, dim, du, dr, dc, lanes, job->accumulate_x);
        if (dh)
            cells_hand_parts(dh + j, dim, du, dr, vec_mul(dc, r), lanes, job->accumulate_h);
        if (dh && job->joint)
            cells_hand(dh + 3 * dim + j, dc, lanes, job->accumulate_h);
        if (dcarry)
            cells_hand(dcarry + j, vec_mul(carry, vec_mul(d, u)), lanes, job->accumulate_carry);
    }
}

static void cells_gated_backward(const struct dgm_gated_cell_backward_job *job, int64_t begin,
                                 int64_t end)
{
    for (int64_t i = begin; i < end; i++)
        cells_gated_backward_row(job, i);
}

static void cells_modulate_forward(const struct dgm_modulate_forward_job *job, int64_t begin,
                                   int64_t end)
{
    const int64_t dim = job->core.dim;

    for (int64_t i = begin; i < end; i++) {
        const float *z = job->z + i * job->core.ldz;
        float *t = job->t + i * job->core.ldt;
        for (int64_t part = 0; part < 4 * job->core.blocks; part++) {
            const int64_t b = part / 4, f = part % 4;
            const float *x = f < 3 ? job->factor[f] : NULL;
            if (f < 3 && x == NULL)
                continue;
            x = x ? x + i * job->core.ld_factor[f] + b * dim : NULL;
            for (int64_t j = 0; j < dim; j += VEC_WIDTH) {
                int lanes = rows_lanes(dim - j);
                vec y = rows_load(z + j, lanes);
                rows_store(t + j, x ? vec_mul(y, rows_load(x + j, lanes)) : y, lanes);
            }
            t += dim;
        }
    }
}

/* Columns of one block: stores the gradients of its factors, and adds to the gradient of z. */
static inline vec cells_modulate_columns(const struct dgm_modulate_backward_job *job,
                                         const float *dt, int64_t i, int64_t at, vec z, vec sum,
                                         int lanes)
{
    for (int f = 0; f < 3; f++) {
        vec d;
        if (job->factor[f] == NULL)
            continue;
        d = rows_load(dt, lanes);
        sum = vec_fma(d, rows_load(job->factor[f] + i * job->core.ld_factor[f] + at, lanes), sum);
        if (job->dfactor[f])
            cells_hand(job->dfactor[f] + i * job->lddf[f] + at, vec_mul(d, z), lanes,
                       job->accumulate[f]);
        dt += job->core.dim;
    }
    return vec_add(sum, rows_load(dt, lanes));
}

static void cells_modulate_backward(const struct dgm_modulate_backward_job *job, int64_t begin,
                                    int64_t end)
{
    const int64_t dim = job->core.dim;
    const int64_t parts = 1 + !!job->factor[0] + !!job->factor[1] + !!job->factor[2];

    for (int64_t i = begin; i < end; i++)
        for (int64_t j = 0; j < dim; j += VEC_WIDTH) {
            const int lanes = rows_lanes(dim - j);
            const vec z = rows_load(job->z + i * job->core.ldz + j, lanes);
            const float *dt = job->dt + i * job->core.ldt + j;
            vec sum = vec_zero();
            for (int64_t b = 0; b < job->core.blocks; b++)
                sum = cells_modulate_columns(job, dt + b * parts * dim, i, b * dim + j, z, sum,
                                             lanes);
            rows_store(job->dz + i * job->core.ldz + j, sum, lanes);
        }
}

static const struct dgm_cell_kernels cell_kernels = {
    cells_gated_forward,
    cells_gated_backward,
    cells_modulate_forward,
    cells_modulate_backward,
};
