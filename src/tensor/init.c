/*
 * init.c: initial values of parameters (specification 1.7).
 */
#include "tensor/init.h"

#include <math.h>

#include "base/philox.h"

void dgm_init_fill(dgm_real *values, int64_t rows, int64_t cols, enum dgm_init kind, double scale,
                   uint64_t seed, uint32_t number)
{
    struct dgm_random random;
    double bound = scale * sqrt(6.0 / (double)(rows + cols));
    int64_t i, count = rows * cols;

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
        case DGM_INIT_ORTHOGONAL: break;
        }
    }
}
