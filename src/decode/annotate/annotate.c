/* annotate.c: parsing text and CoNLL-U, a window of sentences at a time. */
#include "decode/annotate/annotate.h"

#include <string.h>

#include "base/mem.h"
#include "decode/annotate/columns.h"
#include "decode/annotate/sentence_cut.h"
#include "syntax/conllu/conllu_packed.h"
#include "text/unicode/utf8.h"

/* ---- text --------------------------------------------------------------------------------- */

/* Words between blanks of tokens.data, each ended by NUL in place. */
static dgm_status split_words(struct dgm_env *env, struct dgm_sentence_item *item)
{
    char *text = item->tokens.data;
    size_t at = 0, end = item->tokens.size;

    while (at < end) {
        size_t length;

        at += strspn(text + at, " \t");
        length = strcspn(text + at, " \t");
        if (length == 0)
            break;
        DGM_TRY(dgm_grow(env, &item->forms, &item->form_capacity, (size_t)item->count,
                         sizeof *item->forms));
        item->forms[item->count++] = text + at;
        text[at + length] = '\0';
        at += length + 1;
    }
    return DGM_OK;
}

dgm_status dgm_annotate_add(struct dgm_sentence_window *window, const char *line, size_t bytes)
{
    struct dgm_env *env = window->env;
    struct dgm_sentence_item *item;

    if (window->cuts)
        return dgm_sentence_cut_queue(window, line, bytes);
    DGM_TRY(dgm_sentence_window_next(window, &item));
    window->line++;
    dgm_buf_reset(&item->line);
    dgm_buf_reset(&item->tokens);
    DGM_TRY(dgm_utf8_repair(env, &item->line, line, bytes, NULL));
    DGM_TRY(dgm_buf_add(env, &item->line, "", 0));
    if (window->writer.input == DGM_SENTENCE_RAW)
        DGM_TRY(dgm_sentence_parser_tokenize(&window->parser, &item->tokens, item->line.data,
                                             item->line.size, window->language));
    else
        DGM_TRY(dgm_buf_add(env, &item->tokens, item->line.data, item->line.size));
    DGM_TRY(dgm_buf_add(env, &item->tokens, "", 0));
    DGM_TRY(split_words(env, item));
    return dgm_sentence_window_queue(window, item);
}

/* ---- CoNLL-U ------------------------------------------------------------------------------ */

dgm_status dgm_annotate_take_words(struct dgm_env *env, struct dgm_sentence_item *item)
{
    const struct dgm_conllu_sentence *sentence = &item->sentence;
    size_t n = (size_t)sentence->tree.count;

    DGM_TRY(dgm_reserve(env, &item->forms, &item->form_capacity, n, sizeof *item->forms));
    DGM_TRY(dgm_reserve(env, &item->tags, &item->tag_capacity, n, sizeof *item->tags));
    for (int32_t w = 0; w < sentence->tree.count; w++) {
        item->forms[w] = dgm_conllu_field(sentence, w, DGM_CONLLU_FORM);
        item->tags[w] = dgm_conllu_field(sentence, w, DGM_CONLLU_UPOS);
    }
    item->count = sentence->tree.count;
    item->has_feats = dgm_columns_has_feats(sentence);
    return DGM_OK;
}

dgm_status dgm_annotate_add_packed(struct dgm_sentence_window *window, const char *packed,
                                   size_t bytes)
{
    struct dgm_env *env = window->env;
    struct dgm_sentence_item *item;

    DGM_TRY(dgm_sentence_window_next(window, &item));
    DGM_TRY(dgm_conllu_unpack(env, &item->sentence, packed, bytes));
    window->line = item->sentence.line;
    DGM_TRY(dgm_annotate_take_words(env, item));
    return dgm_sentence_window_queue(window, item);
}

dgm_status dgm_annotate_open_conllu(struct dgm_env *env, struct dgm_conllu_reader *reader,
                                    const char *path)
{
    const struct dgm_conllu_options options = {
        .lenient = 1,
        .allow_empty = 1,
        .allow_unparsed = 1,
        .multi_root = DGM_MULTI_ROOT_KEEP,
    };

    memset(reader, 0, sizeof *reader);
    return dgm_conllu_reader_open(env, reader, path, &options);
}

/* ---- trees -------------------------------------------------------------------------------- */

dgm_status dgm_annotate_run(struct dgm_sentence_window *window)
{
    DGM_TRY(dgm_sentence_cut(window));
    DGM_TRY(dgm_sentence_parser_run(&window->parser, window->batch_words));
    for (size_t i = 0; i < window->item_count; i++)
        DGM_TRY(dgm_sentence_writer_add(&window->writer, &window->items[i]));
    return DGM_OK;
}
