/*
 * source_queue.c: lines of source text on their way to models: encoded, with their trees, packed.
 */
#include "decode/source_queue.h"

#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "data/text/pipeline_tags.h"
#include "model/encoder.h"
#include "text/sentence/clause.h"
#include "text/unicode/utf8.h"

/* ---- where trees come from ------------------------------------------------------------------ */

/* A model that reads dependency trees and no others, into queue->needs. */
static const char *find_needs(struct dgm_source_queue *queue)
{
    for (int i = 0; i < queue->ensemble->count; i++) {
        const struct dgm_net *net = queue->ensemble->nets[i];
        unsigned needs = dgm_net_needs(net);

        if (!(needs & (DGM_NEEDS_TREES | DGM_NEEDS_FEATURES)) || (needs & DGM_READS_CONSTITUENTS))
            continue;
        dgm_net_needs_text(net, queue->needs, sizeof queue->needs);
        return queue->needs;
    }
    return NULL;
}

/* The first model that has one of these needs, or -1. */
static int who_needs(const struct dgm_ensemble *ensemble, unsigned needs)
{
    for (int i = 0; i < ensemble->count; i++)
        if (dgm_net_needs(ensemble->nets[i]) & needs)
            return i;
    return -1;
}

static dgm_status open_file(struct dgm_env *env, struct dgm_source_queue *queue, const char *path)
{
    const unsigned read = DGM_NEEDS_TREES | DGM_NEEDS_FEATURES | DGM_READS_CONSTITUENTS;

    queue->tree_path = dgm_copy_text(env, path, strlen(path));
    if (queue->tree_path == NULL)
        return DGM_MEMORY;
    queue->trees.needs = find_needs(queue);
    if (who_needs(queue->ensemble, read) < 0)
        dgm_log(env, DGM_LOG_WARNING,
                "%s: the model reads no trees of its input: they are only "
                "compared with the lines",
                path);
    return dgm_tree_file_open(env, &queue->trees, queue->tree_path, 1);
}

static dgm_status fail_without(struct dgm_env *env, const struct dgm_net *net, const char *path)
{
    char what[sizeof net->config.syntax + 16];

    dgm_net_needs_text(net, what, sizeof what);
    return dgm_fail_at(env, DGM_USAGE, path, 0, 0,
                       "%s needs a tree of each line; expected --trees "
                       "FILE, a model with a parser inside (train --parser), or --trees none for "
                       "translations without trees",
                       what);
}

/* ---- lines of the input, for messages -------------------------------------------------------- */

static long line_of(const void *user, int32_t number)
{
    const struct dgm_source_queue *queue = user;
    size_t i = 0;

    while (i + 1 < queue->count && queue->lines[i].sentence != number)
        i++;
    return queue->lines[i].number;
}

struct dgm_input_lines dgm_source_queue_lines(const struct dgm_source_queue *queue)
{
    return (struct dgm_input_lines){ .of = line_of, .user = queue };
}

/* The same of a sentence of the parser, by the place of its first word. */
static long line_of_parsed(const void *user, int32_t number)
{
    const struct dgm_source_queue *queue = user;
    const size_t place = queue->parsing.places[number];
    int32_t s = 0;

    while (s + 1 < queue->packed.count && (size_t)queue->packed.word_offsets[s] != place)
        s++;
    return line_of(queue, s);
}

/* DGM_USAGE where a model reads features that no parser gives or, if there is one, not this one. */
static dgm_status check_given(struct dgm_env *env, const struct dgm_source_queue *queue,
                              int has_parser, const char *path)
{
    for (int kind = 0; kind < DGM_WORD_FEATURES; kind++)
        if (dgm_feature_size(&queue->ensemble->features.of[kind]) > 0 &&
            (has_parser || kind != DGM_FEATURE_UPOS) &&
            dgm_parse_lines_gives(&queue->parser, (enum dgm_feature_kind)kind) == NULL)
            return dgm_fail_at(env, DGM_USAGE, path, 0, 0,
                               "the model reads the %s of each word, and %s gives "
                               "none; expected --trees FILE with the column %s, or --trees none "
                               "for translations without trees",
                               dgm_feature_titles[kind],
                               has_parser ? "the parser inside" : "a parser",
                               dgm_feature_columns[kind]);
    return DGM_OK;
}

