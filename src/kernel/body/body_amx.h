/*
 * body_amx.h: the registers of a tile of narrow.h by AMX: up to 32 rows of activations times two
 * panels, which lie as a matrix instruction wants its second operand: a row of that is one group of
 * steps of 16 lanes. Rows of activations follow each other, as many groups apart as there are.
 *
 * Whoever includes it defines AMX_ADD(sums, a, w), one of the products of amx.h.
 */
#include "kernel/narrow/narrow.h"
#include "kernel/x86/amx.h"

enum {
    AMX_PAIR = 2,                            /* panels at a time */
    AMX_GROUPS = AMX_ROW / DGM_NARROW_BYTES, /* groups of steps at a time, at most */
};

/* Registers "0" and "1" are the sums of the upper 16 rows and two panels, "2" and "3" those of the
 * rows below. Beside them: */
#define UPPER "4"
#define LOWER "5"
#define PANEL "6"
#define OTHER_PANEL "7"

static void amx_shape(struct amx_shapes *shapes, int tile, int64_t rows, int64_t bytes)
{
    shapes->rows[tile] = (uint8_t)rows;
    shapes->bytes[tile] = (uint16_t)(rows > 0 ? bytes : 0);
}

/* For `rows` rows and `groups` groups at a time. */
static void amx_configure(int64_t rows, int64_t groups)
{
    const int64_t upper = rows < AMX_ROWS ? rows : AMX_ROWS, lower = rows - upper;
    struct amx_shapes shapes = { .palette = AMX_PALETTE };

    for (int panel = 0; panel < AMX_PAIR; panel++) {
        amx_shape(&shapes, panel, upper, AMX_ROW);
        amx_shape(&shapes, AMX_PAIR + panel, lower, AMX_ROW);
        amx_shape(&shapes, *PANEL - '0' + panel, groups, AMX_ROW);
    }
    amx_shape(&shapes, *UPPER - '0', upper, groups * DGM_NARROW_BYTES);
    amx_shape(&shapes, *LOWER - '0', lower, groups * DGM_NARROW_BYTES);
    AMX_CONFIGURE(shapes);
}

/* Sums (rows, panels, LANES), of four bytes, to memory or back. */
#define AMX_MOVE_SUMS(MOVE, sums, rows, panels)                            \
    do {                                                                   \
        const int64_t apart = (panels) * (int64_t)AMX_ROW;                 \
        narrow_sum *lower = (sums) + AMX_ROWS * (panels)*DGM_NARROW_LANES; \
                                                                           \
        MOVE("0", (sums), apart);                                          \
        if ((panels) > 1)                                                  \
            MOVE("1", (sums) + DGM_NARROW_LANES, apart);                   \
        if ((rows) > AMX_ROWS)                                             \
            MOVE("2", lower, apart);                                       \
        if ((rows) > AMX_ROWS && (panels) > 1)                             \
            MOVE("3", lower + DGM_NARROW_LANES, apart);                    \
    } while (0)

static inline void amx_clear_sums(int64_t rows)
{
    AMX_ZERO("0");
    AMX_ZERO("1");
    if (rows > AMX_ROWS) {
        AMX_ZERO("2");
        AMX_ZERO("3");
    }
}

/* Adds the products of as many groups of steps as the registers are configured for. Of a row, and
 * of a panel, there are `groups`. */
static inline void amx_add(const uint8_t *q, const uint8_t *w, int64_t groups, int64_t rows,
                           int64_t panels)
{
    const int64_t row = groups * DGM_NARROW_BYTES, lane_row = AMX_ROW;

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

/* The sums of a tile with any number of groups (narrow_sums of body_narrow.h). Registers are
 * configured for 16 of them, before and after. */
static inline void amx_sums(narrow_sum *sums, const struct dgm_narrow_tile *tile, int64_t panel,
                            int64_t count)
{
    const int64_t groups = tile->groups, left = groups % AMX_GROUPS;
    const uint8_t *q = tile->q, *w = tile->w + panel * groups * DGM_NARROW_GROUP;
    const uint8_t *const end = w + (groups - left) * DGM_NARROW_GROUP;

    amx_clear_sums(tile->rows);
    for (; w < end; q += AMX_ROW, w += AMX_GROUPS * DGM_NARROW_GROUP)
        amx_add(q, w, groups, tile->rows, count);
    AMX_MOVE_SUMS(AMX_STORE, sums, tile->rows, count);
    if (left == 0)
        return;
    amx_configure(tile->rows, left);
    AMX_MOVE_SUMS(AMX_LOAD, sums, tile->rows, count);
    amx_add(q, w, groups, tile->rows, count);
    AMX_MOVE_SUMS(AMX_STORE, sums, tile->rows, count);
    amx_configure(tile->rows, AMX_GROUPS);
}

/* What narrow_sums takes at a time (body_narrow.h). */
static inline int64_t narrow_panels(int64_t rows)
{
    (void)rows;
    return AMX_PAIR;
}
