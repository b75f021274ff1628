/* parse_lines_cut.c: lines of text to a parser that cuts them itself. */
#include "decode/parse/parse_lines_cut.h"

#include <string.h>

#include "base/mem.h"
#include "decode/parse/cut_words.h"
#include "text/unicode/utf8.h"

/* So many bytes are cut together. */
enum { QUEUE_BYTES = 1 << 16 };

dgm_status dgm_parse_lines_cut_init(struct dgm_env *env, struct dgm_parse_lines *lines,
                                    const struct dgm_pipeline *pipeline)
{
    const struct dgm_parser *parser = lines->parse.parser;
    struct dgm_parse_lines_cut *own = &lines->own;

    if (parser->cutter.width == 0)
        return DGM_OK;
    own->is_on = 1;
    own->unescapes = !pipeline->moses && !pipeline->has_spm;
    return dgm_cut_text_init(env, &own->cut, parser, parser->net.params.device);
}

/* ---- lines that wait ------------------------------------------------------------------------- */

dgm_status dgm_parse_lines_cut_add(struct dgm_env *env, struct dgm_parse_lines *lines,
                                   const struct dgm_encoded *line, const char *text, size_t bytes)
{
    struct dgm_parse_lines_cut *own = &lines->own;
    struct dgm_parse_lines_waiting *waiting;

    if (own->unescapes) {
        dgm_buf_reset(&own->forms); /* a run leaves the words of its last line there */
        DGM_TRY(dgm_written_unescape(env, &own->forms, text, bytes));
        text = own->forms.data;
        bytes = own->forms.size;
    }
    DGM_TRY(dgm_utf8_repair(env, &own->text, text, bytes, NULL));
    DGM_TRY(dgm_buf_add_char(env, &own->text, '\n'));
    DGM_TRY(dgm_buf_add(env, &own->line, line->text.data, line->text.size));
    DGM_TRY(dgm_grow(env, &own->waiting, &own->capacity, own->count, sizeof *own->waiting));
    waiting = &own->waiting[own->count++];
    waiting->text_end = own->text.size;
    waiting->line_end = own->line.size;
    waiting->n_words = line->n_words;
    waiting->place = lines->words;
    waiting->number = lines->lines - 1;
    lines->waiting += line->n_words;
    return own->text.size < QUEUE_BYTES ? DGM_OK : dgm_parse_lines_cut_run(env, lines);
}

/* ---- cutting --------------------------------------------------------------------------------- */

/* Tokens from *at on that begin before byte `end` are those of a line that begins at byte `from`:
 * their forms, and where they are in it. *count: their words. */
static dgm_status take_tokens(struct dgm_env *env, struct dgm_parse_lines *lines, size_t from,
                              size_t end, size_t *at, int32_t *count)
{
    struct dgm_parse_lines_cut *own = &lines->own;
    const struct dgm_cut_lexicon *lexicon = &lines->parse.parser->lexicon.cuts;

    *count = 0;
    dgm_buf_reset(&own->forms);
    DGM_TRY(dgm_text_words_begin(env, &own->words, own->text.data + from, end - from));
    for (; *at < own->cut.count && own->cut.tokens[*at].start < end; ++*at) {
        const struct dgm_cut_token *token = &own->cut.tokens[*at];
        size_t form = own->forms.size;
        int32_t words;

        DGM_TRY(dgm_cut_words_add(env, &own->forms, &lexicon->multiwords,
                                  own->text.data + token->start, token->end - token->start,
                                  token->is_multiword, &words));
        if (words > 1) { /* the words alone: the form of the token is none of them */
            const size_t bytes = strlen(own->forms.data + form) + 1;

            memmove(own->forms.data + form, own->forms.data + form + bytes,
                    own->forms.size - form - bytes);
            own->forms.size -= bytes;
        }
        DGM_TRY(dgm_text_words_add(env, &own->words, token->start - from, token->end - from,
                                   own->forms.data + form, words));
        *count += words;
    }
    return DGM_OK;
}

/* The words of a line, as a sentence of the bank. */
static dgm_status add_sentence(struct dgm_env *env, struct dgm_parse_lines *lines, int32_t count)
{
    const char *form = lines->own.forms.data;

    DGM_TRY(dgm_reserve(env, &lines->forms, &lines->form_capacity, (size_t)count,
                        sizeof *lines->forms));
    for (int32_t w = 0; w < count; w++, form += strlen(form) + 1)
        lines->forms[w] = form;
    return dgm_parse_parts_add(env, &lines->parts, &lines->bank, lines->parse.parser, lines->forms,
                               count);
}