/* The parser in the first file that has one. */
static dgm_status open_parser(struct dgm_env *env, struct dgm_source_queue *queue,
                              struct dgm_device *device, enum dgm_compute_type type, int needy)
{
    const struct dgm_ensemble *ensemble = queue->ensemble;
    const char *name = ensemble->names[needy];
    int i = 0;

    while (i < ensemble->count && !ensemble->models[i].has_parser)
        i++;
    if (i == ensemble->count)
        DGM_TRY(check_given(env, queue, 0, name));
    if (i == ensemble->count)
        return fail_without(env, ensemble->nets[needy], name);
    if (ensemble->is_beside)
        dgm_parser_beside(&queue->parser, ensemble->parser, device);
    else
        DGM_TRY(dgm_parser_load(env, &queue->parser, ensemble->names[i], device, type, 1));
    DGM_TRY(check_given(env, queue, 1, name));
    if (ensemble->models[0].pipeline.has_spm && queue->parser.cutter.width == 0)
        return dgm_fail_at(env, DGM_USAGE, name, 0, 0,
                           "pieces of SentencePiece, and a parser of words inside; expected one "
                           "that cuts text itself (train-parser --tokenizer), --trees FILE, or "
                           "--trees none");
    queue->parses = 1;
    DGM_TRY(dgm_parse_lines_init(env, &queue->parsing, &queue->parser,
                                 &ensemble->models[0].pipeline, &ensemble->features));
    queue->parsing.parse.options.lines.of = line_of_parsed;
    queue->parsing.parse.options.lines.user = queue;
    return DGM_OK;
}

static const char *const no_parses[] = { "star", "chain", "reject" }; /* enum dgm_no_parse */

static dgm_status find_no_parse(struct dgm_env *env, const char *name, enum dgm_no_parse *no_parse)
{
    int i = 0;

    while (i <= DGM_NO_PARSE_REJECT && strcmp(no_parses[i], name) != 0)
        i++;
    if (i > DGM_NO_PARSE_REJECT)
        return dgm_fail(env, DGM_USAGE, "no_parse \"%s\"; expected star, chain or reject", name);
    *no_parse = (enum dgm_no_parse)i;
    return DGM_OK;
}

/* What a line without a tree becomes: what somebody says, or as the encoder was trained. Whether it
 * is refused the queue sees to for all models; to them it is then a star, whose result nobody asks
 * for. */
static dgm_status read_no_parse(struct dgm_env *env, struct dgm_source_queue *queue,
                                const char *no_parse)
{
    for (int i = 0; i < queue->ensemble->count; i++) {
        struct dgm_net *net = &queue->ensemble->models[i].net;
        enum dgm_no_parse *own = &net->config.recurrent.no_parse;

        if (no_parse != NULL)
            DGM_TRY(find_no_parse(env, no_parse, own));
        else if (!(net->encoder->needs & DGM_NEEDS_TREES))
            continue;
        queue->rejects |= *own == DGM_NO_PARSE_REJECT;
        if (*own == DGM_NO_PARSE_REJECT)
            *own = DGM_NO_PARSE_STAR;
    }
    return DGM_OK;
}

/* For the log: what became of lines without a tree. */
static const char *no_parse_of(const struct dgm_source_queue *queue)
{
    const int needy = who_needs(queue->ensemble, DGM_NEEDS_TREES);

    if (queue->rejects)
        return no_parses[DGM_NO_PARSE_REJECT];
    return no_parses[queue->ensemble->nets[needy < 0 ? 0 : needy]->config.recurrent.no_parse];
}

dgm_status dgm_source_queue_open(struct dgm_env *env, struct dgm_source_queue *queue,
                                 struct dgm_ensemble *ensemble, struct dgm_device *device,
                                 enum dgm_compute_type type, const struct dgm_source_trees *trees)
{
    int needy = who_needs(ensemble, DGM_NEEDS_TREES);

    queue->ensemble = ensemble;
    DGM_TRY(read_no_parse(env, queue, trees->no_parse));
    if (trees->none)
        return DGM_OK;
    queue->counts = needy >= 0;
    if (trees->file != NULL)
        return open_file(env, queue, trees->file);
    return needy < 0 ? DGM_OK : open_parser(env, queue, device, type, needy);
}

/* ---- the tree of a line --------------------------------------------------------------------- */

