/* sentence_over.c: a parsed sentence over other tokens of its line. */
#include "decode/annotate/sentence_over.h"

#include <string.h>

#include "base/mem.h"
#include "text/tokenize/tokenize.h"

/* The tokens, single blanks between, in over->line; then their forms, each ended by NUL in place of
 * the blank behind it. */
static dgm_status read_line(struct dgm_env *env, struct dgm_sentence_over *over,
                            const struct dgm_buf *line)
{
    const struct dgm_tokenize_options options = { .language = over->language };
    size_t end = line->size;

    dgm_buf_reset(&over->line);
    while (end > 0 && (line->data[end - 1] == '\n' || line->data[end - 1] == '\r'))
        end--;
    if (over->tokens == DGM_TOKENS_MOSES)
        return dgm_tokenize_line(env, &over->line, line->data, end, &options);
    for (size_t at = 0, length; at < end; at += length) {
        while (at < end && (line->data[at] == ' ' || line->data[at] == '\t'))
            at++;
        for (length = 0; at + length < end && line->data[at + length] != ' ' &&
                         line->data[at + length] != '\t';)
            length++;
        if (length > 0 && over->line.size > 0)
            DGM_TRY(dgm_buf_add_char(env, &over->line, ' '));
        DGM_TRY(dgm_buf_add(env, &over->line, line->data + at, length));
    }
    return DGM_OK;
}

static int32_t count_tokens(const struct dgm_buf *line)
{
    int32_t count = line->size > 0;

    for (size_t i = 0; i < line->size; i++)
        count += line->data[i] == ' ';
    return count;
}

static dgm_status list_forms(struct dgm_env *env, struct dgm_sentence_over *over)
{
    const struct dgm_parallel arrays[] = { { &over->forms, sizeof *over->forms },
                                           { &over->names[0], sizeof *over->names[0] },
                                           { &over->names[1], sizeof *over->names[1] },
                                           { NULL, 0 } };
    int32_t t = 0;

    DGM_TRY(dgm_reserve_parallel(env, arrays, &over->capacity, (size_t)over->count + 1));
    over->forms[t++] = over->line.data;
    for (size_t i = 0; i < over->line.size; i++)
        if (over->line.data[i] == ' ') {
            over->line.data[i] = '\0';
            over->forms[t++] = over->line.data + i + 1;
        }
    return DGM_OK;
}

/* over->words: the words of the parser, and the tokens. */
static dgm_status find_words(struct dgm_env *env, struct dgm_sentence_over *over,
                             const struct dgm_sentence_item *item)
{
    dgm_text_words_reset(&over->words);
    DGM_TRY(dgm_text_words_begin(env, &over->words, item->line.data, item->line.size));
    for (size_t t = 0; t < item->cut_count; t++) {
        const struct dgm_sentence_token *token = &item->cuts[t];
        const char *forms = item->tokens.data + token->form;

        if (token->words > 1) /* behind the form of the whole */
            forms += strlen(forms) + 1;
        DGM_TRY(
            dgm_text_words_add(env, &over->words, token->start, token->end, forms, token->words));
    }
    return dgm_text_words_end(env, &over->words, over->line.data, over->line.size, over->count);
}

dgm_status dgm_sentence_over_lay(struct dgm_sentence_writer *writer,
                                 const struct dgm_sentence_item *item, const struct dgm_tree *tree)
{
    struct dgm_env *env = writer->env;
    struct dgm_sentence_over *over = &writer->over;

    DGM_TRY(read_line(env, over, &item->line));
    over->count = count_tokens(&over->line);
    DGM_TRY(find_words(env, over, item));
    DGM_TRY(list_forms(env, over));
    DGM_TRY(dgm_overlay_lay(env, &over->overlay, tree, over->words.words, over->words.tokens,
                            over->words.joins, over->count));
    for (int32_t t = 0; t < over->count; t++)
        for (int i = 0; i < 2; i++)
            over->names[i][t] =
                over->overlay.word[t] < 0 ? "_" : writer->names[i][over->overlay.word[t]];
    over->counts.words += tree->count;
    over->counts.kept += over->overlay.kept;
    over->counts.lines++;
    return DGM_OK;
}

void dgm_sentence_over_clear(struct dgm_env *env, struct dgm_sentence_over *over)
{
    dgm_buf_clear(env, &over->line);
    dgm_text_words_clear(env, &over->words);
    dgm_overlay_clear(env, &over->overlay);
    dgm_release(env, over->forms);
    dgm_release(env, over->names[0]);
    dgm_release(env, over->names[1]);
    memset(over, 0, sizeof *over);
}
