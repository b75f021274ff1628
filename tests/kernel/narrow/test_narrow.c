/*
 * Tests of narrow.h, for every type: tiles of every instruction set against plain C, to the bit;
 * rows that are not finite; rows that are copied; which kernels are chosen.
 */
#include "kernel/narrow/narrow.h"

#include "base/system/cpu.h"
#include "kernel/narrow/bf16.h"
#include "kernel/narrow/int8.h"
#include "narrow_case.h"

static const struct dgm_narrow_type *const types[] = { &dgm_int8, &dgm_bf16 };

enum { TYPES = sizeof types / sizeof *types };

static struct narrow_product p;
static struct narrow_outcome want, got;

/* Activations may be laid out otherwise, C and its guards may not. */
static int same_outcome(const struct narrow_outcome *a, const struct narrow_outcome *b)
{
    for (int i = 0; i < NARROW_MOST_ROWS; i++)
        if (memcmp(&a->scales[i], &b->scales[i], sizeof(float)) != 0 &&
            !(isnan(a->scales[i]) && isnan(b->scales[i])))
            return 0;
    return memcmp(a->sums, b->sums, sizeof a->sums) == 0 &&
           case_same(a->c, b->c, NARROW_MOST_ROWS * (NARROW_MOST_N + NARROW_GAP));
}

/* Tiles of at most as many rows as the kernel has. */
static int compare_kernels(const struct dgm_narrow_type *type, int turn)
{
    const int64_t rows = p.rows;
    int compared = 0;

    for (size_t i = 1; i < narrow_entry_count(type); i++) {
        const struct dgm_narrow_kernels *kernels = narrow_entry(type, i);

        if (!kernels)
            continue;
        p.rows = rows <= kernels->rows ? rows : 1 + turn % kernels->rows;
        narrow_compute(narrow_reference(type, kernels), &p, &want);
        narrow_compute(kernels, &p, &got);
        compared += test_true(TEST_HERE, kernels->name, same_outcome(&got, &want));
    }
    return compared;
}

TEST(narrow_kernels_of_every_instruction_set_have_the_bits_of_plain_c)
{
    struct dgm_random random;
    int compared = 0;

    dgm_random_init(&random, 31, 0, 0, 0);
    for (int turn = 0; turn < 1200; turn++) {
        narrow_make(&p, types[turn % TYPES], (enum narrow_numbers)(turn / 2 % NARROW_KINDS),
                    &random);
        if (turn % 5 == 0)
            p.a[dgm_random_below(&random, (uint32_t)(p.rows * p.k))] =
                turn % 3 ? (dgm_real)NAN : -(dgm_real)INFINITY;
        compared += compare_kernels(types[turn % TYPES], turn);
    }
    if (compared == 0)
        TEST_SKIP("plain C is all there is");
}

static void check_poison(const struct dgm_narrow_kernels *kernels)
{
    narrow_compute(kernels, &p, &got);
    for (int64_t j = 0; j < p.n; j++) {
        CHECK(!isfinite(narrow_at(&p, &got, 0, j)));
        CHECK(isfinite(narrow_at(&p, &got, 1, j)));
    }
}

/* A relu must not take NaN for 0; of infinities it may leave 0. */
TEST(narrow_rows_without_finite_numbers_poison_their_row_alone)
{
    struct dgm_random random;

    dgm_random_init(&random, 32, 0, 0, 0);
    for (int t = 0; t < TYPES; t++)
        for (size_t e = 0; e < 2 * narrow_entry_count(types[t]); e++) {
            narrow_make(&p, types[t], NARROW_TAME, &random);
            p.rows = 2;
            p.first = 0;
            p.beta = 0;
            p.relu = (int)(e % 2);
            p.a[p.k / 2] = (dgm_real)(e % 2 ? NAN : INFINITY);
            if (narrow_entry(types[t], e / 2))
                check_poison(narrow_entry(types[t], e / 2));
        }
}

/* Activations fill the groups of their rows, whatever a vector holds, and not a byte more. */
static void check_bounds(const struct dgm_narrow_type *type,
                         const struct dgm_narrow_kernels *kernels, int64_t k)
{
    const int64_t groups = dgm_narrow_groups(type, k);
    const size_t used = (size_t)(groups * kernels->rows * kernels->bytes);
    struct dgm_narrow_rows job = { .rows = kernels->rows,
                                   .k = k,
                                   .lda = k,
                                   .a = p.a,
                                   .q = (uint8_t *)got.q,
                                   .step = (int64_t)kernels->rows * kernels->bytes,
                                   .scales = got.scales,
                                   .sums = got.sums };

    CHECK(used + 64 <= sizeof got.q);
    memset(got.q, 0xA5, sizeof got.q);
    kernels->activations(&job);
    for (size_t i = used; i < used + 64; i++)
        CHECK_INT(((const uint8_t *)got.q)[i], 0xA5);
}

TEST(narrow_activations_write_nothing_behind_their_rows)
{
    struct dgm_random random;

    dgm_random_init(&random, 35, 0, 0, 0);
    for (int t = 0; t < TYPES; t++) {
        narrow_make(&p, types[t], NARROW_TAME, &random);
        for (size_t e = 0; e < narrow_entry_count(types[t]); e++)
            for (int64_t k = 1; k <= 40 && narrow_entry(types[t], e); k += 3)
                check_bounds(types[t], narrow_entry(types[t], e), k);
    }
}

