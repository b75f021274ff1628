/*
 * int8.c: which kernels for weights of one byte there are, and rows of such weights as reals.
 */
#include "kernel/narrow/int8.h"

#include <math.h>

#include "config.h"

/* configure defines DGM_INT8_<name> as 1 where the file of the instruction set compiles, else 0. */
#define INT8(name) extern const struct dgm_narrow_kernels dgm_int8_##name;
#include "kernel/narrow/int8_list.h"
#undef INT8

#define TABLE_1(name) &dgm_int8_##name
#define TABLE_0(name) NULL
#define JOIN(a, b) a##b
#define TABLE(is_built, name) JOIN(TABLE_, is_built)(name)

static const struct dgm_narrow_kernels *const entries[] = {
#define INT8(name) TABLE(DGM_INT8_##name, name),
#include "kernel/narrow/int8_list.h"
#undef INT8
};

/* Where the byte of step t lies behind a row's first. */
static int64_t byte_of(int64_t t)
{
    return t / DGM_INT8_STEPS * DGM_NARROW_GROUP + t % DGM_INT8_STEPS;
}

static void unpack(dgm_real *values, const struct dgm_narrow_matrix *from, int64_t row, int64_t k)
{
    const uint8_t *bytes = from->panels + dgm_narrow_place(row, dgm_int8_quads(k));

    for (int64_t t = 0; t < k; t++)
        values[t] = (dgm_real)(from->scales[row] * (float)(bytes[byte_of(t)] - 128));
}

const struct dgm_narrow_type dgm_int8 = {
    .name = "int8",
    .steps = DGM_INT8_STEPS,
    .fill = 128,
    .has_scales = 1,
    .most_k = DGM_INT8_MOST_K,
    .most = INFINITY,
    .kernels = entries,
    .count = sizeof entries / sizeof entries[0],
    .unpack = unpack,
};
