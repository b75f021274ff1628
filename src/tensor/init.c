/*
 * init.c: initial values of parameters (specification 1.7).
 */
#include "tensor/init.h"

#include <math.h>

#include "base/mem.h"
#include "base/philox.h"

void dgm_init_fill(dgm_real *values, int64_t rows, int64_t cols, enum dgm_init kind, double scale,
                   uint64_t seed, uint32_t number)
{
    struct dgm_random random;
    double bound = scale * sqrt(6.0 / (double)(rows + cols));
    int64_t i, count = rows * cols;

    /* sqrt(6 / (fan_in + fan_out)): Glorot and Bengio, 2010. All in doubles, rounded once. */
    dgm_random_init(&random, seed, DGM_INIT_STREAM, number, 0);
    for (i = 0; i < count; i++) {
        switch (kind) {
        case DGM_INIT_ZERO: values[i] = 0; break;
        case DGM_INIT_ONE: values[i] = 1; break;
        case DGM_INIT_MINUS_ONE: values[i] = -1; break;
        case DGM_INIT_XAVIER:
            values[i] = (dgm_real)(bound * (2 * dgm_random_unit(&random) - 1));
            break;
        case DGM_INIT_NORMAL: values[i] = (dgm_real)(scale * dgm_random_normal(&random)); break;
        case DGM_INIT_ORTHOGONAL:
        case DGM_INIT_FIRST_BLOCK: break;
        }
    }
}

void dgm_init_first_block(dgm_real *values, int64_t count, int64_t blocks, double value)
{
    for (int64_t i = 0; i < count; i++)
        values[i] = i < count / blocks ? (dgm_real)value : 0;
}

/* ---- orthogonal matrices --------------------------------------------------------------------- */

/* The orthogonal factor of a Gaussian matrix, by modified Gram-Schmidt, each vector twice (Giraud,
 * Langou, Rozloznik, 2005: twice is enough). */

/* In doubles and a fixed order, so that every machine has the same bits. */
static double dot(const double *x, const double *y, int64_t n)
{
    double sum[4] = { 0, 0, 0, 0 };
    int64_t i;

    for (i = 0; i + 4 <= n; i += 4) {
        sum[0] += x[i] * y[i];
        sum[1] += x[i + 1] * y[i + 1];
        sum[2] += x[i + 2] * y[i + 2];
        sum[3] += x[i + 3] * y[i + 3];
    }
    for (; i < n; i++)
        sum[0] += x[i] * y[i];
    return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

/* Takes what lies along the first `count` vectors out of the next one, vectors of n numbers. */
static void project(double *vectors, int64_t count, int64_t n)
{
    double *x = vectors + count * n;

    for (int64_t k = 0; k < count; k++) {
        const double *y = vectors + k * n, along = dot(x, y, n);

        for (int64_t i = 0; i < n; i++)
            x[i] -= along * y[i];
    }
}

/* Draws `count` <= n orthonormal vectors. A vector that is almost wholly in the space of those
 * before it would lose its digits, and is drawn again: that is so rare that no run will see it. */
static void draw(double *vectors, int64_t count, int64_t n, struct dgm_random *random)
{
    for (int64_t k = 0; k < count; k++) {
        double *x = vectors + k * n, length;

        do {
            for (int64_t i = 0; i < n; i++)
                x[i] = dgm_random_normal(random);
            project(vectors, k, n);
            project(vectors, k, n);
            length = sqrt(dot(x, x, n));
        } while (!(length > 1e-9));
        for (int64_t i = 0; i < n; i++)
            x[i] /= length;
    }
}

/* The vectors are the rows of a wide block and the columns of a tall one. */
static void store(dgm_real *values, const double *vectors, int64_t rows, int64_t cols, double scale)
{
    for (int64_t i = 0; i < rows; i++)
        for (int64_t j = 0; j < cols; j++)
            values[i * cols + j] =
                (dgm_real)(scale * (rows > cols ? vectors[j * rows + i] : vectors[i * cols + j]));
}

dgm_status dgm_init_orthogonal(struct dgm_env *env, dgm_real *values, int64_t rows, int64_t cols,
                               int64_t blocks, double scale, uint64_t seed, uint32_t number)
{
    const int64_t height = rows / blocks;
    const int64_t count = height < cols ? height : cols, n = height < cols ? cols : height;
    double *vectors = dgm_alloc(env, (size_t)(count * n), sizeof *vectors);

    if (vectors == NULL)
        return DGM_MEMORY;
    for (int64_t b = 0; b < blocks; b++) {
        struct dgm_random random;

        dgm_random_init(&random, seed, DGM_INIT_STREAM, number, (uint32_t)b);
        draw(vectors, count, n, &random);
        store(values + b * height * cols, vectors, height, cols, scale);
    }
    dgm_release(env, vectors);
    return DGM_OK;
}
