/*
 * lex_table.c: p(target type | source type) by model 1 of Brown et al. (1993).
 *
 * One round of EM has two passes over all pairs of tokens f, e of a pair of sentences:
 *
 *     z_j = sum over the tokens e of the source of p(f_j | e)
 *     c(f | e) = p(f | e) sum over j: f_j = f of 1 / z_j
 *     p(f | e) = c(f | e) / sum over f of c(f | e)
 *
 * Both go type by type of the source through the sentences that hold it, with the row of the type
 * spread out over all target types: no entry has to be searched for. A sum has one order of its
 * terms, whoever computes it: z_j by source type, c by sentence.
 */
#include "data/shortlist/lex_table.h"

#include <string.h>

#include "base/mem.h"
#include "data/side.h"
#include "text/bpe/vocab.h"

/* Rounds: model 1 changes little from then on, and begins to overrate rare words. */
enum { ROUNDS = 5 };

enum { EMPTY_WORD = DGM_VOCAB_BOS };

struct learning {
    struct dgm_lex_table *table;
    const struct dgm_packed *source, *target;
    size_t *starts;     /* (source types + 1) type e stands in sentences[starts[e]] .. */
    int32_t *sentences; /* in their order; once for each of its tokens */
    double *z;          /* (target positions) z_j; later 1 / z_j */
    double *spread;     /* (workers, target types) zeros between uses */
    int32_t *marks;     /* (workers, target types) */
    int ranges;         /* of sentences */
};

/* ---- where types stand ----------------------------------------------------------------------- */

static int32_t length_of(const struct dgm_packed *side, int32_t s)
{
    return dgm_packed_length(side, s) - 1; /* its end is no word */
}

static void count_types(struct learning *job)
{
    const struct dgm_packed *source = job->source;

    for (int32_t s = 0; s < source->count; s++) {
        const int32_t *ids = source->ids + source->offsets[s];

        job->starts[EMPTY_WORD + 1]++;
        for (int32_t i = 0; i < length_of(source, s); i++)
            job->starts[ids[i] + 1]++;
    }
    for (int32_t e = 0; e < job->table->types[DGM_SOURCE]; e++)
        job->starts[e + 1] += job->starts[e];
}

/* A counting sort; starts[e] moves to the end of its type and back. */
static void place_sentences(struct learning *job)
{
    const struct dgm_packed *source = job->source;

    for (int32_t s = 0; s < source->count; s++) {
        const int32_t *ids = source->ids + source->offsets[s];

        job->sentences[job->starts[EMPTY_WORD]++] = s;
        for (int32_t i = 0; i < length_of(source, s); i++)
            job->sentences[job->starts[ids[i]]++] = s;
    }
    for (int32_t e = job->table->types[DGM_SOURCE]; e > 0; e--)
        job->starts[e] = job->starts[e - 1];
    job->starts[0] = 0;
}

static dgm_status index_types(struct dgm_env *env, struct learning *job)
{
    const struct dgm_packed *source = job->source;
    const size_t tokens = (size_t)source->offsets[source->count];

    DGM_TRY(
        dgm_new(env, &job->starts, (size_t)job->table->types[DGM_SOURCE] + 1, sizeof *job->starts));
    /* As many ends of sentences are left out as empty words come in. */
    DGM_TRY(dgm_new(env, &job->sentences, tokens, sizeof *job->sentences));
    count_types(job);
    place_sentences(job);
    return DGM_OK;
}

/* ---- rows ------------------------------------------------------------------------------------ */

/* Target types beside source type e, in the order in which they first stand there; their number. */
static size_t list_types(const struct learning *job, int32_t e, int32_t mark, int worker,
                         int32_t *words)
{
    const struct dgm_packed *target = job->target;
    int32_t *marks = job->marks + (size_t)worker * (size_t)job->table->types[DGM_TARGET];
    size_t count = 0;

    for (size_t o = job->starts[e]; o < job->starts[e + 1]; o++) {
        const int32_t s = job->sentences[o], *ids = target->ids + target->offsets[s];

        for (int32_t j = 0; j < length_of(target, s); j++) {
            if (marks[ids[j]] == mark)
                continue;
            marks[ids[j]] = mark;
            if (words != NULL)
                words[count] = ids[j];
            count++;
        }
    }
    return count;
}