static dgm_status reserve_sentence(struct dgm_env *env, struct dgm_parse_lines *lines)
{
    struct dgm_parse_lines_cut *own = &lines->own;
    const struct dgm_parallel arrays[] = { { &own->first_word, sizeof *own->first_word },
                                           { &own->first_token, sizeof *own->first_token },
                                           { &own->n_words, sizeof *own->n_words },
                                           { NULL, 0 } };
    const size_t number = (size_t)lines->bank.rows.count;

    DGM_TRY(dgm_reserve(env, &lines->places, &lines->place_capacity, number + 1,
                        sizeof *lines->places));
    return dgm_reserve_parallel(env, arrays, &own->sentence_capacity, number + 1);
}

/* A line that waits, from bytes `from` of the text and `line` of the model's words on. */
static dgm_status cut_line(struct dgm_env *env, struct dgm_parse_lines *lines,
                           const struct dgm_parse_lines_waiting *waiting, size_t from, size_t line,
                           size_t *at)
{
    struct dgm_parse_lines_cut *own = &lines->own;
    const size_t number = (size_t)lines->bank.rows.count;
    const size_t words = own->words.word_count, tokens = own->words.token_count;
    int32_t count;

    DGM_TRY(take_tokens(env, lines, from, waiting->text_end, at, &count));
    own->counts.words += count;
    own->counts.lines++;
    if (count > lines->parse.parser->config.max_words && lines->too_long++ == 0) {
        own->long_line = waiting->number;
        own->long_words = count;
    }
    if (count == 0) {
        own->words.word_count = words;
        return DGM_OK;
    }
    DGM_TRY(dgm_text_words_end(env, &own->words, own->line.data + line, waiting->line_end - line,
                               waiting->n_words));
    DGM_TRY(reserve_sentence(env, lines));
    DGM_TRY(add_sentence(env, lines, count));
    lines->places[number] = waiting->place;
    own->first_word[number] = words;
    own->first_token[number] = tokens;
    own->n_words[number] = waiting->n_words;
    return DGM_OK;
}

dgm_status dgm_parse_lines_cut_run(struct dgm_env *env, struct dgm_parse_lines *lines)
{
    struct dgm_parse_lines_cut *own = &lines->own;
    size_t at = 0, from = 0, line = 0;

    if (own->count == 0)
        return DGM_OK;
    DGM_TRY(dgm_reserve(env, &own->ends, &own->end_capacity, own->count, sizeof *own->ends));
    for (size_t i = 0; i < own->count; i++)
        own->ends[i] = own->waiting[i].text_end;
    DGM_TRY(dgm_cut_text_run(env, &own->cut, own->text.data, own->ends, own->count));
    for (size_t i = 0; i < own->count; i++) {
        DGM_TRY(cut_line(env, lines, &own->waiting[i], from, line, &at));
        from = own->waiting[i].text_end;
        line = own->waiting[i].line_end;
    }
    dgm_buf_reset(&own->text);
    dgm_buf_reset(&own->line);
    own->count = 0;
    return DGM_OK;
}

/* ---- trees ----------------------------------------------------------------------------------- */

dgm_status dgm_parse_lines_cut_lay(struct dgm_env *env, struct dgm_parse_lines *lines, int32_t s,
                                   const struct dgm_tree *tree)
{
    struct dgm_parse_lines_cut *own = &lines->own;

    DGM_TRY(dgm_overlay_lay(env, &own->overlay, tree, own->words.words + own->first_word[s],
                            own->words.tokens + own->first_token[s],
                            own->words.joins + own->first_token[s], own->n_words[s]));
    own->counts.kept += own->overlay.kept;
    return DGM_OK;
}

/* ---- all ------------------------------------------------------------------------------------- */

void dgm_parse_lines_cut_reset(struct dgm_parse_lines *lines)
{
    struct dgm_parse_lines_cut *own = &lines->own;

    dgm_buf_reset(&own->text);
    dgm_buf_reset(&own->line);
    dgm_buf_reset(&own->forms);
    dgm_text_words_reset(&own->words);
    own->count = 0;
}

void dgm_parse_lines_cut_clear(struct dgm_env *env, struct dgm_parse_lines *lines)
{
    struct dgm_parse_lines_cut *own = &lines->own;

    dgm_cut_text_clear(env, &own->cut);
    dgm_buf_clear(env, &own->text);
    dgm_buf_clear(env, &own->line);
    dgm_buf_clear(env, &own->forms);
    dgm_release(env, own->waiting);
    dgm_release(env, own->ends);
    dgm_text_words_clear(env, &own->words);
    dgm_release(env, own->first_word);
    dgm_release(env, own->first_token);
    dgm_release(env, own->n_words);
    dgm_overlay_clear(env, &own->overlay);
}
