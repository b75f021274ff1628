/*
 * conllu_reader.c: from lines to blocks, and from the HEAD columns of a block to its tree.
 *
 * CoNLL-U counts words from 1 and gives a root HEAD 0; struct dgm_tree counts from 0
 * and makes a root its own head.
 *
 * Three flags of the reader keep sentences apart from each other. `broken`: a fault has cost this
 * sentence its tree; its words are read on. `skip`: an error has stopped
 * inside a block, so the next call first reads on to the blank line. `held`: the line at hand was
 * read for this sentence, but turned out to begin the next one.
 */
#include "syntax/conllu/conllu_reader.h"

#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "syntax/conllu/conllu_fault.h"
#include "syntax/conllu/conllu_row.h"
#include "syntax/conllu/conllx.h"
#include "syntax/conllu/stanford.h"
#include "syntax/ud/ud.h"
#include "text/unicode/utf8.h"

const char *const dgm_multi_root_names[DGM_MULTI_ROOTS] = { "error", "attach-first", "keep" };

/* ---- reader ----------------------------------------------------------------------- */

static dgm_status set_options(struct dgm_env *env, struct dgm_conllu_reader *reader,
                              const struct dgm_conllu_options *options)
{
    if (options != NULL)
        reader->options = *options;
    if (reader->options.max_words <= 0)
        reader->options.max_words = DGM_CONLLU_MAX_WORDS;
    dgm_ud_free(env, reader->ud);
    reader->ud = NULL;
    if (!reader->options.strict || reader->options.lenient ||
        reader->options.format != DGM_CONLLU_UD)
        return DGM_OK;
    dgm_lines_keep_mark(&reader->lines);
    return dgm_ud_new(env, &reader->ud);
}

dgm_status dgm_conllu_reader_open(struct dgm_env *env, struct dgm_conllu_reader *reader,
                                  const char *path, const struct dgm_conllu_options *options)
{
    DGM_TRY(dgm_lines_open(env, &reader->lines, path));
    reader->lines.limit = DGM_CONLLU_MAX_LINE;
    return set_options(env, reader, options);
}

dgm_status dgm_conllu_reader_open_text(struct dgm_env *env, struct dgm_conllu_reader *reader,
                                       const char *path, const struct dgm_buf *text,
                                       const struct dgm_conllu_options *options)
{
    dgm_lines_close(env, &reader->lines);
    reader->skip = reader->held = 0;
    DGM_TRY(dgm_lines_open_text(env, &reader->lines, path, text->data, text->size));
    reader->lines.limit = DGM_CONLLU_MAX_BYTES;
    return set_options(env, reader, options);
}

void dgm_conllu_reader_close(struct dgm_env *env, struct dgm_conllu_reader *reader)
{
    dgm_lines_close(env, &reader->lines);
    dgm_buf_clear(env, &reader->repaired);
    dgm_ud_free(env, reader->ud);
    reader->ud = NULL;
    dgm_release(env, reader->arcs);
    reader->arcs = NULL;
    reader->arc_capacity = 0;
}

static dgm_status complain(struct dgm_env *env, struct dgm_conllu_reader *reader,
                           enum dgm_conllu_fault fault, const char *text)
{
    return dgm_conllu_fault(env, reader, fault, reader->lines.number, 1, "%s", text);
}

/* A warning, but a fault of a strict reader. */
static dgm_status remark(struct dgm_env *env, struct dgm_conllu_reader *reader,
                         enum dgm_conllu_fault fault, const char *text)
{
    if (reader->ud != NULL)
        return complain(env, reader, DGM_CONLLU_BAD_LINE, text);
    dgm_conllu_fault_warn(env, reader, fault, reader->lines.number, text);
    return DGM_OK;
}

/* ---- lines ------------------------------------------------------------------------ */

enum line_kind { LINE_TEXT, LINE_EMPTY, LINE_BLANKS };

