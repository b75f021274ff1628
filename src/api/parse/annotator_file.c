/*
 * annotator_file.c: parsing files behind the public interface.
 *
 * Sentences are read into a window, parsed in batches of similar lengths, and written in the order
 * in which they came. A window is as large as batches of similar lengths need to fill well; it ends
 * early where the input waits, so that a partner at the other end of a pipe gets its answers.
 */
#include "api/parse/annotator.h"

#include <string.h>

#include "api/program.h"

/* A window holds the words of this many batches, and at most this many sentences. */
enum { WINDOW_BATCHES = 16, WINDOW_ITEMS = 8192 };

/* ---- the window --------------------------------------------------------------------------- */

static int is_full(const struct dgm_annotator *annotator)
{
    return annotator->item_count >= WINDOW_ITEMS || annotator->immediate ||
           annotator->parser.words >= WINDOW_BATCHES * annotator->batch_words;
}

/* Whether the line or sentence that was just read is to be parsed. If not, its source goes by. */
static dgm_status is_taken(struct dgm_annotator *annotator, int *taken)
{
    const long number = annotator->seen++;

    *taken = annotator->step == 0 || number % annotator->step == annotator->first;
    return *taken ? DGM_OK : dgm_source_lines_next(&annotator->context->env, &annotator->sources);
}

static dgm_status finish_window(struct dgm_annotator *annotator)
{
    DGM_TRY(dgm_annotator_run(annotator));
    if (annotator->writer.out.size > 0)
        DGM_TRY(dgm_tree_output_add(&annotator->context->env, &annotator->output,
                                    &annotator->writer.out));
    annotator->written += (long)annotator->item_count;
    dgm_annotator_begin(annotator);
    return DGM_OK;
}

/* ---- text --------------------------------------------------------------------------------- */

static dgm_status run_text(struct dgm_annotator *annotator, const char *path)
{
    struct dgm_env *env = &annotator->context->env;
    struct dgm_lines lines;
    dgm_status status;
    int more = 1, taken = 0;

    memset(&lines, 0, sizeof lines);
    DGM_TRY_OUT(dgm_lines_open(env, &lines, path));
    while (more) {
        DGM_TRY_OUT(dgm_lines_next(env, &lines, &more));
        if (more)
            DGM_TRY_OUT(is_taken(annotator, &taken));
        if (more && taken) {
            dgm_lines_warn_cut(env, &lines);
            DGM_TRY_OUT(dgm_annotator_add(annotator, lines.line.data, lines.line.size));
        } else if (more)
            annotator->line++;
        if (!more || is_full(annotator) || !dgm_lines_ready(env, &lines))
            DGM_TRY_OUT(finish_window(annotator));
        DGM_TRY_OUT(dgm_poll(env));
    }
out:
    dgm_lines_close(env, &lines);
    return status;
}

/* One whose sentences may go over the ends of lines. */
static dgm_status run_document(struct dgm_annotator *annotator, const char *path)
{
    struct dgm_env *env = &annotator->context->env;
    struct dgm_document document;
    struct dgm_lines lines;
    dgm_status status;
    int more = 1, queued = 0;

    memset(&document, 0, sizeof document);
    memset(&lines, 0, sizeof lines);
    DGM_TRY_OUT(dgm_lines_open(env, &lines, path));
    while (more) {
        DGM_TRY_OUT(dgm_lines_next(env, &lines, &more));
        DGM_TRY_OUT(more ? dgm_document_add(annotator, &document, &lines, &queued)
                         : dgm_document_end(annotator, &document));
        if (!more || (queued && is_full(annotator)) || !dgm_lines_ready(env, &lines))
            DGM_TRY_OUT(finish_window(annotator));
        DGM_TRY_OUT(dgm_poll(env));
    }
out:
    dgm_lines_close(env, &lines);
    dgm_buf_clear(env, &document.paragraph);
    return status;
}

/* ---- CoNLL-U ------------------------------------------------------------------------------ */

