/*
 * parse_lines.c: encoded lines to a parser and their heads back.
 */
#include "decode/parse_lines.h"

#include <string.h>

#include "base/mem.h"
#include "text/count.h"

enum { BATCH_WORDS = 2000 };

dgm_status dgm_parse_lines_init(struct dgm_env *env, struct dgm_parse_lines *lines,
                                struct dgm_parser *parser)
{
    return dgm_parse_init(env, &lines->parse, parser, NULL);
}

/* The words of a line, as the pipeline counts them, as lines->forms. */
static dgm_status split(struct dgm_env *env, struct dgm_parse_lines *lines,
                        const struct dgm_encoded *line)
{
    size_t at = 0, bytes;
    const char *word;
    int32_t count = 0;

    dgm_buf_reset(&lines->text);
    DGM_TRY(dgm_buf_add(env, &lines->text, line->text.data, line->text.size));
    DGM_TRY(dgm_buf_add_char(env, &lines->text, '\0'));
    DGM_TRY(dgm_reserve(env, &lines->forms, &lines->form_capacity, (size_t)line->n_words,
                        sizeof *lines->forms));
    while (dgm_count_next(line->text.data, line->text.size, &at, &word, &bytes)) {
        char *form = lines->text.data + (word - line->text.data);
        form[bytes] = '\0';
        lines->forms[count++] = form;
    }
    return DGM_OK;
}

/* Room for the heads of one more line, without a parse as yet. */
static dgm_status reserve_heads(struct dgm_env *env, struct dgm_parse_lines *lines,
                                int32_t words)
{
    DGM_TRY(dgm_reserve(env, &lines->heads, &lines->head_capacity, lines->words + (size_t)words,
                        sizeof *lines->heads));
    for (int32_t w = 0; w < words; w++)
        lines->heads[lines->words + (size_t)w] = -1;
    return DGM_OK;
}

dgm_status dgm_parse_lines_add(struct dgm_env *env, struct dgm_parse_lines *lines,
                               const struct dgm_encoded *line)
{
    struct dgm_parser *parser = lines->parse.parser;
    struct dgm_treebank_sentence sentence;
    size_t number = (size_t)lines->bank.rows.count;

    DGM_TRY(reserve_heads(env, lines, line->n_words));
    lines->lines++;
    lines->too_long += line->n_words > parser->config.max_words;
    if (line->n_words > 0 && line->n_words <= parser->config.max_words) {
        DGM_TRY(split(env, lines, line));
        memset(&sentence, 0, sizeof sentence);
        sentence.count = line->n_words;
        sentence.forms = lines->forms;
        DGM_TRY(dgm_reserve(env, &lines->places, &lines->place_capacity, number + 1,
                            sizeof *lines->places));
        DGM_TRY(dgm_treebank_add(env, &lines->bank, &parser->lexicon, &sentence));
        lines->places[number] = lines->words;
        lines->waiting += line->n_words;
    }
    lines->words += (size_t)line->n_words;
    return DGM_OK;
}

dgm_status dgm_parse_lines_run(struct dgm_env *env, struct dgm_parse_lines *lines)
{
    const struct dgm_packed *rows = &lines->bank.rows;

    DGM_TRY(dgm_parse_bank(env, &lines->parse, &lines->bank, BATCH_WORDS, &lines->parsed));
    for (int32_t s = 0; s < rows->count; s++) {
        const int32_t *from = lines->parsed.heads + rows->offsets[s] + 1;
        int32_t *to = lines->heads + lines->places[s], n = dgm_packed_length(rows, s) - 1;

        for (int32_t w = 0; w < n; w++)
            to[w] = from[w] == 0 ? w : from[w] - 1;
    }
    dgm_treebank_reset(&lines->bank);
    lines->waiting = 0;
    return DGM_OK;
}

void dgm_parse_lines_reset(struct dgm_parse_lines *lines)
{
    dgm_treebank_reset(&lines->bank);
    lines->words = 0;
    lines->waiting = 0;
    lines->lines = lines->too_long = 0;
}

void dgm_parse_lines_clear(struct dgm_env *env, struct dgm_parse_lines *lines)
{
    if (lines->parse.parser != NULL)
        dgm_parse_clear(env, &lines->parse);
    dgm_treebank_clear(env, &lines->bank);
    dgm_parsed_clear(env, &lines->parsed);
    dgm_release(env, lines->places);
    dgm_release(env, lines->heads);
    dgm_release(env, lines->forms);
    dgm_buf_clear(env, &lines->text);
    memset(lines, 0, sizeof *lines);
}
