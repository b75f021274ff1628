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
    struct dgm_order_options options = { 7, BATCH_TOKENS, 0, 0 };

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

TEST(order_sorts_buckets_by_length)
{
    struct dgm_order_options options = make_options(1000);
    struct dgm_corpus corpus;
    struct dgm_order order;
    int32_t i;

    memset(&order, 0, sizeof order);
    CHECK_STATUS(make_corpus(&corpus), DGM_OK);
    CHECK_STATUS(dgm_order_make(test_env(), &order, &corpus, &options, 1), DGM_OK);
    for (i = 1; i < PAIRS; i++) {
        int32_t p = (int32_t)order.pairs[i - 1], q = (int32_t)order.pairs[i];
        int32_t mp = dgm_packed_length(&corpus.target, p);
        int32_t mq = dgm_packed_length(&corpus.target, q);
        CHECK(mp < mq || (mp == mq && dgm_packed_length(&corpus.source, p) <=
                                          dgm_packed_length(&corpus.source, q)));
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