static void warn_of_length(struct dgm_env *env, struct dgm_source_queue *queue, long line,
                           int32_t words)
{
    if (!queue->warned)
        dgm_log(env, DGM_LOG_WARNING,
                "line %ld has %d words, the parser reads %lld: parsed in parts, which hang on the "
                "first (said once)",
                line, (int)words, (long long)queue->parser.config.max_words);
    queue->warned = 1;
}

/* The line just encoded, whole, to the parser. */
static dgm_status queue_words(struct dgm_env *env, struct dgm_source_queue *queue, const char *line,
                              size_t bytes)
{
    const struct dgm_encoded *encoded = &queue->encoded;

    if (!queue->parsing.own.is_on && encoded->n_words > queue->parser.config.max_words)
        warn_of_length(env, queue, queue->line, encoded->n_words);
    return dgm_parse_lines_add(env, &queue->parsing, encoded, line, bytes);
}

/* A tree that does not fit costs its line the syntax, never the translation. */
static dgm_status drop_tree(struct dgm_env *env, struct dgm_source_queue *queue)
{
    if (!queue->warned)
        dgm_log(env, DGM_LOG_WARNING, "line %ld: %s; translated without its tree (said once)",
                queue->line, env->error.message);
    queue->warned = 1;
    dgm_env_clear_error(env);
    return DGM_OK;
}

/* Once, where a model could read constituents and gets dependency trees. */
static void tell_derived(struct dgm_env *env, const struct dgm_source_queue *queue)
{
    if (queue->trees.format == DGM_TREES_CONLLU &&
        who_needs(queue->ensemble, DGM_READS_CONSTITUENTS) >= 0)
        dgm_log(env, DGM_LOG_NOTE, "constituents are derived from the dependency trees of %s",
                queue->tree_path);
}

/* The next sentence of the tree file. */
static dgm_status next_tree(struct dgm_env *env, struct dgm_source_queue *queue)
{
    int is_first = queue->trees.format == DGM_TREES_UNKNOWN;

    DGM_TRY(dgm_tree_file_next_for(env, &queue->trees, "the input", queue->line));
    if (is_first)
        tell_derived(env, queue);
    return DGM_OK;
}

/* The tree of the line just encoded, from the next sentence of the tree file. */
static dgm_status read_tree(struct dgm_env *env, struct dgm_source_queue *queue)
{
    struct dgm_tree_file *trees = &queue->trees;
    dgm_status status;

    DGM_TRY(next_tree(env, queue));
    status = dgm_tree_file_take(env, trees, &queue->ensemble->features, &queue->encoded, "input",
                                queue->line);
    return status == DGM_DATA ? drop_tree(env, queue) : status;
}

/* ---- lines without a tree ------------------------------------------------------------------- */

static void miss_tree(struct dgm_env *env, struct dgm_source_queue *queue, size_t i)
{
    struct dgm_queued *line = &queue->lines[i];

    queue->missing++;
    if (!queue->rejects)
        return;
    line->refused = 1;
    line->sentence = -1;
    dgm_log(env, DGM_LOG_WARNING,
            "line %ld: no tree; its result is an empty line (--no-parse "
            "reject)",
            line->number);
}

/* How many words a line has is known of a parser that cuts text when it has run. */
static void warn_of_cut(struct dgm_env *env, struct dgm_source_queue *queue)
{
    const struct dgm_parse_lines *parsing = &queue->parsing;

    if (!parsing->own.is_on || parsing->too_long == 0)
        return;
    for (size_t i = 0; i < queue->count; i++)
        if (queue->lines[i].sentence == parsing->own.long_line)
            warn_of_length(env, queue, queue->lines[i].number, parsing->own.long_words);
}

dgm_status dgm_source_queue_parse(struct dgm_env *env, struct dgm_source_queue *queue)
{
    long missed = 0; /* a line counts once, whatever its parts */

    if (queue->parses && queue->packed.count > 0) {
        DGM_TRY(dgm_parse_lines_run(env, &queue->parsing));
        warn_of_cut(env, queue);
        DGM_TRY(dgm_parse_lines_hand_over(env, &queue->parsing, &queue->packed));
    }
    for (size_t i = 0; i < queue->count && queue->counts; i++)
        if (queue->lines[i].sentence >= 0 && queue->lines[i].number != missed &&
            dgm_packed_lacks_tree(&queue->packed, queue->lines[i].sentence)) {
            missed = queue->lines[i].number;
            miss_tree(env, queue, i);
        }
    return DGM_OK;
}

