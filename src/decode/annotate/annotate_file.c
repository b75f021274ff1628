/*
 * annotate_file.c: parsing files.
 *
 * Sentences are read into a window, parsed in batches of similar lengths, and written in the order
 * in which they came. A window is as large as batches of similar lengths need to fill well; it ends
 * early where the input waits, so that a partner at the other end of a pipe gets its answers.
 */
#include "decode/annotate/annotate.h"

#include <string.h>

#include "decode/annotate/sentence_cut.h"

/* A window holds the words of this many batches, and at most this many sentences. */
enum { WINDOW_BATCHES = 16, WINDOW_ITEMS = 8192 };

/* ---- the window --------------------------------------------------------------------------- */

static int is_full(const struct dgm_sentence_window *window)
{
    return window->item_count >= WINDOW_ITEMS || window->immediate ||
           window->parser.words >= WINDOW_BATCHES * window->batch_words;
}

/* Whether the line or sentence that was just read is to be parsed. If not, its source goes by. */
static dgm_status is_taken(struct dgm_sentence_window *window, int *taken)
{
    const long number = window->seen++;

    *taken = window->step == 0 || number % window->step == window->first;
    return *taken ? DGM_OK : dgm_source_lines_next(window->env, &window->sources);
}

static dgm_status finish_window(struct dgm_sentence_window *window)
{
    DGM_TRY(dgm_annotate_run(window));
    if (window->writer.out.size > 0)
        DGM_TRY(dgm_tree_output_add(window->env, &window->output, &window->writer.out));
    window->written += (long)window->item_count;
    dgm_sentence_window_begin(window);
    return DGM_OK;
}

/* ---- text --------------------------------------------------------------------------------- */

static dgm_status run_text(struct dgm_sentence_window *window, const char *path)
{
    struct dgm_env *env = window->env;
    struct dgm_lines lines = { 0 };
    dgm_status status;
    int more = 1, taken = 0;

    DGM_TRY_OUT(dgm_lines_open(env, &lines, path));
    while (more) {
        DGM_TRY_OUT(dgm_lines_next(env, &lines, &more));
        if (more)
            DGM_TRY_OUT(is_taken(window, &taken));
        if (more && taken) {
            dgm_lines_warn_cut(env, &lines);
            DGM_TRY_OUT(dgm_annotate_add(window, lines.line.data, lines.line.size));
        } else if (more)
            window->line++;
        if (!more || is_full(window) || !dgm_lines_ready(env, &lines))
            DGM_TRY_OUT(finish_window(window));
        DGM_TRY_OUT(dgm_poll(env));
    }
out:
    dgm_lines_close(env, &lines);
    return status;
}

/* One whose sentences may go over the ends of lines. */
static dgm_status run_document(struct dgm_sentence_window *window, const char *path)
{
    struct dgm_env *env = window->env;
    struct dgm_document document = { 0 };
    struct dgm_lines lines = { 0 };
    dgm_status status;
    int more = 1, queued = 0;

    DGM_TRY_OUT(dgm_lines_open(env, &lines, path));
    while (more) {
        DGM_TRY_OUT(dgm_lines_next(env, &lines, &more));
        DGM_TRY_OUT(more ? dgm_document_add(window, &document, &lines, &queued)
                         : dgm_document_end(window, &document));
        if (!more || (queued && is_full(window)) || !dgm_lines_ready(env, &lines))
            DGM_TRY_OUT(finish_window(window));
        DGM_TRY_OUT(dgm_poll(env));
    }
out:
    dgm_lines_close(env, &lines);
    dgm_buf_clear(env, &document.paragraph);
    return status;
}

/* ---- CoNLL-U ------------------------------------------------------------------------------ */

