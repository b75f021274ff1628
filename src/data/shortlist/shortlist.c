/*
 * shortlist.c: whose list it is, and what the sentences of a batch may use.
 */
#include "data/shortlist/shortlist.h"

#include <string.h>

#include "base/mem.h"
#include "data/side.h"

/* ---- whose it is ----------------------------------------------------------------------------- */

static dgm_status check_side(struct dgm_env *env, const struct dgm_shortlist *shortlist,
                             const char *path, enum dgm_side side, const struct dgm_vocab *vocab)
{
    const char *const name = side == DGM_SOURCE ? "source" : "target";

    if ((size_t)shortlist->types[side] != dgm_vocab_size(vocab))
        return dgm_fail_at(env, DGM_MODEL, path, 0, 0,
                           "made for a %s vocabulary of %d entries, and the model's has %zu; "
                           "expected a shortlist that `dragoman shortlist` made for this model",
                           name, (int)shortlist->types[side], dgm_vocab_size(vocab));
    if (shortlist->signature[side] != dgm_vocab_signature(vocab))
        return dgm_fail_at(env, DGM_MODEL, path, 0, 0,
                           "made for another %s vocabulary than the model's; expected a shortlist "
                           "that `dragoman shortlist` made for this model",
                           name);
    return DGM_OK;
}

dgm_status dgm_shortlist_check(struct dgm_env *env, const struct dgm_shortlist *shortlist,
                               const char *path, const struct dgm_vocab *source,
                               const struct dgm_vocab *target)
{
    DGM_TRY(check_side(env, shortlist, path, DGM_SOURCE, source));
    return check_side(env, shortlist, path, DGM_TARGET, target);
}

void dgm_shortlist_clear(struct dgm_env *env, struct dgm_shortlist *shortlist)
{
    dgm_release(env, shortlist->always);
    dgm_release(env, shortlist->starts);
    dgm_release(env, shortlist->words);
    memset(shortlist, 0, sizeof *shortlist);
}

/* ---- a batch --------------------------------------------------------------------------------- */

static size_t count_words(const struct dgm_shortlist *shortlist)
{
    return ((size_t)shortlist->types[DGM_TARGET] + 63) / 64;
}

/* Sets a bit; 1 if it was not set. */
static int add_type(uint64_t *bits, int32_t type)
{
    const uint64_t bit = (uint64_t)1 << (type & 63);
    const int is_new = (bits[type / 64] & bit) == 0;

    bits[type / 64] |= bit;
    return is_new;
}

/* The types of sentence s as bits of `own`; their number. */
static int64_t mark_sentence(const struct dgm_shortlist_choice *choice,
                             const struct dgm_shortlist *shortlist, const struct dgm_packed *source,
                             int32_t s)
{
    int64_t count = shortlist->always_count;

    memset(choice->own, 0, count_words(shortlist) * sizeof *choice->own);
    for (int32_t i = 0; i < shortlist->always_count; i++)
        add_type(choice->own, shortlist->always[i]);
    for (int32_t i = source->offsets[s]; i < source->offsets[s + 1]; i++) {
        const int32_t e = source->ids[i];

        if (e < 0 || e >= shortlist->types[DGM_SOURCE])
            continue; /* the model will refuse the batch */
        for (size_t w = shortlist->starts[e]; w < shortlist->starts[e + 1]; w++)
            count += add_type(choice->own, shortlist->words[w]);
    }
    for (int32_t type = shortlist->fill_from;
         shortlist->multiple > 0 && count % shortlist->multiple != shortlist->rest &&
         type < shortlist->types[DGM_TARGET];
         type++)
        count += add_type(choice->own, type);
    return count;
}

/* The types whose bits are set, ascending, or the places of these; their number. */
static int32_t list_bits(const struct dgm_shortlist *shortlist, const uint64_t *bits,
                         const int32_t *places, int32_t *list)
{
    int32_t count = 0;

    for (int32_t type = 0; type < shortlist->types[DGM_TARGET]; type++) {
        const uint64_t left = bits[type / 64] >> (type & 63);

        if (left == 0)
            type |= 63; /* nothing up to the next word of bits */
        else if (left & 1)
            list[count++] = places != NULL ? places[type] : type;
    }
    return count;
}

static int32_t first_of(const struct dgm_shortlist_choice *choice, int32_t group)
{
    const int64_t first = (int64_t)group * choice->size;

    return first < choice->sentences ? (int32_t)first : choice->sentences;
}

/* The types of a group, behind those of the groups before; the longest list so far. */
static void join_group(struct dgm_shortlist_choice *choice, const struct dgm_shortlist *shortlist,
                       const struct dgm_packed *source, int32_t group)
{
    const int32_t start = choice->starts[group];
    const size_t words = count_words(shortlist);
    int32_t count;

    memset(choice->all, 0, words * sizeof *choice->all);
    for (int32_t s = first_of(choice, group); s < first_of(choice, group + 1); s++) {
        const int64_t list = mark_sentence(choice, shortlist, source, s);

        choice->width = list > choice->width ? list : choice->width;
        for (size_t w = 0; w < words; w++)
            choice->all[w] |= choice->own[w];
    }
    count = list_bits(shortlist, choice->all, NULL, choice->ids + start);
    choice->starts[group + 1] = start + count;
    choice->largest = count > choice->largest ? count : choice->largest;
}