static dgm_status add_comment(struct dgm_env *env, struct dgm_conllu_reader *reader,
                              struct dgm_conllu_sentence *sentence, const char *text, size_t length)
{
    if (sentence->row_count > 0)
        return complain(env, reader, DGM_CONLLU_BAD_COMMENT,
                        "comment inside a sentence; expected comments before its first word");
    if (sentence->bytes.size + length + 1 > DGM_CONLLU_MAX_BYTES)
        return complain(env, reader, DGM_CONLLU_BAD_LIMIT, "too many comments; expected words");
    DGM_TRY(dgm_grow(env, &sentence->comments, &sentence->comment_capacity, sentence->comment_count,
                     sizeof *sentence->comments));
    sentence->comments[sentence->comment_count] = (uint32_t)sentence->bytes.size;
    DGM_TRY(dgm_buf_add(env, &sentence->bytes, text, length));
    DGM_TRY(dgm_buf_add_char(env, &sentence->bytes, '\0'));
    sentence->comment_count++;
    return DGM_OK;
}

/* An error with its place or, in a lenient reader, U+FFFD for what is not text. */
static dgm_status repair_line(struct dgm_env *env, struct dgm_conllu_reader *reader,
                              const char **text, size_t *length)
{
    size_t offset, part;
    long column;

    if (!dgm_utf8_find_bad(*text, *length, &offset, &part, &column))
        return DGM_OK;
    if ((*text)[offset] == '\0')
        DGM_TRY(dgm_conllu_fault(env, reader, DGM_CONLLU_BAD_UTF8, reader->lines.number, column,
                                 "NUL byte; expected text"));
    else
        DGM_TRY(dgm_conllu_fault(env, reader, DGM_CONLLU_BAD_UTF8, reader->lines.number, column,
                                 "invalid UTF-8 byte \\x%02X; expected valid UTF-8",
                                 (unsigned)(unsigned char)(*text)[offset]));
    dgm_buf_reset(&reader->repaired);
    DGM_TRY(dgm_utf8_repair(env, &reader->repaired, *text, *length, NULL));
    *text = reader->repaired.data;
    *length = reader->repaired.size;
    return DGM_OK;
}

static dgm_status add_line(struct dgm_env *env, struct dgm_conllu_reader *reader,
                           struct dgm_conllu_sentence *sentence)
{
    const char *text = reader->lines.line.data;
    size_t length = reader->lines.line.size;

    if (reader->lines.cut)
        DGM_TRY(complain(env, reader, DGM_CONLLU_BAD_LIMIT,
                         "line of more than 1 MiB; expected one word a line"));
    DGM_TRY(repair_line(env, reader, &text, &length));
    if (reader->options.format == DGM_CONLLU_TYPED)
        return dgm_stanford_add(env, reader, sentence, text, length);
    if (text[0] == '#' && reader->options.format == DGM_CONLLU_UD)
        return add_comment(env, reader, sentence, text, length);
    return dgm_conllu_row_add(env, reader, sentence, text, length);
}

/* A line of nothing but spaces and tabs is BLANKS; a lenient reader alone goes on behind it. */
static dgm_status look_at_line(struct dgm_env *env, struct dgm_conllu_reader *reader,
                               enum line_kind *kind)
{
    static const char note[] = "line of blanks; expected an empty line";
    const struct dgm_buf *line = &reader->lines.line;

    if (reader->ud != NULL)
        DGM_TRY(dgm_ud_line(env, reader));
    *kind = line->size == 0 ? LINE_EMPTY : LINE_TEXT;
    for (size_t i = 0; i < line->size; i++) {
        if (line->data[i] != ' ' && line->data[i] != '\t')
            return DGM_OK;
    }
    if (*kind == LINE_EMPTY)
        return DGM_OK;
    *kind = LINE_BLANKS;
    reader->skip = 0;
    if (!reader->options.lenient)
        return complain(env, reader, DGM_CONLLU_BAD_COLUMNS, note);
    dgm_conllu_fault_warn(env, reader, DGM_CONLLU_BAD_BLANK, reader->lines.number, note);
    return DGM_OK;
}

/* ---- blocks ----------------------------------------------------------------------- */

/* Reads on behind the block in which an error was reported. */
static dgm_status skip_block(struct dgm_env *env, struct dgm_conllu_reader *reader)
{
    int more = 1;

    while (reader->skip && more) {
        DGM_TRY(dgm_lines_next(env, &reader->lines, &more));
        reader->skip = more && reader->lines.line.size > 0;
        reader->held = 0;
    }
    return DGM_OK;
}

