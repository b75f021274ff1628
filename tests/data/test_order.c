/*
 * test_order.c: which pairs make up which batch.
 */
#include <string.h>

#include "base/mem.h"
#include "base/philox.h"
#include "data/order.h"
#include "test.h"

enum { PAIRS = 300, LONGEST = 30, BATCH_TOKENS = 100 };

/* Pairs of random lengths. */
static dgm_status make_corpus(struct dgm_corpus *corpus)
{
    int32_t ids[LONGEST + 1] = { 0 }, words[LONGEST + 1] = { 0 }, p;
    struct dgm_random random;

    memset(corpus, 0, sizeof *corpus);
    dgm_random_init(&random, 1, 2, 3, 4);
    for (p = 0; p < PAIRS; p++) {
        int32_t n = 2 + (int32_t)dgm_random_below(&random, LONGEST - 1);
        int32_t m = 2 + (int32_t)dgm_random_below(&random, LONGEST - 1);
        DGM_TRY(dgm_packed_add(test_env(), &corpus->source, ids, words, n, NULL, n - 1));
        DGM_TRY(dgm_packed_add(test_env(), &corpus->target, ids, words, m, NULL, m - 1));
    }
    return DGM_OK;
}

static int32_t longer_side(const struct dgm_corpus *corpus, int32_t p)
{
    int32_t n = dgm_packed_length(&corpus->source, p), m = dgm_packed_length(&corpus->target, p);
    return n > m ? n : m;
}

static struct dgm_order_options make_options(int64_t window)
{
    struct dgm_order_options options = { 7, BATCH_TOKENS, 0, 0, 1, 0 };

    options.window = window;
    return options;
}

/* Every pair once; batches within their limits. */
static void check_epoch(const struct dgm_order_options *options, int64_t epoch)
{
    struct dgm_corpus corpus;
    struct dgm_order order;
    struct dgm_batch batch;
    int seen[PAIRS] = { 0 };
    int64_t b;
    int32_t s;

    memset(&order, 0, sizeof order);
    memset(&batch, 0, sizeof batch);
    CHECK_STATUS(make_corpus(&corpus), DGM_OK);
    CHECK_STATUS(dgm_order_make(test_env(), &order, &corpus, options, epoch), DGM_OK);
    for (b = 0; b < order.batches; b++) {
        int64_t tokens = 0;
        CHECK_STATUS(dgm_order_batch(test_env(), &order, &corpus, b, &batch), DGM_OK);
        CHECK(batch.source.count > 0);
        CHECK_INT(batch.source.count, batch.target.count);
        for (s = 0; s < batch.source.count; s++) {
            int32_t p = batch.numbers[s];
            seen[p]++;
            tokens += longer_side(&corpus, p);
            CHECK_INT(dgm_packed_length(&batch.source, s), dgm_packed_length(&corpus.source, p));
            CHECK_INT(dgm_packed_length(&batch.target, s), dgm_packed_length(&corpus.target, p));
        }
        CHECK(tokens <= options->batch_tokens || batch.source.count == 1);
        CHECK(options->batch_sentences == 0 || batch.source.count <= options->batch_sentences);
    }
    for (s = 0; s < PAIRS; s++)
        CHECK_INT(seen[s], 1);
    dgm_batch_clear(test_env(), &batch);
    dgm_order_clear(test_env(), &order);
    dgm_corpus_clear(test_env(), &corpus);
}

TEST(order_takes_every_pair_once_within_the_limits)
{
    struct dgm_order_options options = make_options(0);

    check_epoch(&options, 1);
    check_epoch(&options, 2);
    options.batch_sentences = 3;
    check_epoch(&options, 1);
    options = make_options(4);
    check_epoch(&options, 1);
    options.batch_tokens = 1; /* less than any pair: one pair a batch */
    check_epoch(&options, 1);
}

