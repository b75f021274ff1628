/*
 * parses.c: the second task of a multi-task model: where its parses come from.
 */
#include "train/translation/sets/parses.h"

#include <string.h>

#include "base/mem.h"
#include "data/tree/tree_file.h"
#include "decode/parse/parse_lines.h"
#include "syntax/tree/linearise.h"
#include "train/translation/sets/trees.h"

/* ---- what is asked for ----------------------------------------------------------------------- */

void dgm_sets_parses_read(const struct dgm_run *run, struct dgm_order_options *order)
{
    const struct dgm_settings *settings = run->settings;
    const char *batches = dgm_settings_text(settings, "multitask-batches");

    if (!dgm_settings_flag(settings, "multitask"))
        return;
    order->parse_ratio = 1;
    if (dgm_settings_text(settings, "multitask-ratio") != NULL)
        order->parse_ratio = dgm_settings_real(settings, "multitask-ratio");
    order->parses_beside = batches != NULL && strcmp(batches, "beside") == 0;
}

/* ---- from the parser ------------------------------------------------------------------------- */

/* Everything that is open while the source is parsed. */
struct parsing {
    const struct dgm_run *run;
    struct dgm_sets *sets;
    struct dgm_pipeline *pipeline;
    struct dgm_parse_lines lines;
    struct dgm_encoded line; /* its words alone */
    int32_t *counts;         /* words of each line that waits */
    size_t waiting, capacity;
    const char **labels; /* names, of one line */
    size_t label_capacity;
};

/* The tree of a line whose words begin at `at` of the parsed ones. */
static dgm_status add_tree(struct dgm_env *env, struct parsing *parsing, size_t at, int32_t count)
{
    struct dgm_sets *sets = parsing->sets;
    const struct dgm_vocab *names = &sets->parser.lexicon.labels;
    const int32_t *labels = parsing->lines.labels + at;
    struct dgm_tree tree = { .head = parsing->lines.heads + at, .count = count };

    tree.has_parse = count > 0 && tree.head[0] >= 0;
    if (!tree.has_parse)
        return dgm_parses_add(env, &sets->parses);
    DGM_TRY(dgm_reserve(env, &parsing->labels, &parsing->label_capacity, (size_t)count,
                        sizeof *parsing->labels));
    for (int32_t w = 0; w < count; w++)
        parsing->labels[w] = labels[w] < 0 ? "_" : dgm_lexicon_class_name(names, labels[w]);
    DGM_TRY(dgm_linearise_tree(env, &sets->parses.text, &tree, parsing->labels));
    return dgm_parses_add(env, &sets->parses);
}

static dgm_status parse_waiting(struct dgm_env *env, struct parsing *parsing)
{
    size_t at = 0;

    DGM_TRY(dgm_parse_lines_run(env, &parsing->lines));
    for (size_t i = 0; i < parsing->waiting; i++) {
        DGM_TRY(add_tree(env, parsing, at, parsing->counts[i]));
        at += (size_t)parsing->counts[i];
    }
    parsing->waiting = 0;
    dgm_parse_lines_reset(&parsing->lines);
    return DGM_OK;
}

static dgm_status count_words(struct dgm_env *env, struct parsing *parsing,
                              const struct dgm_buf *text)
{
    struct dgm_encoded *line = &parsing->line;

    line->n_words = 0;
    dgm_buf_reset(&line->text);
    DGM_TRY(dgm_pipeline_words(env, parsing->pipeline, DGM_SOURCE, &line->text, text->data,
                               text->size));
    for (size_t i = 0; i < line->text.size; i++) /* words stand with single blanks between */
        line->n_words += i == 0 || line->text.data[i] == ' ';
    return DGM_OK;
}

static dgm_status hear_line(struct dgm_env *env, struct parsing *parsing,
                            const struct dgm_buf *text)
{
    int is_due;

    DGM_TRY(count_words(env, parsing, text));
    DGM_TRY(dgm_grow(env, &parsing->counts, &parsing->capacity, parsing->waiting,
                     sizeof *parsing->counts));
    parsing->counts[parsing->waiting++] = parsing->line.n_words;
    DGM_TRY(dgm_parse_lines_add(env, &parsing->lines, &parsing->line, text->data, text->size));
    DGM_TRY(dgm_sets_trees_parse_is_due(parsing->run, parsing->lines.waiting, &is_due));
    return is_due ? parse_waiting(env, parsing) : DGM_OK;
}

/* The source of a line: all of it, or in a file of both sides what stands before the tab. A line
 * without one is no pair, whatever is made of it. */
static struct dgm_buf source_of(const struct dgm_text *text, const struct dgm_buf *line)
{
    struct dgm_buf source = *line;
    const char *tab = text->path[DGM_TARGET] == NULL && line->size > 0
                          ? memchr(line->data, '\t', line->size)
                          : NULL;

    if (tab != NULL)
        source.size = (size_t)(tab - line->data);
    return source;
}

