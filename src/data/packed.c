/*
 * packed.c: packing sentences one after the other.
 *
 * Columns of words (heads, features, children) exist only once a sentence has one: a corpus
 * without trees pays nothing, and a side may mix sentences with trees and without.
 */
#include "data/packed.h"

#include <string.h>

#include "base/mem.h"

/* Heads, a feature or children of a sentence whose words begin at `start`. The first values of a
 * kind make the column, with -1 for all earlier words; from then on a sentence without values, and
 * words beyond the `n_values`, have -1. */
static dgm_status add_column(struct dgm_env *env, int32_t **column, size_t *capacity, int32_t start,
                             const int32_t *values, int32_t n_values, int32_t n_words)
{
    int is_first = *column == NULL;

    if (values == NULL && is_first)
        return DGM_OK;
    DGM_TRY(
        dgm_reserve(env, column, capacity, (size_t)start + (size_t)n_words + 1, sizeof **column));
    for (int32_t w = 0; is_first && w < start; w++)
        (*column)[w] = -1;
    for (int32_t w = 0; w < n_words; w++)
        (*column)[start + w] = values != NULL && w < n_values ? values[w] : -1;
    return DGM_OK;
}

/* The weights of sentences start .. start + count - 1: those given, or 1. The first given ones make
 * the column. */
static dgm_status add_weights(struct dgm_env *env, struct dgm_packed *packed, int32_t start,
                              const float *weights, int32_t count)
{
    const int is_first = packed->weights == NULL;

    if (weights == NULL && is_first)
        return DGM_OK;
    DGM_TRY(dgm_reserve(env, &packed->weights, &packed->weight_capacity,
                        (size_t)start + (size_t)count, sizeof *packed->weights));
    for (int32_t s = 0; is_first && s < start; s++)
        packed->weights[s] = 1;
    for (int32_t s = 0; s < count; s++)
        packed->weights[start + s] = weights != NULL ? weights[s] : 1;
    return DGM_OK;
}

/* The same of the tokens that their translations begin with: those given, or 0. */
static dgm_status add_firsts(struct dgm_env *env, struct dgm_packed *packed, int32_t start,
                             const int32_t *firsts, int32_t count)
{
    const int is_first = packed->firsts == NULL;

    if (firsts == NULL && is_first)
        return DGM_OK;
    DGM_TRY(dgm_reserve(env, &packed->firsts, &packed->first_capacity,
                        (size_t)start + (size_t)count, sizeof *packed->firsts));
    for (int32_t s = 0; is_first && s < start; s++)
        packed->firsts[s] = 0;
    for (int32_t s = 0; s < count; s++)
        packed->firsts[start + s] = firsts != NULL ? firsts[s] : 0;
    return DGM_OK;
}

/* Ends of the links of sentences start .. start + count - 1, whose own are `ends` from `first` on;
 * NULL: they have none. */
static dgm_status add_link_ends(struct dgm_env *env, struct dgm_packed *packed, int32_t start,
                                const int32_t *ends, int32_t count)
{
    const int is_first = packed->link_offsets == NULL;

    if (ends == NULL && is_first)
        return DGM_OK;
    DGM_TRY(dgm_reserve(env, &packed->link_offsets, &packed->link_offset_capacity,
                        (size_t)start + (size_t)count + 1, sizeof *packed->link_offsets));
    for (int32_t s = 0; s <= start && (is_first || start == 0); s++)
        packed->link_offsets[s] = 0;
    for (int32_t s = 0; s < count; s++)
        packed->link_offsets[start + s + 1] =
            packed->link_offsets[start + s] + (ends != NULL ? ends[s + 1] - ends[s] : 0);
    return DGM_OK;
}