/* Twice the vocabulary: small groups, which are fast, seldom have more where it is large, and the
 * rows that a search copies for them stay few beside the model. One group fits in any case. */
int64_t dgm_shortlist_room(const struct dgm_shortlist *shortlist)
{
    return 2 * (int64_t)shortlist->types[DGM_TARGET];
}

/* Groups of `size` sentences; 0 if they have more types than there is room for. */
static int join_groups(struct dgm_shortlist_choice *choice, const struct dgm_shortlist *shortlist,
                       const struct dgm_packed *source, int32_t size)
{
    choice->size = size;
    choice->groups = source->count / size + (source->count % size != 0);
    choice->largest = 0;
    choice->starts[0] = 0;
    for (int32_t group = 0; group < choice->groups; group++) {
        join_group(choice, shortlist, source, group);
        if (choice->starts[group + 1] > choice->room)
            return 0;
    }
    return 1;
}

/* The lists of a group's sentences. */
static void list_group(struct dgm_shortlist_choice *choice, const struct dgm_shortlist *shortlist,
                       const struct dgm_packed *source, int32_t group)
{
    const int32_t start = choice->starts[group];

    for (int32_t i = start; i < choice->starts[group + 1]; i++)
        choice->places[choice->ids[i]] = i - start;
    for (int32_t s = first_of(choice, group); s < first_of(choice, group + 1); s++) {
        int32_t *list = choice->lists + s * choice->width;
        int64_t count;

        mark_sentence(choice, shortlist, source, s);
        count = list_bits(shortlist, choice->own, choice->places, list);
        for (; count < choice->width; count++)
            list[count] = -1;
    }
}

/* Room for groups of `size` sentences. A group is joined before it turns out not to fit. */
static dgm_status reserve(struct dgm_env *env, struct dgm_shortlist_choice *choice,
                          const struct dgm_shortlist *shortlist, int32_t size)
{
    const struct dgm_parallel arrays[] = { { &choice->places, sizeof *choice->places },
                                           { &choice->all, sizeof *choice->all },
                                           { &choice->own, sizeof *choice->own },
                                           { NULL, 0 } };
    const size_t types = (size_t)shortlist->types[DGM_TARGET];

    if (types > INT32_MAX / 3)
        return dgm_fail(env, DGM_MEMORY, "lists of %zu words do not fit into memory", types);
    DGM_TRY(dgm_reserve_parallel(env, arrays, &choice->type_capacity, types));
    DGM_TRY(dgm_reserve(env, &choice->ids, &choice->id_capacity, (size_t)choice->room + types,
                        sizeof *choice->ids));
    return dgm_reserve(env, &choice->starts, &choice->start_capacity,
                       (size_t)(choice->sentences / size) + 2, sizeof *choice->starts);
}

static dgm_status reserve_lists(struct dgm_env *env, struct dgm_shortlist_choice *choice)
{
    size_t places;

    if (!dgm_size_mul(&places, (size_t)choice->sentences, (size_t)choice->width))
        return dgm_fail(env, DGM_MEMORY, "lists of words of %d sentences do not fit into memory",
                        (int)choice->sentences);
    return dgm_reserve(env, &choice->lists, &choice->list_capacity, places, sizeof *choice->lists);
}

dgm_status dgm_shortlist_choose(struct dgm_env *env, struct dgm_shortlist_choice *choice,
                                const struct dgm_shortlist *shortlist,
                                const struct dgm_packed *source, int32_t size, int64_t least)
{
    choice->sentences = source->count;
    choice->width = least;
    choice->room = dgm_shortlist_room(shortlist);
    DGM_TRY(reserve(env, choice, shortlist, size));
    while (!join_groups(choice, shortlist, source, size))
        size = size > INT32_MAX / 2 ? INT32_MAX : 2 * size;
    DGM_TRY(reserve_lists(env, choice));
    for (int32_t group = 0; group < choice->groups; group++)
        list_group(choice, shortlist, source, group);
    return DGM_OK;
}

int64_t dgm_shortlist_most(const struct dgm_shortlist *shortlist, const struct dgm_packed *source,
                           int32_t s)
{
    int64_t most = (int64_t)shortlist->always_count + shortlist->multiple;

    for (int32_t i = source->offsets[s]; i < source->offsets[s + 1]; i++) {
        const int32_t e = source->ids[i];

        if (e >= 0 && e < shortlist->types[DGM_SOURCE])
            most += (int64_t)(shortlist->starts[e + 1] - shortlist->starts[e]);
    }
    return most < shortlist->types[DGM_TARGET] ? most : shortlist->types[DGM_TARGET];
}

void dgm_shortlist_choice_clear(struct dgm_env *env, struct dgm_shortlist_choice *choice)
{
    dgm_release(env, choice->starts);
    dgm_release(env, choice->ids);
    dgm_release(env, choice->places);
    dgm_release(env, choice->all);
    dgm_release(env, choice->own);
    dgm_release(env, choice->lists);
    memset(choice, 0, sizeof *choice);
}
