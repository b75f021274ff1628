/*
 * bpe_learn.c: learning the merge rules of byte pair encoding from word counts.
 *
 * subword-nmt keeps two tables of pairs: a small one of frequent pairs, in which it looks for the
 * best pair, and a full one, to which rare pairs are moved. Counts may go astray on the way between
 * them (a pair that comes back loses what it had before), so the two tables are part of what the
 * learned codes are, and are kept here in the same way.
 */
#include "text/bpe/bpe_learn.h"

#include <string.h>

#include "base/bytes.h"
#include "base/mem.h"
#include "text/bpe/pair_map.h"
#include "text/bpe/word_counts.h"
#include "text/unicode/utf8.h"

/* ---- how often each pair of neighbouring symbols occurs -------------------------------------- */

/* A word of the corpus that holds, or once held, a pair; a list through `next`. */
struct place {
    uint32_t word, next;
};

struct pair {
    int64_t count;                   /* in the small table */
    int64_t full_count;              /* in the full table */
    uint32_t places;                 /* first of its list, or DGM_PAIR_NONE */
    unsigned char is_small, is_full; /* which tables hold it */
};

struct stats {
    struct dgm_map symbols;    /* strings; symbols are entry numbers */
    struct dgm_pair_map pairs; /* (left, right) -> pair */
    struct pair *items;        /* of each pair */
    size_t item_capacity;
    uint32_t *small; /* the pairs of the small table */
    size_t small_count, small_capacity;
    struct place *places;
    size_t place_count, place_capacity;
};

static dgm_status make_small(struct dgm_env *env, struct stats *stats, uint32_t pair, int64_t count)
{
    DGM_TRY(dgm_grow(env, &stats->small, &stats->small_capacity, stats->small_count,
                     sizeof *stats->small));
    stats->small[stats->small_count++] = pair;
    stats->items[pair].is_small = 1;
    stats->items[pair].count = count;
    return DGM_OK;
}

static dgm_status note_place(struct dgm_env *env, struct stats *stats, struct pair *item,
                             uint32_t word)
{
    if (item->places != DGM_PAIR_NONE && stats->places[item->places].word == word)
        return DGM_OK;
    if (stats->place_count >= DGM_PAIR_NONE)
        return dgm_fail(env, DGM_FAILURE, "too much text: more than 2^32 pairs in words");
    DGM_TRY(dgm_grow(env, &stats->places, &stats->place_capacity, stats->place_count,
                     sizeof *stats->places));
    stats->places[stats->place_count] = (struct place){ word, item->places };
    item->places = (uint32_t)stats->place_count++;
    return DGM_OK;
}

/* Adds `change` to the count of (left, right) in the small table; a gain notes the word. */
static dgm_status stats_add(struct dgm_env *env, struct stats *stats, uint32_t left, uint32_t right,
                            int64_t change, uint32_t word)
{
    size_t old = stats->pairs.count;
    struct pair *item;
    uint32_t pair;

    DGM_TRY(dgm_grow(env, &stats->items, &stats->item_capacity, old, sizeof *stats->items));
    DGM_TRY(dgm_pair_map_insert(env, &stats->pairs, &pair, left, right));
    item = &stats->items[pair];
    if (pair == old) {
        memset(item, 0, sizeof *item);
        item->places = DGM_PAIR_NONE;
    }
    if (!item->is_small)
        DGM_TRY(make_small(env, stats, pair, 0));
    item->count += change;
    return change > 0 ? note_place(env, stats, item, word) : DGM_OK;
}

static int compare_symbols(const struct stats *stats, uint32_t a, uint32_t b)
{
    const struct dgm_map_entry *x = &stats->symbols.entries[a], *y = &stats->symbols.entries[b];

    return dgm_bytes_compare(dgm_map_key(&stats->symbols, x), x->length,
                             dgm_map_key(&stats->symbols, y), y->length);
}

/*
 * String order of UTF-8 is the order of code points, which is Python's order of
 * strings.
 */
static int is_greater(const struct stats *stats, uint32_t a, uint32_t b)
{
    const struct dgm_pair_map *pairs = &stats->pairs;
    int order = compare_symbols(stats, dgm_pair_map_first(pairs, a), dgm_pair_map_first(pairs, b));

    if (order == 0)
        order =
            compare_symbols(stats, dgm_pair_map_second(pairs, a), dgm_pair_map_second(pairs, b));
    return order > 0;
}