TEST(order_is_a_function_of_seed_and_epoch)
{
    struct dgm_order_options options = make_options(3), other = make_options(3);
    struct dgm_corpus corpus;
    struct dgm_order order[4];
    size_t bytes = PAIRS * sizeof(uint32_t);
    int k;

    memset(order, 0, sizeof order);
    other.seed = 8;
    CHECK_STATUS(make_corpus(&corpus), DGM_OK);
    for (k = 0; k < 4; k++)
        CHECK_STATUS(dgm_order_make(test_env(), &order[k], &corpus, k == 2 ? &other : &options,
                                    k == 3 ? 2 : 1),
                     DGM_OK);
    CHECK_MEM(order[1].pairs, order[0].pairs, bytes);
    CHECK_MEM(order[1].batch_order, order[0].batch_order,
              (size_t)order[0].batches * sizeof(uint32_t));
    CHECK(memcmp(order[2].pairs, order[0].pairs, bytes) != 0);
    CHECK(memcmp(order[3].pairs, order[0].pairs, bytes) != 0);
    /* An order that is made again for another epoch forgets the one before. */
    CHECK_STATUS(dgm_order_make(test_env(), &order[3], &corpus, &options, 1), DGM_OK);
    CHECK_MEM(order[3].pairs, order[0].pairs, bytes);
    for (k = 0; k < 4; k++)
        dgm_order_clear(test_env(), &order[k]);
    dgm_corpus_clear(test_env(), &corpus);
}

/* Where each pair comes in the order of an epoch without buckets. */
static dgm_status find_places(const struct dgm_corpus *corpus, int32_t places[PAIRS])
{
    const struct dgm_order_options options = make_options(0);
    struct dgm_order order = { 0 };

    DGM_TRY(dgm_order_make(test_env(), &order, corpus, &options, 1));
    for (int32_t i = 0; i < PAIRS; i++)
        places[order.pairs[i]] = i;
    dgm_order_clear(test_env(), &order);
    return DGM_OK;
}

/* Pairs of equal lengths keep their random order. */
TEST(order_sorts_buckets_by_length)
{
    struct dgm_order_options options = make_options(1000);
    struct dgm_corpus corpus;
    struct dgm_order order;
    int32_t places[PAIRS], i;

    memset(&order, 0, sizeof order);
    CHECK_STATUS(make_corpus(&corpus), DGM_OK);
    CHECK_STATUS(find_places(&corpus, places), DGM_OK);
    CHECK_STATUS(dgm_order_make(test_env(), &order, &corpus, &options, 1), DGM_OK);
    for (i = 1; i < PAIRS; i++) {
        int32_t p = (int32_t)order.pairs[i - 1], q = (int32_t)order.pairs[i];
        int32_t mp = dgm_packed_length(&corpus.target, p);
        int32_t mq = dgm_packed_length(&corpus.target, q);
        int32_t np = dgm_packed_length(&corpus.source, p);
        int32_t nq = dgm_packed_length(&corpus.source, q);
        CHECK(mp < mq || (mp == mq && (np < nq || (np == nq && places[p] < places[q]))));
    }
    dgm_order_clear(test_env(), &order);
    dgm_corpus_clear(test_env(), &corpus);
}

TEST(order_shuffles_the_batches_of_sorted_buckets)
{
    struct dgm_order_options options = make_options(1000);
    struct dgm_corpus corpus;
    struct dgm_order order;
    int64_t b, moved = 0;

    memset(&order, 0, sizeof order);
    CHECK_STATUS(make_corpus(&corpus), DGM_OK);
    CHECK_STATUS(dgm_order_make(test_env(), &order, &corpus, &options, 1), DGM_OK);
    for (b = 0; b < order.batches; b++)
        moved += order.batch_order[b] != b;
    CHECK(moved > order.batches / 2);
    dgm_order_clear(test_env(), &order);
    dgm_corpus_clear(test_env(), &corpus);
}

/* ---- two tasks ------------------------------------------------------------------------------- */

enum { PARSES = 100, TRANSLATIONS = PAIRS - PARSES };

/* The orders of epochs 1 .. count; parses: how many of the pairs are parse pairs. */
static void make_orders(struct dgm_order *orders, int count, int32_t parses,
                        const struct dgm_order_options *options)
{
    struct dgm_corpus corpus;
    int k;

    CHECK_STATUS(make_corpus(&corpus), DGM_OK);
    corpus.parses = parses;
    for (k = 0; k < count; k++) {
        memset(&orders[k], 0, sizeof orders[k]);
        CHECK_STATUS(dgm_order_make(test_env(), &orders[k], &corpus, options, k + 1), DGM_OK);
    }
    dgm_corpus_clear(test_env(), &corpus);
}

