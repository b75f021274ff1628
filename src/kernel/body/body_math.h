/*
 * body_math.h: the kernels of math.h over the vector vocabulary.
 *
 * Element-wise arithmetic multiplies and adds separately, never fused, so that these kernels
 * agree with plain C to the bit; only the transcendental functions differ in the last place.
 */

/* The lanes of the next vector, of `left` elements to go, and loads and stores of so many. */
static inline int rows_lanes(int64_t left)
{
    return left < VEC_WIDTH ? (int)left : VEC_WIDTH;
}

static inline vec rows_load(const float *p, int lanes)
{
    return lanes == VEC_WIDTH ? vec_load(p) : vec_load_part(p, lanes);
}

static inline void rows_store(float *p, vec x, int lanes)
{
    if (lanes == VEC_WIDTH)
        vec_store(p, x);
    else
        vec_store_part(p, x, lanes);
}

#define VEC_MAP(name, function)                                          \
    static void name(float *y, const float *x, int64_t n)                \
    {                                                                    \
        for (int64_t i = 0; i < n; i += VEC_WIDTH) {                     \
            const int lanes = rows_lanes(n - i);                         \
                                                                         \
            rows_store(y + i, function(rows_load(x + i, lanes)), lanes); \
        }                                                                \
    }

VEC_MAP(math_exp, vec_exp)
VEC_MAP(math_log, vec_log)
VEC_MAP(math_tanh, vec_tanh)
VEC_MAP(math_sigmoid, vec_sigmoid)

static void math_fill(float *y, float value, int64_t n)
{
    vec x = vec_set1(value);
    int64_t i = 0;

    for (; i + VEC_WIDTH <= n; i += VEC_WIDTH)
        vec_store(y + i, x);
    vec_store_part(y + i, x, (int)(n - i));
}

static void math_axpby(float *y, float a, const float *x, float b, int64_t n)
{
    const vec va = vec_set1(a), vb = vec_set1(b);
    int64_t i = 0;

    if (b == 0) {
        for (; i + VEC_WIDTH <= n; i += VEC_WIDTH)
            vec_store(y + i, vec_mul(va, vec_load(x + i)));
        for (; i < n; i++)
            y[i] = a * x[i];
        return;
    }
    for (; i + VEC_WIDTH <= n; i += VEC_WIDTH)
        vec_store(y + i, vec_add(vec_mul(va, vec_load(x + i)), vec_mul(vb, vec_load(y + i))));
    for (; i < n; i++)
        y[i] = a * x[i] + b * y[i];
}

static void math_add(float *y, const float *a, const float *b, int64_t n)
{
    int64_t i = 0;

    for (; i + VEC_WIDTH <= n; i += VEC_WIDTH)
        vec_store(y + i, vec_add(vec_load(a + i), vec_load(b + i)));
    for (; i < n; i++)
        y[i] = a[i] + b[i];
}

static void math_relu_backward(float *dx, const float *dy, const float *y, int64_t n,
                               int accumulate)
{
    int64_t i = 0;

    for (; i + VEC_WIDTH <= n; i += VEC_WIDTH) {
        vec d = vec_keep(vec_gt(vec_load(y + i), vec_zero()), vec_load(dy + i));
        vec_store(dx + i, accumulate ? vec_add(vec_load(dx + i), d) : d);
    }
    for (; i < n; i++) {
        float d = y[i] > 0 ? dy[i] : 0;
        dx[i] = accumulate ? dx[i] + d : d;
    }
}

static inline vec math_gate(vec x, enum dgm_activation kind)
{
    return kind == DGM_SWISH ? vec_sigmoid(x) : vec_normal(x);
}

static void math_self_gate(float *y, const float *x, int64_t n, enum dgm_activation kind)
{
    for (int64_t i = 0; i < n; i += VEC_WIDTH) {
        const int lanes = rows_lanes(n - i);
        const vec v = rows_load(x + i, lanes);

        rows_store(y + i, vec_mul(v, math_gate(v, kind)), lanes);
    }
}

/* g(x) + x g'(x). */
static inline vec math_gate_slope(vec x, enum dgm_activation kind)
{
    vec gate = math_gate(x, kind), slope;

    if (kind == DGM_SWISH)
        slope = vec_mul(gate, vec_sub(vec_set1(1.0f), gate));
    else
        slope = vec_mul(vec_set1((float)POLY_NORMAL_PEAK),
                        vec_exp(vec_mul(vec_mul(x, x), vec_set1(-0.5f))));
    return vec_add(gate, vec_mul(x, slope));
}

