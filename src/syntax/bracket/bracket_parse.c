/*
 * bracket_parse.c: the tokens of a line to nodes, as they stand in the file.
 *
 * A token is `(`, `)` or what stands between blanks and brackets. Every node is added
 * when it opens, so nodes are in pre-order; node 0, the root, was there before.
 */
#include "syntax/bracket/bracket_parse.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "text/unicode/utf8.h"

/* ---- faults ----------------------------------------------------------------------- */

static const char *const fault_code[] = {
#define FAULT_CODE(name, code, breaks) code,
    DGM_BRACKET_FAULT_LIST(FAULT_CODE)
};

static const unsigned char fault_breaks[] = {
#define FAULT_BREAKS(name, code, breaks) breaks,
    DGM_BRACKET_FAULT_LIST(FAULT_BREAKS)
};

dgm_status dgm_bracket_fault(struct dgm_env *env, struct dgm_bracket_reader *reader,
                             enum dgm_bracket_fault fault, long line, long column,
                             const char *format, ...)
{
    unsigned bit = 1u << (unsigned)fault;
    char note[DGM_BRACKET_NOTE];
    va_list args;

    va_start(args, format);
    vsnprintf(note, sizeof note, format, args);
    va_end(args);
    if (!reader->options.lenient)
        return dgm_fail_at(env, DGM_DATA, reader->lines.path, line, column, "%s [%s]", note,
                           fault_code[fault]);
    reader->broken |= fault_breaks[fault];
    if (reader->warned & bit)
        return DGM_OK;
    reader->warned |= bit;
    dgm_log(env, DGM_LOG_WARNING, "%s:%ld: %s [%s]%s (reported once)", reader->lines.path, line,
            note, fault_code[fault],
            fault_breaks[fault] ? "; the sentence goes on without a parse" : "");
    return DGM_OK;
}

long dgm_bracket_parse_column(struct dgm_bracket_reader *reader, size_t at)
{
    if (at < reader->counted)
        reader->counted = 0;
    if (reader->counted == 0)
        reader->column = 1;
    reader->column += (long)dgm_utf8_length(reader->text + reader->counted, at - reader->counted);
    reader->counted = at;
    return reader->column;
}

/* ---- words and labels ------------------------------------------------------------- */

static int is_blank(char c)
{
    return c == ' ' || c == '\t';
}

static const struct {
    const char *escape;
    char plain;
} escapes[] = {
    { "-LRB-", '(' }, { "-RRB-", ')' }, { "-LSB-", '[' }, { "-RSB-", ']' },
    { "-LCB-", '{' }, { "-RCB-", '}' }, { "\\/", '/' },   { "\\*", '*' },
};

/* The character that stands escaped at the start of the text, with its length, or 0. */
static char find_escape(const char *text, size_t length, size_t *taken)
{
    if (text[0] != '-' && text[0] != '\\')
        return '\0';
    for (size_t i = 0; i < sizeof escapes / sizeof escapes[0]; i++) {
        *taken = strlen(escapes[i].escape);
        if (length >= *taken && memcmp(text, escapes[i].escape, *taken) == 0)
            return escapes[i].plain;
    }
    return '\0';
}

static dgm_status add_word_text(struct dgm_env *env, struct dgm_buf *bytes, const char *text,
                                size_t length, int raw)
{
    size_t at = 0, taken;

    while (at < length) {
        char plain = raw ? '\0' : find_escape(text + at, length - at, &taken);

        if (plain != '\0')
            at += taken;
        else
            plain = text[at++];
        DGM_TRY(dgm_buf_add_char(env, bytes, plain));
    }
    return dgm_buf_add_char(env, bytes, '\0');
}

/* NP-SBJ-1, NP=2: the length of NP. The first character always belongs to it. */
static size_t cut_label(const char *text, size_t length)
{
    size_t at = 1;

    if (text[0] == '-')
        return length;
    while (at < length && text[at] != '-' && text[at] != '=')
        at++;
    return at;
}

static dgm_status add_label(struct dgm_env *env, struct dgm_bracket_reader *reader,
                            struct dgm_bracket_tree *tree, const char *text, size_t length)
{
    uint32_t offset = (uint32_t)tree->bytes.size;

    reader->label_next = 0;
    if (reader->options.cut_labels)
        length = cut_label(text, length);
    DGM_TRY(dgm_buf_add(env, &tree->bytes, text, length));
    DGM_TRY(dgm_buf_add_char(env, &tree->bytes, '\0'));
    tree->nodes[reader->open[reader->depth - 1].node].text = offset;
    return DGM_OK;
}

static dgm_status add_word(struct dgm_env *env, struct dgm_bracket_reader *reader,
                           struct dgm_bracket_tree *tree, const char *text, size_t length)
{
    uint32_t offset = (uint32_t)tree->bytes.size;
    int32_t parent = 0;

    if (reader->depth == 0) {
        char quoted[DGM_QUOTE_SIZE];

        dgm_quote(quoted, sizeof quoted, text, length);
        DGM_TRY(dgm_bracket_fault(env, reader, DGM_BRACKET_BAD_SHAPE, reader->lines.number,
                                  dgm_bracket_parse_column(reader, reader->at),
                                  "\"%s\" outside brackets; expected \"(\"", quoted));
    }
    if (tree->word_count >= reader->options.max_words)
        return dgm_bracket_fault(env, reader, DGM_BRACKET_BAD_LIMIT, reader->lines.number,
                                 dgm_bracket_parse_column(reader, reader->at),
                                 "too many words; expected at most %ld",
                                 (long)reader->options.max_words);
    if (reader->depth > 0) {
        parent = reader->open[reader->depth - 1].node;
        reader->open[reader->depth - 1].children++;
    }
    DGM_TRY(add_word_text(env, &tree->bytes, text, length, reader->options.raw_words));
    DGM_TRY(dgm_bracket_add_node(env, tree, offset, parent, 1));
    tree->word_count++;
    return DGM_OK;
}

