/*
 * fit.c: the largest number of tokens that fits: doubled until one does not, then halved between.
 *
 * What is asked next follows from the answers alone. So with more memory the search takes the same
 * way up to an answer that is now a yes, and everything that it may end with from there is larger.
 */
#include "train/plan/fit.h"

/* Numbers below ONES go up by one; FIRST: the first that is doubled. */
enum { DIGITS = 32, ONES = 2 * DIGITS, FIRST = 64 };

/* Zeros behind the leading digits. */
static int zeros_of(int64_t tokens)
{
    int zeros = 0;

    for (; tokens >= ONES; tokens /= 2)
        zeros++;
    return zeros;
}

/* 0, 1, 2 .. for the numbers in their order, and back. */
static int64_t place_of(int64_t tokens)
{
    const int zeros = zeros_of(tokens);

    return (int64_t)DIGITS * zeros + (tokens >> zeros);
}

static int64_t number_at(int64_t place)
{
    const int zeros = place < ONES ? 0 : (int)(place / DIGITS) - 1;

    return (place - (int64_t)DIGITS * zeros) << zeros;
}

int64_t dgm_fit_next(int64_t tokens)
{
    return number_at(place_of(tokens) + 1);
}

static int64_t twice(int64_t tokens, int64_t most)
{
    if (tokens < FIRST)
        return FIRST < most ? FIRST : most;
    return tokens < most / 2 ? 2 * tokens : most;
}

/* What is known: `low` fits, or is 0; `high` does not, or is 0. */
struct search {
    dgm_fit_fn fits;
    void *user;
    int64_t low, high;
    int is_over; /* more than `low` would change nothing */
};

static dgm_status try_one(struct search *search, int64_t tokens)
{
    int fits = 0, is_all = 0;

    DGM_TRY(search->fits(search->user, tokens, &fits, &is_all));
    if (fits)
        search->low = tokens;
    else
        search->high = tokens;
    search->is_over = fits && is_all;
    return DGM_OK;
}

dgm_status dgm_fit_find(dgm_fit_fn fits, void *user, int64_t most, int64_t *tokens)
{
    struct search search = { .fits = fits, .user = user };

    for (int64_t next = 1; search.low < most && search.high == 0 && !search.is_over;
         next = twice(next, most))
        DGM_TRY(try_one(&search, next));
    while (search.low > 0 && search.high > 0 && !search.is_over &&
           dgm_fit_next(search.low) < search.high)
        DGM_TRY(try_one(&search, number_at((place_of(search.low) + place_of(search.high)) / 2)));
    *tokens = search.low;
    return DGM_OK;
}
