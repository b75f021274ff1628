/*
 * bf16.c: which kernels for weights in bfloat16 there are, and rows of such weights as reals.
 */
#include "kernel/narrow/bf16.h"

#include "config.h"

/* configure defines DGM_BF16_<name> as 1 where the file of the instruction set compiles, else 0. */
#define BF16(name) extern const struct dgm_narrow_kernels dgm_bf16_##name;
#include "kernel/narrow/bf16_list.h"
#undef BF16

#define TABLE_1(name) &dgm_bf16_##name
#define TABLE_0(name) NULL
#define JOIN(a, b) a##b
#define TABLE(is_built, name) JOIN(TABLE_, is_built)(name)

static const struct dgm_narrow_kernels *const entries[] = {
#define BF16(name) TABLE(DGM_BF16_##name, name),
#include "kernel/narrow/bf16_list.h"
#undef BF16
};

static void unpack(dgm_real *values, const struct dgm_narrow_matrix *from, int64_t row, int64_t k)
{
    const uint8_t *halves = from->panels + dgm_narrow_place(row, dgm_bf16_pairs(k));

    for (int64_t t = 0; t < k; t++) {
        uint16_t half;

        memcpy(&half, halves + t / 2 * DGM_NARROW_GROUP + t % 2 * 2, sizeof half);
        values[t] = (dgm_real)dgm_bf16_widen(half);
    }
}

const struct dgm_narrow_type dgm_bf16 = {
    .name = "bf16",
    .steps = DGM_BF16_STEPS,
    .fill = 0,
    .most_k = INT64_MAX,
    .most = DGM_BF16_MOST,
    .kernels = entries,
    .count = sizeof entries / sizeof entries[0],
    .unpack = unpack,
};