static void count_row(void *shared, int64_t e, int worker)
{
    const struct learning *job = shared;

    /* Marks of counting are above 0, those of fill_row below: neither sees what the other left. */
    job->table->starts[e + 1] = list_types(job, (int32_t)e, (int32_t)e + 1, worker, NULL);
}

static void fill_row(void *shared, int64_t e, int worker)
{
    const struct learning *job = shared;
    const struct dgm_lex_table *table = job->table;
    const float first = 1 / (float)table->types[DGM_TARGET];

    list_types(job, (int32_t)e, -1 - (int32_t)e, worker, table->words + table->starts[e]);
    for (size_t i = table->starts[e]; i < table->starts[e + 1]; i++)
        table->p[i] = first;
}

static dgm_status make_rows(struct dgm_env *env, struct learning *job, struct dgm_pool *pool)
{
    struct dgm_lex_table *table = job->table;
    const int32_t types = table->types[DGM_SOURCE];

    DGM_TRY(dgm_new(env, &table->starts, (size_t)types + 1, sizeof *table->starts));
    dgm_pool_run(pool, count_row, job, types);
    for (int32_t e = 0; e < types; e++)
        if (!dgm_size_add(&table->starts[e + 1], table->starts[e + 1], table->starts[e]))
            return dgm_fail(env, DGM_MEMORY, "pairs of words of the corpus do not fit into memory");
    DGM_TRY(dgm_new(env, &table->words, table->starts[types], sizeof *table->words));
    DGM_TRY(dgm_new(env, &table->p, table->starts[types], sizeof *table->p));
    dgm_pool_run(pool, fill_row, job, types);
    return DGM_OK;
}

/* ---- one round ------------------------------------------------------------------------------- */

static double *spread_of(const struct learning *job, int worker)
{
    return job->spread + (size_t)worker * (size_t)job->table->types[DGM_TARGET];
}

