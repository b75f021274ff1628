/*
 * score_by.c: how well systems do in groups of words of a reference: which of them they have.
 *
 * A line of a system has min(h, r) of the r times that the reference has a word, h being how often
 * the line has it (clipped, as BLEU's matches are). Where the r are in several groups, as a word
 * may have two relations in a line, each group gets its share, min(h, r) / r of its own. A
 * criterion that tells words apart by themselves knows the groups of the system's words, too, and
 * yields F1; one of trees knows the reference's alone, and yields recall.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "api/score/by.h"
#include "base/mem.h"

const char dgm_by_names[] =
#define BY_FIRST(name) #name
#define BY(name) "|" #name
#include "text/score/by/by_list.h"
    ;

/* ---- making one ----------------------------------------------------------------------------- */

static dgm_status check_asked(struct dgm_env *env, const struct dgm_by *by,
                              const struct dgm_score_by_asked *asked)
{
    const int text = (by->needs & DGM_BY_TEXT) != 0, trees = (by->needs & DGM_BY_TREES) != 0;
    if (text != (asked->text != NULL))
        return dgm_fail(env, DGM_USAGE,
                        text ? "--by %s without --by-text, whose words it counts"
                             : "--by-text with --by %s, which counts no text",
                        by->name);
    if (trees != (asked->trees != NULL))
        return dgm_fail(env, DGM_USAGE,
                        trees ? "--by %s without --by-trees, the trees of the reference"
                              : "--by-trees with --by %s, which looks at no tree",
                        by->name);
    return DGM_OK;
}

static dgm_status fill(struct dgm_score_by *by, const struct dgm_settings *settings,
                       const struct dgm_score_by_asked *asked)
{
    const dgm_scorer_options chosen = { .struct_size = sizeof chosen, .metric = "bleu" };
    DGM_TRY(dgm_scorer_open(by->context, &chosen, settings, &by->cutter));
    DGM_TRY(dgm_new(&by->context->env, &by->sums, asked->systems * DGM_BY_MOST_GROUPS,
                    sizeof *by->sums));
    by->systems = asked->systems;
    return dgm_by_read_reference(by, asked);
}

dgm_status dgm_score_by_open(dgm_context *context, const struct dgm_settings *settings,
                             const struct dgm_score_by_asked *asked, struct dgm_score_by **by)
{
    const struct dgm_by *found = dgm_by_find(asked->criterion);
    struct dgm_score_by *made;
    dgm_status status;
    DGM_ENTER_NEW(context, by);
    DGM_TRY(check_asked(&context->env, found, asked));
    DGM_TRY(dgm_new(&context->env, &made, 1, sizeof *made));
    made->context = context;
    made->by = found;
    status = fill(made, settings, asked);
    if (status == DGM_OK)
        *by = made;
    else
        dgm_score_by_close(made);
    return status;
}

void dgm_score_by_close(struct dgm_score_by *by)
{
    struct dgm_env *env;
    if (by == NULL)
        return;
    env = &by->context->env;
    dgm_scorer_free(by->cutter);
    dgm_map_clear(env, &by->seen);
    dgm_map_clear(env, &by->names);
    dgm_release(env, by->places);
    dgm_release(env, by->order);
    dgm_release(env, by->tokens);
    dgm_release(env, by->ends);
    dgm_release(env, by->sums);
    dgm_release(env, by->have);
    dgm_release(env, by->want);
    dgm_release(env, by);
}

/* ---- a line of a system --------------------------------------------------------------------- */

/* Room for all words so far; new ones have been seen in no line. */
static dgm_status make_room(struct dgm_env *env, int32_t **counts, size_t *capacity, size_t words)
{
    const size_t before = *capacity;
    DGM_TRY(dgm_reserve(env, counts, capacity, words, sizeof **counts));
    if (*capacity > before)
        memset(*counts + before, 0, (*capacity - before) * sizeof **counts);
    return DGM_OK;
}

dgm_status dgm_by_make_room(struct dgm_score_by *by)
{
    struct dgm_env *env = &by->context->env;
    const size_t words = dgm_by_cutter(by)->words.count;
    DGM_TRY(make_room(env, &by->have, &by->have_capacity, words));
    return make_room(env, &by->want, &by->want_capacity, words);
}

static dgm_status count_said(struct dgm_score_by *by, struct dgm_by_sum *sums, size_t count)
{
    const struct dgm_bleu *cutter = dgm_by_cutter(by);
    uint32_t group;
    for (size_t i = 0; i < count; i++) {
        by->have[cutter->items[i]]++;
        if (by->by->needs & DGM_BY_TREES)
            continue;
        DGM_TRY(dgm_by_group_of_key(by, cutter->items[i], (int32_t)count, &group));
        sums[group].said++;
    }
    return DGM_OK;
}

static void match(struct dgm_score_by *by, struct dgm_by_sum *sums, size_t start, size_t end)
{
    for (size_t i = start; i < end; i++)
        by->want[by->tokens[i].word]++;
    for (size_t i = start; i < end; i++) {
        const int32_t have = by->have[by->tokens[i].word], want = by->want[by->tokens[i].word];
        sums[by->tokens[i].group].matched += have < want ? (double)have / want : 1;
    }
}

