/*
 * parent_grow.c: entries that a run puts behind the vocabularies of its parent, and the
 * values that they begin with.
 *
 * What is there keeps its numbers and rows, so that sources are read as before. A new row begins
 * as the mean of the old ones: a token that is like any other, until text says what it is like.
 */
#include "train/translation/parent.h"

#include <string.h>

#include "base/option/settings.h"
#include "data/text/pipeline_tags.h"

/* ---- entries --------------------------------------------------------------------------------- */

enum { SHOWN = 12 };

/* A vocabulary that grows, and what the log says of it. */
struct growth {
    struct dgm_vocab *vocab;
    struct dgm_buf names; /* of the first new entries */
    size_t before, added;
};

/* Of entries to add: those of the model's own are not typed. */
static int has_files(const struct dgm_settings *settings)
{
    return dgm_settings_is_typed(settings, "vocabs");
}

static dgm_status add(struct dgm_env *env, struct growth *growth, const char *token, size_t bytes)
{
    char quoted[DGM_QUOTE_SIZE];
    int is_new;

    DGM_TRY(dgm_vocab_append(env, growth->vocab, token, bytes, &is_new));
    if (!is_new)
        return DGM_OK;
    if (growth->added++ >= SHOWN)
        return DGM_OK;
    dgm_quote(quoted, sizeof quoted, token, bytes);
    return dgm_buf_add_format(env, &growth->names, " %s", quoted);
}

/* Of tags that were known before, nothing happens. */
static dgm_status add_tags(const struct dgm_run *run, const struct dgm_text_list *texts,
                           struct dgm_pipeline *pipeline, struct growth *growth)
{
    for (size_t i = 0; i < texts->count; i++) {
        const char *tag = texts->items[i].tag;

        if (tag == NULL)
            continue;
        DGM_TRY(dgm_pipeline_add_tag(run->env, pipeline, tag, strlen(tag)));
        DGM_TRY(add(run->env, growth, tag, strlen(tag)));
    }
    return DGM_OK;
}

static dgm_status add_file(struct dgm_env *env, struct growth *growth, const char *path)
{
    struct dgm_vocab more = { 0 };
    dgm_status status;

    status = dgm_vocab_load(env, &more, path);
    for (size_t i = DGM_VOCAB_SPECIALS; i < dgm_vocab_size(&more) && status == DGM_OK; i++) {
        size_t bytes;
        const char *token = dgm_vocab_token(&more, (uint32_t)i, &bytes);

        status = add(env, growth, token, bytes);
    }
    dgm_vocab_clear(env, &more);
    return status;
}

/* DGM_USAGE unless --vocabs has a file for each vocabulary. */
static dgm_status check_files(const struct dgm_run *run, const struct dgm_pipeline *pipeline)
{
    const size_t files = dgm_settings_count(run->settings, "vocabs");

    if (files == (pipeline->joint ? 1 : 2))
        return DGM_OK;
    return dgm_fail(run->env, DGM_USAGE,
                    "--vocabs names %zu file%s, and the model of --init has %s; expected a file "
                    "for each vocabulary, with entries to add to it",
                    files, files == 1 ? "" : "s",
                    pipeline->joint ? "one vocabulary for both sides" : "two vocabularies");
}

static dgm_status grow(const struct dgm_run *run, const struct dgm_text_list *texts,
                       struct dgm_pipeline *pipeline, int side, struct growth *growth)
{
    const struct dgm_settings *settings = run->settings;

    if (side == DGM_SOURCE)
        DGM_TRY(add_tags(run, texts, pipeline, growth));
    return has_files(settings)
               ? add_file(run->env, growth, dgm_settings_item(settings, "vocabs", (size_t)side))
               : DGM_OK;
}

