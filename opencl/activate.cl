/*
 * activate.cl: tanh, leaky ReLU, swish and GELU, element by element, and their gradients. A
 * work-item handles VEC elements.
 */
#define TANH 0  /* DGM_TANH; the other kind is leaky ReLU */
#define SWISH 0 /* DGM_SWISH; the other kind is GELU */

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
    else
        v = v > (vreal)0 ? v : slope * v;
    store_part(v, y + at, count);
}

/* y has the sign of its input. */
kernel void activate_backward(OPERAND(real, dx), OPERAND(const real, dy), OPERAND(const real, y),
                              const long total, const int kind, const real slope,
                              const int accumulate)
{
    OPEN(real, dx);
    OPEN(const real, dy);
    OPEN(const real, y);
    vreal d, out;

    BEGIN;
    out = load_part(y + at, count, 0);
    d = load_part(dy + at, count, 0);
    if (kind == TANH)
        d *= 1 - out * out;
    else
        d *= out > (vreal)0 ? (vreal)1 : (vreal)slope;
    if (accumulate)
        d += load_part(dx + at, count, 0);
    store_part(d, dx + at, count);
}

INLINE vreal gate_of(vreal x, int kind)
{
    return kind == SWISH ? sigmoid(x) : (real)0.5 * erfc(x * (real)-0.70710678118654752);
}

kernel void self_gate_forward(OPERAND(real, y), OPERAND(const real, x), const long total,
                              const int kind)
{
    OPEN(real, y);
    OPEN(const real, x);
    vreal v;

    BEGIN;
    v = load_part(x + at, count, 0);
    store_part(v * gate_of(v, kind), y + at, count);
}

kernel void self_gate_backward(OPERAND(real, dx), OPERAND(const real, dy), OPERAND(const real, x),
                               const long total, const int kind, const int accumulate)
{
    OPEN(real, dx);
    OPEN(const real, dy);
    OPEN(const real, x);
    vreal v, gate, slope;

    BEGIN;
    v = load_part(x + at, count, 0);
    gate = gate_of(v, kind);
    if (kind == SWISH)
        slope = gate * (1 - gate);
    else
        slope = (real)0.398942280401432678 * exp(v * v * (real)-0.5);
    put_part(dx + at, load_part(dy + at, count, 0) * (gate + v * slope), count, accumulate);
}