/* Words of the file of trees that lack what models read. */
static void tell_missing(struct dgm_env *env, const struct dgm_source_queue *queue)
{
    const struct dgm_feature_counts *counts = &queue->trees.line_tree.counts;

    for (int kind = 0; kind < DGM_WORD_FEATURES; kind++)
        if (counts->missing[kind] > 0)
            dgm_log(env, DGM_LOG_WARNING, "%ld of %ld words have no %s in %s",
                    counts->missing[kind], counts->words, dgm_feature_titles[kind],
                    queue->tree_path);
    dgm_feature_counts_tell_unknown(env, counts, "trees", queue->tree_path);
}

dgm_status dgm_source_queue_finish(struct dgm_env *env, struct dgm_source_queue *queue,
                                   size_t *refused)
{
    if (refused != NULL)
        *refused = queue->rejects ? (size_t)queue->missing : 0;
    if (queue->missing > 0)
        dgm_log(env, DGM_LOG_WARNING, "%ld of %ld lines had no tree: --no-parse %s", queue->missing,
                queue->added, no_parse_of(queue));
    dgm_unknown_tell(env, queue->unknown, &queue->ensemble->models[0].pipeline, "");
    if (queue->odd_tags > 1)
        dgm_log(env, DGM_LOG_WARNING, "%ld of %ld lines begin with a tag that is left out",
                queue->odd_tags, queue->added);
    tell_missing(env, queue);
    dgm_laid_counts_report(env, &queue->parsing.own.counts, "trees");
    dgm_laid_counts_report(env, &queue->trees.line_tree.laid, "trees");
    return dgm_tree_file_check_end(env, &queue->trees, "the input", queue->line);
}

/* ---- lines ----------------------------------------------------------------------------------- */

static void warn_of_part(struct dgm_env *env, struct dgm_source_queue *queue, const char *part,
                         size_t length, long column)
{
    int *warned = *part == '\0' ? &queue->warned_nul : &queue->warned_utf8;
    char quoted[DGM_QUOTE_SIZE];

    if (*warned)
        return;
    *warned = 1;
    dgm_quote(quoted, sizeof quoted, part, length);
    if (*part == '\0')
        dgm_log(env, DGM_LOG_WARNING,
                "line %ld has a NUL in column %ld: read as U+FFFD (said once)", queue->line,
                column);
    else
        dgm_log(env, DGM_LOG_WARNING,
                "line %ld has ill-formed UTF-8 in column %ld, \"%s\": read "
                "as U+FFFD (said once)",
                queue->line, column, quoted);
}

void dgm_source_queue_doubt(struct dgm_env *env, struct dgm_source_queue *queue, const char *line,
                            size_t bytes)
{
    size_t at = 0, offset, length;
    long column, before = 0;

    while (!(queue->warned_nul && queue->warned_utf8) && at < bytes &&
           dgm_utf8_find_bad(line + at, bytes - at, &offset, &length, &column)) {
        warn_of_part(env, queue, line + at + offset, length, before + column);
        before += column;
        at += offset + length;
    }
}

void dgm_source_queue_cut(struct dgm_env *env, const struct dgm_source_queue *queue,
                          struct dgm_encoded *encoded)
{
    const int32_t most = dgm_ensemble_longest(queue->ensemble);

    if (encoded->n <= most)
        return;
    dgm_log(env, DGM_LOG_WARNING, "line %ld has %d tokens, the model reads %d: the rest is cut",
            queue->line, (int)encoded->n, (int)most);
    dgm_encoded_cut(encoded, most);
}