/* The most frequent pair of the small table, or DGM_PAIR_NONE if it is empty. */
static uint32_t stats_best(const struct stats *stats)
{
    uint32_t best = DGM_PAIR_NONE;

    for (size_t i = 0; i < stats->small_count; i++) {
        uint32_t pair = stats->small[i];

        if (best == DGM_PAIR_NONE || stats->items[pair].count > stats->items[best].count ||
            (stats->items[pair].count == stats->items[best].count && is_greater(stats, pair, best)))
            best = pair;
    }
    return best;
}

/* Moves pairs rarer than the threshold to the full table (prune_stats of learn_bpe.py): a negative
 * count is a change of what the full table has, any other replaces it. */
static void stats_prune(struct stats *stats, double threshold)
{
    size_t i, kept = 0;

    for (i = 0; i < stats->small_count; i++) {
        struct pair *item = &stats->items[stats->small[i]];

        if ((double)item->count >= threshold) {
            stats->small[kept++] = stats->small[i];
            continue;
        }
        if (item->count < 0 && item->is_full)
            item->full_count += item->count;
        else
            item->full_count = item->count;
        item->is_small = 0;
        item->is_full = 1;
    }
    stats->small_count = kept;
}

/* Makes the full table a copy of the small one. */
static void stats_save(struct stats *stats)
{
    for (size_t i = 0; i < stats->pairs.count; i++) {
        stats->items[i].is_full = stats->items[i].is_small;
        stats->items[i].full_count = stats->items[i].count;
    }
}

/* Makes the small table a copy of the full one. */
static dgm_status stats_restore(struct dgm_env *env, struct stats *stats)
{
    stats->small_count = 0;
    for (size_t i = 0; i < stats->pairs.count; i++) {
        stats->items[i].is_small = 0;
        if (stats->items[i].is_full)
            DGM_TRY(make_small(env, stats, (uint32_t)i, stats->items[i].full_count));
    }
    return DGM_OK;
}

static void stats_clear(struct dgm_env *env, struct stats *stats)
{
    dgm_map_clear(env, &stats->symbols);
    dgm_pair_map_clear(env, &stats->pairs);
    dgm_release(env, stats->items);
    dgm_release(env, stats->small);
    dgm_release(env, stats->places);
    memset(stats, 0, sizeof *stats);
}

/* ---- the learner ----------------------------------------------------------------------------- */

/* A word of the corpus as symbols; merging only shortens it. */
struct corpus_word {
    uint32_t *symbols;
    size_t length;
    int64_t count;
};

struct learner {
    struct stats stats;
    struct corpus_word *words; /* from the most to the least frequent */
    size_t word_count;
    struct dgm_arena arena; /* the words' symbols */
    struct dgm_buf text;
    uint32_t *old;    /* the symbols of a word before a merge; room for the longest */
    double threshold; /* pairs rarer than this leave the small table */
};

/* ---- the corpus ------------------------------------------------------------------------------ */

/* Characters of a word; the last one carries </w>. */
static dgm_status spell_word(struct dgm_env *env, struct learner *learner, struct corpus_word *word,
                             const char *text, size_t bytes)
{
    size_t at = 0, used;
    uint32_t code;

    word->symbols =
        dgm_arena_alloc(env, &learner->arena, dgm_utf8_length(text, bytes), sizeof *word->symbols);
    if (word->symbols == NULL)
        return DGM_MEMORY;
    for (; at < bytes; at += used) {
        used = dgm_utf8_decode(&code, text + at, bytes - at);
        dgm_buf_reset(&learner->text);
        DGM_TRY(dgm_buf_add(env, &learner->text, text + at, used));
        if (at + used == bytes)
            DGM_TRY(dgm_buf_add_text(env, &learner->text, "</w>"));
        DGM_TRY(dgm_map_number(env, &learner->stats.symbols, learner->text.data, learner->text.size,
                               &word->symbols[word->length++]));
    }
    return DGM_OK;
}