static dgm_status next_line(struct dgm_env *env, struct dgm_conllu_reader *reader, int *more)
{
    if (!reader->held)
        return dgm_lines_next(env, &reader->lines, more);
    reader->held = 0;
    *more = 1;
    return DGM_OK;
}

/* Whether the line can be the first of a sentence: a comment, its first word, or a range or an
 * empty node before that. */
static int begins_sentence(const struct dgm_conllu_reader *reader)
{
    const struct dgm_buf *line = &reader->lines.line;

    if (line->data[0] == '#' || line->data[0] == '0')
        return 1;
    return line->data[0] == '1' &&
           (line->size == 1 || line->data[1] == '\t' || line->data[1] == '-');
}

/* Behind a line of blanks, at line `gap`: the line at hand begins the next sentence, or the one
 * that was begun goes on without its tree. Otherwise one bad line would make two sentences of
 * one, and every later tree would stand beside another line of the text. */
static dgm_status cross_gap(struct dgm_env *env, struct dgm_conllu_reader *reader, long gap)
{
    reader->held = begins_sentence(reader);
    if (reader->held)
        return DGM_OK;
    return dgm_conllu_fault(env, reader, DGM_CONLLU_BAD_COLUMNS, gap, 1,
                            "line of blanks inside a sentence; expected one after its last word");
}

/* What an empty line, or one of blanks, is to the sentence: *ends, or *gap says where it stands.
 * One of blanks does not end comments: behind them a sentence without words would be made up. */
static dgm_status take_blank(struct dgm_env *env, struct dgm_conllu_reader *reader,
                             const struct dgm_conllu_sentence *sentence, enum line_kind kind,
                             int *ends, long *gap)
{
    int begun = sentence->row_count > 0 || reader->arc_count > 0;

    *ends =
        sentence->line > 0 && (kind == LINE_EMPTY || reader->options.format == DGM_CONLLU_TYPED);
    if (kind == LINE_BLANKS && begun && *gap == 0)
        *gap = reader->lines.number;
    if (sentence->line > 0)
        return DGM_OK;
    return remark(env, reader, DGM_CONLLU_BAD_BLANK,
                  "blank line without a sentence before it; expected one after each sentence");
}

/* Collects lines up to the blank line; sentence->line stays 0 at the end of the file. */
static dgm_status read_block(struct dgm_env *env, struct dgm_conllu_reader *reader,
                             struct dgm_conllu_sentence *sentence)
{
    enum line_kind kind;
    int more, ends = 0;
    long gap = 0;

    for (;;) {
        DGM_TRY(next_line(env, reader, &more));
        if (!more)
            break;
        reader->skip = reader->lines.line.size > 0;
        DGM_TRY(look_at_line(env, reader, &kind));
        if (kind != LINE_TEXT) {
            DGM_TRY(take_blank(env, reader, sentence, kind, &ends, &gap));
            if (ends)
                return DGM_OK;
            continue;
        }
        if (gap > 0)
            DGM_TRY(cross_gap(env, reader, gap));
        if (reader->held)
            return DGM_OK;
        gap = 0;
        if (sentence->line == 0)
            sentence->line = reader->lines.number;
        DGM_TRY(add_line(env, reader, sentence));
    }
    reader->skip = 0;
    if (sentence->line > 0 && gap == 0)
        return remark(env, reader, DGM_CONLLU_BAD_END,
                      "end of file inside a sentence; expected a blank line after the last one");
    return DGM_OK;
}

/* ---- the tree --------------------------------------------------------------------- */

static dgm_status complain_word(struct dgm_env *env, struct dgm_conllu_reader *reader,
                                const struct dgm_conllu_sentence *sentence, int32_t word,
                                enum dgm_conllu_fault fault, const char *note)
{
    const struct dgm_conllu_row *row = &sentence->rows[sentence->words[word]];

    /* A row of typed dependencies was composed: it has no columns in the file. */
    return dgm_conllu_fault(env, reader, fault, row->line,
                            reader->options.format == DGM_CONLLU_TYPED
                                ? 1
                                : dgm_conllu_place(sentence, row, DGM_CONLLU_HEAD),
                            "%s", note);
}