static dgm_status run_conllu(struct dgm_annotator *annotator, const char *path)
{
    struct dgm_env *env = &annotator->context->env;
    struct dgm_conllu_reader reader;
    struct dgm_sentence_item *item;
    dgm_status status;
    int more = 1, taken = 0;

    DGM_TRY_OUT(dgm_annotator_open_conllu(annotator, &reader, path));
    while (more) {
        DGM_TRY_OUT(dgm_annotator_next_item(annotator, &item));
        DGM_TRY_OUT(dgm_conllu_reader_next(env, &reader, &item->sentence, &more));
        annotator->line = item->sentence.line;
        if (more)
            DGM_TRY_OUT(is_taken(annotator, &taken));
        if (more && taken) {
            DGM_TRY_OUT(dgm_annotator_take_words(env, item));
            DGM_TRY_OUT(dgm_annotator_queue_item(annotator, item));
        }
        if (!more || is_full(annotator) || !dgm_lines_block_ready(env, &reader.lines))
            DGM_TRY_OUT(finish_window(annotator));
        DGM_TRY_OUT(dgm_poll(env));
    }
out:
    dgm_conllu_reader_close(env, &reader);
    return status;
}

/* ---- the calls ---------------------------------------------------------------------------- */

dgm_status dgm_annotator_begin_output(struct dgm_annotator *annotator, dgm_write_fn write,
                                      void *user)
{
    struct dgm_env *env = &annotator->context->env;

    if (annotator->text.split == DGM_SPLIT_DOCUMENT && annotator->step > 1)
        return dgm_fail(env, DGM_USAGE,
                        "split \"document\" of a shard, which is lines; expected none or lines");
    /* A line of values stays one; of a line's blocks nobody knows where the next line's begin. */
    if (annotator->text.split == DGM_SPLIT_LINES && annotator->step > 1 &&
        annotator->writer.wants_conllu)
        dgm_log(env, DGM_LOG_WARNING,
                "split \"lines\" of a shard: `join` cannot put the sentences of several shards in "
                "order, as a line has no fixed number of them");
    if (annotator->output.form == DGM_TREE_SVG && annotator->step > 1)
        return dgm_fail(env, DGM_USAGE,
                        "a picture of a shard, which nothing joins; expected another output");
    dgm_tree_output_begin(&annotator->output, write, user);
    return DGM_OK;
}

static dgm_status run_file(struct dgm_annotator *annotator, const char *path)
{
    struct dgm_env *env = &annotator->context->env;

    DGM_TRY(dgm_source_lines_open(env, &annotator->sources, annotator->source, path));
    DGM_TRY(annotator->writer.input == DGM_SENTENCE_CONLLU ? run_conllu(annotator, path)
            : annotator->text.split == DGM_SPLIT_DOCUMENT  ? run_document(annotator, path)
                                                           : run_text(annotator, path));
    DGM_TRY(dgm_source_lines_check_end(env, &annotator->sources));
    return dgm_tree_output_end(env, &annotator->output);
}

/* Those that were read and not parsed do not count. */
static dgm_status tell_stopped(struct dgm_annotator *annotator)
{
    struct dgm_env *env = &annotator->context->env;

    dgm_env_clear_error(env);
    return dgm_fail(env, DGM_INTERRUPTED, "stopped; %ld sentences are written", annotator->written);
}

dgm_status dgm_annotator_file(dgm_annotator *annotator, const char *path, dgm_write_fn write,
                              void *user)
{
    struct dgm_env *env;
    dgm_status status;

    DGM_ENTER_HANDLE(annotator);
    env = &annotator->context->env;
    DGM_TRY(dgm_argument_check(env, path, "path"));
    if (write == NULL)
        return dgm_argument_check(env, NULL, "write");
    dgm_annotator_begin(annotator);
    annotator->line = annotator->parser.too_long = annotator->seen = annotator->written = 0;
    dgm_annotator_text_reset(&annotator->text);
    DGM_TRY(dgm_annotator_begin_output(annotator, write, user));
    status = run_file(annotator, path);
    dgm_laid_counts_report(env, &annotator->writer.over.counts, "trees");
    memset(&annotator->writer.over.counts, 0, sizeof annotator->writer.over.counts);
    dgm_source_lines_close(env, &annotator->sources);
    return status == DGM_INTERRUPTED ? tell_stopped(annotator) : status;
}
