/* sentence_cut.c: running text that waits to be cut by the parser that has learned it. */
#include "decode/annotate/sentence_cut.h"

#include <string.h>

#include "base/mem.h"
#include "data/tree/characters.h"
#include "decode/parse/cut_words.h"
#include "text/unicode/utf8.h"

/* So many bytes are cut together; a paragraph of more ends with its line. */
enum { QUEUE_BYTES = 1 << 16, PARAGRAPH_BYTES = 1 << 20 };

/* ---- waiting text ---------------------------------------------------------------------------- */

/* Ends the paragraph that begins in text->text behind those that wait. */
static dgm_status end_paragraph(struct dgm_sentence_window *window, long line)
{
    struct dgm_env *env = window->env;
    struct dgm_uncut_text *text = &window->text;
    size_t start = text->count > 0 ? text->paragraphs[text->count - 1].end : 0;
    struct dgm_uncut_paragraph *paragraph;

    DGM_TRY(
        dgm_grow(env, &text->paragraphs, &text->capacity, text->count, sizeof *text->paragraphs));
    paragraph = &text->paragraphs[text->count++];
    paragraph->end = text->text.size;
    paragraph->line = line;
    paragraph->characters = text->split == DGM_SPLIT_DOCUMENT ? text->characters : 0;
    text->characters += (int64_t)dgm_utf8_length(text->text.data + start, text->text.size - start);
    return text->text.size < QUEUE_BYTES ? DGM_OK : dgm_sentence_cut(window);
}

dgm_status dgm_sentence_cut_queue(struct dgm_sentence_window *window, const char *line,
                                  size_t bytes)
{
    struct dgm_env *env = window->env;

    window->line++;
    DGM_TRY(dgm_utf8_repair(env, &window->text.text, line, bytes, NULL));
    DGM_TRY(dgm_buf_add_char(env, &window->text.text, '\n'));
    return end_paragraph(window, window->line);
}

/* ---- items ----------------------------------------------------------------------------------- */

static void warn_of_multiword(struct dgm_sentence_window *window, const char *form)
{
    char quoted[DGM_QUOTE_SIZE];

    if (window->text.has_warned++)
        return;
    dgm_quote(quoted, sizeof quoted, form, strlen(form));
    dgm_log(window->env, DGM_LOG_WARNING,
            "\"%s\" is taken for several words, but nothing in the treebank tells which: left as "
            "one (said once)",
            quoted);
}

/* A token of the item's line: its form and, behind it, where it stands for several, its words. */
static dgm_status add_token(struct dgm_sentence_window *window, struct dgm_sentence_item *item,
                            uint32_t start, uint32_t end, int is_multiword)
{
    struct dgm_env *env = window->env;
    struct dgm_buf *forms = &item->tokens;
    size_t at = forms->size;
    struct dgm_sentence_token *token;

    DGM_TRY(dgm_grow(env, &item->cuts, &item->cut_capacity, item->cut_count, sizeof *item->cuts));
    token = &item->cuts[item->cut_count++];
    token->start = start;
    token->end = end;
    token->form = at;
    DGM_TRY(dgm_cut_words_add(env, forms, &window->parser.parser.lexicon.cuts.multiwords,
                              item->line.data + start, end - start, is_multiword, &token->words));
    if (is_multiword && token->words == 1)
        warn_of_multiword(window, forms->data + at);
    item->count += token->words;
    return DGM_OK;
}

/* item->forms: pointers to the words, once item->tokens has them all. */
static dgm_status list_words(struct dgm_env *env, struct dgm_sentence_item *item)
{
    int32_t w = 0;

    DGM_TRY(dgm_reserve(env, &item->forms, &item->form_capacity, (size_t)item->count,
                        sizeof *item->forms));
    for (size_t t = 0; t < item->cut_count; t++) {
        const char *word = item->tokens.data + item->cuts[t].form;

        for (int32_t i = 0; i < item->cuts[t].words; i++) {
            if (i > 0 || item->cuts[t].words > 1)
                word += strlen(word) + 1;
            item->forms[w++] = word;
        }
    }
    return DGM_OK;
}

/* Tokens first..end-1 of the cutter are the sentence in bytes from..to of what waits. */
static dgm_status add_item(struct dgm_sentence_window *window, size_t first, size_t end,
                           size_t from, size_t to, int64_t characters)
{
    struct dgm_env *env = window->env;
    const struct dgm_cut_token *tokens = window->parser.cut.tokens;
    struct dgm_sentence_item *item;

    DGM_TRY(dgm_sentence_window_next(window, &item));
    dgm_buf_reset(&item->line);
    dgm_buf_reset(&item->tokens);
    item->is_cut = end > first;
    item->characters = characters;
    DGM_TRY(dgm_buf_add(env, &item->line, window->text.text.data + from, to - from));
    if (!item->is_cut) /* a blank line: nothing of its end is written */
        item->line.data[--item->line.size] = '\0';
    for (size_t t = first; t < end; t++)
        DGM_TRY(add_token(window, item, tokens[t].start - (uint32_t)from,
                          tokens[t].end - (uint32_t)from, tokens[t].is_multiword));
    DGM_TRY(list_words(env, item));
    return dgm_sentence_window_queue(window, item);
}