static dgm_status queue_line(struct dgm_env *env, struct dgm_source_queue *queue, int32_t sentence,
                             const char *raw, size_t bytes)
{
    const struct dgm_buf *text = &queue->encoded.text;
    struct dgm_queued *line;

    DGM_TRY(dgm_grow(env, &queue->lines, &queue->capacity, queue->count, sizeof *queue->lines));
    line = &queue->lines[queue->count];
    line->sentence = sentence;
    line->refused = 0;
    line->number = queue->line;
    line->text = queue->words.size;
    line->text_bytes = queue->keeps_words ? text->size : 0;
    DGM_TRY(dgm_buf_add(env, &queue->words, text->data, line->text_bytes));
    line->raw = queue->raw.size;
    line->raw_bytes = queue->keeps_raw && sentence >= 0 ? bytes : 0;
    DGM_TRY(dgm_buf_add(env, &queue->raw, raw, line->raw_bytes));
    line->gap = queue->gaps.size;
    line->gap_bytes = 0;
    line->unknown = queue->found;
    dgm_unknown_add(&queue->unknown, line->unknown);
    queue->count++;
    return DGM_OK;
}

static dgm_status pack_line(struct dgm_env *env, struct dgm_source_queue *queue, const char *line,
                            size_t bytes)
{
    struct dgm_tree_file *trees = &queue->trees;
    const int32_t first = queue->ensemble->models[0].pipeline.target_tag;

    if (dgm_encoded_is_blank(&queue->encoded))
        return queue_line(env, queue, -1, line, bytes);
    dgm_source_queue_cut(env, queue, &queue->encoded);
    DGM_TRY(dgm_line_tree_pack(env, &queue->packed, &queue->encoded,
                               trees->path != NULL ? &trees->line_tree : NULL));
    if (first > 0)
        DGM_TRY(dgm_packed_add_first(env, &queue->packed, first));
    if (queue->parses)
        DGM_TRY(queue_words(env, queue, line, bytes));
    return queue_line(env, queue, queue->packed.count - 1, line, bytes);
}

/* ---- tags ------------------------------------------------------------------------------------ */

/* The tag that a line may have at its head: of its translation where that begins with one. */
static int32_t *line_tag(struct dgm_pipeline *pipeline)
{
    return pipeline->has_target_tags ? &pipeline->target_tag : &pipeline->tag;
}

dgm_status dgm_source_queue_set_tags(struct dgm_env *env, struct dgm_source_queue *queue,
                                     const char *tag, const char *target_tag, int reads)
{
    struct dgm_pipeline *pipeline = &queue->ensemble->models[0].pipeline;
    const int to_target = pipeline->has_target_tags;

    queue->reads_tags = reads && pipeline->tags.count > 0;
    DGM_TRY(queue->reads_tags && !to_target ? dgm_pipeline_set_tag(env, pipeline, tag)
                                            : dgm_pipeline_choose_tag(env, pipeline, tag));
    DGM_TRY(queue->reads_tags ? dgm_pipeline_set_target_tag(env, pipeline, target_tag)
                              : dgm_pipeline_choose_target_tag(env, pipeline, target_tag));
    queue->tag = *line_tag(pipeline);
    return DGM_OK;
}

/* The first of them is named. */
static dgm_status warn_of_tag(struct dgm_env *env, struct dgm_source_queue *queue, const char *tag,
                              size_t bytes)
{
    char quoted[DGM_QUOTE_SIZE], front[DGM_QUOTE_SIZE + 120];

    if (queue->odd_tags++ > 0)
        return DGM_OK;
    dgm_quote(quoted, sizeof quoted, tag, bytes);
    snprintf(front, sizeof front,
             "line %ld begins with the tag \"%s\", which is left out (said once): the model "
             "knows",
             queue->line, quoted);
    return dgm_pipeline_warn_of_tags(env, &queue->ensemble->models[0].pipeline, front, "");
}

static dgm_status warn_of_no_tag(struct dgm_env *env, struct dgm_source_queue *queue)
{
    const struct dgm_pipeline *pipeline = &queue->ensemble->models[0].pipeline;
    const int to_target = pipeline->has_target_tags;
    char front[160];

    if (queue->warned_tag)
        return DGM_OK;
    queue->warned_tag = 1;
    snprintf(front, sizeof front, "line %ld has no tag at its head (said once), and %s",
             queue->line,
             to_target ? "translations of the model begin with one of the tags"
                       : "the model has learned the tags");
    return dgm_pipeline_warn_of_tags(
        env, pipeline, front,
        to_target ? "; expected one, or --target-tag for lines that have none"
                  : "; expected one, or --tag for lines that have none");
}

