/*
 * test_key_cache.c: every hypothesis finds the rows of its past, however often these have moved,
 * and the cache is as large as what lives needs.
 */
#include <string.h>

#include "base/philox.h"
#include "model/transformer/key_cache.h"
#include "open_device.h"
#include "test.h"

enum { LAYERS = 3, WIDTH = 4, MOST_COUNT = 40, STEPS = 120 };

struct case_ {
    struct dgm_device *device;
    struct dgm_key_cache cache;
    struct dgm_feed feed;
    int32_t pasts[MOST_COUNT][STEPS]; /* what each hypothesis has read */
    int32_t names;                    /* rows written so far */
    int64_t largest;
};

static dgm_status open_case(struct case_ *c, int64_t most)
{
    memset(c, 0, sizeof *c);
    DGM_TRY(open_device(test_env(), &c->device, 2));
    dgm_feed_init(&c->feed, c->device);
    DGM_TRY(dgm_key_cache_init(test_env(), &c->cache, c->device, LAYERS, WIDTH));
    dgm_key_cache_begin(&c->cache, most);
    return DGM_OK;
}

static void close_case(struct case_ *c)
{
    dgm_key_cache_clear(test_env(), &c->cache);
    dgm_feed_clear(test_env(), &c->feed);
    dgm_device_close(test_env(), c->device);
}

/* A step as a decoder makes it: each hypothesis writes a row with a name of its own. */
static dgm_status step(struct case_ *c, int64_t count, int64_t steps)
{
    DGM_TRY(dgm_key_cache_extend(test_env(), &c->cache, &c->feed, count, steps));
    for (int64_t r = 0; r < count; r++) {
        c->pasts[r][steps] = c->names++;
        for (int l = 0; l < LAYERS; l++) {
            const dgm_real name = (dgm_real)(LAYERS * c->pasts[r][steps] + l);
            const dgm_real row[WIDTH] = { name, -name, name, 1 };
            DGM_TRY(dgm_device_write(test_env(), c->device,
                                     dgm_key_cache_row(&c->cache, l, c->cache.rows + r), row,
                                     sizeof row));
        }
    }
    c->cache.rows += count;
    c->largest = c->cache.capacity > c->largest ? c->cache.capacity : c->largest;
    return DGM_OK;
}

static dgm_status choose(struct case_ *c, const int32_t *from, int64_t count, int64_t steps)
{
    static int32_t old[MOST_COUNT][STEPS];

    memcpy(old, c->pasts, sizeof old);
    for (int64_t r = 0; r < count; r++)
        memcpy(c->pasts[r], old[from[r]], sizeof old[0]);
    return dgm_key_cache_select(test_env(), &c->cache, from, count, steps);
}

static void check_pasts(struct case_ *c, int64_t count, int64_t steps)
{
    dgm_real row[WIDTH];

    for (int64_t r = 0; r < count; r++)
        for (int64_t t = 0; t < steps; t++)
            for (int l = 0; l < LAYERS; l++) {
                const int64_t place = c->cache.past[r * steps + t];
                CHECK(place < c->cache.rows);
                CHECK_STATUS(dgm_device_read(test_env(), c->device, row,
                                             dgm_key_cache_row(&c->cache, l, place), sizeof row),
                             DGM_OK);
                CHECK_NEAR(row[0], LAYERS * c->pasts[r][t] + l, 0);
                CHECK_NEAR(row[WIDTH - 1], 1, 0);
            }
}

/* A beam: the next hypotheses continue some of these, and in the end there are fewer. */
static void run_beam(struct case_ *c, int64_t steps, uint64_t seed)
{
    struct dgm_random random;
    int32_t from[MOST_COUNT];
    int64_t count = MOST_COUNT;

    dgm_random_init(&random, seed, 0, 0, 0);
    c->names = 0;
    for (int64_t t = 0; t < steps; t++) {
        CHECK_STATUS(step(c, count, t), DGM_OK);
        if (t % 7 == 0 || t + 1 == steps)
            check_pasts(c, count, t + 1);
        if (t > steps / 2 && count > 4)
            count--;
        for (int64_t r = 0; r < count; r++)
            from[r] = (int32_t)dgm_random_below(&random, (uint32_t)count);
        CHECK_STATUS(choose(c, from, count, t + 1), DGM_OK);
    }
}

TEST(key_cache_keeps_pasts_and_forgets_what_nobody_has)
{
    static struct case_ c;

    CHECK_STATUS(open_case(&c, 0), DGM_OK);
    run_beam(&c, STEPS, 1);
    CHECK(c.names > 3000);
    CHECK(c.largest < 600);
    dgm_key_cache_begin(&c.cache, (int64_t)MOST_COUNT * STEPS);
    run_beam(&c, STEPS, 2);
    CHECK(c.largest < 600);
    close_case(&c);
}

/* Where a batch can need little, the cache never exceeds that. */
TEST(key_cache_takes_no_more_than_a_batch_can_need)
{
    static struct case_ c;

    CHECK_STATUS(open_case(&c, MOST_COUNT * 5), DGM_OK);
    run_beam(&c, 5, 3);
    CHECK(c.largest <= MOST_COUNT * 5);
    close_case(&c);
}
