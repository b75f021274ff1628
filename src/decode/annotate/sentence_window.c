/* sentence_window.c: sentences on their way from text to trees, many at a time. */
#include "decode/annotate/sentence_window.h"

#include <string.h>

#include "base/mem.h"

void dgm_sentence_window_begin(struct dgm_sentence_window *window)
{
    window->item_count = 0;
    dgm_buf_reset(&window->text.text);
    window->text.count = 0;
    dgm_sentence_parser_reset(&window->parser);
    dgm_buf_reset(&window->writer.out);
}

void dgm_sentence_window_reset_text(struct dgm_sentence_window *window)
{
    dgm_buf_reset(&window->text.text);
    window->text.count = 0;
    window->text.characters = 0;
}

/* Room for the next item; new items are zeroed, old ones keep their memory. */
dgm_status dgm_sentence_window_next(struct dgm_sentence_window *window,
                                    struct dgm_sentence_item **item)
{
    size_t before = window->item_capacity;

    DGM_TRY(dgm_grow(window->env, &window->items, &window->item_capacity, window->item_count,
                     sizeof *window->items));
    memset(window->items + before, 0, (window->item_capacity - before) * sizeof *window->items);
    *item = &window->items[window->item_count];
    (*item)->number = -1;
    (*item)->count = 0;
    (*item)->cut_count = 0;
    (*item)->is_cut = (*item)->begins_paragraph = (*item)->part = 0;
    return DGM_OK;
}

/* The same, whoever else reads the same input: of a document, nobody does. */
static long id_of_next(const struct dgm_sentence_window *window)
{
    if (window->writer.input == DGM_SENTENCE_CONLLU)
        return window->seen;
    return window->text.split == DGM_SPLIT_DOCUMENT ? window->written + (long)window->item_count + 1
                                                    : window->line;
}

dgm_status dgm_sentence_window_queue(struct dgm_sentence_window *window,
                                     struct dgm_sentence_item *item)
{
    const struct dgm_sentence_writer *writer = &window->writer;
    int has_tags = writer->input == DGM_SENTENCE_CONLLU && !writer->retag, parseable = 1;

    item->id = id_of_next(window);
    window->item_count++;
    item->input = window->line;
    DGM_TRY(dgm_source_lines_next(window->env, &window->sources));
    if (window->source != NULL && item->count > 0)
        DGM_TRY(dgm_sentence_parser_source(&window->parser, &window->sources.lines.line,
                                           window->source, window->sources.number, &parseable));
    if (!parseable)
        return DGM_OK;
    return dgm_sentence_parser_add(&window->parser, item->forms, has_tags ? item->tags : NULL,
                                   item->count, window->line, &item->number);
}

static long line_of_sentence(const void *user, int32_t number)
{
    const struct dgm_sentence_window *window = user;
    size_t i = 0;

    while (i + 1 < window->item_count && window->items[i].number != number)
        i++;
    return window->items[i].input;
}

static long line_of_paragraph(const void *user, int32_t number)
{
    const struct dgm_sentence_window *window = user;

    return window->text.paragraphs[number].line;
}

void dgm_sentence_window_name_lines(struct dgm_sentence_window *window)
{
    const struct dgm_input_lines lines = { .of = line_of_sentence, .user = window };

    window->parser.parse.options.lines = window->parser.head.lines = lines;
    window->parser.cut.lines.of = line_of_paragraph;
    window->parser.cut.lines.user = window;
}

static void clear_items(struct dgm_env *env, struct dgm_sentence_window *window)
{
    for (size_t i = 0; i < window->item_capacity; i++) {
        struct dgm_sentence_item *item = &window->items[i];
        dgm_conllu_clear(env, &item->sentence);
        dgm_buf_clear(env, &item->line);
        dgm_buf_clear(env, &item->tokens);
        dgm_release(env, item->forms);
        dgm_release(env, item->tags);
        dgm_release(env, item->cuts);
    }
    dgm_release(env, window->items);
}

void dgm_sentence_window_clear(struct dgm_sentence_window *window)
{
    struct dgm_env *env = window->env;

    dgm_sentence_parser_clear(&window->parser);
    dgm_sentence_writer_clear(env, &window->writer);
    dgm_buf_clear(env, &window->text.text);
    dgm_release(env, window->text.paragraphs);
    dgm_release(env, window->text.ends);
    dgm_tree_output_clear(env, &window->output);
    clear_items(env, window);
    dgm_release(env, window->source);
}
