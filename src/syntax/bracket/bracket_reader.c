/*
 * bracket_reader.c: the reader of bracketed trees: from lines to trees, one at a time.
 */
#include "syntax/bracket/bracket_reader.h"

#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "syntax/bracket/bracket_parse.h"
#include "text/unicode/utf8.h"

/* ---- opening and closing ---------------------------------------------------------- */

dgm_status dgm_bracket_reader_open(struct dgm_env *env, struct dgm_bracket_reader *reader,
                                   const char *path, const struct dgm_bracket_options *options)
{
    struct dgm_lines lines;

    DGM_TRY(dgm_lines_open(env, &lines, path));
    dgm_bracket_reader_open_lines(reader, &lines, options);
    return DGM_OK;
}

void dgm_bracket_reader_open_lines(struct dgm_bracket_reader *reader, struct dgm_lines *lines,
                                   const struct dgm_bracket_options *options)
{
    reader->lines = *lines;
    memset(lines, 0, sizeof *lines);
    reader->lines.limit = DGM_BRACKET_MAX_LINE;
    if (options != NULL)
        reader->options = *options;
    if (reader->options.max_depth <= 0)
        reader->options.max_depth = DGM_BRACKET_MAX_DEPTH;
    if (reader->options.max_words <= 0)
        reader->options.max_words = DGM_BRACKET_MAX_WORDS;
}

void dgm_bracket_reader_close(struct dgm_env *env, struct dgm_bracket_reader *reader)
{
    dgm_lines_close(env, &reader->lines);
    dgm_buf_clear(env, &reader->repaired);
    dgm_release(env, reader->open);
    reader->open = NULL;
    reader->open_capacity = 0;
}

/* ---- lines ------------------------------------------------------------------------ */

/* An error with its place or, in a lenient reader, U+FFFD for what is not text. */
static dgm_status repair_line(struct dgm_env *env, struct dgm_bracket_reader *reader)
{
    size_t offset, part;
    long column;

    if (!dgm_utf8_find_bad(reader->text, reader->length, &offset, &part, &column))
        return DGM_OK;
    if (reader->text[offset] == '\0')
        DGM_TRY(dgm_bracket_fault(env, reader, DGM_BRACKET_BAD_UTF8, reader->lines.number, column,
                                  "NUL byte; expected text"));
    else
        DGM_TRY(dgm_bracket_fault(env, reader, DGM_BRACKET_BAD_UTF8, reader->lines.number, column,
                                  "invalid UTF-8 byte \\x%02X; expected valid UTF-8",
                                  (unsigned)(unsigned char)reader->text[offset]));
    dgm_buf_reset(&reader->repaired);
    DGM_TRY(dgm_utf8_repair(env, &reader->repaired, reader->text, reader->length, NULL));
    reader->text = reader->repaired.data;
    reader->length = reader->repaired.size;
    return DGM_OK;
}

/* Fetches a line; the tree must have room for all of it. */
static dgm_status next_line(struct dgm_env *env, struct dgm_bracket_reader *reader,
                            const struct dgm_bracket_tree *tree, int *more)
{
    reader->text = "";
    reader->length = reader->at = reader->counted = 0;
    DGM_TRY(dgm_lines_next(env, &reader->lines, more));
    if (!*more)
        return DGM_OK;
    reader->text = reader->lines.line.data;
    reader->length = reader->lines.line.size;
    if (reader->resync && (reader->length == 0 || reader->text[0] != '(')) {
        reader->length = 0;
        return DGM_OK;
    }
    reader->resync = 0;
    if (reader->lines.cut)
        DGM_TRY(dgm_bracket_fault(env, reader, DGM_BRACKET_BAD_LIMIT, reader->lines.number, 1,
                                  "line of more than %ld MiB; expected trees",
                                  (long)(DGM_BRACKET_MAX_LINE >> 20)));
    DGM_TRY(repair_line(env, reader));
    if (tree->bytes.size + reader->length <= DGM_BRACKET_MAX_BYTES)
        return DGM_OK;
    reader->length = 0;
    return dgm_bracket_fault(env, reader, DGM_BRACKET_BAD_LIMIT, reader->lines.number, 1,
                             "tree too long; expected at most %ld MiB",
                             (long)(DGM_BRACKET_MAX_BYTES >> 20));
}

static int rest_is_blank(const struct dgm_bracket_reader *reader)
{
    size_t at = reader->at;

    while (at < reader->length && (reader->text[at] == ' ' || reader->text[at] == '\t'))
        at++;
    return at == reader->length;
}

/* ---- one tree --------------------------------------------------------------------- */

/* "2 brackets still open (opened at 80:1, 81:3)". */
static dgm_status complain_open(struct dgm_env *env, struct dgm_bracket_reader *reader, long line,
                                long column)
{
    char places[200] = "";
    size_t used = 0;
    int32_t i;

    for (i = 0; i < reader->depth && i < 4; i++)
        used += (size_t)snprintf(places + used, sizeof places - used, "%s %ld:%ld",
                                 i == 0 ? "" : ",", reader->open[i].line, reader->open[i].column);
    return dgm_bracket_fault(env, reader, DGM_BRACKET_BAD_SHAPE, line, column,
                             "%ld bracket%s still open (opened at%s%s); expected \")\"%s",
                             (long)reader->depth, reader->depth == 1 ? "" : "s", places,
                             i < reader->depth ? ", ..." : "",
                             reader->options.mode == DGM_BRACKET_LINES
                                 ? " (`convert trees --free` reads trees of many lines)"
                                 : "");
}