/* The tag at the head of a line stands in place of the usual one, and is no part of the line. */
static dgm_status take_tag(struct dgm_env *env, struct dgm_source_queue *queue, const char **line,
                           size_t *bytes)
{
    struct dgm_pipeline *pipeline = &queue->ensemble->models[0].pipeline;
    size_t start, end;
    int32_t tag;

    if (!queue->reads_tags)
        return DGM_OK;
    *line_tag(pipeline) = queue->tag;
    end = dgm_pipeline_tag_at_head(pipeline, *line, *bytes, &start, &tag);
    if (end == 0)
        return DGM_OK;
    if (tag > 0)
        *line_tag(pipeline) = tag;
    else
        DGM_TRY(warn_of_tag(env, queue, *line + start, end - start));
    while (end < *bytes && ((*line)[end] == ' ' || (*line)[end] == '\t'))
        end++;
    *line += end;
    *bytes -= end;
    return DGM_OK;
}

/* ---- one line after the other ---------------------------------------------------------------- */

static dgm_status encode_line(struct dgm_env *env, struct dgm_source_queue *queue, const char *line,
                              size_t bytes)
{
    struct dgm_pipeline *pipeline = &queue->ensemble->models[0].pipeline;

    DGM_TRY(dgm_pipeline_encode(env, pipeline, DGM_SOURCE, &queue->encoded, line, bytes));
    queue->found = dgm_unknown_of(&queue->encoded);
    if (queue->reads_tags && *line_tag(pipeline) == 0 && !dgm_encoded_is_blank(&queue->encoded))
        return warn_of_no_tag(env, queue);
    return DGM_OK;
}

/* ---- parts of a line ------------------------------------------------------------------------- */

/* The line just encoded. A model that was trained on sentences, one a line, is not at home where a
 * line has several, however short. */
static int is_to_split(const struct dgm_source_queue *queue)
{
    if (queue->split == DGM_LINES_WHOLE || queue->rejects || queue->trees.path != NULL)
        return 0;
    return queue->split == DGM_LINES_SENTENCES ||
           dgm_encoded_tokens(&queue->encoded) > dgm_ensemble_home(queue->ensemble);
}

/* Without the blanks that a sentence is cut at: they stand behind its first half. */
static size_t trim(const char *text, size_t bytes)
{
    while (bytes > 0 && text[bytes - 1] == ' ')
        bytes--;
    return bytes;
}

/* A part whose blanks are text[bytes..next). One that is too long becomes two, at a clause. */
static dgm_status add_part(struct dgm_env *env, struct dgm_source_queue *queue, const char *text,
                           size_t bytes, size_t next)
{
    size_t half;

    DGM_TRY(encode_line(env, queue, text, bytes));
    if (queue->encoded.n > dgm_ensemble_longest(queue->ensemble) && !queue->crops) {
        half = dgm_clause_cut(text, bytes);
        if (half > 0) {
            DGM_TRY(add_part(env, queue, text, trim(text, half), half));
            return add_part(env, queue, text + half, bytes - half, next - half);
        }
    }
    DGM_TRY(pack_line(env, queue, text, bytes));
    queue->lines[queue->count - 1].gap_bytes = next - bytes;
    return dgm_buf_add(env, &queue->gaps, text + bytes, next - bytes);
}

static dgm_status add_span(struct dgm_env *env, struct dgm_source_queue *queue, size_t start,
                           size_t end)
{
    DGM_TRY(dgm_grow(env, &queue->spans, &queue->span_capacity, queue->span_count,
                     sizeof *queue->spans));
    queue->spans[queue->span_count++] = (struct dgm_sentence_span){ start, end, end };
    return DGM_OK;
}

/* Sentences of the parser that has learned to cut text, as it stands in the line. */
static dgm_status find_by_parser(struct dgm_env *env, struct dgm_source_queue *queue,
                                 const char *line, size_t bytes)
{
    struct dgm_cut_text *cut = &queue->parsing.own.cut;
    size_t start = 0;

    DGM_TRY(dgm_cut_text_run(env, cut, line, &bytes, 1));
    for (size_t t = 0; t < cut->count; t++) {
        if (t == 0 || cut->tokens[t - 1].ends_sentence)
            start = cut->tokens[t].start;
        if (cut->tokens[t].ends_sentence || t + 1 == cut->count)
            DGM_TRY(add_span(env, queue, start, cut->tokens[t].end));
    }
    return DGM_OK;
}

