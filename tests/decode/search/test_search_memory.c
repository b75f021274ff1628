/*
 * test_search_memory.c: how sentences are shared out: batches of as many hypotheses as are fast,
 * and no more, which would only take memory.
 */
#include "decode/search/search_memory.h"

#include <string.h>

#include "test.h"

enum { SENTENCES = 1000 };

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

/* Lengths as texts have them, from the longest, 81, to the shortest, 14. */
static int32_t length_of(int32_t s, int32_t count)
{
    return 3 + 78 / (1 + 7 * s / count);
}

static struct dgm_packed packed(int32_t *offsets, int32_t count)
{
    struct dgm_packed source;

    memset(&source, 0, sizeof source);
    offsets[0] = 0;
    for (int32_t s = 0; s < count; s++)
        offsets[s + 1] = offsets[s] + length_of(s, count);
    source.offsets = offsets;
    source.count = count;
    return source;
}

/* What sentences are cut into: batches, of which the first ones are the longest. */
struct cut {
    int64_t batches, least, most; /* rows of any batch but the last, and of any */
    int64_t tokens;               /* of the largest */
};

static struct cut cut_by(const struct dgm_packed *source, struct dgm_search_share share, int beam)
{
    struct cut cut = { 0, INT64_MAX, 0, 0 };

    for (int32_t s = 0; s < source->count; cut.batches++) {
        int64_t rows = 0, tokens = 0, n = length_of(s, source->count);

        for (; s < source->count &&
               (rows == 0 || (rows + beam <= share.rows && tokens + n <= share.tokens));
             s++) {
            rows += beam;
            tokens += n;
            n = length_of(s + 1, source->count);
        }
        cut.most = rows > cut.most ? rows : cut.most;
        cut.tokens = tokens > cut.tokens ? tokens : cut.tokens;
        if (s < source->count && rows < cut.least)
            cut.least = rows;
    }
    return cut;
}

static struct cut cut_of(int threads, int workers, int beam, int32_t count, int64_t most)
{
    static int32_t offsets[SENTENCES + 1];
    struct dgm_device device;
    const struct dgm_search search = search_of(&device, threads, beam);
    const struct dgm_packed source = packed(offsets, count);

    return cut_by(&source, dgm_search_share(&search, &source, most, workers), beam);
}

/* Long sentences and short ones: as many rows of each. */
TEST(search_batches_have_as_many_hypotheses_as_are_fast)
{
    const struct cut one = cut_of(1, 1, 5, SENTENCES, 4000), two = cut_of(2, 2, 5, SENTENCES, 8000);
    const struct cut both = cut_of(2, 1, 5, SENTENCES, 8000);

    CHECK(one.least >= 120 && one.most <= 160);
    CHECK(two.least >= 120 && two.most <= 160);
    CHECK_INT(two.batches % 2, 0);
    CHECK(both.least >= 240 && both.most <= 320);
}

/* With a batch or two for each worker, all shall take the same time: tokens count. */
TEST(few_search_batches_are_cut_by_tokens)
{
    const struct cut cut = cut_of(2, 2, 5, 60, 8000);

    CHECK_INT(cut.batches, 2);
    CHECK(cut.least < cut.most && cut.most <= 320);
}

/* Where tokens allow for few, and on devices that like many, it is they that count. */
TEST(search_batches_never_exceed_the_tokens_asked_for)
{
    CHECK(cut_of(1, 1, 5, SENTENCES, 280).tokens <= 280);
    CHECK(cut_of(1, 1, 5, SENTENCES, 280).most <= 280);
    CHECK(cut_of(0, 1, 5, SENTENCES, 4000).tokens > 3800);
    CHECK(cut_of(0, 1, 5, SENTENCES, 4000).most > 1000);
}
