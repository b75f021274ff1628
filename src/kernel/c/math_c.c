/*
 * math_c.c: the kernels of math.h in plain C, the reference for all others.
 */
#include "kernel/math.h"

#include "kernel/simd/real_math.h"

static void math_exp(dgm_real *y, const dgm_real *x, int64_t n)
{
    for (int64_t i = 0; i < n; i++)
        y[i] = dgm_real_exp(x[i]);
}

static void math_log(dgm_real *y, const dgm_real *x, int64_t n)
{
    for (int64_t i = 0; i < n; i++)
        y[i] = dgm_real_log(x[i]);
}

static void math_tanh(dgm_real *y, const dgm_real *x, int64_t n)
{
    for (int64_t i = 0; i < n; i++)
        y[i] = dgm_real_tanh(x[i]);
}

static void math_sigmoid(dgm_real *y, const dgm_real *x, int64_t n)
{
    for (int64_t i = 0; i < n; i++)
        y[i] = dgm_real_sigmoid(x[i]);
}

static void math_fill(dgm_real *y, dgm_real value, int64_t n)
{
    for (int64_t i = 0; i < n; i++)
        y[i] = value;
}

static void math_axpby(dgm_real *y, dgm_real a, const dgm_real *x, dgm_real b, int64_t n)
{
    if (b == 0) {
        for (int64_t i = 0; i < n; i++)
            y[i] = a * x[i];
        return;
    }
    for (int64_t i = 0; i < n; i++)
        y[i] = a * x[i] + b * y[i];
}

static void math_add(dgm_real *y, const dgm_real *a, const dgm_real *b, int64_t n)
{
    for (int64_t i = 0; i < n; i++)
        y[i] = a[i] + b[i];
}

static void math_relu_backward(dgm_real *dx, const dgm_real *dy, const dgm_real *y, int64_t n,
                               int accumulate)
{
    for (int64_t i = 0; i < n; i++) {
        dgm_real d = y[i] > 0 ? dy[i] : 0;
        dx[i] = accumulate ? dx[i] + d : d;
    }
}

static dgm_real gate_of(dgm_real x, enum dgm_activation kind)
{
    return kind == DGM_SWISH ? dgm_real_sigmoid(x) : dgm_real_normal(x);
}

static void math_self_gate(dgm_real *y, const dgm_real *x, int64_t n, enum dgm_activation kind)
{
    for (int64_t i = 0; i < n; i++)
        y[i] = x[i] * gate_of(x[i], kind);
}

static void math_self_gate_backward(dgm_real *dx, const dgm_real *dy, const dgm_real *x, int64_t n,
                                    enum dgm_activation kind, int accumulate)
{
    for (int64_t i = 0; i < n; i++) {
        dgm_real gate = gate_of(x[i], kind);
        /* The slope of the normal distribution function is its density, peak e^(-x^2 / 2). */
        dgm_real slope = kind == DGM_SWISH ? gate * (1 - gate)
                                           : (dgm_real)POLY_NORMAL_PEAK *
                                                 dgm_real_exp(x[i] * x[i] * -(dgm_real)0.5);
        dgm_real d = dy[i] * (gate + x[i] * slope);

        dx[i] = accumulate ? dx[i] + d : d;
    }
}

static double math_sum_squares(const dgm_real *x, int64_t n)
{
    double sum = 0;

    for (int64_t i = 0; i < n; i++)
        sum += (double)x[i] * (double)x[i];
    return sum;
}

static void math_adam(dgm_real *param, dgm_real *m, dgm_real *v, const dgm_real *grad, int64_t n,
                      const struct dgm_adam_job *numbers)
{
    const dgm_real decay = numbers->rate * numbers->weight_decay;

    for (int64_t i = 0; i < n; i++) {
        dgm_real g = numbers->grad_scale * grad[i];
        /* Decay of the old value, apart from the gradient (AdamW: Loshchilov and Hutter 2019). */
        dgm_real p = param[i] - decay * param[i];
        m[i] = numbers->beta1 * m[i] + (1 - numbers->beta1) * g;
        v[i] = numbers->beta2 * v[i] + (1 - numbers->beta2) * (g * g);
        param[i] = p - numbers->step_size * m[i] / (dgm_real_sqrt(v[i]) + numbers->eps);
    }
}

static void math_adadelta(dgm_real *param, dgm_real *squares, dgm_real *steps, const dgm_real *grad,
                          int64_t n, const struct dgm_adadelta_job *numbers)
{
    const dgm_real rho = numbers->rho, rest = 1 - numbers->rho, eps = numbers->eps;

    for (int64_t i = 0; i < n; i++) {
        dgm_real g = numbers->grad_scale * grad[i], d;
        squares[i] = rho * squares[i] + rest * (g * g);
        d = dgm_real_sqrt(steps[i] + eps) / dgm_real_sqrt(squares[i] + eps) * g;
        steps[i] = rho * steps[i] + rest * (d * d);
        param[i] = param[i] - numbers->rate * d;
    }
}

const struct dgm_math_kernels dgm_math_c = {
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
