/*
 * activate.cl: tanh, leaky ReLU, swish and GELU, element by element, and their gradients. A
 * work-item handles VEC elements.
 */
#define TANH 0 /* enum dgm_activation; GELU is the last */
#define LEAKY_RELU 1
#define SWISH 2

INLINE vreal gate_of(vreal x, int kind)
{
    return kind == SWISH ? sigmoid(x) : (real)0.5 * erfc(x * (real)-0.70710678118654752);
}

kernel void activate_forward(OPERAND(real, y), OPERAND(const real, x), const long total,
                             const int kind, const real slope)
{
    OPEN(real, y);
    OPEN(const real, x);
    vreal v;

    BEGIN;
    v = load_part(x + at, count, 0);
    if (kind == TANH)
        v = tanh(v);
    else if (kind == LEAKY_RELU)
        v = v > (vreal)0 ? v : slope * v;
    else
        v *= gate_of(v, kind);
    store_part(v, y + at, count);
}

INLINE vreal gate_slope(vreal x, int kind)
{
    const vreal gate = gate_of(x, kind);
    vreal slope;

    if (kind == SWISH)
        slope = gate * (1 - gate);
    else
        slope = (real)0.398942280401432678 * exp(x * x * (real)-0.5);
    return gate + x * slope;
}

/* v: y, which has the sign of x; of the gates x. */
kernel void activate_backward(OPERAND(real, dx), OPERAND(const real, dy), OPERAND(const real, v),
                              const long total, const int kind, const real slope,
                              const int accumulate)
{
    OPEN(real, dx);
    OPEN(const real, dy);
    OPEN(const real, v);
    vreal d, from;

    BEGIN;
    from = load_part(v + at, count, 0);
    d = load_part(dy + at, count, 0);
    if (kind == TANH)
        d *= 1 - from * from;
    else if (kind == LEAKY_RELU)
        d *= from > (vreal)0 ? (vreal)1 : (vreal)slope;
    else
        d *= gate_slope(from, kind);
    put_part(dx + at, d, count, accumulate);
}
