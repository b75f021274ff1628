/*
 * parse_batch.c: the scores of one parser for a batch.
 */
#include "decode/parse/parse_batch.h"

#include <string.h>

#include "base/mem.h"
#include "base/system/room.h"

/* Words whose labels are scored at a time: in between stands a matrix (words, labels R), which the
 * second cache then holds. */
enum { LABEL_WORDS = 96 };

dgm_status dgm_parse_init_alone(struct dgm_env *env, struct dgm_parse *parse,
                                struct dgm_parser *parser, struct dgm_device *device,
                                const struct dgm_parse_options *options)
{
    memset(parse, 0, sizeof *parse);
    parse->parser = parser;
    parse->device = device;
    parse->unsure = -1;
    if (options != NULL)
        parse->options = *options;
    parse->root_label = dgm_lexicon_class(&parser->lexicon.labels, "root");
    dgm_parser_step_init(&parse->step, device);
    dgm_feed_init(&parse->arcs, device);
    DGM_TRY(dgm_graph_init(env, &parse->graph, device));
    DGM_TRY(dgm_graph_init(env, &parse->label_graph, device));
    parse->graph.has_spare = parse->label_graph.has_spare = 1;
    return DGM_OK;
}

dgm_status dgm_parsed_reserve(struct dgm_env *env, struct dgm_parsed *parsed, unsigned morphs,
                              size_t rows)
{
    const struct dgm_parallel arrays[] = { { &parsed->heads, sizeof *parsed->heads },
                                           { &parsed->labels, sizeof *parsed->labels },
                                           { &parsed->tags, sizeof *parsed->tags },
                                           { &parsed->prob, sizeof *parsed->prob },
                                           { NULL, 0 } };

    for (int m = 0; m < DGM_MORPHS; m++)
        if (morphs & 1u << m)
            DGM_TRY(dgm_reserve(env, &parsed->morphs[m], &parsed->morph_capacity[m], rows,
                                sizeof *parsed->morphs[m]));
    return dgm_reserve_parallel(env, arrays, &parsed->capacity, rows);
}

void dgm_parsed_clear(struct dgm_env *env, struct dgm_parsed *parsed)
{
    dgm_release(env, parsed->heads);
    dgm_release(env, parsed->labels);
    dgm_release(env, parsed->tags);
    dgm_release(env, parsed->prob);
    for (int m = 0; m < DGM_MORPHS; m++)
        dgm_release(env, parsed->morphs[m]);
    memset(parsed, 0, sizeof *parsed);
}

void dgm_parse_clear_alone(struct dgm_env *env, struct dgm_parse *parse)
{
    dgm_parser_step_clear(env, &parse->step);
    dgm_graph_clear(&parse->graph);
    dgm_graph_clear(&parse->label_graph);
    dgm_feed_clear(env, &parse->arcs);
    dgm_spanning_work_clear(env, &parse->work);
    dgm_release(env, parse->scores);
    dgm_release(env, parse->marginals);
    dgm_parsed_clear(env, &parse->latest);
    dgm_release(env, parse->order);
    memset(parse, 0, sizeof *parse);
}

/* ---- scores ---------------------------------------------------------------------------------- */

unsigned dgm_parse_morphs(const struct dgm_parse *parse)
{
    return parse->options.morphs & dgm_parser_morphs(parse->parser);
}

static dgm_status build_batch(struct dgm_env *env, struct dgm_parse *parse,
                              const struct dgm_treebank *bank, const int32_t *numbers,
                              int32_t count, const int32_t *tags)
{
    DGM_TRY(
        dgm_parser_stage(env, parse->parser, &parse->step, bank, numbers, count, tags, 0, 0, 0));
    DGM_TRY(dgm_parsed_reserve(env, &parse->latest, dgm_parse_morphs(parse),
                               (size_t)parse->step.base.source.rows));
    dgm_graph_begin(&parse->graph, 0, 0, 0);
    dgm_parser_score(&parse->graph, parse->parser, &parse->step, parse->options.morphs,
                     &parse->nodes);
    return DGM_OK;
}

dgm_status dgm_parse_score(struct dgm_env *env, struct dgm_parse *parse,
                           const struct dgm_treebank *bank, const int32_t *numbers, int32_t count,
                           const int32_t *tags)
{
    DGM_TRY(build_batch(env, parse, bank, numbers, count, tags));
    return dgm_graph_run(&parse->graph);
}

dgm_status dgm_parse_read_node(struct dgm_env *env, struct dgm_parse *parse,
                               const struct dgm_node *node, int64_t count)
{
    DGM_TRY(dgm_reserve(env, &parse->scores, &parse->score_capacity, (size_t)count,
                        sizeof *parse->scores));
    return dgm_graph_read(&parse->graph, node, parse->scores);
}

dgm_status dgm_parse_read_arcs(struct dgm_env *env, struct dgm_parse *parse)
{
    struct dgm_pair_log_softmax_args args = { 0 };
    const struct dgm_side_slots *side = &parse->step.base.source;

    args.y = dgm_node_value(parse->nodes.arcs);
    args.offsets = dgm_feed_ref(&parse->step.base.feed, side->offsets);
    args.squares = dgm_feed_ref(&parse->step.base.feed, side->squares);
    args.sentences = side->sentences;
    args.mask = DGM_PAIRS_NOT_SELF;
    DGM_TRY(dgm_device_run(env, parse->graph.device, DGM_TASK_pair_log_softmax, &args));
    return dgm_parse_read_node(env, parse, parse->nodes.arcs, parse->step.pairs);
}

