/*
 * body_gates.h: the kernels of gates.h over the vector vocabulary, by the helpers of body_math.h.
 * The four parts of a backward pass over a head share one pass over its columns.
 */

static void gates_highway_forward(const struct dgm_highway_forward_job *job, int64_t begin,
                                  int64_t end)
{
    const int64_t width = job->width;

    for (int64_t i = begin; i < end; i++) {
        const float *h = job->ht + i * 2 * width, *c = job->c + i * width;
        float *y = job->y + i * width;
        for (int64_t j = 0; j < width; j += VEC_WIDTH) {
            int lanes = rows_lanes(width - j);
            vec s = vec_sigmoid(rows_load(h + width + j, lanes));
            vec r = vec_max(vec_zero(), rows_load(h + j, lanes)); /* in this order NaN stays */
            vec carried = vec_mul(rows_load(c + j, lanes), vec_sub(vec_set1(1.0f), s));
            rows_store(y + j, vec_fma(r, s, carried), lanes);
        }
    }
}

static inline void gates_hand(float *to, vec d, int lanes, int accumulate)
{
    if (accumulate)
        d = vec_add(rows_load(to, lanes), d);
    rows_store(to, d, lanes);
}

static void gates_highway_backward(const struct dgm_highway_backward_job *job, int64_t begin,
                                   int64_t end)
{
    const int64_t width = job->width;

    for (int64_t i = begin; i < end; i++) {
        const float *ht = job->ht + i * 2 * width, *dy = job->dy + i * width;
        for (int64_t j = 0; j < width; j += VEC_WIDTH) {
            int lanes = rows_lanes(width - j);
            vec s = vec_sigmoid(rows_load(ht + width + j, lanes));
            vec h = rows_load(ht + j, lanes), d = rows_load(dy + j, lanes);
            vec rest = vec_sub(vec_set1(1.0f), s);
            if (job->dht) {
                float *dh = job->dht + i * 2 * width + j;
                vec gap = vec_sub(vec_max(vec_zero(), h), rows_load(job->c + i * width + j, lanes));
                gates_hand(dh, vec_keep(vec_gt(h, vec_zero()), vec_mul(d, s)), lanes,
                           job->accumulate_ht);
                gates_hand(dh + width, vec_mul(vec_mul(d, gap), vec_mul(s, rest)), lanes,
                           job->accumulate_ht);
            }
            if (job->dc)
                gates_hand(job->dc + i * width + j, vec_mul(d, rest), lanes, job->accumulate_c);
        }
    }
}

/* (scale a . x) + b . c */
static inline float gates_score(const struct dgm_gated_mix_forward_job *job, const float *x,
                                const float *c)
{
    vec of_x = vec_zero(), of_c = vec_zero();

    for (int64_t j = 0; j < job->core.width; j += VEC_WIDTH) {
        int lanes = rows_lanes(job->core.width - j);
        of_x = vec_fma(rows_load(job->x_gate + j, lanes), rows_load(x + j, lanes), of_x);
        of_c = vec_fma(rows_load(job->c_gate + j, lanes), rows_load(c + j, lanes), of_c);
    }
    return vec_sum(vec_fma(vec_set1(job->core.scale), of_x, of_c));
}

/* The gates of a few rows, l (rows,heads): logistic functions VEC_WIDTH at a time. */
static inline void gates_of_rows(const struct dgm_gated_mix_forward_job *job, int64_t first,
                                 int64_t rows, float *l)
{
    const int64_t count = rows * job->core.heads;
    const float bias = *job->x_bias + *job->c_bias;

    for (int64_t r = 0; r < rows; r++)
        for (int64_t h = 0; h < job->core.heads; h++)
            l[r * job->core.heads + h] =
                bias + gates_score(job, job->x + (first + r) * job->core.ldx + h * job->core.width,
                                   job->c + (first + r) * job->core.ldc + h * job->core.c_step);
    for (int64_t i = 0; i < count; i += VEC_WIDTH) {
        int lanes = rows_lanes(count - i);
        rows_store(l + i, vec_sigmoid(rows_load(l + i, lanes)), lanes);
    }
}

static inline void gates_mix_row(const struct dgm_gated_mix_forward_job *job, int64_t i)
{
    const float *l = job->l + i * job->core.heads;

    for (int64_t h = 0; h < job->core.heads; h++) {
        const float *x = job->x + i * job->core.ldx + h * job->core.width;
        const float *c = job->c + i * job->core.ldc + h * job->core.c_step;
        float *y = job->y + (i * job->core.heads + h) * job->core.width;
        const vec of_x = vec_set1((1.0f - l[h]) * job->core.scale), of_c = vec_set1(l[h]);
        for (int64_t j = 0; j < job->core.width; j += VEC_WIDTH) {
            int lanes = rows_lanes(job->core.width - j);
            vec part = vec_mul(of_c, rows_load(c + j, lanes));
            rows_store(y + j, vec_fma(of_x, rows_load(x + j, lanes), part), lanes);
        }
    }
}

/* A row has few heads, so its gates would fill little of a vector, and the logistic function costs
 * the same for a full one: 16 rows share it. */
static void gates_mix_forward(const struct dgm_gated_mix_forward_job *job, int64_t begin,
                              int64_t end)
{
    enum { ROWS = 16 };

    for (int64_t i = begin; i < end; i += ROWS) {
        int64_t rows = end - i < ROWS ? end - i : ROWS;
        gates_of_rows(job, i, rows, job->l + i * job->core.heads);
        for (int64_t r = 0; r < rows; r++)
            gates_mix_row(job, i + r);
    }
}