static dgm_status take_line(struct dgm_env *env, struct dgm_score_by *by, struct dgm_by_sum *sums,
                            const struct dgm_lines *lines)
{
    struct dgm_bleu *cutter = dgm_by_cutter(by);
    const size_t line = (size_t)lines->number - 1, start = line > 0 ? by->ends[line - 1] : 0;
    const struct dgm_metric_text text = { lines->line.data, lines->line.size };
    size_t count;
    DGM_TRY(dgm_bleu_words(env, cutter, &count, text));
    DGM_TRY(dgm_by_make_room(by));
    DGM_TRY(count_said(by, sums, count));
    match(by, sums, start, by->ends[line]);
    for (size_t i = 0; i < count; i++)
        by->have[cutter->items[i]] = 0;
    for (size_t i = start; i < by->ends[line]; i++)
        by->want[by->tokens[i].word] = 0;
    return DGM_OK;
}

static dgm_status read_lines(struct dgm_env *env, struct dgm_score_by *by, struct dgm_by_sum *sums,
                             struct dgm_lines *lines)
{
    int more;
    for (;;) {
        DGM_TRY(dgm_poll(env));
        DGM_TRY(dgm_lines_next(env, lines, &more));
        if (!more && (size_t)lines->number == by->line_count)
            return DGM_OK;
        if (!more || (size_t)lines->number > by->line_count)
            return dgm_fail_at(env, DGM_DATA, dgm_lines_name(lines->path), 0, 0,
                               "%s lines than the reference, which has %zu; expected as many",
                               more ? "more" : "fewer", by->line_count);
        DGM_TRY(take_line(env, by, sums, lines));
    }
}

dgm_status dgm_score_by_read(struct dgm_score_by *by, size_t system, const char *path)
{
    struct dgm_lines lines = { 0 };
    struct dgm_env *env;
    dgm_status status;
    DGM_ENTER(by->context);
    env = &by->context->env;
    if (by->by->of_lines)
        return DGM_OK;
    DGM_TRY(dgm_lines_open(env, &lines, path));
    status = read_lines(env, by, by->sums + system * DGM_BY_MOST_GROUPS, &lines);
    dgm_lines_close(env, &lines);
    return status;
}

/* ---- results -------------------------------------------------------------------------------- */

/* Whether group a stands before b: by place; where all have one, the larger first. */
static int is_before(const struct dgm_score_by *by, uint32_t a, uint32_t b)
{
    const struct dgm_map_entry *x = &by->names.entries[a], *y = &by->names.entries[b];
    if (by->places[a] != by->places[b])
        return by->places[a] < by->places[b];
    if (x->value != y->value)
        return x->value > y->value;
    return strcmp(dgm_map_key(&by->names, x), dgm_map_key(&by->names, y)) < 0;
}

/* Insertion: there are few. */
size_t dgm_score_by_count(struct dgm_score_by *by)
{
    const size_t count = by->names.count;
    if (dgm_reserve(&by->context->env, &by->order, &by->order_capacity, count, sizeof *by->order) !=
        DGM_OK)
        return 0;
    for (size_t i = 0; i < count; i++) {
        size_t at = i;
        for (; at > 0 && is_before(by, (uint32_t)i, by->order[at - 1]); at--)
            by->order[at] = by->order[at - 1];
        by->order[at] = (uint32_t)i;
    }
    return count;
}

struct dgm_score_by_group dgm_score_by_group(const struct dgm_score_by *by, size_t group)
{
    const struct dgm_map_entry *entry = &by->names.entries[by->order[group]];
    return (struct dgm_score_by_group){ .name = dgm_map_key(&by->names, entry),
                                        .count = (long)entry->value };
}

double dgm_score_by_value(const struct dgm_score_by *by, size_t group, size_t system)
{
    const uint32_t number = by->order[group];
    const struct dgm_by_sum *sum = &by->sums[system * DGM_BY_MOST_GROUPS + number];
    const double words = (double)by->names.entries[number].value;
    const double all = by->by->needs & DGM_BY_TREES ? 2 * words : words + (double)sum->said;
    return all > 0 ? 200 * sum->matched / all : (double)NAN;
}

double dgm_score_by_score(const struct dgm_score_by *by, size_t group, const dgm_scorer *scorer)
{
    const struct dgm_measure *measure = &scorer->measure;
    const size_t width = measure->metric->width;
    int64_t sums[DGM_METRIC_WIDTH] = { 0 };
    for (size_t line = 0; line < by->line_count; line++)
        if (by->tokens[by->ends[line] - 1].group == by->order[group])
            dgm_measure_add(measure, sums, scorer->rows + line * width);
    return dgm_measure_score(measure, sums);
}

const char *dgm_score_by_title(const struct dgm_score_by *by)
{
    return by->by->title;
}

int dgm_score_by_is_of_lines(const struct dgm_score_by *by)
{
    return by->by->of_lines;
}

const char *dgm_score_by_measure(const struct dgm_score_by *by)
{
    return by->by->needs & DGM_BY_TREES ? "recall" : "F1";
}