static dgm_status take_text(struct dgm_env *env, struct dgm_bracket_reader *reader,
                            struct dgm_bracket_tree *tree)
{
    const char *text = reader->text + reader->at;
    size_t end = reader->at;
    int is_label = reader->label_next;

    while (end < reader->length && !is_blank(reader->text[end]) && reader->text[end] != '(' &&
           reader->text[end] != ')')
        end++;
    if (reader->label_lost)
        reader->label_lost = 0;
    else if (is_label)
        DGM_TRY(add_label(env, reader, tree, text, end - reader->at));
    else
        DGM_TRY(add_word(env, reader, tree, text, end - reader->at));
    reader->at = end;
    return DGM_OK;
}

/* ---- brackets --------------------------------------------------------------------- */

static dgm_status take_open(struct dgm_env *env, struct dgm_bracket_reader *reader,
                            struct dgm_bracket_tree *tree)
{
    struct dgm_open_bracket *open;
    int32_t parent = reader->depth > 0 ? reader->open[reader->depth - 1].node : 0;

    if (reader->depth >= reader->options.max_depth) {
        DGM_TRY(dgm_bracket_fault(env, reader, DGM_BRACKET_BAD_LIMIT, reader->lines.number,
                                  dgm_bracket_parse_column(reader, reader->at),
                                  "brackets too deep; expected at most %ld open at a time",
                                  (long)reader->options.max_depth));
        reader->label_lost = 1;
        reader->label_next = 0;
        reader->at++;
        return DGM_OK;
    }
    DGM_TRY(dgm_grow(env, &reader->open, &reader->open_capacity, (size_t)reader->depth,
                     sizeof *reader->open));
    open = &reader->open[reader->depth++];
    open->node = tree->node_count;
    open->children = 0;
    open->line = reader->lines.number;
    open->column = dgm_bracket_parse_column(reader, reader->at);
    reader->label_next = 1;
    reader->label_lost = 0;
    reader->at++;
    return dgm_bracket_add_node(env, tree, DGM_BRACKET_NO_LABEL, parent, 0);
}

/* A bracket without children: an error, or `()` and `(())`, which are empty trees as
 * long as nothing else is there. */
static dgm_status close_empty(struct dgm_env *env, struct dgm_bracket_reader *reader,
                              const struct dgm_bracket_tree *tree,
                              const struct dgm_open_bracket *open)
{
    static const char hint[] = "a bracket that is a word is written -LRB- or -RRB-";
    const struct dgm_bracket_node *node = &tree->nodes[open->node];
    char quoted[DGM_QUOTE_SIZE];

    if (node->text != DGM_BRACKET_NO_LABEL) {
        const char *label = tree->bytes.data + node->text;

        dgm_quote(quoted, sizeof quoted, label, strlen(label));
        return dgm_bracket_fault(env, reader, DGM_BRACKET_BAD_SHAPE, open->line, open->column,
                                 "label \"%s\" without children; expected a word or brackets (%s)",
                                 quoted, hint);
    }
    if (node->parent > 0 && tree->nodes[node->parent].text != DGM_BRACKET_NO_LABEL)
        return dgm_bracket_fault(env, reader, DGM_BRACKET_BAD_SHAPE, open->line, open->column,
                                 "empty brackets; expected a label and children (%s)", hint);
    if (reader->empty_line == 0) {
        reader->empty_line = open->line;
        reader->empty_column = open->column;
    }
    return DGM_OK;
}

static dgm_status take_close(struct dgm_env *env, struct dgm_bracket_reader *reader,
                             const struct dgm_bracket_tree *tree)
{
    struct dgm_open_bracket open;

    reader->label_next = 0;
    reader->label_lost = 0;
    if (reader->depth == 0) {
        DGM_TRY(dgm_bracket_fault(env, reader, DGM_BRACKET_BAD_SHAPE, reader->lines.number,
                                  dgm_bracket_parse_column(reader, reader->at),
                                  "\")\" without \"(\"; expected as many of both"));
        reader->at++;
        return DGM_OK;
    }
    reader->at++;
    open = reader->open[--reader->depth];
    if (open.children == 0)
        DGM_TRY(close_empty(env, reader, tree, &open));
    else if (reader->depth > 0)
        reader->open[reader->depth - 1].children++;
    return DGM_OK;
}

dgm_status dgm_bracket_parse(struct dgm_env *env, struct dgm_bracket_reader *reader,
                             struct dgm_bracket_tree *tree, int *done)
{
    *done = 0;
    while (reader->at < reader->length) {
        char c = reader->text[reader->at];

        if (is_blank(c)) {
            reader->at++;
        } else if (c == '(') {
            DGM_TRY(take_open(env, reader, tree));
        } else if (c == ')') {
            DGM_TRY(take_close(env, reader, tree));
            if (reader->depth == 0) {
                *done = 1;
                return DGM_OK;
            }
        } else {
            DGM_TRY(take_text(env, reader, tree));
        }
    }
    return DGM_OK;
}
