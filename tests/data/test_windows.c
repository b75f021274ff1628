/*
 * test_windows.c: the order of a text that is read window by window.
 */
#include "data/windows.h"

#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "data/cache/text_cache_writer.h"
#include "text_case.h"
#include "test.h"

enum { PAIRS = 500, BLOCK = 2000, TOKENS = 60 };

static const struct dgm_text_limits limits = { { TEXT_CASE_IDS, TEXT_CASE_IDS }, { 9, 9, 9, 9 } };

/* Everything that is open in a test. */
static struct {
    struct dgm_corpus text, window;
    struct dgm_text_cache cache;
    struct dgm_windows windows;
    struct dgm_order order;
    struct dgm_batch batch;
    struct dgm_order_options options;
} now;

static dgm_status open_text(int64_t bytes)
{
    struct dgm_text_cache_writer writer;
    char path[1200], why[DGM_TEXT_CACHE_WHY];
    dgm_status status;

    memset(&now, 0, sizeof now);
    now.options.seed = 7;
    now.options.batch_tokens = TOKENS;
    now.options.parse_ratio = 1;
    snprintf(path, sizeof path, "%s/text.cache", test_dir());
    DGM_TRY(text_case_make(&now.text, PAIRS, 1));
    DGM_TRY(dgm_text_cache_writer_open(test_env(), &writer, path, BLOCK));
    status = dgm_text_cache_writer_add(test_env(), &writer, &now.text);
    if (status == DGM_OK)
        status = dgm_text_cache_writer_close(test_env(), &writer, &now.text, "text = 1\n");
    dgm_text_cache_writer_abandon(test_env(), &writer);
    DGM_TRY(status);
    DGM_TRY(dgm_text_cache_open(test_env(), &now.cache, path, "text = 1\n", &limits, why));
    return dgm_windows_init(test_env(), &now.windows, &now.cache, &now.window, NULL, bytes);
}

static void close_text(void)
{
    dgm_batch_clear(test_env(), &now.batch);
    dgm_order_clear(test_env(), &now.order);
    dgm_windows_clear(test_env(), &now.windows);
    dgm_text_cache_close(test_env(), &now.cache);
    dgm_corpus_clear(test_env(), &now.window);
    dgm_corpus_clear(test_env(), &now.text);
}

static dgm_status begin(int64_t epoch)
{
    return dgm_windows_begin(test_env(), &now.windows, &now.order, &now.window, &now.options,
                             epoch);
}

/* The batch that is number `batch` of the epoch, or one of the next window. */
static dgm_status step(int64_t epoch, int64_t batch)
{
    if (batch - now.windows.batches == now.order.batches)
        DGM_TRY(dgm_windows_next(test_env(), &now.windows, &now.order, &now.window, &now.options,
                                 epoch));
    return dgm_order_batch(test_env(), &now.order, &now.window, batch - now.windows.batches,
                           &now.batch);
}

/* Numbers of the pairs of an epoch from a place in it on; *count of them. */
static dgm_status walk(int64_t epoch, int64_t batch, int32_t *pairs, int32_t *count)
{
    *count = 0;
    while (!dgm_windows_is_last(&now.windows) || batch - now.windows.batches < now.order.batches) {
        DGM_TRY(step(epoch, batch++));
        for (int32_t s = 0; s < now.batch.source.count && *count < PAIRS; s++)
            pairs[(*count)++] = now.batch.numbers[s];
    }
    return DGM_OK;
}

TEST(windows_take_every_pair_once_in_an_epoch)
{
    int32_t pairs[PAIRS], seen[PAIRS] = { 0 }, count;

    CHECK_STATUS(open_text(5 * BLOCK), DGM_OK);
    CHECK(now.windows.count > 5);
    CHECK_STATUS(begin(3), DGM_OK);
    CHECK_STATUS(walk(3, 0, pairs, &count), DGM_OK);
    CHECK_INT(count, PAIRS);
    for (int32_t i = 0; i < PAIRS; i++)
        seen[pairs[i]]++;
    for (int32_t p = 0; p < PAIRS; p++)
        CHECK_INT(seen[p], 1);
    close_text();
}

