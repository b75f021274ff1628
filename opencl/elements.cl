/*
 * elements.cl: element by element: fill, axpby, the gradient of relu. A work-item handles VEC
 * elements; formulas stand in src/kernel/task/elements_list.h.
 */

kernel void fill(OPERAND(real, y), const long total, const real value)
{
    OPEN(real, y);
    BEGIN;
    store_part((vreal)value, y + at, count);
}

kernel void axpby(OPERAND(real, y), OPERAND(const real, x), const long total, const real a,
                  const real b)
{
    OPEN(real, y);
    OPEN(const real, x);
    vreal sum;

    BEGIN;
    sum = a * load_part(x + at, count, 0);
    if (b != 0)
        sum += b * load_part(y + at, count, 0);
    store_part(sum, y + at, count);
}

kernel void relu_backward(OPERAND(real, dx), OPERAND(const real, dy), OPERAND(const real, y),
                          const long total, const int accumulate)
{
    OPEN(real, dx);
    OPEN(const real, dy);
    OPEN(const real, y);
    vreal d;

    BEGIN;
    d = load_part(y + at, count, 0) > (vreal)0 ? load_part(dy + at, count, 0) : (vreal)0;
    if (accumulate)
        d += load_part(dx + at, count, 0);
    store_part(d, dx + at, count);
}
