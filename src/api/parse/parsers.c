/* parsers.c: several parsers against one gold file: scores, groups, and whether they differ. */
#include <math.h>
#include <string.h>

#include "api/context.h"
#include "api/program.h"
#include "base/mem.h"
#include "syntax/eval/eval_groups.h"
#include "syntax/eval/parse_eval.h"
#include "text/score/paired.h"

/* What a sentence comes to: sums of these have a score. */
enum { CORRECT, GOLD, SYSTEM, WIDTH };

struct parser {
    dgm_parse_counts *counts; /* (items, DGM_PARSE_METRICS) */
    size_t items;             /* sentences, or groups so far */
};

struct dgm_parsers {
    struct dgm_context *context;
    struct parser *parsers; /* (count) */
    size_t count;
    long sentences;                /* of the gold file */
    struct dgm_eval_groups groups; /* by NULL: items are sentences */
    uint32_t *order;               /* (groups) of tables */
};

/* ---- reading -------------------------------------------------------------------------------- */

static dgm_status take(struct dgm_env *env, struct dgm_parsers *parsers, struct parser *parser,
                       const struct dgm_eval *eval, uint32_t *gold, uint32_t *system)
{
    parser->items = eval->gold.sentence_count;
    if (parsers->groups.by != NULL) {
        DGM_TRY(dgm_eval_groups_fill(env, &parsers->groups, eval, &eval->gold, gold));
        DGM_TRY(dgm_eval_groups_fill(env, &parsers->groups, eval, &eval->system, system));
        parser->items = parsers->groups.names.count;
    } else {
        dgm_eval_sentences(eval, &eval->gold, gold);
        dgm_eval_sentences(eval, &eval->system, system);
    }
    DGM_TRY(
        dgm_new(env, &parser->counts, parser->items * DGM_PARSE_METRICS, sizeof *parser->counts));
    dgm_parse_eval_items(eval, gold, system, parser->counts);
    return DGM_OK;
}

static dgm_status read_one(struct dgm_env *env, struct dgm_parsers *parsers, size_t number,
                           const struct dgm_parsers_asked *asked, enum dgm_multi_root policy)
{
    struct dgm_eval eval = { .earlier = asked->earlier_heads };
    uint32_t *gold = NULL, *system = NULL;
    dgm_status status;
    DGM_TRY_OUT(dgm_parse_eval_load(env, &eval, asked->gold, asked->systems[number], policy));
    parsers->sentences = (long)eval.gold.sentence_count;
    DGM_TRY_OUT(dgm_new(env, &gold, eval.gold.word_count, sizeof *gold));
    DGM_TRY_OUT(dgm_new(env, &system, eval.system.word_count, sizeof *system));
    status = take(env, parsers, &parsers->parsers[number], &eval, gold, system);
out:
    dgm_release(env, gold);
    dgm_release(env, system);
    dgm_eval_file_clear(env, &eval);
    return status;
}

/* ---- the order of groups -------------------------------------------------------------------- */

static int64_t words_of(const struct dgm_parsers *parsers, uint32_t group, dgm_parse_metric metric)
{
    const struct parser *first = &parsers->parsers[0];
    return group < first->items ? first->counts[group * DGM_PARSE_METRICS + metric].gold : 0;
}

/* By place; where places are equal, the larger first. */
static int is_before(const struct dgm_parsers *parsers, uint32_t a, uint32_t b)
{
    const int32_t *places = parsers->groups.places;
    const int64_t x = words_of(parsers, a, DGM_PARSE_WORDS);
    const int64_t y = words_of(parsers, b, DGM_PARSE_WORDS);
    const struct dgm_map *names = &parsers->groups.names;
    if (places[a] != places[b])
        return places[a] < places[b];
    if (x != y)
        return x > y;
    return strcmp(dgm_map_key(names, &names->entries[a]), dgm_map_key(names, &names->entries[b])) <
           0;
}

static dgm_status sort_groups(struct dgm_env *env, struct dgm_parsers *parsers)
{
    const size_t count = parsers->groups.names.count;
    DGM_TRY(dgm_new(env, &parsers->order, count, sizeof *parsers->order));
    for (size_t i = 0; i < count; i++) {
        size_t at = i;
        for (; at > 0 && is_before(parsers, (uint32_t)i, parsers->order[at - 1]); at--)
            parsers->order[at] = parsers->order[at - 1];
        parsers->order[at] = (uint32_t)i;
    }
    return DGM_OK;
}

/* ---- making one ----------------------------------------------------------------------------- */

