/* tally.c: lossy counting: words go by halves, and those that come later are known to be late. */
#include "text/bpe/tally.h"

#include "base/mem.h"
#include "text/bpe/word_counts.h"

static size_t size_of(const struct dgm_tally *tally)
{
    const struct dgm_map *counts = &tally->counts;

    return counts->capacity * sizeof *counts->entries + counts->slot_count * sizeof *counts->slots +
           counts->byte_capacity + tally->missed_capacity * sizeof *tally->missed;
}

/* The most that a word may have occurred. */
static int64_t most_of(const struct dgm_tally *tally, size_t i)
{
    const int64_t value = tally->counts.entries[i].value;
    const int64_t missed = tally->missed != NULL ? tally->missed[i] : 0;

    return value > INT64_MAX - missed ? INT64_MAX : value + missed;
}

static dgm_status note_missed(struct dgm_env *env, struct dgm_tally *tally, size_t entry,
                              int64_t missed)
{
    DGM_TRY(dgm_reserve(env, &tally->missed, &tally->missed_capacity, entry + 1,
                        sizeof *tally->missed));
    tally->missed[entry] = missed;
    return DGM_OK;
}

/* All arrays may double before this is asked again, each being there twice meanwhile; then half of
 * the words is there twice while the others go. */
static int is_full(const struct dgm_tally *tally)
{
    return tally->limit > 0 && size_of(tally) > tally->limit / 4;
}

/* ---- dropping -------------------------------------------------------------------------------- */

static size_t count_above(const struct dgm_tally *tally, int64_t bound)
{
    size_t i, count = 0;

    for (i = 0; i < tally->counts.count; i++)
        count += most_of(tally, i) > bound;
    return count;
}

/* The bound that at most half of the words exceed: some number above that of the last time. */
static int64_t find_bound(const struct dgm_tally *tally)
{
    int64_t bound = tally->lost + 1;

    while (count_above(tally, bound) > tally->counts.count / 2)
        bound = bound < INT64_MAX / 2 ? bound + bound / 4 + 1 : INT64_MAX;
    return bound;
}

static dgm_status copy_above(struct dgm_env *env, struct dgm_tally *kept,
                             const struct dgm_tally *tally, int64_t bound)
{
    struct dgm_map_entry *entry;

    for (size_t i = 0; i < tally->counts.count; i++) {
        const struct dgm_map_entry *from = &tally->counts.entries[i];

        if (most_of(tally, i) <= bound)
            continue;
        DGM_TRY(dgm_map_insert(env, &kept->counts, dgm_map_key(&tally->counts, from), from->length,
                               &entry, NULL));
        entry->value = from->value;
        DGM_TRY(note_missed(env, kept, kept->counts.count - 1, most_of(tally, i) - from->value));
    }
    return DGM_OK;
}

static dgm_status drop_half(struct dgm_env *env, struct dgm_tally *tally)
{
    struct dgm_tally kept = { .limit = tally->limit };
    dgm_status status;

    kept.lost = find_bound(tally);
    status = copy_above(env, &kept, tally, kept.lost);
    if (status != DGM_OK) {
        dgm_tally_clear(env, &kept);
        return status;
    }
    dgm_tally_clear(env, tally);
    *tally = kept;
    return DGM_OK;
}

/* ---- counting -------------------------------------------------------------------------------- */

dgm_status dgm_tally_word(struct dgm_env *env, struct dgm_tally *tally, const char *word,
                          size_t bytes)
{
    struct dgm_map_entry *entry;
    int is_new;

    DGM_TRY(dgm_map_insert(env, &tally->counts, word, bytes, &entry, &is_new));
    entry->value += entry->value < INT64_MAX;
    if (is_new && tally->lost > 0)
        DGM_TRY(note_missed(env, tally, tally->counts.count - 1, tally->lost));
    return is_new && is_full(tally) ? drop_half(env, tally) : DGM_OK;
}

dgm_status dgm_tally_line(struct dgm_env *env, struct dgm_tally *tally, const char *line,
                          size_t bytes)
{
    const char *word;
    size_t at = 0, length;

    while (dgm_word_counts_next(line, bytes, &at, &word, &length))
        DGM_TRY(dgm_tally_word(env, tally, word, length));
    return DGM_OK;
}

dgm_status dgm_tally_load(struct dgm_env *env, struct dgm_tally *tally, const char *path)
{
    size_t entry = tally->counts.count;

    DGM_TRY(dgm_word_counts_load(env, &tally->counts, path));
    for (; tally->lost > 0 && entry < tally->counts.count; entry++)
        DGM_TRY(note_missed(env, tally, entry, tally->lost));
    return is_full(tally) ? drop_half(env, tally) : DGM_OK;
}

void dgm_tally_warn(struct dgm_env *env, const struct dgm_tally *tally, const char *what)
{
    if (tally->lost > 0)
        dgm_log(env, DGM_LOG_WARNING,
                "there are too many different %s for --count-memory: those that occur %lld times "
                "or less may be missing, and counts are too low by as much at most",
                what, (long long)tally->lost);
}

void dgm_tally_clear(struct dgm_env *env, struct dgm_tally *tally)
{
    dgm_map_clear(env, &tally->counts);
    dgm_release(env, tally->missed);
    tally->missed = NULL;
    tally->missed_capacity = 0;
    tally->lost = 0;
}
