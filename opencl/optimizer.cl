/*
 * optimizer.cl: what happens to all parameters at each update: the sum of squares of a gradient,
 * and the steps of Adam and Adadelta.
 */
#if HAS_DOUBLE
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
typedef double wide; /* what sums of squares are kept in */
#if VEC > 1
typedef PASTE(double, VEC) vwide;
#define WIDEN(v) PASTE(convert_double, VEC)(v)
#else
typedef double vwide;
#define WIDEN(v) ((double)(v))
#endif
#else
typedef real wide;
typedef vreal vwide;
#define WIDEN(v) (v)
#endif

#if LANES == 1
#define WIDE_SCRATCH(name)
#define WIDE_SUM(x, name) (x)
#else
#define WIDE_SCRATCH(name) local wide name[LANES]
#define WIDE_SUM(x, name) wide_sum(x, name)

GROUP_FOLD(wide, wide_sum, PLUS)
#endif

INLINE wide wide_vector_sum(vwide v)
{
#if VEC > 1
    wide x[VEC], sum = 0;

    PASTE(vstore, VEC)(v, 0, x);
#pragma unroll
    for (int i = 0; i < VEC; i++)
        sum += x[i];
    return sum;
#else
    return v;
#endif
}

/* sums[group] = sum of x[i]^2 over the group's `step` elements; step is a multiple of VEC. */
kernel void sum_squares(OPERAND(wide, sums), OPERAND(const real, x), const long total,
                        const long step)
{
    OPEN(wide, sums);
    OPEN(const real, x);
    WIDE_SCRATCH(scratch);
    const long group = get_group_id(0);
    const int count = (int)min(total - group * step, step);
    global const real *from = x + group * step;
    vwide sum = 0;
    wide all;

    EACH_VECTOR(j, count) {
        const vwide v = WIDEN(load_part(from + j, count - j, 0));

        sum += v * v;
    }
    all = WIDE_SUM(wide_vector_sum(sum), scratch);
    if (LANE == 0)
        sums[group] = all;
}

/* y[0] = the sum of `count` sums, by one group. */
kernel void sum_sums(OPERAND(wide, y), OPERAND(const wide, sums), const int count)
{
    OPEN(wide, y);
    OPEN(const wide, sums);
    WIDE_SCRATCH(scratch);
    wide sum = 0;

    for (int i = LANE; i < count; i += LANES)
        sum += sums[i];
    sum = WIDE_SUM(sum, scratch);
    if (LANE == 0)
        *y = sum;
}

/* Specification 1.9; decay = rate weight_decay. */
kernel void adam(OPERAND(real, param), OPERAND(real, m), OPERAND(real, v),
                 OPERAND(const real, grad), const long total, const real decay,
                 const real step_size, const real beta1, const real beta2, const real eps,
                 const real grad_scale)
{
    OPEN(real, param);
    OPEN(real, m);
    OPEN(real, v);
    OPEN(const real, grad);
    vreal g, p, mean, square;

    BEGIN;
    g = grad_scale * load_part(grad + at, count, 0);
    p = load_part(param + at, count, 0);
    mean = beta1 * load_part(m + at, count, 0) + (1 - beta1) * g;
    square = beta2 * load_part(v + at, count, 0) + (1 - beta2) * (g * g);
    store_part(mean, m + at, count);
    store_part(square, v + at, count);
    p -= decay * p;
    store_part(p - step_size * mean / (sqrt(square) + eps), param + at, count);
}

/* Zeiler 2012; kernel/task/optimizer_list.h has the formulas. */
kernel void adadelta(OPERAND(real, param), OPERAND(real, squares), OPERAND(real, steps),
                     OPERAND(const real, grad), const long total, const real rho, const real eps,
                     const real grad_scale, const real rate)
{
    OPEN(real, param);
    OPEN(real, squares);
    OPEN(real, steps);
    OPEN(const real, grad);
    vreal g, square, step, d;

    BEGIN;
    g = grad_scale * load_part(grad + at, count, 0);
    square = rho * load_part(squares + at, count, 0) + (1 - rho) * (g * g);
    step = load_part(steps + at, count, 0);
    d = sqrt(step + eps) / sqrt(square + eps) * g;
    store_part(square, squares + at, count);
    store_part(rho * step + (1 - rho) * (d * d), steps + at, count);
    store_part(load_part(param + at, count, 0) - rate * d, param + at, count);
}
