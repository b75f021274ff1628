/*
 * body_compose.h: the kernels of compose.h over the vector vocabulary, by the helpers of
 * body_math.h.
 */

/* How much of l, r and c goes into the new state. */
struct compose_mix {
    vec l, r, c;
};

/* The softmax of (a_L, a_R, 0). The largest of the three is subtracted first: nothing overflows. */
static inline struct compose_mix compose_shared(vec a_l, vec a_r)
{
    const vec most = vec_max(vec_max(a_l, a_r), vec_zero());
    struct compose_mix z;
    vec sum;

    z.l = vec_exp(vec_sub(a_l, most));
    z.r = vec_exp(vec_sub(a_r, most));
    z.c = vec_exp(vec_sub(vec_zero(), most));
    sum = vec_add(vec_add(z.l, z.r), z.c);
    z.l = vec_div(z.l, sum);
    z.r = vec_div(z.r, sum);
    z.c = vec_div(z.c, sum);
    return z;
}

static inline vec compose_blend(struct compose_mix z, vec l, vec r, vec c)
{
    return vec_fma(z.l, l, vec_fma(z.r, r, vec_mul(z.c, c)));
}

/* left + right + bias at columns `at` .. of the row. */
static inline vec compose_sum(const float *left, const float *right, const float *bias, int64_t at,
                              int lanes)
{
    vec sum = vec_add(rows_load(left + at, lanes), rows_load(right + at, lanes));

    return vec_add(sum, rows_load(bias + at, lanes));
}

static inline void compose_forward_row(const struct dgm_compose_forward_job *job, int64_t i)
{
    const int64_t dim = job->core.dim, parts = dgm_compose_parts(&job->core);
    const int64_t width = parts * dim, last = width - dim;
    const float *bias = job->bias + i * job->ld_bias;
    float *left = job->left + i * width, *right = job->right + i * width;

    for (int64_t j = 0; j < dim; j += VEC_WIDTH) {
        int lanes = rows_lanes(dim - j);
        vec r_l = vec_sigmoid(compose_sum(left, right, bias, j, lanes));
        vec r_r = vec_sigmoid(compose_sum(left, right, bias, dim + j, lanes));
        vec a_l = compose_sum(left, right, bias, 2 * dim + j, lanes);
        vec a_r = compose_sum(left, right, bias, 3 * dim + j, lanes);
        vec c = vec_fma(r_l, rows_load(left + last + j, lanes),
                        vec_fma(r_r, rows_load(right + last + j, lanes),
                                rows_load(bias + last + j, lanes)));
        struct compose_mix z;
        c = vec_tanh(c);
        if (parts == 5) {
            z = compose_shared(a_l, a_r);
        } else {
            z.l = vec_sigmoid(a_l);
            z.r = vec_sigmoid(a_r);
            z.c = vec_sigmoid(compose_sum(left, right, bias, 4 * dim + j, lanes));
        }
        rows_store(job->y + i * dim + j,
                   compose_blend(z, rows_load(job->l + i * dim + j, lanes),
                                 rows_load(job->r + i * dim + j, lanes), c),
                   lanes);
        rows_store(left + j, r_l, lanes);
        rows_store(left + dim + j, r_r, lanes);
        rows_store(left + 2 * dim + j, z.l, lanes);
        rows_store(left + 3 * dim + j, z.r, lanes);
        rows_store(right + j, z.c, lanes);
        rows_store(right + dim + j, c, lanes);
    }
}

static void compose_forward(const struct dgm_compose_forward_job *job, int64_t begin, int64_t end)
{
    for (int64_t i = begin; i < end; i++)
        compose_forward_row(job, i);
}

/* x (1 - x) */
static inline vec compose_slope(vec x)
{
    return vec_mul(x, vec_sub(vec_set1(1.0f), x));
}

static inline void compose_hand(float *left, float *right, vec d, int lanes)
{
    rows_store(left, d, lanes);
    rows_store(right, d, lanes);
}

/* The gradients of a_L, a_R and, in sigmoids, of a_C; left and right from part a_L on. */
static inline void compose_hand_mix(float *left, float *right, int64_t dim, int64_t parts,
                                    struct compose_mix z, vec dy, vec l, vec r, vec c, int lanes)
{
    if (parts == 5) {
        const vec y = compose_blend(z, l, r, c);
        compose_hand(left, right, vec_mul(vec_mul(z.l, dy), vec_sub(l, y)), lanes);
        compose_hand(left + dim, right + dim, vec_mul(vec_mul(z.r, dy), vec_sub(r, y)), lanes);
        return;
    }
    compose_hand(left, right, vec_mul(vec_mul(dy, l), compose_slope(z.l)), lanes);
    compose_hand(left + dim, right + dim, vec_mul(vec_mul(dy, r), compose_slope(z.r)), lanes);
    compose_hand(left + 2 * dim, right + 2 * dim, vec_mul(vec_mul(dy, c), compose_slope(z.c)),
                 lanes);
}