static void clear_orders(struct dgm_order *orders, int count)
{
    while (count-- > 0)
        dgm_order_clear(test_env(), &orders[count]);
}

TEST(order_of_two_tasks_takes_all_translations_and_parses_in_turn)
{
    struct dgm_order_options options = make_options(0);
    struct dgm_order orders[5];
    int seen[PAIRS] = { 0 }, k, p;
    int64_t i;

    options.parse_ratio = 0.2;
    for (options.parses_beside = 0; options.parses_beside < 2; options.parses_beside++) {
        memset(seen, 0, sizeof seen);
        make_orders(orders, 5, PARSES, &options);
        for (k = 0; k < 5; k++) {
            CHECK_INT(orders[k].pair_count, TRANSLATIONS + 40);
            CHECK_INT(dgm_order_pairs(&orders[k], orders[k].batches), TRANSLATIONS + 40);
            for (i = 0; i < orders[k].pair_count; i++)
                seen[orders[k].pairs[i]]++;
        }
        for (p = 0; p < PAIRS; p++)
            CHECK_INT(seen[p], p < TRANSLATIONS ? 5 : 2);
        clear_orders(orders, 5);
    }
}

/* As many as there are: what a corpus of both was before there was a ratio. */
TEST(order_of_two_tasks_with_all_parses_is_that_of_any_pairs)
{
    struct dgm_order_options options = make_options(3);
    struct dgm_order both[2], plain[2];
    int k;

    make_orders(both, 2, PARSES, &options);
    make_orders(plain, 2, 0, &options);
    for (k = 0; k < 2; k++) {
        CHECK_INT(both[k].pair_count, plain[k].pair_count);
        CHECK_INT(both[k].batches, plain[k].batches);
        CHECK(memcmp(both[k].pairs, plain[k].pairs, PAIRS * sizeof(uint32_t)) == 0);
    }
    clear_orders(both, 2);
    clear_orders(plain, 2);
}

/* A corpus of the translations alone, and of its batches those that another order has beside
 * them. */
static void check_beside(const struct dgm_order_options *options, int64_t parses)
{
    struct dgm_order beside, plain;
    struct dgm_corpus corpus;
    int seen[PAIRS] = { 0 };
    int64_t b, i, found = 0;

    make_orders(&beside, 1, PARSES, options);
    memset(&plain, 0, sizeof plain);
    CHECK_STATUS(make_corpus(&corpus), DGM_OK);
    corpus.source.count = corpus.target.count = TRANSLATIONS;
    CHECK_STATUS(dgm_order_make(test_env(), &plain, &corpus, options, 1), DGM_OK);
    corpus.source.count = corpus.target.count = PAIRS;
    CHECK_INT(beside.batches, plain.batches);
    for (b = 0; b < plain.batches; b++) {
        int64_t n = plain.starts[b + 1] - plain.starts[b];
        int64_t more = beside.starts[b + 1] - beside.starts[b] - n;

        CHECK_INT(beside.batch_order[b], plain.batch_order[b]);
        CHECK(memcmp(beside.pairs + beside.starts[b], plain.pairs + plain.starts[b],
                     (size_t)n * sizeof(uint32_t)) == 0);
        CHECK(more >= parses / plain.batches && more <= parses / plain.batches + 1);
        for (i = beside.starts[b] + n; i < beside.starts[b + 1]; i++) {
            CHECK(beside.pairs[i] >= TRANSLATIONS && seen[beside.pairs[i]] == 0);
            seen[beside.pairs[i]] = 1;
            found++;
        }
    }
    CHECK_INT(found, parses);
    dgm_corpus_clear(test_env(), &corpus);
    dgm_order_clear(test_env(), &beside);
    dgm_order_clear(test_env(), &plain);
}

TEST(order_puts_parses_beside_the_batches_of_translations_alone)
{
    struct dgm_order_options options = make_options(0);

    options.parses_beside = 1;
    check_beside(&options, PARSES);
    options.parse_ratio = 0.25;
    check_beside(&options, 50);
    options.window = 4;
    check_beside(&options, 50);
    options.parse_ratio = 0;
    check_beside(&options, 0);
    options.parse_ratio = 1;
    options.batch_tokens = 1000000; /* one batch */
    check_beside(&options, PARSES);
    options.batch_tokens = 1; /* more batches than parses */
    check_beside(&options, PARSES);
}
