/*
 * int8_tiles.c: the kernels of int8_amx.c, compiled again over a model of the tile registers, which
 * refuses what the processor would fault on: shapes that do not go together.
 */
#include "int8_tiles.h"

#include "config.h"

#if DGM_INT8_amx

#include <immintrin.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define DGM_KERNEL_X86_AMX_H /* amx.h gives way to what follows */

enum { AMX_ROWS = 16, AMX_ROW = 64 };

struct amx_shapes {
    uint8_t palette, start, reserved[14];
    uint16_t bytes[16];
    uint8_t rows[16];
};

#define AMX_PALETTE 1

static struct amx_shapes model; /* palette 0: not configured */
static uint8_t tiles[8][AMX_ROWS][AMX_ROW];

static void must(int holds)
{
    if (!holds)
        abort();
}

static int number(const char *tile)
{
    const int i = *tile - '0';

    must(model.palette == 1 && model.rows[i] > 0);
    return i;
}

static void model_configure(const struct amx_shapes *shapes)
{
    model = *shapes;
    must(sizeof model == 64 && model.palette == 1 && model.start == 0);
    for (int i = 0; i < 16; i++) {
        must(model.rows[i] <= AMX_ROWS && model.bytes[i] <= AMX_ROW);
        must((model.rows[i] == 0) == (model.bytes[i] == 0) && (i < 8 || model.rows[i] == 0));
    }
    memset(tiles, 0, sizeof tiles);
}

static void model_load(const char *tile, const void *from, int64_t apart)
{
    const int i = number(tile);

    memset(tiles[i], 0, sizeof tiles[i]);
    for (int r = 0; r < model.rows[i]; r++)
        memcpy(tiles[i][r], (const uint8_t *)from + r * apart, model.bytes[i]);
}

static void model_store(const char *tile, void *to, int64_t apart)
{
    const int i = number(tile);

    for (int r = 0; r < model.rows[i]; r++)
        memcpy((uint8_t *)to + r * apart, tiles[i][r], model.bytes[i]);
}

/* Intel SDM, volume 2, TDPBSUD. */
static void model_add(const char *sums, const char *a, const char *w)
{
    const int c = number(sums), x = number(a), y = number(w);

    must(model.rows[c] == model.rows[x] && model.bytes[c] == model.bytes[y]);
    must(model.rows[y] == model.bytes[x] / 4);
    for (int i = 0; i < model.rows[c]; i++)
        for (int j = 0; j < model.bytes[c] / 4; j++) {
            int32_t sum;

            memcpy(&sum, &tiles[c][i][4 * j], sizeof sum);
            for (int t = 0; t < model.bytes[x]; t++)
                sum += (int8_t)tiles[x][i][t] * tiles[y][t / 4][4 * j + t % 4];
            memcpy(&tiles[c][i][4 * j], &sum, sizeof sum);
        }
}

#define AMX_CONFIGURE(shapes) model_configure(&(shapes))
#define AMX_RELEASE() (model.palette = 0)
#define AMX_ZERO(tile) memset(tiles[number(tile)], 0, sizeof tiles[0])
#define AMX_LOAD(tile, from, apart) model_load(tile, from, apart)
#define AMX_STORE(tile, to, apart) model_store(tile, to, apart)
#define AMX_ADD(sums, a, w) model_add(sums, a, w)

#if defined(__clang__)
#pragma clang attribute push(__attribute__((                                              \
                                 target("avx2,fma,avx512f,avx512dq,avx512bw,avx512vl"))), \
                             apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("avx2,fma,avx512f,avx512dq,avx512bw,avx512vl")
#endif

#define dgm_int8_amx kernels_of_the_model
#include "kernel/x86/int8_amx.c"

#if defined(__clang__)
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif

const struct dgm_narrow_kernels *int8_tiles(void)
{
    const unsigned needs = DGM_CPU_AVX512 | DGM_CPU_AVX512VNNI;

    return (dgm_cpu_features() & needs) == needs ? &kernels_of_the_model : NULL;
}

#else

const struct dgm_narrow_kernels *int8_tiles(void)
{
    return NULL;
}

#endif