/* One HEAD as CoNLL-U writes it: 0 for a root, else 1..N. */
static dgm_status read_head(struct dgm_env *env, struct dgm_conllu_reader *reader,
                            const struct dgm_conllu_sentence *sentence, int32_t word, int32_t *head)
{
    const char *text = dgm_conllu_field(sentence, word, DGM_CONLLU_HEAD);
    char quoted[DGM_QUOTE_SIZE], note[DGM_CONLLU_NOTE];
    long n = (long)reader->word_count;

    dgm_quote(quoted, sizeof quoted, text, strlen(text));
    if (!dgm_conllu_row_number(head, text, text + strlen(text)))
        snprintf(note, sizeof note, "HEAD \"%s\"; HEAD must be 0..%ld", quoted, n);
    else if (*head > reader->word_count)
        snprintf(note, sizeof note, "HEAD %ld is outside this sentence; expected 0..%ld",
                 (long)*head, n);
    else if (*head == word + 1)
        snprintf(note, sizeof note,
                 "HEAD of word %ld is the word itself; expected another word or 0", (long)word + 1);
    else
        return DGM_OK;
    return complain_word(env, reader, sentence, word, DGM_CONLLU_BAD_HEAD, note);
}

static dgm_status read_heads(struct dgm_env *env, struct dgm_conllu_reader *reader,
                             const struct dgm_conllu_sentence *sentence, int32_t *head)
{
    for (int32_t word = 0; word < reader->word_count && !reader->broken; word++) {
        DGM_TRY(read_head(env, reader, sentence, word, &head[word]));
        head[word] = head[word] == 0 ? word : head[word] - 1;
    }
    return DGM_OK;
}

/* "3 roots (words 1, 4, 7)". */
static void describe_roots(char note[DGM_CONLLU_NOTE], const int32_t *head, int32_t roots)
{
    size_t used = (size_t)snprintf(note, DGM_CONLLU_NOTE, "%ld roots (words", (long)roots);
    int shown = 0;

    for (int32_t word = 0; shown < 8 && shown < roots; word++)
        if (head[word] == word)
            used += (size_t)snprintf(note + used, DGM_CONLLU_NOTE - used, "%s %ld",
                                     shown++ == 0 ? "" : ",", (long)word + 1);
    snprintf(note + used, DGM_CONLLU_NOTE - used,
             "%s); expected 1 (--multi-root=attach-first or keep accepts more)",
             shown < roots ? ", ..." : "");
}

static dgm_status apply_policy(struct dgm_env *env, struct dgm_conllu_reader *reader,
                               const struct dgm_conllu_sentence *sentence, struct dgm_tree *tree,
                               int32_t first_root, int32_t roots)
{
    char note[DGM_CONLLU_NOTE];

    if (roots == 1 || reader->options.multi_root == DGM_MULTI_ROOT_KEEP)
        return DGM_OK;
    if (reader->options.multi_root == DGM_MULTI_ROOT_ERROR) {
        describe_roots(note, tree->head, roots);
        return complain_word(env, reader, sentence, first_root, DGM_CONLLU_BAD_ROOT, note);
    }
    for (int32_t word = 0; word < tree->count; word++) {
        if (tree->head[word] == word)
            tree->head[word] = first_root;
    }
    return DGM_OK;
}

static dgm_status check_shape(struct dgm_env *env, struct dgm_conllu_reader *reader,
                              const struct dgm_conllu_sentence *sentence, struct dgm_tree *tree)
{
    char path[200], note[DGM_CONLLU_NOTE];
    int32_t first_root = 0, cycle;

    while (first_root < tree->count && tree->head[first_root] != first_root)
        first_root++;
    if (first_root == tree->count)
        return complain_word(env, reader, sentence, 0, DGM_CONLLU_BAD_ROOT,
                             "no root; expected one word with HEAD 0");
    DGM_TRY(dgm_tree_find_cycle(env, &cycle, tree));
    if (cycle >= 0) {
        dgm_tree_describe_cycle(path, sizeof path, tree, cycle);
        snprintf(note, sizeof note, "cycle %s; expected a tree", path);
        return complain_word(env, reader, sentence, cycle, DGM_CONLLU_BAD_CYCLE, note);
    }
    return apply_policy(env, reader, sentence, tree, first_root, dgm_tree_root_count(tree));
}