static dgm_status spell_corpus(struct dgm_env *env, struct learner *learner,
                               const struct dgm_map *counts)
{
    uint32_t *order = NULL;
    size_t longest = 0;
    dgm_status status;

    DGM_TRY_OUT(dgm_word_counts_sort(env, &order, counts, DGM_WORD_COUNTS_FIRST));
    DGM_TRY_OUT(dgm_new(env, &learner->words, counts->count, sizeof *learner->words));
    for (size_t i = 0; i < counts->count; i++) {
        const struct dgm_map_entry *entry = &counts->entries[order[i]];
        struct corpus_word *word = &learner->words[learner->word_count++];

        word->count = entry->value;
        DGM_TRY_OUT(spell_word(env, learner, word, dgm_map_key(counts, entry), entry->length));
        longest = word->length > longest ? word->length : longest;
    }
    status = dgm_new(env, &learner->old, longest, sizeof *learner->old);
out:
    dgm_release(env, order);
    return status;
}

static dgm_status count_pairs(struct dgm_env *env, struct learner *learner)
{
    for (size_t i = 0; i < learner->word_count; i++) {
        const struct corpus_word *word = &learner->words[i];

        for (size_t k = 1; k < word->length; k++)
            DGM_TRY(stats_add(env, &learner->stats, word->symbols[k - 1], word->symbols[k],
                              word->count, (uint32_t)i));
    }
    return DGM_OK;
}

/* ---- one merge ------------------------------------------------------------------------------- */

/* Takes off the pairs on both sides of every occurrence of (a, b) in the old word, as
 * update_pair_statistics of learn_bpe.py does: what it counts twice or not at all is part of the
 * codes. */
static dgm_status subtract_old(struct dgm_env *env, struct learner *learner, size_t length,
                               uint32_t a, uint32_t b, int64_t count, uint32_t word)
{
    const uint32_t *old = learner->old;
    size_t i = 0;

    while (i + 1 < length) {
        if (old[i] != a || old[i + 1] != b) {
            i++;
            continue;
        }
        if (i > 0)
            DGM_TRY(stats_add(env, &learner->stats, old[i - 1], a, -count, word));
        /* In a b a b the pair in the middle is taken off by the second occurrence. */
        if (i + 2 < length && (i + 3 >= length || old[i + 2] != a || old[i + 3] != b))
            DGM_TRY(stats_add(env, &learner->stats, b, old[i + 2], -count, word));
        i += 2;
    }
    return DGM_OK;
}

/* Adds the pairs on both sides of every occurrence of the new symbol. */
static dgm_status add_new(struct dgm_env *env, struct learner *learner,
                          const struct corpus_word *word, uint32_t merged, uint32_t number)
{
    const uint32_t *symbols = word->symbols;

    for (size_t i = 0; i < word->length; i++) {
        if (symbols[i] != merged)
            continue;
        if (i > 0)
            DGM_TRY(stats_add(env, &learner->stats, symbols[i - 1], merged, word->count, number));
        if (i + 1 < word->length && symbols[i + 1] != merged)
            DGM_TRY(stats_add(env, &learner->stats, merged, symbols[i + 1], word->count, number));
    }
    return DGM_OK;
}

static dgm_status merge_in_word(struct dgm_env *env, struct learner *learner, uint32_t number,
                                uint32_t a, uint32_t b, uint32_t merged)
{
    struct corpus_word *word = &learner->words[number];
    size_t old_length = word->length, from = 0, to = 0;

    memcpy(learner->old, word->symbols, old_length * sizeof *learner->old);
    while (from < old_length) {
        int here = from + 1 < old_length && learner->old[from] == a && learner->old[from + 1] == b;

        word->symbols[to++] = here ? merged : learner->old[from];
        from += here ? 2 : 1;
    }
    word->length = to;
    if (to == old_length) /* the pair has gone from this word since it was noted */
        return DGM_OK;
    DGM_TRY(subtract_old(env, learner, old_length, a, b, word->count, number));
    return add_new(env, learner, word, merged, number);
}