/* l (1 - l) dy . (c - scale x) */
static inline float gates_slope(const struct dgm_gated_mix_backward_job *job, const float *dy,
                                const float *x, const float *c, float l)
{
    const vec scale = vec_set1(job->core.scale);
    vec sum = vec_zero();

    for (int64_t j = 0; j < job->core.width; j += VEC_WIDTH) {
        int lanes = rows_lanes(job->core.width - j);
        vec gap = vec_fnma(scale, rows_load(x + j, lanes), rows_load(c + j, lanes));
        sum = vec_fma(rows_load(dy + j, lanes), gap, sum);
    }
    return vec_sum(sum) * (l * (1.0f - l));
}

static void gates_mix_backward_head(const struct dgm_gated_mix_backward_job *job, int64_t i,
                                    int64_t h, float *sums)
{
    const int64_t width = job->core.width, at_x = i * job->core.ldx + h * width;
    const int64_t at_c = i * job->core.ldc + h * job->core.c_step;
    const float *x = job->x + at_x, *c = job->c + at_c;
    const float *dy = job->dy + (i * job->core.heads + h) * width;
    const float l = job->l[i * job->core.heads + h], a = gates_slope(job, dy, x, c, l);
    const vec dy_x = vec_set1(job->core.scale * (1.0f - l)), a_x = vec_set1(job->core.scale * a);
    const vec dy_c = vec_set1(l), a_c = vec_set1(a);

    for (int64_t j = 0; j < width; j += VEC_WIDTH) {
        int lanes = rows_lanes(width - j);
        vec d = rows_load(dy + j, lanes);
        vec dx = vec_fma(dy_x, d, vec_mul(a_x, rows_load(job->x_gate + j, lanes)));
        vec dc = vec_fma(dy_c, d, vec_mul(a_c, rows_load(job->c_gate + j, lanes)));
        if (job->dx)
            gates_hand(job->dx + at_x + j, dx, lanes, job->accumulate_x);
        if (job->dc)
            gates_hand(job->dc + at_c + j, dc, lanes, job->accumulate_c);
        gates_hand(sums + j, vec_mul(a_x, rows_load(x + j, lanes)), lanes, 1);
        gates_hand(sums + width + j, vec_mul(a_c, rows_load(c + j, lanes)), lanes, 1);
    }
    sums[2 * width] += a;
}

static void gates_mix_backward(const struct dgm_gated_mix_backward_job *job, int64_t begin,
                               int64_t end, float *sums)
{
    for (int64_t i = begin; i < end; i++)
        for (int64_t h = 0; h < job->core.heads; h++)
            gates_mix_backward_head(job, i, h, sums);
}

/* A vector of columns goes through all rows of a sentence: c stays in a register. */
static void gates_ssru_forward(const struct dgm_ssru_forward_job *job, int64_t begin, int64_t end)
{
    const int64_t width = job->width;

    for (int64_t s = begin; s < end; s++)
        for (int64_t j = 0; j < width; j += VEC_WIDTH) {
            const int lanes = rows_lanes(width - j);
            vec c = job->start ? rows_load(job->start + s * width + j, lanes) : vec_zero();
            for (int64_t i = job->offsets[s]; i < job->offsets[s + 1]; i++) {
                const int64_t at = i * width + j;
                vec f = vec_sigmoid(rows_load(job->g + at, lanes));
                vec fresh = vec_mul(vec_sub(vec_set1(1.0f), f), rows_load(job->x + at, lanes));
                c = vec_fma(f, c, fresh);
                rows_store(job->c + at, c, lanes);
            }
        }
}

/* What c was before row i of sentence s. */
static inline vec gates_ssru_before(const struct dgm_ssru_backward_job *job, int64_t s, int64_t i,
                                    int64_t j, int lanes)
{
    if (i > job->offsets[s])
        return rows_load(job->c + (i - 1) * job->width + j, lanes);
    return job->start ? rows_load(job->start + s * job->width + j, lanes) : vec_zero();
}

static void gates_ssru_backward_part(const struct dgm_ssru_backward_job *job, int64_t s, int64_t j)
{
    const int64_t width = job->width;
    const int lanes = rows_lanes(width - j);
    vec d = vec_zero();

    for (int64_t i = job->offsets[s + 1] - 1; i >= job->offsets[s]; i--) {
        const int64_t at = i * width + j;
        vec f = vec_sigmoid(rows_load(job->g + at, lanes)), rest = vec_sub(vec_set1(1.0f), f);
        d = vec_add(d, rows_load(job->dc + at, lanes));
        if (job->dx)
            gates_hand(job->dx + at, vec_mul(d, rest), lanes, job->accumulate_x);
        if (job->dg) {
            vec gap =
                vec_sub(gates_ssru_before(job, s, i, j, lanes), rows_load(job->x + at, lanes));
            gates_hand(job->dg + at, vec_mul(vec_mul(d, gap), vec_mul(f, rest)), lanes,
                       job->accumulate_g);
        }
        d = vec_mul(d, f);
    }
    if (job->dstart)
        gates_hand(job->dstart + s * width + j, d, lanes, job->accumulate_start);
}

static void gates_ssru_backward(const struct dgm_ssru_backward_job *job, int64_t begin, int64_t end)
{
    for (int64_t s = begin; s < end; s++)
        for (int64_t j = 0; j < job->width; j += VEC_WIDTH)
            gates_ssru_backward_part(job, s, j);
}

static const struct dgm_gate_kernels gate_kernels = {
    gates_highway_forward, gates_highway_backward, gates_mix_forward,
    gates_mix_backward,    gates_ssru_forward,     gates_ssru_backward,
};