/* A paragraph in bytes from..to: tokens from *at on, which moves behind them. */
static dgm_status add_paragraph(struct dgm_sentence_window *window, size_t from,
                                const struct dgm_uncut_paragraph *paragraph, size_t *at)
{
    const struct dgm_uncut_text *text = &window->text;
    const struct dgm_cut_text *cut = &window->parser.cut;
    int64_t characters = paragraph->characters;
    int part = 0;

    window->line = paragraph->line;
    if (*at == cut->count || cut->tokens[*at].start >= paragraph->end)
        return text->split == DGM_SPLIT_DOCUMENT
                   ? DGM_OK
                   : add_item(window, *at, *at, from, paragraph->end, characters);
    for (size_t first = *at, to; from < paragraph->end; first = *at, from = to) {
        const struct dgm_cut_token *last;
        struct dgm_sentence_item *item;

        do
            last = &cut->tokens[(*at)++];
        while (!last->ends_paragraph && (text->split == DGM_SPLIT_NONE || !last->ends_sentence));
        to = last->ends_paragraph ? paragraph->end : cut->tokens[*at].start;
        DGM_TRY(add_item(window, first, *at, from, to, characters));
        item = &window->items[window->item_count - 1];
        item->begins_paragraph = part++ == 0 && text->split == DGM_SPLIT_DOCUMENT;
        item->part = text->split == DGM_SPLIT_LINES ? part : 0;
        characters += (int64_t)dgm_utf8_length(text->text.data + from, to - from);
    }
    return DGM_OK;
}

dgm_status dgm_sentence_cut(struct dgm_sentence_window *window)
{
    struct dgm_env *env = window->env;
    struct dgm_uncut_text *text = &window->text;
    const long line = window->line;
    size_t at = 0, from = 0;

    if (text->count == 0)
        return DGM_OK;
    DGM_TRY(dgm_reserve(env, &text->ends, &text->end_capacity, text->count, sizeof *text->ends));
    for (size_t p = 0; p < text->count; p++)
        text->ends[p] = text->paragraphs[p].end;
    DGM_TRY(dgm_cut_text_run(env, &window->parser.cut, text->text.data, text->ends, text->count));
    for (size_t p = 0; p < text->count; from = text->ends[p++])
        DGM_TRY(add_paragraph(window, from, &text->paragraphs[p], &at));
    window->line = line;
    dgm_buf_reset(&text->text);
    text->count = 0;
    return DGM_OK;
}

/* ---- documents ------------------------------------------------------------------------------- */

static int is_blank_line(const struct dgm_buf *line)
{
    uint32_t code;

    for (size_t at = 0; at < line->size;) {
        at += dgm_utf8_decode(&code, line->data + at, line->size - at);
        if (!dgm_character_is_blank(code))
            return 0;
    }
    return 1;
}

static dgm_status queue_paragraph(struct dgm_sentence_window *window, struct dgm_document *document)
{
    DGM_TRY(dgm_buf_add(window->env, &window->text.text, document->paragraph.data,
                        document->paragraph.size));
    dgm_buf_reset(&document->paragraph);
    document->has_text = document->is_over = 0;
    return end_paragraph(window, document->first);
}

dgm_status dgm_document_add(struct dgm_sentence_window *window, struct dgm_document *document,
                            const struct dgm_lines *lines, int *queued)
{
    struct dgm_env *env = window->env;
    int is_blank = is_blank_line(&lines->line);

    document->number++;
    if (lines->cut)
        return dgm_fail_at(env, DGM_DATA, lines->path, document->number, 0,
                           "more than %zu bytes; expected a shorter line", lines->limit);
    if (document->paragraph.size > PARAGRAPH_BYTES)
        document->is_over = document->has_text;
    *queued = document->is_over && !is_blank;
    if (*queued)
        DGM_TRY(queue_paragraph(window, document));
    if (!is_blank && !document->has_text)
        document->first = document->number;
    document->has_text |= !is_blank;
    document->is_over |= is_blank && document->has_text;
    DGM_TRY(dgm_utf8_repair(env, &document->paragraph, lines->line.data, lines->line.size, NULL));
    if (lines->line_had_cr)
        DGM_TRY(dgm_buf_add_char(env, &document->paragraph, '\r'));
    return lines->ended_without_lf ? DGM_OK : dgm_buf_add_char(env, &document->paragraph, '\n');
}

dgm_status dgm_document_end(struct dgm_sentence_window *window, struct dgm_document *document)
{
    return document->has_text ? queue_paragraph(window, document) : DGM_OK;
}