/* The links themselves, behind the `used` that are there. */
static dgm_status add_link_words(struct dgm_env *env, struct dgm_packed *packed, int32_t used,
                                 const int32_t *links, int32_t count)
{
    if ((int64_t)used + count > INT32_MAX / 2)
        return dgm_fail(env, DGM_DATA, "more than %d links of words; expected a smaller corpus",
                        (int)(INT32_MAX / 2));
    DGM_TRY(dgm_reserve(env, &packed->links, &packed->link_capacity,
                        2 * ((size_t)used + (size_t)count) + 1, sizeof *packed->links));
    if (count > 0)
        memcpy(packed->links + 2 * (size_t)used, links, 2 * (size_t)count * sizeof *links);
    return DGM_OK;
}

static dgm_status fail_size(struct dgm_env *env)
{
    return dgm_fail(env, DGM_DATA, "more than %d tokens; expected a smaller corpus",
                    (int)INT32_MAX);
}

/* Room for `n` more positions and `count` more sentences. */
static dgm_status reserve_sentences(struct dgm_env *env, struct dgm_packed *packed, int32_t count,
                                    int32_t n)
{
    const struct dgm_parallel positions[] = { { &packed->ids, sizeof *packed->ids },
                                              { &packed->words, sizeof *packed->words },
                                              { NULL, 0 } };
    const struct dgm_parallel sentences[] = { { &packed->offsets, sizeof *packed->offsets },
                                              { &packed->word_offsets,
                                                sizeof *packed->word_offsets },
                                              { NULL, 0 } };
    size_t used = packed->count ? (size_t)packed->offsets[packed->count] : 0;

    if (used + (size_t)n > INT32_MAX)
        return fail_size(env);
    DGM_TRY(dgm_reserve_parallel(env, positions, &packed->id_capacity, used + (size_t)n));
    return dgm_reserve_parallel(env, sentences, &packed->offset_capacity,
                                (size_t)packed->count + (size_t)count + 1);
}

dgm_status dgm_packed_add(struct dgm_env *env, struct dgm_packed *packed, const int32_t *ids,
                          const int32_t *words, int32_t n, const int32_t *heads, int32_t n_words)
{
    int32_t start, word_start, s = packed->count;

    DGM_TRY(reserve_sentences(env, packed, 1, n));
    if (s == 0)
        packed->offsets[0] = packed->word_offsets[0] = 0;
    start = packed->offsets[s];
    word_start = packed->word_offsets[s];
    DGM_TRY(add_column(env, &packed->heads, &packed->head_capacity, word_start, heads, n_words,
                       n_words));
    for (int kind = 0; kind < DGM_WORD_FEATURES; kind++)
        DGM_TRY(add_column(env, &packed->features[kind], &packed->feature_capacity[kind],
                           word_start, NULL, 0, n_words));
    DGM_TRY(add_column(env, &packed->left, &packed->left_capacity, word_start, NULL, 0, n_words));
    DGM_TRY(add_column(env, &packed->right, &packed->right_capacity, word_start, NULL, 0, n_words));
    DGM_TRY(add_weights(env, packed, s, NULL, 1));
    DGM_TRY(add_firsts(env, packed, s, NULL, 1));
    DGM_TRY(add_link_ends(env, packed, s, NULL, 1));
    memcpy(packed->ids + start, ids, (size_t)n * sizeof *ids);
    memcpy(packed->words + start, words, (size_t)n * sizeof *words);
    packed->offsets[s + 1] = start + n;
    packed->word_offsets[s + 1] = word_start + n_words;
    packed->count = s + 1;
    return DGM_OK;
}

dgm_status dgm_packed_add_feature(struct dgm_env *env, struct dgm_packed *packed,
                                  enum dgm_feature_kind kind, const int32_t *values)
{
    int32_t start = packed->word_offsets[packed->count - 1];
    int32_t n_words = packed->word_offsets[packed->count] - start;

    return add_column(env, &packed->features[kind], &packed->feature_capacity[kind], start, values,
                      n_words, n_words);
}

dgm_status dgm_packed_add_binary(struct dgm_env *env, struct dgm_packed *packed,
                                 const int32_t *left, const int32_t *right)
{
    int32_t start = packed->word_offsets[packed->count - 1];
    int32_t n_words = packed->word_offsets[packed->count] - start;

    DGM_TRY(
        add_column(env, &packed->left, &packed->left_capacity, start, left, n_words - 1, n_words));
    return add_column(env, &packed->right, &packed->right_capacity, start, right, n_words - 1,
                      n_words);
}