/* ---- labels ---------------------------------------------------------------------------------- */

/* Rows of words and of their heads, all sentences after each other. Labels are scored for the
 * chosen arcs alone, (words, labels), not for all pairs of words. */
static dgm_status stage_arcs(struct dgm_env *env, struct dgm_parse *parse, dgm_slot slots[2],
                             int64_t words)
{
    const struct dgm_packed *rows = &parse->step.rows;
    int32_t *dependents, *heads;
    int64_t w = 0;

    dgm_feed_reset(&parse->arcs);
    DGM_TRY(dgm_feed_take(env, &parse->arcs, &slots[0], &dependents,
                          (size_t)words * sizeof *dependents));
    DGM_TRY(dgm_feed_take(env, &parse->arcs, &slots[1], &heads, (size_t)words * sizeof *heads));
    dependents = dgm_feed_host(&parse->arcs, slots[0]);
    for (int32_t s = 0; s < rows->count; s++)
        for (int32_t i = rows->offsets[s] + 1; i < rows->offsets[s + 1]; i++, w++) {
            dependents[w] = i;
            heads[w] = rows->offsets[s] + parse->latest.heads[i];
        }
    return dgm_feed_send(env, &parse->arcs);
}

/* Where the d' and h' of all rows are, and the lists of rows that are asked for. */
struct label_operands {
    struct dgm_ref dependents, heads; /* (rows, R) */
    struct dgm_ref of_dependents, of_heads;
};

/* The labels' graph of so many words; what it gives is kept. */
static struct dgm_node *build_labels(struct dgm_parse *parse, const struct label_operands *from,
                                     int64_t words)
{
    int64_t rows = parse->step.base.source.rows, width = parse->parser->config.label;
    struct dgm_graph *g = &parse->label_graph;
    struct dgm_node *d, *h;

    dgm_graph_begin(g, 0, 0, 0);
    d = dgm_gather(g, dgm_constant(g, from->dependents, rows, width), from->of_dependents, words);
    h = dgm_gather(g, dgm_constant(g, from->heads, rows, width), from->of_heads, words);
    return dgm_keep(g, dgm_parser_label_scores(g, parse->parser, d, h));
}

static int64_t label_block(int64_t words)
{
    return words < LABEL_WORDS ? words : LABEL_WORDS;
}

dgm_status dgm_parse_score_labels(struct dgm_env *env, struct dgm_parse *parse, int64_t words)
{
    const int64_t labels = parse->parser->labels;
    struct label_operands from = { dgm_node_value(parse->nodes.label_dependent),
                                   dgm_node_value(parse->nodes.label_head),
                                   { NULL, 0 },
                                   { NULL, 0 } };
    dgm_slot slots[2];

    DGM_TRY(stage_arcs(env, parse, slots, words));
    DGM_TRY(dgm_reserve(env, &parse->scores, &parse->score_capacity, (size_t)(words * labels),
                        sizeof *parse->scores));
    for (int64_t w = 0, count; w < words; w += count) {
        const size_t before = (size_t)w * sizeof(int32_t);
        struct dgm_node *y;

        count = label_block(words - w);
        from.of_dependents = dgm_ref_at(dgm_feed_ref(&parse->arcs, slots[0]), before);
        from.of_heads = dgm_ref_at(dgm_feed_ref(&parse->arcs, slots[1]), before);
        y = build_labels(parse, &from, count);
        DGM_TRY(dgm_graph_run(&parse->label_graph));
        DGM_TRY(dgm_graph_read(&parse->label_graph, y, parse->scores + w * labels));
    }
    return DGM_OK;
}

/* ---- memory ---------------------------------------------------------------------------------- */

/* The pool of the labels' graph, over operands that lie nowhere. */
static dgm_status size_labels(struct dgm_parse *parse, uint64_t *bytes)
{
    const struct label_operands nowhere = { { NULL, 0 }, { NULL, 0 }, { NULL, 0 }, { NULL, 0 } };

    build_labels(parse, &nowhere,
                 label_block(parse->step.base.source.rows - parse->step.rows.count));
    return dgm_graph_size(&parse->label_graph, bytes);
}

dgm_status dgm_parse_size_alone(struct dgm_env *env, struct dgm_parse *parse,
                                const struct dgm_treebank *bank, const int32_t *numbers,
                                int32_t count, double *bytes)
{
    const struct dgm_parser *parser = parse->parser;
    int64_t classes = parser->labels > parser->tags ? parser->labels : parser->tags;
    double rows, host;
    uint64_t pool, labels;

    DGM_TRY(build_batch(env, parse, bank, numbers, count, NULL));
    DGM_TRY(dgm_graph_size(&parse->graph, &pool));
    rows = (double)parse->step.base.source.rows;
    DGM_TRY(size_labels(parse, &labels));
    for (int m = 0; m < DGM_MORPHS; m++)
        if ((dgm_parse_morphs(parse) & 1u << m) && parser->morphs[m].classes > classes)
            classes = parser->morphs[m].classes;
    host = rows * (double)classes;
    if (host < (double)parse->step.pairs)
        host = (double)parse->step.pairs;
    *bytes = DGM_WASTE * ((double)pool + (double)labels + host * sizeof(dgm_real));
    return DGM_OK;
}