/* The first occurrence of type e in sentence s or a later one. */
static size_t find_sentence(const struct learning *job, int32_t e, int32_t s)
{
    size_t low = job->starts[e], high = job->starts[e + 1];

    while (low < high) {
        const size_t middle = low + (high - low) / 2;

        if (job->sentences[middle] < s)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Adds p(f_j | e) to z_j in sentences first .. end-1. */
static void add_type(const struct learning *job, int32_t e, int32_t first, int32_t end,
                     double *spread)
{
    const struct dgm_lex_table *table = job->table;
    const struct dgm_packed *target = job->target;
    const size_t from = find_sentence(job, e, first), to = find_sentence(job, e, end);

    if (from == to)
        return;
    for (size_t i = table->starts[e]; i < table->starts[e + 1]; i++)
        spread[table->words[i]] = (double)table->p[i];
    for (size_t o = from; o < to; o++) {
        const int32_t s = job->sentences[o], at = target->offsets[s];

        for (int32_t j = 0; j < length_of(target, s); j++)
            job->z[at + j] += spread[target->ids[at + j]];
    }
    for (size_t i = table->starts[e]; i < table->starts[e + 1]; i++)
        spread[table->words[i]] = 0;
}

/* 1 / z_j of a range of sentences. */
static void sum_range(void *shared, int64_t range, int worker)
{
    const struct learning *job = shared;
    const int32_t count = job->target->count, *offsets = job->target->offsets;
    const int32_t first = (int32_t)(range * count / job->ranges);
    const int32_t end = (int32_t)((range + 1) * count / job->ranges);

    for (int32_t j = offsets[first]; j < offsets[end]; j++)
        job->z[j] = 0;
    for (int32_t e = 0; e < job->table->types[DGM_SOURCE]; e++)
        add_type(job, e, first, end, spread_of(job, worker));
    for (int32_t j = offsets[first]; j < offsets[end]; j++)
        job->z[j] = job->z[j] > 0 ? 1 / job->z[j] : 0;
}

/* c(f | e) of a row into its `spread`; their sum. */
static double count_translations(const struct learning *job, int32_t e, double *spread)
{
    const struct dgm_lex_table *table = job->table;
    const struct dgm_packed *target = job->target;
    double sum = 0;

    for (size_t o = job->starts[e]; o < job->starts[e + 1]; o++) {
        const int32_t s = job->sentences[o], at = target->offsets[s];

        for (int32_t j = 0; j < length_of(target, s); j++)
            spread[target->ids[at + j]] += job->z[at + j];
    }
    for (size_t i = table->starts[e]; i < table->starts[e + 1]; i++) {
        spread[table->words[i]] *= (double)table->p[i];
        sum += spread[table->words[i]];
    }
    return sum;
}

static void estimate_row(void *shared, int64_t e, int worker)
{
    const struct learning *job = shared;
    const struct dgm_lex_table *table = job->table;
    double *spread = spread_of(job, worker);
    const double sum = count_translations(job, (int32_t)e, spread);

    for (size_t i = table->starts[e]; i < table->starts[e + 1]; i++) {
        if (sum > 0)
            table->p[i] = (float)(spread[table->words[i]] / sum);
        spread[table->words[i]] = 0;
    }
}

/* ---- all ------------------------------------------------------------------------------------- */

static dgm_status reserve(struct dgm_env *env, struct learning *job, int workers)
{
    const size_t types = (size_t)job->table->types[DGM_TARGET];
    size_t all;

    if (!dgm_size_mul(&all, types, (size_t)workers))
        return dgm_fail(env, DGM_MEMORY, "%d threads for %zu target types do not fit into memory",
                        workers, types);
    DGM_TRY(
        dgm_new(env, &job->z, (size_t)job->target->offsets[job->target->count], sizeof *job->z));
    DGM_TRY(dgm_new(env, &job->spread, all, sizeof *job->spread));
    return dgm_new(env, &job->marks, all, sizeof *job->marks);
}

static dgm_status learn(struct dgm_env *env, struct learning *job, struct dgm_pool *pool)
{
    /* As many ranges as threads: each reads all rows, and no sum depends on where a range ends. */
    job->ranges = dgm_pool_threads(pool);
    DGM_TRY(reserve(env, job, job->ranges));
    DGM_TRY(index_types(env, job));
    DGM_TRY(make_rows(env, job, pool));
    for (int round = 0; round < ROUNDS; round++) {
        DGM_TRY(dgm_poll(env));
        dgm_pool_run(pool, sum_range, job, job->ranges);
        DGM_TRY(dgm_poll(env));
        dgm_pool_run(pool, estimate_row, job, job->table->types[DGM_SOURCE]);
    }
    return DGM_OK;
}

dgm_status dgm_lex_table_learn(struct dgm_env *env, struct dgm_lex_table *table,
                               struct dgm_pool *pool, const struct dgm_packed *source,
                               const struct dgm_packed *target, const int32_t types[2])
{
    struct learning job = { .table = table, .source = source, .target = target };
    dgm_status status;

    table->types[DGM_SOURCE] = types[DGM_SOURCE];
    table->types[DGM_TARGET] = types[DGM_TARGET];
    status = learn(env, &job, pool);
    dgm_release(env, job.starts);
    dgm_release(env, job.sentences);
    dgm_release(env, job.z);
    dgm_release(env, job.spread);
    dgm_release(env, job.marks);
    return status;
}

void dgm_lex_table_clear(struct dgm_env *env, struct dgm_lex_table *table)
{
    dgm_release(env, table->starts);
    dgm_release(env, table->words);
    dgm_release(env, table->p);
    memset(table, 0, sizeof *table);
}