dgm_status dgm_packed_add_weight(struct dgm_env *env, struct dgm_packed *packed, float weight)
{
    return add_weights(env, packed, packed->count - 1, &weight, 1);
}

dgm_status dgm_packed_add_first(struct dgm_env *env, struct dgm_packed *packed, int32_t first)
{
    return add_firsts(env, packed, packed->count - 1, &first, 1);
}

dgm_status dgm_packed_add_links(struct dgm_env *env, struct dgm_packed *packed,
                                const int32_t *links, int32_t count)
{
    const int32_t s = packed->count - 1, ends[2] = { 0, count };

    DGM_TRY(add_link_words(env, packed, packed->link_offsets != NULL ? packed->link_offsets[s] : 0,
                           links, count));
    return add_link_ends(env, packed, s, ends, 1);
}

dgm_status dgm_packed_replace_last(struct dgm_env *env, struct dgm_packed *packed,
                                   const int32_t *ids, const int32_t *words, int32_t n,
                                   int32_t n_words)
{
    const int32_t s = packed->count - 1;
    const int32_t start = packed->offsets[s], word_start = packed->word_offsets[s];

    if (n > INT32_MAX - start || n_words > INT32_MAX - word_start)
        return fail_size(env);
    DGM_TRY(reserve_sentences(env, packed, 0, n));
    memcpy(packed->ids + start, ids, (size_t)n * sizeof *ids);
    memcpy(packed->words + start, words, (size_t)n * sizeof *words);
    packed->offsets[s + 1] = start + n;
    packed->word_offsets[s + 1] = word_start + n_words;
    return DGM_OK;
}

dgm_status dgm_packed_append(struct dgm_env *env, struct dgm_packed *packed,
                             const struct dgm_packed *from, int32_t s)
{
    int32_t start = from->offsets[s], word_start = from->word_offsets[s];

    DGM_TRY(dgm_packed_add(env, packed, from->ids + start, from->words + start,
                           from->offsets[s + 1] - start,
                           from->heads != NULL ? from->heads + word_start : NULL,
                           from->word_offsets[s + 1] - word_start));
    for (int kind = 0; kind < DGM_WORD_FEATURES; kind++)
        if (from->features[kind] != NULL)
            DGM_TRY(dgm_packed_add_feature(env, packed, (enum dgm_feature_kind)kind,
                                           from->features[kind] + word_start));
    if (from->weights != NULL)
        DGM_TRY(dgm_packed_add_weight(env, packed, from->weights[s]));
    if (from->firsts != NULL)
        DGM_TRY(dgm_packed_add_first(env, packed, from->firsts[s]));
    if (from->links != NULL)
        DGM_TRY(dgm_packed_add_links(env, packed, from->links + 2 * (size_t)from->link_offsets[s],
                                     dgm_packed_link_count(from, s)));
    if (from->left == NULL)
        return DGM_OK;
    return dgm_packed_add_binary(env, packed, from->left + word_start, from->right + word_start);
}

/* ---- many sentences at once ------------------------------------------------------------------ */

static int32_t positions_of(const struct dgm_packed *packed)
{
    return packed->count > 0 ? packed->offsets[packed->count] : 0;
}

static int32_t words_of(const struct dgm_packed *packed)
{
    return packed->count > 0 ? packed->word_offsets[packed->count] : 0;
}

static dgm_status append_columns(struct dgm_env *env, struct dgm_packed *packed,
                                 const struct dgm_packed *from)
{
    const int32_t start = words_of(packed), n = words_of(from);

    DGM_TRY(add_column(env, &packed->heads, &packed->head_capacity, start, from->heads, n, n));
    for (int kind = 0; kind < DGM_WORD_FEATURES; kind++)
        DGM_TRY(add_column(env, &packed->features[kind], &packed->feature_capacity[kind], start,
                           from->features[kind], n, n));
    DGM_TRY(add_column(env, &packed->left, &packed->left_capacity, start, from->left, n, n));
    return add_column(env, &packed->right, &packed->right_capacity, start, from->right, n, n);
}

