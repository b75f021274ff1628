/*
 * test_search_memory.c: how sentences are shared out: batches of as many hypotheses as are fast, and
 * no more, which would only take memory.
 */
#include "decode/search/search_memory.h"

#include <string.h>

#include "test.h"

enum { SENTENCES = 1000, LENGTH = 14 };

/* A search of beam `beam` on a processor with so many threads; 0: on another device. */
static struct dgm_search search_of(struct dgm_device *device, int threads, int beam)
{
    struct dgm_search search;

    memset(&search, 0, sizeof search);
    memset(device, 0, sizeof *device);
    device->threads = threads;
    search.device = device;
    search.options.beam = beam;
    return search;
}

/* Sentences of like length. */
static struct dgm_packed packed(int32_t *offsets, int32_t count)
{
    struct dgm_packed source;

    memset(&source, 0, sizeof source);
    for (int32_t s = 0; s <= count; s++)
        offsets[s] = LENGTH * s;
    source.offsets = offsets;
    source.count = count;
    return source;
}

/* Hypotheses of a batch where so many tokens may be searched together. */
static int64_t rows_of(int threads, int workers, int beam, int32_t count, int64_t most)
{
    static int32_t offsets[SENTENCES + 1];
    struct dgm_device device;
    const struct dgm_search search = search_of(&device, threads, beam);
    const struct dgm_packed source = packed(offsets, count);

    return dgm_search_share(&search, &source, most, workers) / LENGTH * beam;
}

TEST(search_shares_have_as_many_hypotheses_as_are_fast)
{
    const int64_t one = rows_of(1, 1, 5, 100, 2000), many = rows_of(1, 1, 5, SENTENCES, 2000);

    CHECK(one >= 120 && one <= 170);
    CHECK(many >= 120 && many <= 175);
    /* Two workers, each with as many; one that both threads help has twice as many. */
    CHECK(rows_of(2, 2, 5, 100, 2000) <= 170);
    CHECK(rows_of(2, 2, 5, SENTENCES, 2000) >= 120);
    CHECK(rows_of(2, 1, 5, SENTENCES, 2000) >= 240);
    CHECK(rows_of(2, 1, 5, SENTENCES, 2000) <= 350);
}

/* Where tokens allow for few, and on devices that like many, it is they that count. */
TEST(search_shares_never_exceed_the_tokens_asked_for)
{
    CHECK(rows_of(1, 1, 1, SENTENCES, 2000) > 135);
    CHECK(rows_of(1, 1, 5, SENTENCES, 280) <= 100);
    CHECK_INT(rows_of(0, 1, 5, SENTENCES, 2000), 2000 / LENGTH * 5);
}