static dgm_status fill(struct dgm_env *env, struct dgm_parsers *parsers,
                       const struct dgm_parsers_asked *asked)
{
    int policy;
    DGM_TRY(dgm_options_choose(env, &policy, "multi_root", asked->multi_root, dgm_multi_root_names,
                               DGM_MULTI_ROOTS));
    parsers->groups.by = asked->by != NULL ? dgm_by_find(asked->by) : NULL;
    DGM_TRY(dgm_new(env, &parsers->parsers, asked->count, sizeof *parsers->parsers));
    parsers->count = asked->count;
    for (size_t s = 0; s < asked->count; s++)
        DGM_TRY(read_one(env, parsers, s, asked, (enum dgm_multi_root)policy));
    return sort_groups(env, parsers);
}

dgm_status dgm_parsers_open(dgm_context *context, const struct dgm_parsers_asked *asked,
                            struct dgm_parsers **parsers)
{
    struct dgm_parsers *made;
    dgm_status status;
    DGM_ENTER_NEW(context, parsers);
    DGM_TRY(dgm_new(&context->env, &made, 1, sizeof *made));
    made->context = context;
    status = fill(&context->env, made, asked);
    if (status == DGM_OK)
        *parsers = made;
    else
        dgm_parsers_close(made);
    return status;
}

void dgm_parsers_close(struct dgm_parsers *parsers)
{
    struct dgm_env *env;
    if (parsers == NULL)
        return;
    env = &parsers->context->env;
    for (size_t s = 0; s < parsers->count; s++)
        dgm_release(env, parsers->parsers[s].counts);
    dgm_release(env, parsers->parsers);
    dgm_release(env, parsers->order);
    dgm_eval_groups_clear(env, &parsers->groups);
    dgm_release(env, parsers);
}

/* ---- results -------------------------------------------------------------------------------- */

static double score(const void *user, const int64_t *sums)
{
    (void)user;
    return dgm_attachment_percent(2 * sums[CORRECT], sums[GOLD] + sums[SYSTEM]);
}

static void get_row(const struct parser *parser, size_t item, dgm_parse_metric metric,
                    int64_t row[WIDTH])
{
    const dgm_parse_counts *counts = &parser->counts[item * DGM_PARSE_METRICS + metric];
    row[CORRECT] = counts->correct;
    row[GOLD] = counts->gold;
    row[SYSTEM] = counts->system;
}

const char *dgm_parsers_metric(dgm_parse_metric metric)
{
    return dgm_parse_metric_name(metric);
}

double dgm_parsers_score(const struct dgm_parsers *parsers, size_t system, dgm_parse_metric metric)
{
    int64_t sums[WIDTH] = { 0 }, row[WIDTH];
    for (size_t i = 0; i < parsers->parsers[system].items; i++) {
        get_row(&parsers->parsers[system], i, metric, row);
        for (int k = 0; k < WIDTH; k++)
            sums[k] += row[k];
    }
    return score(NULL, sums);
}

dgm_status dgm_parsers_paired(struct dgm_parsers *parsers, dgm_parse_metric metric, long samples,
                              uint64_t seed, dgm_paired *results)
{
    const size_t items = (size_t)parsers->sentences;
    const struct dgm_paired_test test = {
        .sentences = items, .width = WIDTH, .score = score, .samples = (size_t)samples, .seed = seed
    };
    struct dgm_env *env = &parsers->context->env;
    const int64_t **systems = NULL;
    int64_t *rows = NULL;
    dgm_status status;
    DGM_ENTER(parsers->context);
    DGM_TRY_OUT(dgm_new(env, &systems, parsers->count, sizeof *systems));
    DGM_TRY_OUT(dgm_new(env, &rows, parsers->count * items, WIDTH * sizeof *rows));
    for (size_t s = 0; s < parsers->count; s++) {
        systems[s] = rows + s * items * WIDTH;
        for (size_t i = 0; i < items; i++)
            get_row(&parsers->parsers[s], i, metric, rows + (s * items + i) * WIDTH);
    }
    status = dgm_paired_bootstrap(env, results, &test, systems, parsers->count);
out:
    dgm_release(env, systems);
    dgm_release(env, rows);
    return status;
}

size_t dgm_parsers_groups(const struct dgm_parsers *parsers)
{
    return parsers->groups.names.count;
}

const char *dgm_parsers_group(const struct dgm_parsers *parsers, size_t group,
                              dgm_parse_metric metric, long *words)
{
    const struct dgm_map *names = &parsers->groups.names;
    *words = (long)words_of(parsers, parsers->order[group], metric);
    return dgm_map_key(names, &names->entries[parsers->order[group]]);
}

double dgm_parsers_group_score(const struct dgm_parsers *parsers, size_t group, size_t system,
                               dgm_parse_metric metric)
{
    const struct parser *parser = &parsers->parsers[system];
    int64_t row[WIDTH] = { 0 };
    if (parsers->order[group] < parser->items)
        get_row(parser, parsers->order[group], metric, row);
    return row[GOLD] + row[SYSTEM] > 0 ? score(NULL, row) : (double)NAN;
}

long dgm_parsers_sentences(const struct dgm_parsers *parsers)
{
    return parsers->sentences;
}