TEST(windows_hold_the_pairs_that_their_numbers_name)
{
    CHECK_STATUS(open_text(5 * BLOCK), DGM_OK);
    CHECK_STATUS(begin(1), DGM_OK);
    for (int64_t b = 0; b < 40; b++) {
        CHECK_STATUS(step(1, b), DGM_OK);
        for (int32_t s = 0; s < now.batch.source.count; s++) {
            text_case_check_same(&now.batch.source, s, &now.text.source, now.batch.numbers[s]);
            text_case_check_same(&now.batch.target, s, &now.text.target, now.batch.numbers[s]);
        }
    }
    close_text();
}

static void check_order(int64_t epoch, uint64_t seed, int32_t *pairs)
{
    int32_t count;

    now.options.seed = seed;
    CHECK_STATUS(begin(epoch), DGM_OK);
    CHECK_STATUS(walk(epoch, 0, pairs, &count), DGM_OK);
    CHECK_INT(count, PAIRS);
}

TEST(windows_depend_on_seed_and_epoch_only)
{
    int32_t first[PAIRS], again[PAIRS], other[PAIRS], seeded[PAIRS];

    CHECK_STATUS(open_text(5 * BLOCK), DGM_OK);
    check_order(2, 7, first);
    check_order(3, 7, other);
    check_order(2, 8, seeded);
    check_order(2, 7, again);
    CHECK_MEM(again, first, sizeof first);
    CHECK(memcmp(other, first, sizeof first) != 0);
    CHECK(memcmp(seeded, first, sizeof first) != 0);
    close_text();
}

/* Pairs of one place in the text come from everywhere in the epoch. */
TEST(windows_mix_pairs_of_blocks_that_are_far_apart)
{
    int32_t pairs[PAIRS], near = 0;

    CHECK_STATUS(open_text(5 * BLOCK), DGM_OK);
    check_order(1, 7, pairs);
    for (int32_t i = 1; i < PAIRS; i++)
        near += pairs[i] - pairs[i - 1] == 1;
    CHECK(near < PAIRS / 10);
    close_text();
}

TEST(windows_stay_within_their_memory_and_are_about_equal)
{
    const int64_t bytes = 7 * BLOCK;
    int64_t most = 0;

    CHECK_STATUS(open_text(bytes), DGM_OK);
    CHECK_STATUS(begin(1), DGM_OK);
    for (;;) {
        const int64_t held = dgm_text_cache_corpus_bytes(&now.window);
        most = held > most ? held : most;
        CHECK(held <= bytes);
        CHECK(held >= bytes / 3);
        CHECK(held + dgm_windows_spare(&now.windows) <= bytes);
        if (dgm_windows_is_last(&now.windows))
            break;
        CHECK_STATUS(dgm_windows_next(test_env(), &now.windows, &now.order, &now.window,
                                      &now.options, 1),
                     DGM_OK);
    }
    CHECK(most > bytes / 2);
    close_text();
}

/* From every batch on: the rest of the epoch is that of a run which was not interrupted. */
TEST(windows_resume_at_any_batch)
{
    int32_t all[PAIRS], rest[PAIRS], count, used = 0;
    int64_t batch = 0;
    int fits;

    CHECK_STATUS(open_text(5 * BLOCK), DGM_OK);
    check_order(4, 7, all);
    while (used <= PAIRS && !test_has_failed()) {
        int32_t more;

        CHECK_STATUS(dgm_windows_seek(test_env(), &now.windows, &now.order, &now.window,
                                      &now.options, 4, used, batch, &fits),
                     DGM_OK);
        CHECK(fits);
        if (used == PAIRS) {
            CHECK(dgm_windows_is_last(&now.windows));
            CHECK_INT(batch - now.windows.batches, now.order.batches);
            break;
        }
        CHECK_STATUS(step(4, batch), DGM_OK);
        more = now.batch.source.count;
        CHECK_STATUS(walk(4, batch, rest, &count), DGM_OK);
        CHECK_INT(count, PAIRS - used);
        CHECK_MEM(rest, all + used, (size_t)count * sizeof *rest);
        used += more;
        batch++;
    }
    close_text();
}

TEST(windows_refuse_a_place_where_no_batch_ends)
{
    int fits;

    CHECK_STATUS(open_text(5 * BLOCK), DGM_OK);
    CHECK_STATUS(begin(1), DGM_OK);
    CHECK_STATUS(step(1, 0), DGM_OK);
    CHECK(now.batch.source.count > 1);
    CHECK_STATUS(dgm_windows_seek(test_env(), &now.windows, &now.order, &now.window, &now.options,
                                  1, now.batch.source.count - 1, 1, &fits),
                 DGM_OK);
    CHECK(!fits);
    close_text();
}