static dgm_status merge_pair(struct dgm_env *env, struct learner *learner, struct dgm_buf *out,
                             uint32_t pair)
{
    struct stats *stats = &learner->stats;
    const uint32_t a = dgm_pair_map_first(&stats->pairs, pair);
    const uint32_t b = dgm_pair_map_second(&stats->pairs, pair);
    const struct dgm_map_entry *left = &stats->symbols.entries[a];
    const struct dgm_map_entry *right = &stats->symbols.entries[b];
    struct dgm_buf *text = &learner->text;
    uint32_t merged, place;

    dgm_buf_reset(text);
    DGM_TRY(dgm_buf_add(env, text, dgm_map_key(&stats->symbols, left), left->length));
    DGM_TRY(dgm_buf_add(env, text, dgm_map_key(&stats->symbols, right), right->length));
    DGM_TRY(dgm_buf_add(env, out, text->data, left->length));
    DGM_TRY(dgm_buf_add_char(env, out, ' '));
    DGM_TRY(dgm_buf_add(env, out, text->data + left->length, right->length));
    DGM_TRY(dgm_buf_add_char(env, out, '\n'));
    DGM_TRY(dgm_map_number(env, &stats->symbols, text->data, text->size, &merged));

    /* 0 before and after: in "a a a" the changes count the pair itself again. A word of the list
     * may hold the pair no more; it is noticed when it is visited. */
    place = stats->items[pair].places;
    stats->items[pair].places = DGM_PAIR_NONE;
    stats->items[pair].count = 0;
    for (; place != DGM_PAIR_NONE; place = stats->places[place].next)
        DGM_TRY(merge_in_word(env, learner, stats->places[place].word, a, b, merged));
    stats->items[pair].count = 0;
    return DGM_OK;
}

/* ---- the whole ------------------------------------------------------------------------------- */

/*
 * The next pair to merge. When the small table has nothing above the threshold, it is
 * filled again from the full one, with a threshold that follows the frequency reached. The formula,
 * its 10000, the first threshold (a tenth of the most frequent pair's count) and the pruning in
 * every hundredth round are those of learn_bpe.py.
 */
static dgm_status choose_pair(struct dgm_env *env, struct learner *learner, long round,
                              uint32_t *pair)
{
    struct stats *stats = &learner->stats;

    *pair = stats_best(stats);
    if (*pair != DGM_PAIR_NONE &&
        (round == 0 || (double)stats->items[*pair].count >= learner->threshold))
        return DGM_OK;
    stats_prune(stats, learner->threshold);
    DGM_TRY(stats_restore(env, stats));
    *pair = stats_best(stats);
    if (*pair == DGM_PAIR_NONE)
        return DGM_OK;
    learner->threshold =
        (double)stats->items[*pair].count * (double)round / ((double)round + 10000.0);
    stats_prune(stats, learner->threshold);
    return DGM_OK;
}

static dgm_status learn(struct dgm_env *env, struct learner *learner, struct dgm_buf *out,
                        long symbols, int64_t min_frequency)
{
    uint32_t pair = stats_best(&learner->stats);

    stats_save(&learner->stats);
    if (pair != DGM_PAIR_NONE)
        learner->threshold = (double)learner->stats.items[pair].count / 10;
    for (long round = 0; round < symbols; round++) {
        DGM_TRY(dgm_poll(env));
        DGM_TRY(choose_pair(env, learner, round, &pair));
        if (pair == DGM_PAIR_NONE || learner->stats.items[pair].count < min_frequency) {
            dgm_log(env, DGM_LOG_WARNING,
                    "%ld merges learned of %ld: no other pair is frequent enough", round, symbols);
            return DGM_OK;
        }
        DGM_TRY(merge_pair(env, learner, out, pair));
        if (round % 100 == 0)
            stats_prune(&learner->stats, learner->threshold);
    }
    return DGM_OK;
}

dgm_status dgm_bpe_learn(struct dgm_env *env, struct dgm_buf *out, const struct dgm_map *counts,
                         const struct dgm_bpe_learn_options *options)
{
    long symbols = options->symbols;
    struct learner learner = { 0 };
    dgm_status status;

    DGM_TRY_OUT(spell_corpus(env, &learner, counts));
    DGM_TRY_OUT(count_pairs(env, &learner));
    /*
     * Before the first merge the symbols are the characters, inside and at the end of
     * words.
     */
    if (options->total_symbols)
        symbols -= (long)learner.stats.symbols.count;
    DGM_TRY_OUT(dgm_buf_add_text(env, out, "#version: 0.2\n"));
    DGM_TRY_OUT(learn(env, &learner, out, symbols, options->min_frequency));
out:
    stats_clear(env, &learner.stats);
    dgm_release(env, learner.words);
    dgm_release(env, learner.old);
    dgm_arena_clear(env, &learner.arena);
    dgm_buf_clear(env, &learner.text);
    return status;
}