static void report(const struct dgm_run *run, const struct dgm_pipeline *pipeline, int side,
                   const struct growth *growth)
{
    if (growth->added > 0 || has_files(run->settings))
        dgm_log(run->env, DGM_LOG_NOTE,
                "--init: the vocabulary of the %s has %zu entries of the model and %zu more%s%s%s",
                pipeline->joint      ? "two sides"
                : side == DGM_SOURCE ? "source"
                                     : "target",
                growth->before, growth->added, growth->added > 0 ? ":" : "",
                growth->added > 0 ? growth->names.data : "", growth->added > SHOWN ? " .." : "");
}

dgm_status dgm_parent_grow(const struct dgm_run *run, struct dgm_parent *parent,
                           const struct dgm_text_list *texts, struct dgm_pipeline *pipeline)
{
    dgm_status status = DGM_OK;

    if (has_files(run->settings))
        DGM_TRY(check_files(run, pipeline));
    for (int side = DGM_SOURCE; side <= (pipeline->joint ? DGM_SOURCE : DGM_TARGET); side++) {
        struct dgm_vocab *vocab = &pipeline->vocab[side];
        struct growth growth = { .vocab = vocab, .before = dgm_vocab_size(vocab) };

        status = grow(run, texts, pipeline, side, &growth);
        if (status == DGM_OK)
            report(run, pipeline, side, &growth);
        if (growth.added > 0)
            parent->entries[side] = (int64_t)growth.before;
        dgm_buf_clear(run->env, &growth.names);
        DGM_TRY(status);
    }
    DGM_TRY(dgm_pipeline_check_tags(run->env, pipeline, parent->file.name));
    DGM_TRY(dgm_pipeline_check_slots(run->env, pipeline, parent->file.name));
    return pipeline->has_spm ? dgm_pipeline_link_spm(run->env, pipeline) : DGM_OK;
}

/* ---- values ---------------------------------------------------------------------------------- */

static int is_tag(const struct dgm_pipeline *pipeline, const struct dgm_vocab *vocab,
                  int64_t number)
{
    size_t bytes;
    const char *token = dgm_vocab_token(vocab, (uint32_t)number, &bytes);

    return dgm_map_find(&pipeline->tags, token, bytes) != NULL;
}

/* The mean of those of the first `count` rows that are tags, or else words, which symbols such as
 * <s> are not: over how many. */
static int64_t find_mean(const struct dgm_pipeline *pipeline, const struct dgm_vocab *vocab,
                         const dgm_real *rows, int64_t cols, int64_t count, int of_tags,
                         double *mean)
{
    int64_t found = 0;

    memset(mean, 0, (size_t)cols * sizeof *mean);
    for (int64_t i = DGM_VOCAB_SPECIALS; i < count; i++) {
        if (is_tag(pipeline, vocab, i) != of_tags)
            continue;
        for (int64_t c = 0; c < cols; c++)
            mean[c] += (double)rows[i * cols + c];
        found++;
    }
    for (int64_t c = 0; c < cols && found > 0; c++)
        mean[c] /= (double)found;
    return found;
}

static void fill(const struct dgm_pipeline *pipeline, const struct dgm_vocab *vocab, dgm_real *rows,
                 int64_t cols, int64_t first, int of_tags, const double *mean)
{
    const int64_t end = (int64_t)dgm_vocab_size(vocab);

    for (int64_t i = first; i < end; i++)
        if (is_tag(pipeline, vocab, i) == of_tags)
            for (int64_t c = 0; c < cols; c++)
                rows[i * cols + c] = (dgm_real)mean[c];
}

void dgm_parent_new_rows(const struct dgm_pipeline *pipeline, const struct dgm_vocab *vocab,
                         dgm_real *rows, int64_t cols, int64_t old_rows, double *mean)
{
    find_mean(pipeline, vocab, rows, cols, old_rows, 0, mean);
    fill(pipeline, vocab, rows, cols, old_rows, 0, mean);
    if (find_mean(pipeline, vocab, rows, cols, old_rows, 1, mean) == 0)
        find_mean(pipeline, vocab, rows, cols, old_rows, 0, mean);
    fill(pipeline, vocab, rows, cols, old_rows, 1, mean);
}