/* What fits is one window, whose order is that of the text in memory. */
TEST(windows_of_a_text_in_memory_are_one)
{
    struct dgm_windows none;
    struct dgm_order order;

    CHECK_STATUS(open_text(5 * BLOCK), DGM_OK);
    memset(&none, 0, sizeof none);
    memset(&order, 0, sizeof order);
    CHECK_STATUS(dgm_windows_begin(test_env(), &none, &now.order, &now.text, &now.options, 2),
                 DGM_OK);
    CHECK_STATUS(dgm_order_make(test_env(), &order, &now.text, &now.options, 2), DGM_OK);
    CHECK_INT(dgm_windows_count(&none), 1);
    CHECK(dgm_windows_is_last(&none));
    CHECK_INT(now.order.pair_count, PAIRS);
    CHECK_MEM(now.order.pairs, order.pairs, PAIRS * sizeof *order.pairs);
    dgm_order_clear(test_env(), &order);
    close_text();
}

/* ---- shares of texts ------------------------------------------------------------------------- */

/* Makes windows anew, of two texts of which the second, and smaller, has most of an epoch. */
static dgm_status mix(struct dgm_mixture *mixture, int64_t bytes)
{
    static const struct dgm_text_part parts[2] = { { 1200, 430, 0 }, { 300, PAIRS - 430, 0 } };
    static const double weights[2] = { 1, 2.3 };
    size_t bad;

    dgm_windows_clear(test_env(), &now.windows);
    DGM_TRY(dgm_mixture_init(test_env(), mixture, parts, weights, 2, 7, &bad));
    return dgm_windows_init(test_env(), &now.windows, &now.cache, &now.window, mixture, bytes);
}

TEST(windows_take_every_pair_as_often_as_its_share_says)
{
    int32_t pairs[PAIRS], seen[PAIRS], count;
    struct dgm_mixture mixture;

    CHECK_STATUS(open_text(5 * BLOCK), DGM_OK);
    CHECK_STATUS(mix(&mixture, 5 * BLOCK), DGM_OK);
    for (int64_t epoch = 1; epoch < 4; epoch++) {
        memset(seen, 0, sizeof seen);
        CHECK_STATUS(begin(epoch), DGM_OK);
        CHECK_STATUS(walk(epoch, 0, pairs, &count), DGM_OK);
        CHECK_INT(count, PAIRS);
        CHECK_INT(now.windows.pairs + now.order.pair_count, PAIRS);
        for (int32_t i = 0; i < PAIRS; i++)
            seen[pairs[i]]++;
        for (int32_t p = 0; p < PAIRS; p++)
            CHECK_INT(seen[p], dgm_mixture_times(&mixture, p, epoch));
    }
    dgm_mixture_clear(test_env(), &mixture);
    close_text();
}

/* A run that stands anywhere in such an epoch finds the rest of it. */
TEST(windows_with_shares_are_found_again_by_pairs)
{
    int32_t pairs[PAIRS], rest[PAIRS], count, left;
    struct dgm_mixture mixture;
    int64_t batch = 0, used = 0;
    int fits;

    CHECK_STATUS(open_text(3 * BLOCK), DGM_OK);
    CHECK_STATUS(mix(&mixture, 3 * BLOCK), DGM_OK);
    CHECK_STATUS(begin(2), DGM_OK);
    CHECK_STATUS(walk(2, 0, pairs, &count), DGM_OK);
    CHECK_STATUS(begin(2), DGM_OK);
    for (; batch < 45; batch++) {
        CHECK_STATUS(step(2, batch), DGM_OK);
        used += now.batch.source.count;
    }
    CHECK_STATUS(dgm_windows_seek(test_env(), &now.windows, &now.order, &now.window, &now.options,
                                  2, used, batch, &fits),
                 DGM_OK);
    CHECK(fits && now.windows.at > 0);
    CHECK_STATUS(walk(2, batch, rest, &left), DGM_OK);
    CHECK_INT(left, PAIRS - used);
    CHECK_MEM(rest, pairs + used, (size_t)left * sizeof *rest);
    dgm_mixture_clear(test_env(), &mixture);
    close_text();
}
