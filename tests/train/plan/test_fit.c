/*
 * test_fit.c: the number that is found fits, the next one does not, and more memory never gives a
 * smaller one.
 */
#include "train/plan/fit.h"

#include <string.h>

#include "test.h"

enum { MOST = 1 << 24 };

/* Fits where tokens, and what is drawn for them, are within the limit. */
struct memory {
    int64_t limit, bumps; /* bumps: of the need, in hundredths of it */
    int64_t all;          /* from here on more would change nothing; 0: never */
    int asked;
    dgm_status status;
};

static int64_t need_of(const struct memory *memory, int64_t tokens)
{
    const uint64_t drawn = (uint64_t)tokens * 0x9E3779B97F4A7C15U >> 40;

    return tokens * 100 + tokens * (int64_t)(drawn % (uint64_t)(memory->bumps + 1));
}

static dgm_status fits_in(void *user, int64_t tokens, int *fits, int *is_all)
{
    struct memory *memory = user;

    memory->asked++;
    *fits = need_of(memory, tokens) <= memory->limit;
    *is_all = memory->all > 0 && tokens >= memory->all;
    return memory->status;
}

static int64_t find(struct memory *memory)
{
    int64_t tokens = 0;

    memory->asked = 0;
    return dgm_fit_find(fits_in, memory, MOST, &tokens) == memory->status ? tokens : -1;
}

TEST(fit_tries_numbers_of_six_digits)
{
    int64_t number = 0, next;

    for (; number < 64; number++)
        CHECK_INT(dgm_fit_next(number), number + 1);
    CHECK_INT(dgm_fit_next(64), 66);
    CHECK_INT(dgm_fit_next(126), 128);
    CHECK_INT(dgm_fit_next(128), 132);
    CHECK_INT(dgm_fit_next(4032), 4096);
    CHECK_INT(dgm_fit_next(4096), 4224);
    for (; number < MOST; number = next) {
        next = dgm_fit_next(number);
        CHECK(next > number && (next - number) * 32 <= number);
    }
    CHECK_INT(number, MOST);
}

TEST(fit_finds_the_largest_number)
{
    struct memory memory = { 0 };
    int64_t number, next;

    for (number = 0; number < MOST; number = next) {
        next = dgm_fit_next(number);
        memory.limit = 100 * number;
        CHECK_INT(find(&memory), number);
        memory.limit = 100 * next - 1;
        CHECK_INT(find(&memory), number);
        CHECK(memory.asked <= 30);
    }
    memory.limit = (int64_t)1000 * MOST;
    CHECK_INT(find(&memory), MOST);
}

/* Needs that go up and down by a tenth: batches of more tokens may happen to be smaller. */
TEST(fit_finds_no_less_with_more_memory)
{
    struct memory memory = { .bumps = 10 };
    int64_t before = 0, tokens;

    for (memory.limit = 50; memory.limit < 20000000; memory.limit += memory.limit / 97 + 1) {
        tokens = find(&memory);
        CHECK(tokens >= before);
        CHECK(tokens == 0 || need_of(&memory, tokens) <= memory.limit);
        CHECK(need_of(&memory, dgm_fit_next(tokens)) > memory.limit);
        before = tokens;
    }
    CHECK(before > 100000);
}

TEST(fit_ends_where_more_changes_nothing)
{
    struct memory memory = { .limit = (int64_t)1000 * MOST, .all = 3000 };

    CHECK_INT(find(&memory), 4096);
    memory.limit = 100 * 3500;
    CHECK(find(&memory) >= 3000);
    memory.all = 1;
    CHECK_INT(find(&memory), 1);
    CHECK_INT(memory.asked, 1);
    memory.limit = 99;
    CHECK_INT(find(&memory), 0);
}

TEST(fit_forwards_an_error)
{
    struct memory memory = { .limit = 1000, .status = DGM_INTERRUPTED };

    CHECK_INT(find(&memory), 0);
    CHECK_INT(memory.asked, 1);
}