static dgm_status append_links(struct dgm_env *env, struct dgm_packed *packed,
                               const struct dgm_packed *from)
{
    const int32_t start = packed->count;

    if (from->links != NULL)
        DGM_TRY(add_link_words(env, packed,
                               start > 0 && packed->links != NULL ? packed->link_offsets[start] : 0,
                               from->links, from->link_offsets[from->count]));
    return add_link_ends(env, packed, start, from->links != NULL ? from->link_offsets : NULL,
                         from->count);
}

dgm_status dgm_packed_append_all(struct dgm_env *env, struct dgm_packed *packed,
                                 const struct dgm_packed *from)
{
    const int32_t start = positions_of(packed), word_start = words_of(packed);
    const int32_t n = positions_of(from);

    if (from->count == 0)
        return DGM_OK;
    DGM_TRY(reserve_sentences(env, packed, from->count, n));
    packed->offsets[packed->count] = start;
    packed->word_offsets[packed->count] = word_start;
    DGM_TRY(append_columns(env, packed, from));
    DGM_TRY(add_weights(env, packed, packed->count, from->weights, from->count));
    DGM_TRY(add_firsts(env, packed, packed->count, from->firsts, from->count));
    DGM_TRY(append_links(env, packed, from));
    memcpy(packed->ids + start, from->ids, (size_t)n * sizeof *from->ids);
    memcpy(packed->words + start, from->words, (size_t)n * sizeof *from->words);
    for (int32_t s = 1; s <= from->count; s++) {
        packed->offsets[packed->count + s] = start + from->offsets[s];
        packed->word_offsets[packed->count + s] = word_start + from->word_offsets[s];
    }
    packed->count += from->count;
    return DGM_OK;
}

unsigned dgm_packed_columns(const struct dgm_packed *packed)
{
    unsigned columns = packed->heads != NULL ? DGM_PACKED_HEADS : 0;

    for (int kind = 0; kind < DGM_WORD_FEATURES; kind++)
        if (packed->features[kind] != NULL)
            columns |= (unsigned)DGM_PACKED_FEATURE << kind;
    if (packed->links != NULL)
        columns |= DGM_PACKED_LINKS;
    return packed->left != NULL ? columns | DGM_PACKED_BINARY : columns;
}

dgm_status dgm_packed_make_room(struct dgm_env *env, struct dgm_packed *packed, int64_t sentences,
                                int64_t positions, int64_t words, unsigned columns)
{
    const size_t room = (size_t)words + 1, size = sizeof(int32_t);

    if (sentences >= INT32_MAX || positions > INT32_MAX || words >= INT32_MAX)
        return fail_size(env);
    DGM_TRY(reserve_sentences(env, packed, (int32_t)sentences, (int32_t)positions));
    if (columns & DGM_PACKED_HEADS)
        DGM_TRY(dgm_reserve(env, &packed->heads, &packed->head_capacity, room, size));
    for (int kind = 0; kind < DGM_WORD_FEATURES; kind++)
        if (columns & (unsigned)DGM_PACKED_FEATURE << kind)
            DGM_TRY(dgm_reserve(env, &packed->features[kind], &packed->feature_capacity[kind], room,
                                size));
    if (!(columns & DGM_PACKED_BINARY))
        return DGM_OK;
    DGM_TRY(dgm_reserve(env, &packed->left, &packed->left_capacity, room, size));
    return dgm_reserve(env, &packed->right, &packed->right_capacity, room, size);
}

/* Heads or a feature of all words. */
static dgm_status set_column(struct dgm_env *env, const struct dgm_packed *packed, int32_t **column,
                             size_t *capacity, const int32_t *values)
{
    size_t words = packed->count ? (size_t)packed->word_offsets[packed->count] : 0;

    DGM_TRY(dgm_reserve(env, column, capacity, words + 1, sizeof **column));
    if (words > 0)
        memcpy(*column, values, words * sizeof *values);
    return DGM_OK;
}