static int is_unparsed(const struct dgm_conllu_reader *reader,
                       const struct dgm_conllu_sentence *sentence)
{
    for (int32_t word = 0; word < reader->word_count; word++) {
        if (strcmp(dgm_conllu_field(sentence, word, DGM_CONLLU_HEAD), "_") != 0)
            return 0;
    }
    return 1;
}

static dgm_status build_tree(struct dgm_env *env, struct dgm_conllu_reader *reader,
                             struct dgm_conllu_sentence *sentence)
{
    struct dgm_tree *tree = &sentence->tree;

    DGM_TRY(dgm_tree_init(env, tree, NULL, reader->word_count));
    if (reader->options.allow_unparsed && is_unparsed(reader, sentence))
        return DGM_OK;
    DGM_TRY(read_heads(env, reader, sentence, tree->head));
    tree->has_parse = tree->count > 0 && !reader->broken;
    if (tree->has_parse)
        DGM_TRY(check_shape(env, reader, sentence, tree));
    if (reader->broken)
        dgm_tree_drop(tree);
    return DGM_OK;
}

/* ---- sentences -------------------------------------------------------------------- */

static dgm_status check_block(struct dgm_env *env, struct dgm_conllu_reader *reader,
                              struct dgm_conllu_sentence *sentence)
{
    reader->skip = 0;
    if (reader->options.format == DGM_CONLLU_TYPED)
        DGM_TRY(dgm_stanford_finish(env, reader, sentence));
    if (reader->word_count == 0 && !reader->options.allow_empty)
        DGM_TRY(complain(env, reader, DGM_CONLLU_BAD_EMPTY,
                         "block without words; expected at least one word "
                         "(--allow-empty accepts it as an empty sentence)"));
    if (reader->range_last > reader->word_count)
        DGM_TRY(dgm_conllu_fault(
            env, reader, DGM_CONLLU_BAD_RANGE, sentence->line, 1,
            "range up to word %ld; expected one within the %ld words of the sentence",
            (long)reader->range_last, (long)reader->word_count));
    DGM_TRY(build_tree(env, reader, sentence));
    if (reader->options.format == DGM_CONLLU_X)
        return dgm_conllx_finish(env, reader, sentence);
    return reader->ud == NULL || reader->word_count == 0 ? DGM_OK
                                                         : dgm_ud_sentence(env, reader, sentence);
}

static dgm_status read_sentence(struct dgm_env *env, struct dgm_conllu_reader *reader,
                                struct dgm_conllu_sentence *sentence)
{
    DGM_TRY(skip_block(env, reader));
    reader->broken = 0;
    reader->word_count = 0;
    reader->range_last = 0;
    reader->empty_count = 0;
    reader->arc_count = 0;
    DGM_TRY(read_block(env, reader, sentence));
    if (sentence->line == 0)
        return DGM_OK;
    return check_block(env, reader, sentence);
}

dgm_status dgm_conllu_reader_next(struct dgm_env *env, struct dgm_conllu_reader *reader,
                                  struct dgm_conllu_sentence *sentence, int *more)
{
    dgm_status status;

    dgm_conllu_empty(env, sentence);
    status = read_sentence(env, reader, sentence);
    if (status != DGM_OK) {
        dgm_conllu_empty(env, sentence);
        return status;
    }
    *more = sentence->line > 0;
    if (*more) {
        reader->sentences++;
        reader->without_parse += !sentence->tree.has_parse;
    }
    return DGM_OK;
}

dgm_status dgm_conllu_reader_each(struct dgm_env *env, const char *path,
                                  const struct dgm_conllu_options *options,
                                  dgm_conllu_each_fn *each, void *user)
{
    struct dgm_conllu_reader reader = { 0 };
    struct dgm_conllu_sentence sentence = { 0 };
    dgm_status status;
    int more;

    DGM_TRY_OUT(dgm_conllu_reader_open(env, &reader, path, options));
    for (;;) {
        DGM_TRY_OUT(dgm_conllu_reader_next(env, &reader, &sentence, &more));
        if (!more)
            break;
        DGM_TRY_OUT(each(env, user, &sentence));
    }
out:
    dgm_conllu_reader_close(env, &reader);
    dgm_conllu_clear(env, &sentence);
    return status;
}
