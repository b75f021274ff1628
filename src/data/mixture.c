/*
 * mixture.c: how often each pair comes in an epoch.
 */
#include "data/mixture.h"

#include <math.h>
#include <string.h>

#include "base/mem.h"
#include "base/number/own_math.h"
#include "base/philox.h"

enum { STREAM_MIXTURE = 53 };

/* ---- shares ---------------------------------------------------------------------------------- */

double dgm_mixture_weight(int64_t pairs, int64_t all, double temperature)
{
    return dgm_own_exp(dgm_own_log((double)pairs / (double)all) / temperature);
}

/* The text whose share was cut most, of those that have not got one more pair yet. */
static size_t find_cut(const struct dgm_mixture *mixture, const double *rests)
{
    size_t found = 0;

    for (size_t i = 1; i < mixture->count; i++)
        if (rests[i] > rests[found])
            found = i;
    return found;
}

/* Whole numbers that sum up to `all`, by largest remainders. rests: (count) scratch. */
static void share_out(struct dgm_mixture *mixture, const double *weights, int64_t all,
                      double *rests)
{
    double sum = 0;
    int64_t left = all;

    for (size_t i = 0; i < mixture->count; i++)
        sum += weights[i];
    for (size_t i = 0; i < mixture->count; i++) {
        const double share = (double)all * (weights[i] / sum), whole = floor(share);

        mixture->texts[i].wanted = (int64_t)whole;
        rests[i] = share - whole;
        left -= mixture->texts[i].wanted;
    }
    for (; left > 0; left--) {
        const size_t i = find_cut(mixture, rests);
        mixture->texts[i].wanted++;
        rests[i] = -1;
    }
}

static void draw_starts(struct dgm_mixture *mixture, uint64_t seed)
{
    struct dgm_random random;

    for (size_t i = 0; i < mixture->count; i++) {
        dgm_random_init(&random, seed, STREAM_MIXTURE, (uint32_t)i, 0);
        mixture->texts[i].start = dgm_random_below(&random, (uint32_t)mixture->texts[i].pairs);
    }
}

static dgm_status check_shares(struct dgm_env *env, const struct dgm_mixture *mixture, size_t *bad)
{
    for (size_t i = 0; i < mixture->count; i++) {
        const struct dgm_mixture_text *text = &mixture->texts[i];

        *bad = i;
        if (text->wanted == 0)
            return dgm_fail(env, DGM_USAGE, "its share of an epoch is no pair");
        if (text->wanted > text->pairs * DGM_MIXTURE_MOST)
            return dgm_fail(env, DGM_USAGE,
                            "its share of an epoch has each pair %lld times; expected at most %d",
                            (long long)(text->wanted / text->pairs), (int)DGM_MIXTURE_MOST);
    }
    return DGM_OK;
}

dgm_status dgm_mixture_init(struct dgm_env *env, struct dgm_mixture *mixture,
                            const struct dgm_text_part *parts, const double *weights, size_t count,
                            uint64_t seed, size_t *bad)
{
    double *rests = NULL;
    int64_t first = 0;
    dgm_status status;

    memset(mixture, 0, sizeof *mixture);
    *bad = 0;
    DGM_TRY_OUT(dgm_new(env, &rests, count, sizeof *rests));
    DGM_TRY_OUT(dgm_new(env, &mixture->texts, count, sizeof *mixture->texts));
    mixture->count = count;
    for (size_t i = 0; i < count; i++) {
        mixture->texts[i] = (struct dgm_mixture_text){ .first = first, .pairs = parts[i].pairs };
        first += parts[i].pairs;
    }
    share_out(mixture, weights, first, rests);
    draw_starts(mixture, seed);
    status = check_shares(env, mixture, bad);
out:
    dgm_release(env, rests);
    return status;
}

void dgm_mixture_clear(struct dgm_env *env, struct dgm_mixture *mixture)
{
    dgm_release(env, mixture->texts);
    memset(mixture, 0, sizeof *mixture);
}

/* ---- pairs ----------------------------------------------------------------------------------- */

/* How often the pairs of a text before `pair` come in an epoch, but for a constant. All factors are
 * below 2^32 and 2^31. */
static int64_t times_before(const struct dgm_mixture_text *text, int64_t pair, int64_t epoch)
{
    const int64_t place = pair - text->first + epoch % text->pairs;

    /* Over any `pairs` places in a row the times add up to `wanted`; the epoch moves the pairs that
     * come once more than others. */
    return (place * text->wanted + text->start) / text->pairs;
}

static int64_t times_of(const struct dgm_mixture_text *text, int64_t pair, int64_t epoch)
{
    return times_before(text, pair + 1, epoch) - times_before(text, pair, epoch);
}

int64_t dgm_mixture_times(const struct dgm_mixture *mixture, int64_t pair, int64_t epoch)
{
    size_t low = 0, high = mixture->count;

    while (high - low > 1) {
        const size_t middle = low + (high - low) / 2;
        if (mixture->texts[middle].first <= pair)
            low = middle;
        else
            high = middle;
    }
    return times_of(&mixture->texts[low], pair, epoch);
}

/* The pairs of a text within first .. end - 1; 0: there are none. */
static int cut(const struct dgm_mixture_text *text, int64_t *first, int64_t *end)
{
    if (*first < text->first)
        *first = text->first;
    if (*end > text->first + text->pairs)
        *end = text->first + text->pairs;
    return *first < *end;
}

/* Each comes `whole` times or once more. */
static int64_t pairs_of(const struct dgm_mixture_text *text, int64_t first, int64_t end,
                        int64_t epoch, int64_t pass)
{
    const int64_t whole = text->wanted / text->pairs;

    if (!cut(text, &first, &end) || pass > whole)
        return 0;
    if (pass < whole)
        return end - first;
    return times_before(text, end, epoch) - times_before(text, first, epoch) -
           whole * (end - first);
}

int64_t dgm_mixture_pairs(const struct dgm_mixture *mixture, int64_t first, int64_t end,
                          int64_t epoch, int64_t pass)
{
    int64_t pairs = 0;

    for (size_t i = 0; i < mixture->count; i++)
        pairs += pairs_of(&mixture->texts[i], first, end, epoch, pass);
    return pairs;
}

int64_t dgm_mixture_most(const struct dgm_mixture *mixture, int64_t first, int64_t end)
{
    int64_t most = 0;

    for (size_t i = 0; i < mixture->count; i++) {
        const struct dgm_mixture_text *text = &mixture->texts[i];
        const int64_t times = (text->wanted + text->pairs - 1) / text->pairs;
        int64_t from = first, to = end;

        if (cut(text, &from, &to) && times > most)
            most = times;
    }
    return most;
}
