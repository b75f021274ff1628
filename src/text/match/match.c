/* match.c: which characters of two ways of writing one text belong together. */
#include "text/match/match.h"

#include <string.h>

#include "base/mem.h"

/* Both texts from where they are not yet matched. */
struct rest {
    const uint32_t *first, *second;
    size_t first_count, second_count;
};

/* Whether the texts agree again behind that many units of each. */
static int agrees(const struct rest *rest, size_t skip_first, size_t skip_second)
{
    const size_t left = rest->first_count - skip_first, other = rest->second_count - skip_second;
    size_t run = 0;

    while (run < DGM_MATCH_RUN && run < left && run < other &&
           rest->first[skip_first + run] == rest->second[skip_second + run])
        run++;
    return run == DGM_MATCH_RUN || (run == left && run == other);
}

static size_t smaller(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* The shortest stretch of both, of alike parts first, behind which they agree; where there is none
 * in reach, as much as that. */
static void find_stretch(const struct rest *rest, size_t *first, size_t *second)
{
    const size_t most_first = smaller(rest->first_count, DGM_MATCH_REACH);
    const size_t most_second = smaller(rest->second_count, DGM_MATCH_REACH);

    for (size_t sum = 1; sum <= most_first + most_second; sum++)
        for (size_t i = 0; i <= sum; i++) {
            /* From the middle outwards: sum/2, then one less, one more, ... */
            const size_t half = sum / 2, step = (i + 1) / 2;
            const size_t part = i % 2 == 1 ? half + step : half - step;

            if (part > sum || part > most_first || sum - part > most_second ||
                !agrees(rest, part, sum - part))
                continue;
            *first = part;
            *second = sum - part;
            return;
        }
    *first = most_first;
    *second = most_second;
}

/* `count` units of the first text from `at` on become `others` of the second from `place` on. */
static void share(uint32_t *places, size_t at, size_t count, size_t place, size_t others)
{
    for (size_t i = 0; i < count; i++)
        places[at + i] = (uint32_t)(place + i * others / count);
}

/* A text without units may have no memory. */
static const uint32_t *units_from(const struct dgm_written *written, size_t at)
{
    return written->count > 0 ? written->units + at : NULL;
}

dgm_status dgm_match_find(struct dgm_env *env, struct dgm_match *match,
                          const struct dgm_written *first, const struct dgm_written *second)
{
    size_t at = 0, place = 0;

    match->same = 0;
    DGM_TRY(dgm_reserve(env, &match->places, &match->capacity, first->count + 1,
                        sizeof *match->places));
    while (at < first->count || place < second->count) {
        const struct rest rest = { units_from(first, at), units_from(second, place),
                                   first->count - at, second->count - place };
        size_t count = 1, others = 1;

        if (rest.first_count > 0 && rest.second_count > 0 && *rest.first == *rest.second)
            match->same++;
        else
            find_stretch(&rest, &count, &others);
        share(match->places, at, count, place, others);
        at += count;
        place += others;
    }
    match->places[first->count] = (uint32_t)second->count;
    if (first->count > 0)
        match->places[0] = 0;
    return DGM_OK;
}

int dgm_match_is_one_text(const struct dgm_match *match, const struct dgm_written *first,
                          const struct dgm_written *second)
{
    const size_t larger = first->count > second->count ? first->count : second->count;

    return match->same * 10 >= larger * 9;
}

void dgm_match_clear(struct dgm_env *env, struct dgm_match *match)
{
    dgm_release(env, match->places);
    memset(match, 0, sizeof *match);
}