static dgm_status hear_lines(struct dgm_env *env, struct parsing *parsing,
                             const struct dgm_text *text)
{
    struct dgm_sets *sets = parsing->sets;
    int is_dry = dgm_settings_flag(parsing->run->settings, "dry-run"), more = 1;
    struct dgm_lines lines = { 0 };
    dgm_status status = dgm_lines_open(env, &lines, text->path[DGM_SOURCE]);

    lines.limit = DGM_PAIR_BYTES; /* a pair with a longer source is not used */
    while (status == DGM_OK) {
        struct dgm_buf source;

        status = dgm_lines_next(env, &lines, &more);
        if (status != DGM_OK || !more)
            break;
        source = source_of(text, &lines.line);
        status = is_dry ? dgm_parses_add(env, &sets->parses) : hear_line(env, parsing, &source);
    }
    dgm_lines_close(env, &lines);
    return status == DGM_OK ? parse_waiting(env, parsing) : status;
}

static dgm_status parse_source(const struct dgm_run *run, struct dgm_sets *sets,
                               struct dgm_pipeline *pipeline, const struct dgm_text *text)
{
    struct dgm_env *env = run->env;
    struct parsing parsing = { .run = run, .sets = sets, .pipeline = pipeline };
    dgm_status status;

    sets->parses.text.limit = SIZE_MAX / 4; /* a corpus, not a line: the usual limit is too low */
    status = dgm_parse_lines_init(env, &parsing.lines, &sets->parser, pipeline, NULL);
    if (status == DGM_OK)
        status = hear_lines(env, &parsing, text);
    if (status == DGM_OK)
        dgm_laid_counts_report(env, &parsing.lines.own.counts, "multi-task");
    dgm_parse_lines_clear(env, &parsing.lines);
    dgm_encoded_clear(env, &parsing.line);
    dgm_release(env, parsing.counts);
    dgm_release(env, parsing.labels);
    return status;
}

/* ---- from a file, or the parser -------------------------------------------------------------- */

dgm_status dgm_sets_parses_take(const struct dgm_run *run, struct dgm_sets *sets,
                                struct dgm_pipeline *pipeline)
{
    struct dgm_env *env = run->env;
    const char *brackets = dgm_settings_text(run->settings, "train-brackets");
    const char *trees = sets->texts.items[0].trees[DGM_SOURCE]; /* there is one text */
    const char *from = brackets != NULL ? brackets : trees != NULL ? trees : "the parser";
    int is_unread =
        brackets == NULL && trees == NULL && dgm_settings_flag(run->settings, "dry-run");

    if (!pipeline->multitask || sets->parses.count > 0)
        return DGM_OK;
    if (brackets != NULL)
        DGM_TRY(dgm_parses_read_brackets(env, &sets->parses, brackets));
    else if (trees != NULL) {
        DGM_TRY(dgm_tree_file_is_conllu(env, trees,
                                        "--multitask has --train-brackets for these; "
                                        "--train-trees"));
        DGM_TRY(dgm_parses_read_conllu(env, &sets->parses, trees));
    } else if (sets->has_parser)
        DGM_TRY(parse_source(run, sets, pipeline, &sets->texts.items[0]));
    else
        return dgm_fail(env, DGM_USAGE,
                        "--multitask needs trees; expected --train-brackets FILE, "
                        "--train-trees FILE, or --parser FILE to make them");
    dgm_log(env, DGM_LOG_NOTE,
            "multi-task: %s trees of %s, linearised; %ld of %zu lines have none%s",
            brackets != NULL ? "constituency" : "dependency", from, sets->parses.none,
            sets->parses.count, is_unread ? " (a dry run parses nothing)" : "");
    return DGM_OK;
}

dgm_status dgm_sets_parses_add(const struct dgm_run *run, struct dgm_sets *sets)
{
    struct dgm_env *env = run->env;
    const struct dgm_order_options *order = &run->options.order;
    int32_t before = sets->train.source.count;
    long too_long;

    DGM_TRY(dgm_sets_parses_take(run, sets, &sets->model->pipeline));
    if (!sets->model->pipeline.multitask)
        return DGM_OK;
    DGM_TRY(dgm_multitask_add(env, &sets->train, &sets->model->pipeline, &sets->parses,
                              (int32_t)sets->model->net.config.max_length, &too_long));
    dgm_parses_clear(env, &sets->parses);
    dgm_log(env, DGM_LOG_NOTE,
            "multi-task: %d translation pairs, %d parse pairs; %ld parses are "
            "longer than max-length",
            (int)before, (int)(sets->train.source.count - before), too_long);
    if (order->parse_ratio < 1 || order->parses_beside)
        dgm_log(env, DGM_LOG_NOTE, "multi-task: %d parse pairs in an epoch, %s",
                (int)dgm_multitask_count(&sets->train, order->parse_ratio),
                order->parses_beside ? "beside batches of translations"
                                     : "mixed with translations");
    return DGM_OK;
}
