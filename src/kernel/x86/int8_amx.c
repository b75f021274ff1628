/*
 * int8_amx.c: products of bytes by AMX (body_amx.h). Few rows are left to AVX-512 VNNI: their
 * products wait for the weights, whatever multiplies them.
 *
 * arch: x86_64
 * cflags: -mavx512f -mavx512dq -mavx512bw -mavx512vl -mavx512vnni -mfma -mprefer-vector-width=512
 */
#include "base/system/cpu.h"
#include "kernel/simd/vec_avx512.h"

#define INT8_SUMS_LACK_OFFSET
#include "kernel/body/body_int8.h"
#define AMX_ADD(sums, a, w) AMX_ADD_BYTES(sums, a, w)
#include "kernel/body/body_amx.h"

enum { FEW_ROWS = 14 /* that VNNI takes at a time */ };

extern const struct dgm_narrow_kernels dgm_int8_avx512vnni;

static void narrow_sums(narrow_sum *sums, const struct dgm_narrow_tile *tile, int64_t panel,
                        int64_t count)
{
    amx_sums(sums, tile, panel, count);
}

/* Rows one after the other: a register takes 64 bytes of each. */
static void amx_activations(const struct dgm_narrow_rows *job)
{
    struct dgm_narrow_rows row = *job;

    if (job->rows <= FEW_ROWS) {
        dgm_int8_avx512vnni.activations(job);
        return;
    }
    row.rows = 1;
    row.step = DGM_INT8_STEPS;
    for (int64_t i = 0; i < job->rows; i++) {
        int8_quantise(&row);
        row.a += row.lda;
        row.q += dgm_int8_quads(row.k) * DGM_INT8_STEPS;
        row.scales++;
        row.sums++;
    }
}

static void amx_tile(const struct dgm_narrow_tile *tile)
{
    if (tile->rows <= FEW_ROWS) {
        dgm_int8_avx512vnni.tile(tile);
        return;
    }
    amx_configure(tile->rows, AMX_GROUPS);
    narrow_tile(tile);
    AMX_RELEASE();
}

const struct dgm_narrow_kernels dgm_int8_amx = {
    .name = "amx",
    .base = "avx512",
    .needs = DGM_CPU_AVX512 | DGM_CPU_AVX512VNNI | DGM_CPU_AMX_INT8,
    .rows = 2 * AMX_ROWS,
    .bytes = DGM_INT8_STEPS,
    .activations = amx_activations,
    .weights = int8_quantise,
    .tile = amx_tile,
};