/* ---- weights ------------------------------------------------------------------------------- */

/* Where column t of row j of weights of k columns begins. */
static const uint8_t *bytes_of(const struct dgm_narrow_type *type, const uint8_t *panels, int64_t j,
                               int64_t t, int64_t k)
{
    const int bytes = DGM_NARROW_BYTES / type->steps;

    return panels + dgm_narrow_place(j, dgm_narrow_groups(type, k)) +
           t / type->steps * DGM_NARROW_GROUP + t % type->steps * bytes;
}

/* Rows `row` to row + count - 1 as plain C has them, and nothing beside them. */
static void check_pack(const struct dgm_narrow_type *type, int64_t row, int64_t count)
{
    static uint8_t packed[2][sizeof p.w];
    float scales[2][NARROW_MOST_N] = { { 0 } };
    struct dgm_narrow_matrix to[2];

    for (int i = 0; i < 2; i++) {
        memset(packed[i], 7, sizeof packed[i]);
        to[i].panels = packed[i];
        to[i].scales = scales[i];
    }
    dgm_narrow_pack(type, type->kernels[0], &to[0], row, count, p.w_reals, p.k);
    for (size_t i = 0; i < narrow_entry_count(type); i++) {
        if (!narrow_entry(type, i))
            continue;
        dgm_narrow_pack(type, narrow_entry(type, i), &to[1], row, count, p.w_reals, p.k);
        CHECK(memcmp(packed[1], packed[0], sizeof packed[0]) == 0);
        CHECK(memcmp(scales[1], scales[0], sizeof scales[0]) == 0);
    }
    for (int64_t j = 0; j < p.n; j++)
        for (int64_t t = 0; t < p.k && (j < row || j >= row + count); t++)
            CHECK_INT(*bytes_of(type, packed[0], j, t, p.k), 7);
}

/* Whole panels and parts of them. */
TEST(narrow_weights_of_every_instruction_set_are_those_of_plain_c)
{
    struct dgm_random random;

    dgm_random_init(&random, 34, 0, 0, 0);
    for (int turn = 0; turn < 200; turn++) {
        int64_t row;

        narrow_make(&p, types[turn % TYPES], (enum narrow_numbers)(turn / 2 % NARROW_KINDS),
                    &random);
        row = dgm_random_below(&random, (uint32_t)p.n);
        check_pack(types[turn % TYPES], row, 1 + dgm_random_below(&random, (uint32_t)(p.n - row)));
    }
}

/* From the second matrix's row 20 to the first one's row 3, and zeros to row 4. */
static void check_copy(const struct dgm_narrow_type *type)
{
    enum { K = 21, ROWS = 32 };
    const struct dgm_narrow_kernels *kernels = type->kernels[0];
    uint8_t panels[2][ROWS * 2 * (K + 3)];
    float scales[2][ROWS];
    const struct dgm_narrow_matrix to = { panels[0], scales[0] }, from = { panels[1], scales[1] };
    struct dgm_random random;
    dgm_real values[ROWS * K], x[K], y[K], z[K];

    dgm_random_init(&random, 33, 0, 0, 0);
    narrow_fill(values, ROWS * K, NARROW_TAME, &random);
    dgm_narrow_pack(type, kernels, &to, 0, ROWS, values, K);
    narrow_fill(values, ROWS * K, NARROW_TAME, &random);
    dgm_narrow_pack(type, kernels, &from, 0, ROWS, values, K);
    type->unpack(x, &from, 20, K);
    type->unpack(z, &to, 2, K);
    dgm_narrow_copy(type, &to, 3, &from, 20, K);
    type->unpack(y, &to, 3, K);
    CHECK_MEM(y, x, sizeof x);
    dgm_narrow_copy(type, &to, 4, &from, -1, K);
    type->unpack(y, &to, 4, K);
    for (int t = 0; t < K; t++)
        CHECK(y[t] == 0);
    type->unpack(y, &to, 2, K); /* the neighbour stays */
    CHECK_MEM(y, z, sizeof z);
}

TEST(narrow_rows_are_copied_with_their_bits)
{
    for (int t = 0; t < TYPES; t++)
        check_copy(types[t]);
}

/* With an instruction set go its own kernels, or better ones that it serves. */
static void check_choice(const struct dgm_narrow_type *type)
{
    for (size_t i = 0; i < type->count; i++) {
        const struct dgm_narrow_kernels *own = dgm_narrow_entry(type, i), *chosen;
        size_t at = 0;

        if (own == NULL || (own->slow_on & dgm_cpu_features()))
            continue;
        chosen = dgm_narrow_choose(type, own->base);
        while (type->kernels[at] != chosen)
            at++;
        CHECK(at >= i);
        CHECK(dgm_kernels_rank(chosen->base) <= dgm_kernels_rank(own->base));
    }
}

/* Whatever the kernels are, some narrow products go with them. */
TEST(narrow_kernels_are_chosen_for_every_instruction_set)
{
    for (int t = 0; t < TYPES; t++) {
        for (size_t i = 0; i < dgm_kernels_count(); i++)
            CHECK(dgm_narrow_choose(types[t], dgm_kernels_name(i)) != NULL);
        CHECK_STR(dgm_narrow_choose(types[t], "c")->name, "c");
        check_choice(types[t]);
    }
}