static void math_self_gate_backward(float *dx, const float *dy, const float *x, int64_t n,
                                    enum dgm_activation kind, int accumulate)
{
    for (int64_t i = 0; i < n; i += VEC_WIDTH) {
        const int lanes = rows_lanes(n - i);
        const vec d =
            vec_mul(rows_load(dy + i, lanes), math_gate_slope(rows_load(x + i, lanes), kind));

        rows_store(dx + i, accumulate ? vec_add(rows_load(dx + i, lanes), d) : d, lanes);
    }
}

static double math_sum_squares(const float *x, int64_t n)
{
    struct dsum even = dsum_zero(), odd = dsum_zero();
    int64_t i = 0;

    for (; i + 2 * VEC_WIDTH <= n; i += 2 * VEC_WIDTH) {
        dsum_add_square(&even, vec_load(x + i));
        dsum_add_square(&odd, vec_load(x + i + VEC_WIDTH));
    }
    for (; i < n; i += VEC_WIDTH)
        dsum_add_square(&even, vec_load_part(x + i, rows_lanes(n - i)));
    return dsum_total(&even) + dsum_total(&odd);
}

/* One vector of parameters; kernel/task/optimizer_list.h has the formulas. */
static inline void math_adam_step(vec *param, vec *m, vec *v, vec grad,
                                  const struct dgm_adam_job *numbers)
{
    vec g = vec_mul(vec_set1(numbers->grad_scale), grad);
    vec p = vec_sub(*param, vec_mul(vec_set1(numbers->rate * numbers->weight_decay), *param));

    *m = vec_add(vec_mul(vec_set1(numbers->beta1), *m), vec_mul(vec_set1(1 - numbers->beta1), g));
    *v = vec_add(vec_mul(vec_set1(numbers->beta2), *v),
                 vec_mul(vec_set1(1 - numbers->beta2), vec_mul(g, g)));
    *param = vec_sub(p, vec_div(vec_mul(vec_set1(numbers->step_size), *m),
                                vec_add(vec_sqrt(*v), vec_set1(numbers->eps))));
}

static void math_adam(float *param, float *m, float *v, const float *grad, int64_t n,
                      const struct dgm_adam_job *numbers)
{
    for (int64_t i = 0; i < n; i += VEC_WIDTH) {
        const int lanes = rows_lanes(n - i);
        vec vp = rows_load(param + i, lanes), vm = rows_load(m + i, lanes);
        vec vv = rows_load(v + i, lanes);

        math_adam_step(&vp, &vm, &vv, rows_load(grad + i, lanes), numbers);
        rows_store(param + i, vp, lanes);
        rows_store(m + i, vm, lanes);
        rows_store(v + i, vv, lanes);
    }
}

static inline void math_adadelta_step(vec *param, vec *squares, vec *steps, vec grad,
                                      const struct dgm_adadelta_job *numbers)
{
    const vec rho = vec_set1(numbers->rho), rest = vec_set1(1 - numbers->rho),
              eps = vec_set1(numbers->eps);
    vec g = vec_mul(vec_set1(numbers->grad_scale), grad), d;

    *squares = vec_add(vec_mul(rho, *squares), vec_mul(rest, vec_mul(g, g)));
    d = vec_mul(vec_div(vec_sqrt(vec_add(*steps, eps)), vec_sqrt(vec_add(*squares, eps))), g);
    *steps = vec_add(vec_mul(rho, *steps), vec_mul(rest, vec_mul(d, d)));
    *param = vec_sub(*param, vec_mul(vec_set1(numbers->rate), d));
}

static void math_adadelta(float *param, float *squares, float *steps, const float *grad, int64_t n,
                          const struct dgm_adadelta_job *numbers)
{
    for (int64_t i = 0; i < n; i += VEC_WIDTH) {
        const int lanes = rows_lanes(n - i);
        vec p = rows_load(param + i, lanes), s = rows_load(squares + i, lanes);
        vec t = rows_load(steps + i, lanes);

        math_adadelta_step(&p, &s, &t, rows_load(grad + i, lanes), numbers);
        rows_store(param + i, p, lanes);
        rows_store(squares + i, s, lanes);
        rows_store(steps + i, t, lanes);
    }
}

static const struct dgm_math_kernels math_kernels = {
    .exp = math_exp,
    .log = math_log,
    .tanh = math_tanh,
    .sigmoid = math_sigmoid,
    .fill = math_fill,
    .axpby = math_axpby,
    .add = math_add,
    .relu_backward = math_relu_backward,
    .self_gate = math_self_gate,
    .self_gate_backward = math_self_gate_backward,
    .sum_squares = math_sum_squares,
    .adam = math_adam,
    .adadelta = math_adadelta,
};
