/*
 * body_narrow_sums.h: narrow_panels and narrow_sums of body_narrow.h: the sums of a tile in
 * registers, one function for each number of rows. Whoever includes it defines before that
 *
 *     NARROW_VECTORS        vectors of sums in a panel: 1, 2 or 4
 *     NARROW_ROWS           rows of the largest tile: with 1 vector 12 or 14, else at most 6
 *     NARROW_FEW            with 1 vector: rows of the largest tile of four panels, 5 or 6
 *     narrow_sums_vector    a vector of sums, or several that are added up when they are kept
 *     narrow_weights        a vector's weights of one group of steps
 *     narrow_row            a row's activations of one group, for all lanes
 *     NARROW_ROW_BYTES      of these
 *     narrow_begin(tile, i)     -> narrow_sums_vector, before the first group of row i
 *     narrow_load_weights(w)    -> narrow_weights
 *     narrow_load_row(q)        -> narrow_row
 *     narrow_add(sum, w, x)     -> narrow_sums_vector, with the products of one group
 *     narrow_keep(sums, sum)    stores a vector of sums
 */
#include "kernel/body/body_unroll.h"

/* clang-format off */
#define BEGIN_1(i) narrow_sums_vector a##i = narrow_begin(tile, i);
#define BEGIN_2(i) BEGIN_1(i) narrow_sums_vector b##i = a##i;
#define BEGIN_4(i) BEGIN_2(i) narrow_sums_vector c##i = a##i, d##i = a##i;

#define ROW(i) const narrow_row x = narrow_load_row(q + i * NARROW_ROW_BYTES);
#define ADD(sum, w) sum = narrow_add(sum, w, x);
#define ADD_1(i) { ROW(i) ADD(a##i, w0) }
#define ADD_2(i) { ROW(i) ADD(a##i, w0) ADD(b##i, w1) }
#define ADD_4(i) { ROW(i) ADD(a##i, w0) ADD(b##i, w1) ADD(c##i, w2) ADD(d##i, w3) }

#define KEEP(i, v, sum) \
    narrow_keep(sums + (i * COUNT + v) * (DGM_NARROW_LANES / NARROW_VECTORS), sum);
#define KEEP_1(i) KEEP(i, 0, a##i)
#define KEEP_2(i) KEEP_1(i) KEEP(i, 1, b##i)
#define KEEP_4(i) KEEP_2(i) KEEP(i, 2, c##i) KEEP(i, 3, d##i)

#define WEIGHTS_1 const narrow_weights w0 = narrow_load_weights(w);
#define WEIGHTS_2 WEIGHTS_1 const narrow_weights w1 = narrow_load_weights(w + apart);
#define WEIGHTS_4 WEIGHTS_2                                                                 \
    const narrow_weights w2 = narrow_load_weights(w + 2 * apart);                           \
    const narrow_weights w3 = narrow_load_weights(w + 3 * apart);

/* R rows, V vectors: of as many panels where a panel is one vector, else of one panel. */
#define SUMS(R, V)                                                                          \
    static void sums_##R##_##V(narrow_sum *sums, const struct dgm_narrow_tile *tile,        \
                               const uint8_t *w)                                            \
    {                                                                                       \
        enum { COUNT = V };                                                                 \
        const int64_t apart = NARROW_VECTORS == 1 ? tile->groups * DGM_NARROW_GROUP         \
                                                  : DGM_NARROW_GROUP / NARROW_VECTORS;      \
        const uint8_t *q = tile->q;                                                         \
        ROWS_##R(BEGIN_##V)                                                                 \
                                                                                            \
        for (int64_t t = tile->groups; t > 0; t--) {                                        \
            WEIGHTS_##V                                                                     \
                                                                                            \
            ROWS_##R(ADD_##V)                                                               \
            q += R * NARROW_ROW_BYTES;                                                      \
            w += DGM_NARROW_GROUP;                                                          \
        }                                                                                   \
        (void)apart;                                                                        \
        ROWS_##R(KEEP_##V)                                                                  \
    }
/* clang-format on */

