/*
 * narrow.c: which kernels for weights in fewer bits serve an instruction set, and rows of such
 * weights that move.
 */
#include "kernel/narrow/narrow.h"

#include <string.h>

#include "base/system/cpu.h"
#include "kernel/kernel.h"

const struct dgm_narrow_kernels *dgm_narrow_entry(const struct dgm_narrow_type *type, size_t i)
{
    const struct dgm_narrow_kernels *kernels = type->kernels[i];

    return kernels && dgm_cpu_may_use(kernels->needs) ? kernels : NULL;
}

/* Kernels above the instruction set are not even asked about: AMX would be asked for. */
const struct dgm_narrow_kernels *dgm_narrow_choose(const struct dgm_narrow_type *type,
                                                   const char *isa)
{
    const size_t rank = dgm_kernels_rank(isa);
    size_t i = type->count - 1;

    while (i > 0 &&
           (!type->kernels[i] || dgm_kernels_rank(type->kernels[i]->base) > rank ||
            (dgm_cpu_features() & type->kernels[i]->slow_on) || !dgm_narrow_entry(type, i)))
        i--;
    return dgm_narrow_entry(type, i);
}

/* Rows of one panel: the bytes of other rows, which another thread may be writing, stay. */
static void pack_lanes(const struct dgm_narrow_type *type, const struct dgm_narrow_kernels *kernels,
                       const struct dgm_narrow_matrix *to, int64_t row, int64_t count,
                       const dgm_real *values, int64_t k)
{
    const int64_t groups = dgm_narrow_groups(type, k);
    const uint8_t fill = (uint8_t)type->fill;
    uint8_t *q;
    int32_t sums[DGM_NARROW_LANES];
    struct dgm_narrow_rows rows = {
        .rows = count, .k = k, .lda = k, .a = values, .step = DGM_NARROW_GROUP, .sums = sums
    };

    rows.q = to->panels + dgm_narrow_place(row, groups);
    rows.scales = type->has_scales ? to->scales + row : NULL;
    kernels->weights(&rows);
    /* Copies, for bytes that are written could be those of the structs: so whole vectors change. */
    q = rows.q;
    for (int64_t t = 0; t < groups && fill != 0; t++, q += DGM_NARROW_GROUP)
        for (int64_t b = 0; b < DGM_NARROW_BYTES * count; b++)
            q[b] ^= fill;
}

void dgm_narrow_pack(const struct dgm_narrow_type *type, const struct dgm_narrow_kernels *kernels,
                     const struct dgm_narrow_matrix *to, int64_t row, int64_t count,
                     const dgm_real *values, int64_t k)
{
    for (int64_t end = row + count, lanes; row < end; row += lanes, values += lanes * k) {
        lanes = DGM_NARROW_LANES - row % DGM_NARROW_LANES;
        lanes = lanes < end - row ? lanes : end - row;
        pack_lanes(type, kernels, to, row, lanes, values, k);
    }
}

void dgm_narrow_copy(const struct dgm_narrow_type *type, const struct dgm_narrow_matrix *to,
                     int64_t row, const struct dgm_narrow_matrix *from, int64_t from_row, int64_t k)
{
    const int64_t groups = dgm_narrow_groups(type, k);
    const uint8_t *x = from_row < 0 ? NULL : from->panels + dgm_narrow_place(from_row, groups);
    uint8_t *y = to->panels + dgm_narrow_place(row, groups);

    if (type->has_scales)
        to->scales[row] = x ? from->scales[from_row] : 0;
    for (int64_t t = 0; t < groups * DGM_NARROW_GROUP; t += DGM_NARROW_GROUP)
        if (x)
            memcpy(y + t, x + t, DGM_NARROW_BYTES);
        else
            memset(y + t, type->fill, DGM_NARROW_BYTES);
}
