/*
 * shortlist_build.c: a shortlist from a lexical table.
 */
#include "data/shortlist/shortlist_build.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "data/side.h"

/* A target type and what speaks for it. */
struct ranked {
    double worth;
    int32_t type;
};

struct making {
    struct dgm_shortlist *shortlist;
    const struct dgm_lex_table *table;
    const struct dgm_vocab *source, *target;
    const struct dgm_shortlist_sizes *options;
    struct ranked *ranked; /* (target types) */
    char *is_always;       /* (target types) */
    size_t capacity;       /* of shortlist->words */
};

static int by_worth(const void *a, const void *b)
{
    const struct ranked *x = a, *y = b;

    if (x->worth != y->worth)
        return x->worth > y->worth ? -1 : 1;
    return x->type < y->type ? -1 : x->type > y->type;
}

static int by_type(const void *a, const void *b)
{
    const int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;

    return x < y ? -1 : x > y;
}

/* ---- types that are always allowed ----------------------------------------------------------- */

/* Types behind the specials, the most frequent first; their number. */
static int32_t rank_types(struct making *job, const int64_t *counts)
{
    const int32_t types = job->shortlist->types[DGM_TARGET];
    int32_t count = 0;

    for (int32_t type = DGM_VOCAB_SPECIALS; type < types; type++) {
        const double worth = counts != NULL ? (double)counts[type] : -(double)type;

        job->ranked[count++] = (struct ranked){ worth, type };
    }
    qsort(job->ranked, (size_t)count, sizeof *job->ranked, by_worth);
    return count;
}

static dgm_status list_always(struct dgm_env *env, struct making *job, const int64_t *counts)
{
    struct dgm_shortlist *shortlist = job->shortlist;
    int32_t first = rank_types(job, counts);

    first = first < job->options->first ? first : job->options->first;
    DGM_TRY(dgm_new(env, &shortlist->always, (size_t)first + DGM_VOCAB_SPECIALS, sizeof(int32_t)));
    for (int32_t type = 0; type < DGM_VOCAB_SPECIALS; type++)
        shortlist->always[shortlist->always_count++] = type;
    for (int32_t i = 0; i < first; i++)
        shortlist->always[shortlist->always_count++] = job->ranked[i].type;
    qsort(shortlist->always, (size_t)shortlist->always_count, sizeof(int32_t), by_type);
    for (int32_t i = 0; i < shortlist->always_count; i++)
        job->is_always[shortlist->always[i]] = 1;
    return DGM_OK;
}

/* ---- translations ---------------------------------------------------------------------------- */

static int32_t rank_translations(struct making *job, int32_t e)
{
    const struct dgm_lex_table *table = job->table;
    int32_t count = 0;

    for (size_t i = table->starts[e]; i < table->starts[e + 1]; i++) {
        if ((double)table->p[i] < job->options->threshold)
            continue;
        job->ranked[count++] = (struct ranked){ (double)table->p[i], table->words[i] };
    }
    qsort(job->ranked, (size_t)count, sizeof *job->ranked, by_worth);
    return count < job->options->best ? count : job->options->best;
}

/* The type of the target that is spelled like source type e; DGM_VOCAB_UNK: none. */
static int32_t find_same(const struct making *job, int32_t e)
{
    size_t bytes;
    const char *token = dgm_vocab_token(job->source, (uint32_t)e, &bytes);

    return (int32_t)dgm_vocab_find(job->target, token, bytes);
}

static dgm_status add_word(struct dgm_env *env, struct making *job, size_t *count, int32_t type)
{
    struct dgm_shortlist *shortlist = job->shortlist;

    if (job->is_always[type])
        return DGM_OK;
    DGM_TRY(dgm_grow(env, &shortlist->words, &job->capacity, *count, sizeof *shortlist->words));
    shortlist->words[(*count)++] = type;
    return DGM_OK;
}

/* Adds the translations of source type e. */
static dgm_status list_translations(struct dgm_env *env, struct making *job, int32_t e)
{
    struct dgm_shortlist *shortlist = job->shortlist;
    const int32_t same = find_same(job, e), best = rank_translations(job, e);
    const size_t start = shortlist->starts[e];
    size_t count = start;
    int has_same = 0;

    for (int32_t i = 0; i < best; i++) {
        DGM_TRY(add_word(env, job, &count, job->ranked[i].type));
        has_same |= job->ranked[i].type == same;
    }
    if (!has_same)
        DGM_TRY(add_word(env, job, &count, same));
    if (count > start)
        qsort(shortlist->words + start, count - start, sizeof *shortlist->words, by_type);
    shortlist->starts[e + 1] = count;
    return DGM_OK;
}

/* ---- all ------------------------------------------------------------------------------------- */

static dgm_status make(struct dgm_env *env, struct making *job, const int64_t *counts)
{
    struct dgm_shortlist *shortlist = job->shortlist;
    const size_t types = (size_t)shortlist->types[DGM_TARGET];

    DGM_TRY(dgm_new(env, &job->ranked, types, sizeof *job->ranked));
    DGM_TRY(dgm_new(env, &job->is_always, types, 1));
    DGM_TRY(dgm_new(env, &shortlist->starts, (size_t)shortlist->types[DGM_SOURCE] + 1,
                    sizeof *shortlist->starts));
    DGM_TRY(list_always(env, job, counts));
    for (int32_t e = 0; e < shortlist->types[DGM_SOURCE]; e++)
        DGM_TRY(list_translations(env, job, e));
    return DGM_OK;
}

dgm_status dgm_shortlist_build(struct dgm_env *env, struct dgm_shortlist *shortlist,
                               const struct dgm_lex_table *table, const struct dgm_vocab *source,
                               const struct dgm_vocab *target, const int64_t *counts,
                               const struct dgm_shortlist_sizes *options)
{
    struct making job = { .shortlist = shortlist,
                          .table = table,
                          .source = source,
                          .target = target,
                          .options = options };
    dgm_status status;

    memset(shortlist, 0, sizeof *shortlist);
    shortlist->types[DGM_SOURCE] = (int32_t)dgm_vocab_size(source);
    shortlist->types[DGM_TARGET] = (int32_t)dgm_vocab_size(target);
    shortlist->signature[DGM_SOURCE] = dgm_vocab_signature(source);
    shortlist->signature[DGM_TARGET] = dgm_vocab_signature(target);
    status = make(env, &job, counts);
    dgm_release(env, job.ranked);
    dgm_release(env, job.is_always);
    if (status != DGM_OK)
        dgm_shortlist_clear(env, shortlist);
    return status;
}