typedef void narrow_sums_fn(narrow_sum *, const struct dgm_narrow_tile *, const uint8_t *);

#if NARROW_VECTORS == 1

static inline int64_t narrow_panels(int64_t rows)
{
    return rows <= NARROW_FEW ? 4 : 2;
}

/* clang-format off */
SUMS(1, 1) SUMS(2, 1) SUMS(3, 1) SUMS(4, 1) SUMS(5, 1) SUMS(6, 1)
SUMS(7, 1) SUMS(8, 1) SUMS(9, 1) SUMS(10, 1) SUMS(11, 1) SUMS(12, 1)
SUMS(1, 2) SUMS(2, 2) SUMS(3, 2) SUMS(4, 2) SUMS(5, 2) SUMS(6, 2)
SUMS(7, 2) SUMS(8, 2) SUMS(9, 2) SUMS(10, 2) SUMS(11, 2) SUMS(12, 2)
SUMS(1, 4) SUMS(2, 4) SUMS(3, 4) SUMS(4, 4) SUMS(5, 4)
#if NARROW_FEW > 5
SUMS(6, 4)
#endif
#if NARROW_ROWS > 12
SUMS(13, 1) SUMS(14, 1) SUMS(13, 2) SUMS(14, 2)
#define MORE(V) sums_13_##V, sums_14_##V
#else
#define MORE(V) NULL
#endif

#define COLUMN(V)                                                                           \
    sums_1_##V, sums_2_##V, sums_3_##V, sums_4_##V, sums_5_##V, sums_6_##V, sums_7_##V,     \
    sums_8_##V, sums_9_##V, sums_10_##V, sums_11_##V, sums_12_##V, MORE(V)

static narrow_sums_fn *narrow_sums_of(int64_t rows, int64_t count)
{
    static narrow_sums_fn *const one[] = { COLUMN(1) }, *const two[] = { COLUMN(2) };
    static narrow_sums_fn *const four[] = {
        sums_1_4, sums_2_4, sums_3_4, sums_4_4, sums_5_4,
#if NARROW_FEW > 5
        sums_6_4,
#endif
    };

    /* Each in its place: of a choice of arrays, gcc 12's object-size sanitizer sees the last. */
    if (count == 4)
        return four[rows - 1];
    return count == 2 ? two[rows - 1] : one[rows - 1];
}
/* clang-format on */

#else

static inline int64_t narrow_panels(int64_t rows)
{
    (void)rows;
    return 1;
}

/* clang-format off */
#define SUMS_OF_V(R, V) SUMS(R, V)
#define NAME_OF_V(R, V) sums_##R##_##V
#define NAME(R, V) NAME_OF_V(R, V)

SUMS_OF_V(1, NARROW_VECTORS) SUMS_OF_V(2, NARROW_VECTORS)
#if NARROW_ROWS > 2
SUMS_OF_V(3, NARROW_VECTORS) SUMS_OF_V(4, NARROW_VECTORS)
#endif
#if NARROW_ROWS > 4
SUMS_OF_V(5, NARROW_VECTORS)
#endif
#if NARROW_ROWS > 5
SUMS_OF_V(6, NARROW_VECTORS)
#endif

static narrow_sums_fn *narrow_sums_of(int64_t rows, int64_t count)
{
    static narrow_sums_fn *const by_rows[] = {
        NAME(1, NARROW_VECTORS), NAME(2, NARROW_VECTORS),
#if NARROW_ROWS > 2
        NAME(3, NARROW_VECTORS), NAME(4, NARROW_VECTORS),
#endif
#if NARROW_ROWS > 4
        NAME(5, NARROW_VECTORS),
#endif
#if NARROW_ROWS > 5
        NAME(6, NARROW_VECTORS),
#endif
    };

    (void)count;
    return by_rows[rows - 1];
}
/* clang-format on */

#endif

static void narrow_sums(narrow_sum *sums, const struct dgm_narrow_tile *tile, int64_t panel,
                        int64_t count)
{
    const uint8_t *w = tile->w + panel * tile->groups * DGM_NARROW_GROUP;

    narrow_sums_of(tile->rows, count)(sums, tile, w);
}
