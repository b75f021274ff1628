/*
 * substrings.c: repeated substrings from a suffix array.
 *
 * Suffixes are sorted by more characters than a piece may have, so that one that only longer ones
 * begin with is told from a piece: by one character, then by 2, 4, 8, 16 and 32, each time by the
 * ranks of both halves (Manber and Myers 1993).
 * What lies behind the end of a stretch takes part in the sorting, and is never compared: it only
 * orders suffixes that are the same. An interval of suffixes that share a beginning is a repeated
 * substring (Kasai et al. 2001). So is a stretch that is there twice; its ends are none, where no
 * other stretch has them.
 */
#include "text/spm_learn/substrings.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "text/unicode/utf8.h"

enum { COMPARED = DGM_SPM_LONGEST_PIECE + 1 };

/* All stretches, each with one place behind it. Arrays are by place, in characters. */
struct places {
    struct dgm_buf text;
    uint32_t *codes;  /* the number of the character, from 1; 0: behind a stretch */
    uint32_t *offset; /* its byte in the text */
    uint32_t *of;     /* the number of the stretch */
    uint32_t *order, *rank, *other, *buckets;
    size_t count;
    const struct dgm_spm_sorted *stretches;
};

struct candidate {
    uint32_t place, characters;
    double score;
};

struct candidates {
    struct candidate *items;
    size_t count, capacity;
};

/* ---- places --------------------------------------------------------------------------------- */

static dgm_status count_places(struct dgm_env *env, const struct dgm_spm_sorted *stretches,
                               size_t count, size_t *places)
{
    uint64_t sum = 0;

    for (size_t i = 0; i < count; i++)
        sum += dgm_utf8_length(stretches[i].text, stretches[i].bytes) + 1;
    if (sum >= INT32_MAX)
        return dgm_fail(env, DGM_DATA,
                        "%llu characters in stretches that differ; expected fewer than 2147483647: "
                        "learn from a sample of the lines",
                        (unsigned long long)sum);
    *places = (size_t)sum;
    return DGM_OK;
}

static dgm_status allocate(struct dgm_env *env, struct places *places, size_t characters)
{
    const size_t count = places->count, buckets = (count > characters ? count : characters) + 2;

    uint32_t **arrays[] = { &places->codes, &places->offset, &places->of,
                            &places->order, &places->rank,   &places->other };

    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++)
        DGM_TRY(dgm_new(env, arrays[i], count, sizeof(uint32_t)));
    return dgm_new(env, &places->buckets, buckets, sizeof(uint32_t));
}

static dgm_status fill(struct dgm_env *env, struct places *places, size_t stretches,
                       const struct dgm_map *characters)
{
    size_t at = 0;
    uint32_t code;

    for (size_t i = 0; i < stretches; i++) {
        const struct dgm_spm_sorted *stretch = &places->stretches[i];
        size_t byte = 0, bytes;

        for (; byte < stretch->bytes; byte += bytes, at++) {
            const struct dgm_map_entry *entry;

            bytes = dgm_utf8_decode(&code, stretch->text + byte, stretch->bytes - byte);
            entry = dgm_map_find(characters, stretch->text + byte, bytes);
            places->codes[at] = 1 + (uint32_t)(entry - characters->entries);
            places->offset[at] = (uint32_t)(places->text.size + byte);
            places->of[at] = (uint32_t)i;
        }
        DGM_TRY(dgm_buf_add(env, &places->text, stretch->text, stretch->bytes));
        places->offset[at] = (uint32_t)places->text.size;
        places->of[at++] = (uint32_t)i;
    }
    return DGM_OK;
}

static void clear(struct dgm_env *env, struct places *places)
{
    dgm_buf_clear(env, &places->text);
    dgm_release(env, places->codes);
    dgm_release(env, places->offset);
    dgm_release(env, places->of);
    dgm_release(env, places->order);
    dgm_release(env, places->rank);
    dgm_release(env, places->other);
    dgm_release(env, places->buckets);
}

/* ---- sorting -------------------------------------------------------------------------------- */

/* Sorts the places of `from` by their ranks (below `ranks`), stably, into places->order. */
static void sort_by_rank(struct places *places, const uint32_t *from, size_t ranks)
{
    uint32_t *start = places->buckets;

    memset(start, 0, (ranks + 1) * sizeof *start);
    for (size_t i = 0; i < places->count; i++)
        start[places->rank[i] + 1]++;
    for (size_t i = 1; i <= ranks; i++)
        start[i] += start[i - 1];
    for (size_t i = 0; i < places->count; i++)
        places->order[start[places->rank[from[i]]]++] = from[i];
}

static uint32_t rank_behind(const struct places *places, size_t place, size_t step)
{
    return place + step < places->count ? 1 + places->rank[place + step] : 0;
}

/* New ranks by both halves, from the order. Returns how many there are. */
static size_t rank_again(struct places *places, size_t step)
{
    const uint32_t *order = places->order;
    uint32_t *rank = places->rank, *fresh = places->other, next = 0;

    for (size_t i = 0; i < places->count; i++) {
        if (i > 0 &&
            (rank[order[i]] != rank[order[i - 1]] ||
             rank_behind(places, order[i], step) != rank_behind(places, order[i - 1], step)))
            next++;
        fresh[order[i]] = next;
    }
    places->rank = fresh;
    places->other = rank;
    return (size_t)next + 1;
}

