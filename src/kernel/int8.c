/*
 * int8.c: which kernels for weights of one byte there are, and rows of weights to bytes and back.
 */
#include "kernel/int8.h"

#include <string.h>

#include "base/system/cpu.h"
#include "config.h"
#include "kernel/kernel.h"

/* configure defines DGM_INT8_<name> as 1 where the file of the instruction set compiles, else 0. */
#define INT8(name) extern const struct dgm_int8_kernels dgm_int8_##name;
#include "kernel/int8_list.h"
#undef INT8

#define TABLE_1(name) &dgm_int8_##name
#define TABLE_0(name) NULL
#define JOIN(a, b) a##b
#define TABLE(is_built, name) JOIN(TABLE_, is_built)(name)

static const struct dgm_int8_kernels *const entries[] = {
#define INT8(name) TABLE(DGM_INT8_##name, name),
#include "kernel/int8_list.h"
#undef INT8
};

size_t dgm_int8_count(void)
{
    return sizeof entries / sizeof entries[0];
}

const struct dgm_int8_kernels *dgm_int8_entry(size_t i)
{
    const struct dgm_int8_kernels *kernels = entries[i];

    return kernels && (kernels->needs & ~dgm_cpu_features()) == 0 ? kernels : NULL;
}

/* The place of an instruction set in isa_list.h. */
static size_t rank_of(const char *isa)
{
    size_t i = 0;

    while (i + 1 < dgm_kernels_count() && strcmp(dgm_kernels_name(i), isa) != 0)
        i++;
    return i;
}

const struct dgm_int8_kernels *dgm_int8_choose(const char *isa)
{
    size_t i = dgm_int8_count() - 1;

    /* Entry 0 is plain C, which is always there. */
    while (i > 0 && (!dgm_int8_entry(i) || rank_of(dgm_int8_entry(i)->base) > rank_of(isa)))
        i--;
    return dgm_int8_entry(i);
}

/* ---- weights ------------------------------------------------------------------------------- */

/* Where the first byte of a row of W lies; those of the next four steps follow 4 LANES bytes on. */
static size_t place_of(int64_t row, int64_t k)
{
    return (
        size_t)((row / DGM_INT8_LANES * dgm_int8_quads(k) * DGM_INT8_LANES + row % DGM_INT8_LANES) *
                4);
}

/* Rows of one panel: the bytes of other rows, which another thread may be writing, stay. */
static void pack_lanes(const struct dgm_int8_kernels *kernels, uint8_t *to, float *scales,
                       int64_t count, const dgm_real *values, int64_t k)
{
    int32_t sums[DGM_INT8_LANES];
    const struct dgm_int8_rows rows = { .rows = count,
                                        .k = k,
                                        .lda = k,
                                        .a = values,
                                        .q = (int8_t *)to,
                                        .step = 4 * DGM_INT8_LANES,
                                        .scales = scales,
                                        .sums = sums };

    kernels->quantise(&rows);
    for (int64_t quad = 0; quad < dgm_int8_quads(k); quad++, to += 4 * DGM_INT8_LANES)
        for (int64_t b = 0; b < 4 * count; b++)
            to[b] ^= 128; /* q + 128 */
}

void dgm_int8_pack(const struct dgm_int8_kernels *kernels, uint8_t *panels, float *scales,
                   int64_t row, int64_t count, const dgm_real *values, int64_t k)
{
    for (int64_t end = row + count, lanes; row < end; row += lanes, values += lanes * k) {
        lanes = DGM_INT8_LANES - row % DGM_INT8_LANES;
        lanes = lanes < end - row ? lanes : end - row;
        pack_lanes(kernels, panels + place_of(row, k), scales + row, lanes, values, k);
    }
}

void dgm_int8_unpack(dgm_real *values, const uint8_t *panels, const float *scales, int64_t row,
                     int64_t k)
{
    const uint8_t *from = panels + place_of(row, k);

    for (int64_t t = 0; t < k; t++)
        values[t] =
            (dgm_real)(scales[row] * (float)(from[t / 4 * 4 * DGM_INT8_LANES + t % 4] - 128));
}

void dgm_int8_copy(uint8_t *panels, float *scales, int64_t row, const uint8_t *from_panels,
                   const float *from_scales, int64_t from_row, int64_t k)
{
    const uint8_t *from = from_panels + place_of(from_row, k);
    uint8_t *to = panels + place_of(row, k);

    scales[row] = from_scales[from_row];
    for (int64_t quad = 0; quad < dgm_int8_quads(k); quad++)
        memcpy(to + quad * 4 * DGM_INT8_LANES, from + quad * 4 * DGM_INT8_LANES, 4);
}