static inline void compose_backward_row(const struct dgm_compose_backward_job *job, int64_t i)
{
    const int64_t dim = job->core.dim, parts = dgm_compose_parts(&job->core);
    const int64_t width = parts * dim, last = width - dim;
    float *left = job->left + i * width, *right = job->right + i * width;

    for (int64_t j = 0; j < dim; j += VEC_WIDTH) {
        int lanes = rows_lanes(dim - j);
        const int64_t at = i * dim + j;
        vec r_l = rows_load(left + j, lanes), r_r = rows_load(left + dim + j, lanes);
        vec q_l = rows_load(left + last + j, lanes), q_r = rows_load(right + last + j, lanes);
        vec c = rows_load(right + dim + j, lanes), dy = rows_load(job->dy + at, lanes);
        struct compose_mix z = { rows_load(left + 2 * dim + j, lanes),
                                 rows_load(left + 3 * dim + j, lanes),
                                 rows_load(right + j, lanes) };
        vec dc = vec_mul(vec_mul(z.c, dy), vec_fnma(c, c, vec_set1(1.0f)));
        compose_hand_mix(left + 2 * dim + j, right + 2 * dim + j, dim, parts, z, dy,
                         rows_load(job->l + at, lanes), rows_load(job->r + at, lanes), c, lanes);
        compose_hand(left + j, right + j, vec_mul(vec_mul(dc, q_l), compose_slope(r_l)), lanes);
        compose_hand(left + dim + j, right + dim + j, vec_mul(vec_mul(dc, q_r), compose_slope(r_r)),
                     lanes);
        rows_store(left + last + j, vec_mul(dc, r_l), lanes);
        rows_store(right + last + j, vec_mul(dc, r_r), lanes);
        rows_store(job->dl + at, vec_mul(z.l, dy), lanes);
        rows_store(job->dr + at, vec_mul(z.r, dy), lanes);
        rows_store(job->dy + at, dc, lanes);
    }
}

static void compose_backward(const struct dgm_compose_backward_job *job, int64_t begin, int64_t end)
{
    for (int64_t i = begin; i < end; i++)
        compose_backward_row(job, i);
}

/* ---- child sums ---------------------------------------------------------------------------- */

static inline void child_sum_forward_row(const struct dgm_child_sum_forward_job *job, int64_t i)
{
    const int64_t dim = job->dim;
    const float *bias = job->bias;
    float *left = job->left + 3 * i * dim, *right = job->right + 3 * i * dim;

    for (int64_t j = 0; j < dim; j += VEC_WIDTH) {
        int lanes = rows_lanes(dim - j);
        vec reset = rows_load(bias + dim + j, lanes), c = rows_load(bias + 2 * dim + j, lanes);
        vec u = vec_sigmoid(compose_sum(left, right, bias, j, lanes));
        vec r_l = vec_sigmoid(vec_add(rows_load(left + dim + j, lanes), reset));
        vec r_r = vec_sigmoid(vec_add(rows_load(right + dim + j, lanes), reset));
        vec sum =
            vec_add(rows_load(job->l + i * dim + j, lanes), rows_load(job->r + i * dim + j, lanes));
        c = vec_fma(r_r, rows_load(right + 2 * dim + j, lanes), c);
        c = vec_tanh(vec_fma(r_l, rows_load(left + 2 * dim + j, lanes), c));
        sum = vec_fma(u, sum, vec_mul(vec_sub(vec_set1(1.0f), u), c));
        rows_store(job->y + i * dim + j, sum, lanes);
        rows_store(left + j, u, lanes);
        rows_store(left + dim + j, r_l, lanes);
        rows_store(right + j, c, lanes);
        rows_store(right + dim + j, r_r, lanes);
    }
}

static void child_sum_forward(const struct dgm_child_sum_forward_job *job, int64_t begin,
                              int64_t end)
{
    for (int64_t i = begin; i < end; i++)
        child_sum_forward_row(job, i);
}

static inline void child_sum_backward_row(const struct dgm_child_sum_backward_job *job, int64_t i)
{
    const int64_t dim = job->dim;
    const vec one = vec_set1(1.0f);
    float *left = job->left + 3 * i * dim, *right = job->right + 3 * i * dim;

    for (int64_t j = 0; j < dim; j += VEC_WIDTH) {
        int lanes = rows_lanes(dim - j);
        const int64_t at = i * dim + j;
        vec u = rows_load(left + j, lanes), c = rows_load(right + j, lanes);
        vec r_l = rows_load(left + dim + j, lanes), r_r = rows_load(right + dim + j, lanes);
        vec q_l = rows_load(left + 2 * dim + j, lanes), q_r = rows_load(right + 2 * dim + j, lanes);
        vec dy = rows_load(job->dy + at, lanes);
        vec dc = vec_mul(vec_mul(dy, vec_sub(one, u)), vec_fnma(c, c, one));
        vec gap = vec_sub(vec_add(rows_load(job->l + at, lanes), rows_load(job->r + at, lanes)), c);
        compose_hand(left + j, right + j, vec_mul(vec_mul(dy, gap), compose_slope(u)), lanes);
        rows_store(left + dim + j, vec_mul(vec_mul(dc, q_l), compose_slope(r_l)), lanes);
        rows_store(right + dim + j, vec_mul(vec_mul(dc, q_r), compose_slope(r_r)), lanes);
        rows_store(left + 2 * dim + j, vec_mul(dc, r_l), lanes);
        rows_store(right + 2 * dim + j, vec_mul(dc, r_r), lanes);
        rows_store(job->dcarry + at, vec_mul(u, dy), lanes);
        rows_store(job->dy + at, dc, lanes);
    }
}

static void child_sum_backward(const struct dgm_child_sum_backward_job *job, int64_t begin,
                               int64_t end)
{
    for (int64_t i = begin; i < end; i++)
        child_sum_backward_row(job, i);
}

static const struct dgm_compose_kernels compose_kernels = { compose_forward, compose_backward,
                                                            child_sum_forward, child_sum_backward };