/* The line is the tree: nothing may be open at its end, nor follow the tree. */
static dgm_status parse_line(struct dgm_env *env, struct dgm_bracket_reader *reader,
                             struct dgm_bracket_tree *tree)
{
    int done;

    DGM_TRY(dgm_bracket_parse(env, reader, tree, &done));
    while (!rest_is_blank(reader)) {
        while (reader->text[reader->at] == ' ' || reader->text[reader->at] == '\t')
            reader->at++;
        if (reader->text[reader->at] == '(')
            DGM_TRY(dgm_bracket_fault(
                env, reader, DGM_BRACKET_BAD_SHAPE, reader->lines.number,
                dgm_bracket_parse_column(reader, reader->at),
                "second tree in one line; expected one tree a line (`convert trees --free` "
                "reads many)"));
        DGM_TRY(dgm_bracket_parse(env, reader, tree, &done));
    }
    if (reader->depth > 0)
        return complain_open(env, reader, reader->lines.number,
                             dgm_bracket_parse_column(reader, reader->length));
    return DGM_OK;
}

/* Reads lines until the tree ends; tree->line stays 0 at the end of the file. */
static dgm_status parse_free(struct dgm_env *env, struct dgm_bracket_reader *reader,
                             struct dgm_bracket_tree *tree)
{
    int more, done = 0;

    for (;;) {
        if (rest_is_blank(reader)) {
            DGM_TRY(next_line(env, reader, tree, &more));
            if (!more)
                break;
            continue;
        }
        if (tree->line == 0)
            tree->line = reader->lines.number;
        DGM_TRY(dgm_bracket_parse(env, reader, tree, &done));
        if (done)
            return DGM_OK;
    }
    if (reader->depth == 0)
        return DGM_OK;
    return complain_open(env, reader, reader->lines.number + !reader->lines.ended_without_lf, 1);
}

static dgm_status finish_tree(struct dgm_env *env, struct dgm_bracket_reader *reader,
                              struct dgm_bracket_tree *tree)
{
    if (tree->word_count > 0 && reader->empty_line > 0)
        DGM_TRY(dgm_bracket_fault(env, reader, DGM_BRACKET_BAD_SHAPE, reader->empty_line,
                                  reader->empty_column,
                                  "empty brackets; expected a label and children"));
    DGM_TRY(dgm_bracket_clean(env, tree));
    if (tree->word_count == 0 && !reader->broken)
        DGM_TRY(dgm_bracket_fault(env, reader, DGM_BRACKET_BAD_EMPTY, tree->line, 1,
                                  "tree without words; expected at least one"));
    tree->has_parse = !reader->broken;
    if (!tree->has_parse)
        dgm_bracket_flatten(tree);
    return DGM_OK;
}

static dgm_status read_tree(struct dgm_env *env, struct dgm_bracket_reader *reader,
                            struct dgm_bracket_tree *tree)
{
    int more;

    DGM_TRY(dgm_bracket_empty(env, tree));
    reader->depth = 0;
    reader->label_next = reader->label_lost = reader->broken = 0;
    reader->empty_line = 0;
    if (reader->options.mode == DGM_BRACKET_FREE) {
        DGM_TRY(parse_free(env, reader, tree));
        return tree->line > 0 ? finish_tree(env, reader, tree) : DGM_OK;
    }
    DGM_TRY(next_line(env, reader, tree, &more));
    if (!more)
        return DGM_OK;
    tree->line = reader->lines.number;
    if (rest_is_blank(reader) && !reader->broken)
        return DGM_OK; /* an empty sentence */
    DGM_TRY(parse_line(env, reader, tree));
    return finish_tree(env, reader, tree);
}

dgm_status dgm_bracket_reader_next(struct dgm_env *env, struct dgm_bracket_reader *reader,
                                   struct dgm_bracket_tree *tree, int *more)
{
    dgm_status status = read_tree(env, reader, tree);

    if (status != DGM_OK) {
        reader->text = "";
        reader->length = reader->at = reader->counted = 0;
        reader->resync = reader->options.mode == DGM_BRACKET_FREE;
        tree->node_count = tree->word_count = 0;
        tree->has_parse = 0;
        return status;
    }
    *more = tree->line > 0;
    if (*more) {
        reader->sentences++;
        reader->without_parse += !tree->has_parse;
        reader->traces += tree->traces;
    }
    return DGM_OK;
}

/* ---- what a parser writes where it failed ------------------------------------------ */

/* What parsers write for a sentence that they could not parse. */
static int is_failed_parse(const struct dgm_buf *line)
{
    long depth = 0;

    for (size_t i = 0; i < line->size; i++) {
        char c = line->data[i];
        depth += c == '(' ? 1 : c == ')' ? -1 : 0;
        if (depth < 0 || strchr("() \t", c) == NULL || c == '\0')
            return 0;
    }
    return depth == 0;
}

dgm_status dgm_bracket_reader_next_or_none(struct dgm_env *env, struct dgm_bracket_reader *reader,
                                           struct dgm_bracket_tree *tree, int *more)
{
    dgm_status status = dgm_bracket_reader_next(env, reader, tree, more);

    if (status != DGM_DATA || !is_failed_parse(&reader->lines.line))
        return status;
    dgm_env_clear_error(env);
    tree->line = reader->lines.number;
    *more = 1;
    return DGM_OK;
}