/* The places in the order of their second halves. */
static void order_by_second(const struct places *places, uint32_t *out, size_t step)
{
    size_t count = 0;

    for (size_t i = places->count > step ? places->count - step : 0; i < places->count; i++)
        out[count++] = (uint32_t)i;
    for (size_t i = 0; i < places->count; i++)
        if (places->order[i] >= step)
            out[count++] = (uint32_t)(places->order[i] - step);
}

static void sort(struct places *places, size_t characters)
{
    size_t ranks = characters + 1;

    for (size_t i = 0; i < places->count; i++) {
        places->rank[i] = places->codes[i];
        places->other[i] = (uint32_t)i;
    }
    sort_by_rank(places, places->other, ranks);
    for (size_t step = 1; step < COMPARED; step *= 2) {
        order_by_second(places, places->other, step);
        sort_by_rank(places, places->other, ranks);
        ranks = rank_again(places, step);
    }
}

/* ---- intervals ------------------------------------------------------------------------------ */

/* Characters that the suffixes at two places have in common; with one place twice, all of it. */
static uint32_t common(const struct places *places, uint32_t a, uint32_t b)
{
    uint32_t count = 0;

    while (count < COMPARED && places->codes[a + count] != 0 &&
           places->codes[a + count] == places->codes[b + count])
        count++;
    return count;
}

static dgm_status offer(struct dgm_env *env, struct candidates *candidates, uint32_t place,
                        uint32_t characters, int64_t times)
{
    if (characters < 2 || characters > DGM_SPM_LONGEST_PIECE || times < 2)
        return DGM_OK;
    DGM_TRY(dgm_grow(env, &candidates->items, &candidates->capacity, candidates->count,
                     sizeof *candidates->items));
    candidates->items[candidates->count++] =
        (struct candidate){ place, characters, (double)times * (double)characters };
    return DGM_OK;
}

/* Intervals that are open, each inside the one below it. */
struct open_intervals {
    uint32_t common[COMPARED + 1];
    int64_t times[COMPARED + 1];
    int count;
};

/* The suffix at `place` is over, and has `next` characters in common with the one behind it. */
static dgm_status close_intervals(struct dgm_env *env, struct open_intervals *open,
                                  struct candidates *candidates, uint32_t place, uint32_t next,
                                  int64_t times)
{
    while (open->count > 0 && open->common[open->count - 1] > next) {
        times += open->times[--open->count];
        DGM_TRY(offer(env, candidates, place, open->common[open->count], times));
    }
    if (open->count > 0 && open->common[open->count - 1] == next) {
        open->times[open->count - 1] += times;
    } else if (next > 0) {
        open->common[open->count] = next;
        open->times[open->count++] = times;
    }
    return DGM_OK;
}

static int begins_stretch(const struct places *places, uint32_t place)
{
    return place == 0 || places->codes[place - 1] == 0;
}

static dgm_status find(struct dgm_env *env, const struct places *places,
                       struct candidates *candidates)
{
    struct open_intervals open = { .count = 0 };
    uint32_t before = 0, next;

    for (size_t i = 0; i < places->count; i++, before = next) {
        const uint32_t place = places->order[i];
        const int64_t times = places->stretches[places->of[place]].count;
        const uint32_t all = common(places, place, place);

        next = i + 1 < places->count ? common(places, place, places->order[i + 1]) : 0;
        if (all > before && all > next && begins_stretch(places, place))
            DGM_TRY(offer(env, candidates, place, all, times));
        DGM_TRY(close_intervals(env, &open, candidates, place, next, times));
    }
    return DGM_OK;
}

/* ---- the best ------------------------------------------------------------------------------- */

static int compare(const void *a, const void *b)
{
    const struct candidate *one = a, *other = b;

    if (one->score != other->score)
        return one->score > other->score ? -1 : 1;
    if (one->place != other->place)
        return one->place < other->place ? -1 : 1;
    return (one->characters < other->characters) - (one->characters > other->characters);
}

static dgm_status add_best(struct dgm_env *env, const struct places *places,
                           struct candidates *candidates, size_t most,
                           struct dgm_spm_learned_set *set)
{
    qsort(candidates->items, candidates->count, sizeof *candidates->items, compare);
    for (size_t i = 0; i < candidates->count && i < most; i++) {
        const struct candidate *item = &candidates->items[i];
        const uint32_t start = places->offset[item->place];

        DGM_TRY(dgm_spm_learned_add(env, set, places->text.data + start,
                                    places->offset[item->place + item->characters] - start,
                                    item->score));
    }
    return DGM_OK;
}

dgm_status dgm_spm_substrings(struct dgm_env *env, const struct dgm_spm_sorted *stretches,
                              size_t count, const struct dgm_map *characters, size_t most,
                              struct dgm_spm_learned_set *set)
{
    struct candidates candidates = { NULL, 0, 0 };
    struct places places = { .stretches = stretches };
    dgm_status status;

    DGM_TRY_OUT(count_places(env, stretches, count, &places.count));
    DGM_TRY_OUT(allocate(env, &places, characters->count));
    DGM_TRY_OUT(fill(env, &places, count, characters));
    sort(&places, characters->count);
    DGM_TRY_OUT(find(env, &places, &candidates));
    if (candidates.count > 0)
        status = add_best(env, &places, &candidates, most, set);
out:
    clear(env, &places);
    dgm_release(env, candidates.items);
    return status;
}
