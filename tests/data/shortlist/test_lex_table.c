/*
 * test_lex_table.c: model 1 is what its equations say, computed over dense tables; it finds the
 * translations of a corpus that has been made from a dictionary; threads change no bit.
 */
#include <math.h>
#include <string.h>

#include "base/philox.h"
#include "data/shortlist/lex_table.h"
#include "data/side.h"
#include "test.h"

enum { FIRST = 4, SOURCE = 20, TARGET = 24, END = 2, EMPTY = 0, PAIRS = 60, ROUNDS = 5 };

static const int32_t types[2] = { SOURCE, TARGET };

static dgm_status add_line(struct dgm_packed *side, const int32_t *ids, int32_t n)
{
    static const int32_t words[32];
    int32_t line[32];

    memcpy(line, ids, (size_t)n * sizeof *ids);
    line[n] = END;
    return dgm_packed_add(test_env(), side, line, words, n + 1, NULL, 1);
}

/* Source type e becomes target type e + 2, in any order; the first target type is a particle. */
static dgm_status make_corpus(struct dgm_packed *source, struct dgm_packed *target)
{
    struct dgm_random random;

    memset(source, 0, sizeof *source);
    memset(target, 0, sizeof *target);
    dgm_random_init(&random, 9, 0, 0, 0);
    for (int p = 0; p < PAIRS; p++) {
        const int32_t n = 1 + (int32_t)dgm_random_below(&random, 6);
        int32_t s[8], t[8];

        for (int32_t i = 0; i < n; i++) {
            s[i] = FIRST + (int32_t)dgm_random_below(&random, SOURCE - FIRST);
            t[n - i] = s[i] + 2;
        }
        t[0] = FIRST;
        DGM_TRY(add_line(source, s, n));
        DGM_TRY(add_line(target, t, n + 1));
    }
    return DGM_OK;
}

static dgm_status learn(struct dgm_lex_table *table, const struct dgm_packed *source,
                        const struct dgm_packed *target, int threads)
{
    struct dgm_pool *pool;
    dgm_status status;

    memset(table, 0, sizeof *table);
    DGM_TRY(dgm_pool_new(test_env(), &pool, threads));
    status = dgm_lex_table_learn(test_env(), table, pool, source, target, types);
    dgm_pool_free(test_env(), pool);
    return status;
}

static double p[SOURCE][TARGET], counts[SOURCE][TARGET];

/* One round of the equations in lex_table.c. */
static void naive_pair(const int32_t *s, int32_t n, const int32_t *t, int32_t m)
{
    for (int32_t j = 0; j < m; j++) {
        double z = p[EMPTY][t[j]];

        for (int32_t i = 0; i < n; i++)
            z += p[s[i]][t[j]];
        counts[EMPTY][t[j]] += p[EMPTY][t[j]] / z;
        for (int32_t i = 0; i < n; i++)
            counts[s[i]][t[j]] += p[s[i]][t[j]] / z;
    }
}

static void naive_round(const struct dgm_packed *source, const struct dgm_packed *target)
{
    memset(counts, 0, sizeof counts);
    for (int32_t s = 0; s < source->count; s++)
        naive_pair(source->ids + source->offsets[s], dgm_packed_length(source, s) - 1,
                   target->ids + target->offsets[s], dgm_packed_length(target, s) - 1);
    for (int e = 0; e < SOURCE; e++) {
        double sum = 0;

        for (int f = 0; f < TARGET; f++)
            sum += counts[e][f];
        for (int f = 0; f < TARGET; f++)
            p[e][f] = sum > 0 ? counts[e][f] / sum : 0;
    }
}

TEST(lex_table_is_what_the_equations_say)
{
    struct dgm_packed source, target;
    struct dgm_lex_table table;
    size_t entries = 0;

    CHECK_STATUS(make_corpus(&source, &target), DGM_OK);
    CHECK_STATUS(learn(&table, &source, &target, 2), DGM_OK);
    for (int e = 0; e < SOURCE; e++)
        for (int f = 0; f < TARGET; f++)
            p[e][f] = 1;
    for (int round = 0; round < ROUNDS; round++)
        naive_round(&source, &target);
    for (int e = 0; e < SOURCE; e++) {
        double sum = 0;

        for (size_t i = table.starts[e]; i < table.starts[e + 1]; i++) {
            CHECK(table.words[i] >= FIRST && table.words[i] < TARGET);
            CHECK_NEAR(table.p[i], p[e][table.words[i]], 1e-6);
            sum += (double)table.p[i];
            entries++;
        }
        for (int f = 0; f < TARGET; f++)
            sum -= p[e][f];
        CHECK_NEAR(sum, 0, 1e-5); /* no entry is left out */
    }
    CHECK(entries > 100);
    dgm_lex_table_clear(test_env(), &table);
    dgm_packed_clear(test_env(), &source);
    dgm_packed_clear(test_env(), &target);
}

TEST(lex_table_finds_the_dictionary)
{
    struct dgm_packed source, target;
    struct dgm_lex_table table;

    CHECK_STATUS(make_corpus(&source, &target), DGM_OK);
    CHECK_STATUS(learn(&table, &source, &target, 1), DGM_OK);
    for (int e = FIRST; e < SOURCE; e++)
        for (size_t i = table.starts[e]; i < table.starts[e + 1]; i++)
            CHECK((table.p[i] > 0.5f) == (table.words[i] == e + 2));
    for (size_t i = table.starts[EMPTY]; i < table.starts[EMPTY + 1]; i++)
        CHECK((table.p[i] > 0.5f) == (table.words[i] == FIRST));
    dgm_lex_table_clear(test_env(), &table);
    dgm_packed_clear(test_env(), &source);
    dgm_packed_clear(test_env(), &target);
}

TEST(lex_table_is_the_same_with_any_number_of_threads)
{
    struct dgm_packed source, target;
    struct dgm_lex_table one, more;

    CHECK_STATUS(make_corpus(&source, &target), DGM_OK);
    CHECK_STATUS(learn(&one, &source, &target, 1), DGM_OK);
    for (int threads = 2; threads <= 7; threads += 5) {
        CHECK_STATUS(learn(&more, &source, &target, threads), DGM_OK);
        CHECK_MEM(more.starts, one.starts, (SOURCE + 1) * sizeof *one.starts);
        CHECK_MEM(more.words, one.words, one.starts[SOURCE] * sizeof *one.words);
        CHECK_MEM(more.p, one.p, one.starts[SOURCE] * sizeof *one.p);
        dgm_lex_table_clear(test_env(), &more);
    }
    dgm_lex_table_clear(test_env(), &one);
    dgm_packed_clear(test_env(), &source);
    dgm_packed_clear(test_env(), &target);
}

TEST(lex_table_survives_failing_allocations)
{
    struct dgm_packed source, target;
    struct dgm_lex_table table;
    dgm_status status = DGM_MEMORY;

    CHECK_STATUS(make_corpus(&source, &target), DGM_OK);
    for (long n = 1; status != DGM_OK; n++) {
        test_env_fail_once(test_allocations() + n);
        status = learn(&table, &source, &target, 2);
        CHECK(status == DGM_OK || status == DGM_MEMORY);
        dgm_lex_table_clear(test_env(), &table);
        dgm_env_clear_error(test_env());
        CHECK(n < 100);
    }
    test_env_fail_once(0);
    dgm_packed_clear(test_env(), &source);
    dgm_packed_clear(test_env(), &target);
}