dgm_status dgm_packed_set_heads(struct dgm_env *env, struct dgm_packed *packed,
                                const int32_t *heads)
{
    return set_column(env, packed, &packed->heads, &packed->head_capacity, heads);
}

dgm_status dgm_packed_set_feature(struct dgm_env *env, struct dgm_packed *packed,
                                  enum dgm_feature_kind kind, const int32_t *values)
{
    return set_column(env, packed, &packed->features[kind], &packed->feature_capacity[kind],
                      values);
}

int dgm_packed_lacks_tree(const struct dgm_packed *packed, int32_t s)
{
    const int32_t start = packed->word_offsets[s];

    return packed->word_offsets[s + 1] - start > 1 &&
           (packed->heads == NULL || packed->heads[start] < 0) &&
           (packed->left == NULL || packed->left[start] < 0);
}

int32_t dgm_packed_without_trees(const struct dgm_packed *packed, int32_t *first)
{
    int32_t count = 0;

    for (int32_t s = packed->count; s-- > 0;)
        if (dgm_packed_lacks_tree(packed, s)) {
            count++;
            if (first != NULL)
                *first = s;
        }
    return count;
}

void dgm_packed_reset(struct dgm_packed *packed)
{
    packed->count = 0;
}

double dgm_packed_bytes(const struct dgm_packed *packed)
{
    const int32_t count = packed->count;
    double numbers = 2.0 * count, words;

    if (count == 0)
        return 0;
    words = packed->word_offsets[count];
    numbers += 2.0 * packed->offsets[count];
    numbers += words * ((packed->heads != NULL) + 2 * (packed->left != NULL));
    for (int kind = 0; kind < DGM_WORD_FEATURES; kind++)
        numbers += packed->features[kind] != NULL ? words : 0;
    numbers += packed->weights != NULL ? count : 0;
    numbers += packed->firsts != NULL ? count : 0;
    if (packed->links != NULL)
        numbers += count + 2.0 * packed->link_offsets[count];
    return numbers * sizeof(int32_t);
}

void dgm_packed_clear(struct dgm_env *env, struct dgm_packed *packed)
{
    dgm_release(env, packed->ids);
    dgm_release(env, packed->words);
    dgm_release(env, packed->offsets);
    dgm_release(env, packed->word_offsets);
    dgm_release(env, packed->heads);
    for (int kind = 0; kind < DGM_WORD_FEATURES; kind++)
        dgm_release(env, packed->features[kind]);
    dgm_release(env, packed->left);
    dgm_release(env, packed->right);
    dgm_release(env, packed->weights);
    dgm_release(env, packed->firsts);
    dgm_release(env, packed->links);
    dgm_release(env, packed->link_offsets);
    memset(packed, 0, sizeof *packed);
}

/* A counting sort. */
dgm_status dgm_packed_order(struct dgm_env *env, const struct dgm_packed *packed, int32_t **order)
{
    int32_t longest = 0, s, n, at = 0;
    int32_t *starts;

    DGM_TRY(dgm_new(env, order, (size_t)packed->count, sizeof **order));
    for (s = 0; s < packed->count; s++)
        if (dgm_packed_length(packed, s) > longest)
            longest = dgm_packed_length(packed, s);
    starts = dgm_alloc(env, (size_t)longest + 2, sizeof *starts);
    if (starts == NULL) {
        dgm_release(env, *order);
        return DGM_MEMORY;
    }
    for (s = 0; s < packed->count; s++)
        starts[dgm_packed_length(packed, s)]++;
    /* starts[n]: from the number of sentences of n positions to the place of the first one. */
    for (n = longest; n >= 0; n--) {
        int32_t count = starts[n];
        starts[n] = at;
        at += count;
    }
    for (s = 0; s < packed->count; s++)
        (*order)[starts[dgm_packed_length(packed, s)]++] = s;
    dgm_release(env, starts);
    return DGM_OK;
}
