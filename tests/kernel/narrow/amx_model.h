/*
 * amx_model.h: amx.h over a model of the registers, for a second copy of what includes that: it
 * refuses what the processor would fault on, shapes that do not go together.
 */
#ifndef DGM_KERNEL_X86_AMX_H
#define DGM_KERNEL_X86_AMX_H /* amx.h gives way */

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { AMX_ROWS = 16, AMX_ROW = 64, AMX_TILES = 8 };

struct amx_shapes {
    uint8_t palette, start, reserved[14];
    uint16_t bytes[16];
    uint8_t rows[16];
};

#define AMX_PALETTE 1

/* Of a thread. Palette 0: not configured. */
static __thread struct amx_shapes amx_model;
static __thread uint8_t amx_tiles[AMX_TILES][AMX_ROWS][AMX_ROW];

static void amx_must(int holds)
{
    if (!holds)
        abort();
}

static int amx_number(const char *tile)
{
    const int i = *tile - '0';

    amx_must(amx_model.palette == AMX_PALETTE && amx_model.rows[i] > 0);
    return i;
}

static inline void amx_model_configure(const struct amx_shapes *shapes)
{
    amx_model = *shapes;
    amx_must(sizeof amx_model == 64 && amx_model.palette == AMX_PALETTE && amx_model.start == 0);
    for (int i = 0; i < 16; i++) {
        amx_must(amx_model.rows[i] <= AMX_ROWS && amx_model.bytes[i] <= AMX_ROW);
        amx_must((amx_model.rows[i] == 0) == (amx_model.bytes[i] == 0));
        amx_must(i < AMX_TILES || amx_model.rows[i] == 0);
    }
    memset(amx_tiles, 0, sizeof amx_tiles);
}

static inline void amx_model_load(const char *tile, const void *from, int64_t apart)
{
    const int i = amx_number(tile);

    memset(amx_tiles[i], 0, sizeof amx_tiles[i]);
    for (int r = 0; r < amx_model.rows[i]; r++)
        memcpy(amx_tiles[i][r], (const uint8_t *)from + r * apart, amx_model.bytes[i]);
}

static inline void amx_model_store(const char *tile, void *to, int64_t apart)
{
    const int i = amx_number(tile);

    for (int r = 0; r < amx_model.rows[i]; r++)
        memcpy((uint8_t *)to + r * apart, amx_tiles[i][r], amx_model.bytes[i]);
}

/* Registers of a product, whose shapes must go together. */
struct amx_operands {
    int sums, a, w;
};

static inline struct amx_operands amx_operands(const char *sums, const char *a, const char *w)
{
    const struct amx_operands of = { amx_number(sums), amx_number(a), amx_number(w) };

    amx_must(amx_model.rows[of.sums] == amx_model.rows[of.a]);
    amx_must(amx_model.bytes[of.sums] == amx_model.bytes[of.w]);
    amx_must(amx_model.rows[of.w] == amx_model.bytes[of.a] / 4);
    return of;
}

/* Intel SDM, volume 2, TDPBSUD. */
static inline int32_t amx_sum_of_bytes(struct amx_operands of, int i, int j, int32_t sum)
{
    for (int t = 0; t < amx_model.bytes[of.a]; t++)
        sum += (int8_t)amx_tiles[of.a][i][t] * amx_tiles[of.w][t / 4][4 * j + t % 4];
    return sum;
}

static inline void amx_model_add_bytes(const char *sums, const char *a, const char *w)
{
    const struct amx_operands of = amx_operands(sums, a, w);

    for (int i = 0; i < amx_model.rows[of.sums]; i++)
        for (int j = 0; j < amx_model.bytes[of.sums] / 4; j++) {
            int32_t sum;

            memcpy(&sum, &amx_tiles[of.sums][i][4 * j], sizeof sum);
            sum = amx_sum_of_bytes(of, i, j, sum);
            memcpy(&amx_tiles[of.sums][i][4 * j], &sum, sizeof sum);
        }
}

static inline float amx_half(const uint8_t *at)
{
    uint16_t half;
    uint32_t bits;
    float x;

    memcpy(&half, at, sizeof half);
    bits = (uint32_t)half << 16;
    memcpy(&x, &bits, sizeof x);
    return x;
}

/* Intel SDM, volume 2, TDPBF16PS; the tests have no denormals, which it takes as zero. */
static inline float amx_sum_of_halves(struct amx_operands of, int i, int j, float sum)
{
    float parts[2] = { 0, 0 };

    for (int t = 0; t < amx_model.bytes[of.a] / 2; t++)
        parts[t % 2] = fmaf(amx_half(&amx_tiles[of.a][i][2 * t]),
                            amx_half(&amx_tiles[of.w][t / 2][4 * j + t % 2 * 2]), parts[t % 2]);
    return sum + (parts[0] + parts[1]);
}

static inline void amx_model_add_halves(const char *sums, const char *a, const char *w)
{
    const struct amx_operands of = amx_operands(sums, a, w);

    for (int i = 0; i < amx_model.rows[of.sums]; i++)
        for (int j = 0; j < amx_model.bytes[of.sums] / 4; j++) {
            float sum;

            memcpy(&sum, &amx_tiles[of.sums][i][4 * j], sizeof sum);
            sum = amx_sum_of_halves(of, i, j, sum);
            memcpy(&amx_tiles[of.sums][i][4 * j], &sum, sizeof sum);
        }
}

#define AMX_CONFIGURE(shapes) amx_model_configure(&(shapes))
#define AMX_RELEASE() (amx_model.palette = 0)
#define AMX_ZERO(tile) memset(amx_tiles[amx_number(tile)], 0, sizeof amx_tiles[0])
#define AMX_LOAD(tile, from, apart) amx_model_load(tile, from, apart)
#define AMX_STORE(tile, to, apart) amx_model_store(tile, to, apart)
#define AMX_ADD_BYTES(sums, a, w) amx_model_add_bytes(sums, a, w)
#define AMX_ADD_HALVES(sums, a, w) amx_model_add_halves(sums, a, w)

#endif
