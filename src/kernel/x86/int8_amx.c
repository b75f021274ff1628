/*
 * int8_amx.c: products of bytes by AMX: one instruction multiplies 16 rows of activations by 16
 * groups of a panel, which lies as it wants its second operand: a row of that is one group of steps
 * of 16 lanes. Few rows are left to AVX-512 VNNI, which needs no more of the weights' memory for
 * them.
 *
 * arch: x86_64
 * cflags: -mavx512f -mavx512dq -mavx512bw -mavx512vl -mavx512vnni -mfma -mprefer-vector-width=512
 */
#include "base/system/cpu.h"
#include "kernel/simd/vec_avx512.h"
#include "kernel/x86/amx.h"

#define INT8_SUMS_LACK_OFFSET
#include "kernel/body/body_int8.h"

enum {
    FEW_ROWS = 14, /* that VNNI takes at a time */
    PAIR = 2,      /* panels at a time */
    GROUPS = AMX_ROW / DGM_INT8_STEPS,
};

extern const struct dgm_narrow_kernels dgm_int8_avx512vnni;

/* Registers "0" and "1" are the sums of the upper 16 rows and two panels, "2" and "3" those of the
 * rows below. Beside them: */
#define UPPER "4"
#define LOWER "5"
#define PANEL "6"
#define OTHER_PANEL "7"

static void shape(struct amx_shapes *shapes, int tile, int64_t rows, int64_t bytes)
{
    shapes->rows[tile] = (uint8_t)rows;
    shapes->bytes[tile] = (uint16_t)(rows > 0 ? bytes : 0);
}

/* For `groups` groups of steps at a time. */
static void configure(const struct dgm_narrow_tile *tile, int64_t groups)
{
    const int64_t upper = tile->rows < AMX_ROWS ? tile->rows : AMX_ROWS;
    const int64_t lower = tile->rows - upper;
    struct amx_shapes shapes = { .palette = AMX_PALETTE };

    for (int panel = 0; panel < PAIR; panel++) {
        shape(&shapes, panel, upper, AMX_ROW);
        shape(&shapes, PAIR + panel, lower, AMX_ROW);
        shape(&shapes, 6 + panel, groups, AMX_ROW);
    }
    shape(&shapes, 4, upper, groups * DGM_INT8_STEPS);
    shape(&shapes, 5, lower, groups * DGM_INT8_STEPS);
    AMX_CONFIGURE(shapes);
}

static inline int64_t narrow_panels(int64_t rows)
{
    (void)rows;
    return PAIR;
}

/* Sums (rows, panels, LANES) to memory or back. */
#define MOVE_SUMS(AMX_MOVE, sums, rows, panels)                            \
    do {                                                                   \
        const int64_t apart = (panels) * (int64_t)AMX_ROW;                 \
        narrow_sum *lower = (sums) + AMX_ROWS * (panels)*DGM_NARROW_LANES; \
                                                                           \
        AMX_MOVE("0", (sums), apart);                                      \
        if ((panels) > 1)                                                  \
            AMX_MOVE("1", (sums) + DGM_NARROW_LANES, apart);               \
        if ((rows) > AMX_ROWS)                                             \
            AMX_MOVE("2", lower, apart);                                   \
        if ((rows) > AMX_ROWS && (panels) > 1)                             \
            AMX_MOVE("3", lower + DGM_NARROW_LANES, apart);                \
    } while (0)

static inline void clear_sums(int64_t rows)
{
    AMX_ZERO("0");
    AMX_ZERO("1");
    if (rows > AMX_ROWS) {
        AMX_ZERO("2");
        AMX_ZERO("3");
    }
}

/* Adds the products of as many groups of steps as the registers have. Of the activations of a row,
 * and of a panel, there are `groups`. */
static inline void add(const uint8_t *q, const uint8_t *w, int64_t groups, int64_t rows,
                       int64_t panels)
{
    const int64_t row = groups * DGM_INT8_STEPS, lane_row = AMX_ROW;

    AMX_LOAD(UPPER, q, row);
    AMX_LOAD(PANEL, w, lane_row);
    AMX_ADD("0", UPPER, PANEL);
    if (panels > 1) {
        AMX_LOAD(OTHER_PANEL, w + groups * DGM_NARROW_GROUP, lane_row);
        AMX_ADD("1", UPPER, OTHER_PANEL);
    }
    if (rows > AMX_ROWS) {
        AMX_LOAD(LOWER, q + AMX_ROWS * row, row);
        AMX_ADD("2", LOWER, PANEL);
        if (panels > 1)
            AMX_ADD("3", LOWER, OTHER_PANEL);
    }
}

/* Registers are configured for 16 groups, before and after. */
static void narrow_sums(narrow_sum *sums, const struct dgm_narrow_tile *tile, int64_t panel,
                        int64_t count)
{
    const int64_t groups = tile->groups, left = groups % GROUPS;
    const uint8_t *q = tile->q, *w = tile->w + panel * groups * DGM_NARROW_GROUP;
    const uint8_t *const end = w + (groups - left) * DGM_NARROW_GROUP;

    clear_sums(tile->rows);
    for (; w < end; q += AMX_ROW, w += GROUPS * DGM_NARROW_GROUP)
        add(q, w, groups, tile->rows, count);
    MOVE_SUMS(AMX_STORE, sums, tile->rows, count);
    if (left == 0)
        return;
    configure(tile, left);
    MOVE_SUMS(AMX_LOAD, sums, tile->rows, count);
    add(q, w, groups, tile->rows, count);
    MOVE_SUMS(AMX_STORE, sums, tile->rows, count);
    configure(tile, GROUPS);
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
    configure(tile, GROUPS);
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