static dgm_status find_by_rules(struct dgm_env *env, struct dgm_source_queue *queue,
                                const char *line, size_t bytes)
{
    struct dgm_sentence_span span;

    dgm_sentence_walk_text(&queue->walk, line, bytes);
    while (dgm_sentence_walk_next(&queue->walk, &span))
        DGM_TRY(add_span(env, queue, span.start, span.end));
    return DGM_OK;
}

static dgm_status add_parts(struct dgm_env *env, struct dgm_source_queue *queue, const char *line,
                            size_t bytes)
{
    const struct dgm_parse_lines_cut *own = &queue->parsing.own;
    const int by_parser = queue->parses && own->is_on && !own->unescapes;

    queue->span_count = 0;
    DGM_TRY((by_parser ? find_by_parser : find_by_rules)(env, queue, line, bytes));
    for (size_t i = 0; i < queue->span_count; i++) {
        const struct dgm_sentence_span *span = &queue->spans[i];
        const size_t next = i + 1 < queue->span_count ? span[1].start : span->end;

        DGM_TRY(
            add_part(env, queue, line + span->start, span->end - span->start, next - span->start));
    }
    return DGM_OK;
}

static dgm_status begin_line(struct dgm_env *env, struct dgm_source_queue *queue)
{
    DGM_TRY(dgm_grow(env, &queue->firsts, &queue->first_capacity, queue->added_count,
                     sizeof *queue->firsts));
    queue->firsts[queue->added_count++] = queue->count;
    return DGM_OK;
}

void dgm_source_queue_parts(const struct dgm_source_queue *queue, size_t i, size_t *first,
                            size_t *end)
{
    *first = queue->firsts[i];
    *end = i + 1 < queue->added_count ? queue->firsts[i + 1] : queue->count;
}

dgm_status dgm_source_queue_add(struct dgm_env *env, struct dgm_source_queue *queue,
                                const char *line, size_t bytes)
{
    dgm_status status;

    queue->line++;
    queue->added++;
    dgm_source_queue_doubt(env, queue, line, bytes);
    status = take_tag(env, queue, &line, &bytes);
    if (status == DGM_OK)
        status = encode_line(env, queue, line, bytes);
    if (status == DGM_OK && queue->trees.path != NULL)
        status = read_tree(env, queue);
    if (status == DGM_OK)
        status = begin_line(env, queue);
    if (status == DGM_OK && !dgm_encoded_is_blank(&queue->encoded) && is_to_split(queue))
        status = add_parts(env, queue, line, bytes);
    else if (status == DGM_OK)
        status = pack_line(env, queue, line, bytes);
    if (status != DGM_OK)
        dgm_source_queue_reset(queue);
    return status;
}

dgm_status dgm_source_queue_pass(struct dgm_env *env, struct dgm_source_queue *queue, long lines)
{
    for (; lines > 0; lines--) {
        queue->line++;
        if (queue->trees.path != NULL)
            DGM_TRY(next_tree(env, queue));
    }
    return DGM_OK;
}

void dgm_source_queue_reset(struct dgm_source_queue *queue)
{
    dgm_packed_reset(&queue->packed);
    dgm_parse_lines_reset(&queue->parsing);
    dgm_buf_reset(&queue->words);
    dgm_buf_reset(&queue->raw);
    dgm_buf_reset(&queue->gaps);
    queue->count = queue->added_count = 0;
}

void dgm_source_queue_clear(struct dgm_env *env, struct dgm_source_queue *queue)
{
    dgm_tree_file_close(env, &queue->trees);
    dgm_release(env, queue->tree_path);
    dgm_parse_lines_clear(env, &queue->parsing);
    if (queue->ensemble != NULL && queue->ensemble->is_beside)
        dgm_parser_clear_beside(env, &queue->parser);
    else
        dgm_parser_clear(env, &queue->parser);
    dgm_encoded_clear(env, &queue->encoded);
    dgm_packed_clear(env, &queue->packed);
    dgm_release(env, queue->lines);
    dgm_buf_clear(env, &queue->words);
    dgm_buf_clear(env, &queue->raw);
    dgm_buf_clear(env, &queue->gaps);
    dgm_release(env, queue->firsts);
    dgm_release(env, queue->spans);
    memset(queue, 0, sizeof *queue);
}