static dgm_status run_conllu(struct dgm_sentence_window *window, const char *path)
{
    struct dgm_env *env = window->env;
    struct dgm_conllu_reader reader;
    struct dgm_sentence_item *item;
    dgm_status status;
    int more = 1, taken = 0;

    DGM_TRY_OUT(dgm_annotate_open_conllu(env, &reader, path));
    while (more) {
        DGM_TRY_OUT(dgm_sentence_window_next(window, &item));
        DGM_TRY_OUT(dgm_conllu_reader_next(env, &reader, &item->sentence, &more));
        window->line = item->sentence.line;
        if (more)
            DGM_TRY_OUT(is_taken(window, &taken));
        if (more && taken) {
            DGM_TRY_OUT(dgm_annotate_take_words(env, item));
            DGM_TRY_OUT(dgm_sentence_window_queue(window, item));
        }
        if (!more || is_full(window) || !dgm_lines_block_ready(env, &reader.lines))
            DGM_TRY_OUT(finish_window(window));
        DGM_TRY_OUT(dgm_poll(env));
    }
out:
    dgm_conllu_reader_close(env, &reader);
    return status;
}

/* ---- the calls ---------------------------------------------------------------------------- */

dgm_status dgm_annotate_begin(struct dgm_sentence_window *window, dgm_write_fn write, void *user)
{
    struct dgm_env *env = window->env;

    if (window->text.split == DGM_SPLIT_DOCUMENT && window->step > 1)
        return dgm_fail(env, DGM_USAGE,
                        "split \"document\" of a shard, which is lines; expected none or lines");
    /* A line of values stays one; of a line's blocks nobody knows where the next line's begin. */
    if (window->text.split == DGM_SPLIT_LINES && window->step > 1 && window->writer.wants_conllu)
        dgm_log(env, DGM_LOG_WARNING,
                "split \"lines\" of a shard: `join` cannot put the sentences of several shards in "
                "order, as a line has no fixed number of them");
    if (window->output.form == DGM_TREE_SVG && window->step > 1)
        return dgm_fail(env, DGM_USAGE,
                        "a picture of a shard, which nothing joins; expected another output");
    dgm_tree_output_begin(&window->output, write, user);
    return DGM_OK;
}

static dgm_status run_file(struct dgm_sentence_window *window, const char *path)
{
    struct dgm_env *env = window->env;

    DGM_TRY(dgm_source_lines_open(env, &window->sources, window->source, path));
    DGM_TRY(window->writer.input == DGM_SENTENCE_CONLLU ? run_conllu(window, path)
            : window->text.split == DGM_SPLIT_DOCUMENT  ? run_document(window, path)
                                                        : run_text(window, path));
    DGM_TRY(dgm_source_lines_check_end(env, &window->sources));
    return dgm_tree_output_end(env, &window->output);
}

/* Those that were read and not parsed do not count. */
static dgm_status tell_stopped(struct dgm_sentence_window *window)
{
    struct dgm_env *env = window->env;

    dgm_env_clear_error(env);
    return dgm_fail(env, DGM_INTERRUPTED, "stopped; %ld sentences are written", window->written);
}

void dgm_annotate_tell_counts(struct dgm_sentence_window *window)
{
    struct dgm_laid_counts *laid = &window->writer.over.counts;

    dgm_sentence_parser_tell_unknown(&window->parser);
    dgm_laid_counts_report(window->env, laid, "trees");
    memset(laid, 0, sizeof *laid);
}

dgm_status dgm_annotate_file(struct dgm_sentence_window *window, const char *path,
                             dgm_write_fn write, void *user)
{
    struct dgm_env *env = window->env;
    dgm_status status;

    dgm_sentence_window_begin(window);
    window->line = window->parser.too_long = window->seen = window->written = 0;
    dgm_sentence_window_reset_text(window);
    DGM_TRY(dgm_annotate_begin(window, write, user));
    status = run_file(window, path);
    dgm_annotate_tell_counts(window);
    dgm_source_lines_close(env, &window->sources);
    return status == DGM_INTERRUPTED ? tell_stopped(window) : status;
}
