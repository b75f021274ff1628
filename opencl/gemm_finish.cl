/*
 * gemm_finish.cl: c = max(c + bias, 0), for products that another library has computed.
 */

/* A work-item has VEC neighbouring elements of a row. */
kernel void gemm_finish(OPERAND(real, c), OPERAND(const real, bias), const long m, const long n,
                        const long ldc, const long batch, const long stride_c, const int relu)
{
    OPEN(real, c);
    OPEN(const real, bias);
    const long across = (n + VEC - 1) / VEC, id = (long)get_global_id(0);
    const long row = id / across, j = id % across * VEC;
    const int count = (int)min(n - j, (long)VEC);
    global real *const at = c + row / m * stride_c + row % m * ldc + j;
    vreal x;

    if (row >= batch * m)
        return;
    x = load_part(at, count, 0);
    if (bias)
        x += load_part(bias + j, count, 0);
    if (relu)
        x = x < (vreal)0 ? (vreal)0 : x;
    store_part(x, at, count);
}
