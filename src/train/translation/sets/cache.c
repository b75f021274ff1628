/*
 * cache.c: whether training text goes into a file, into which, and what it was made of.
 */
#include "train/translation/sets/cache.h"

#include <stdio.h>
#include <string.h>

#include "base/file/file.h"
#include "data/cache/made_of.h"
#include "train/translation/sets/mixture.h"
#include "train/translation/sets/trees.h"

static int64_t window_bytes(const struct dgm_run *run)
{
    return dgm_settings_bytes(run->settings, "shuffle-memory");
}

/* ---- what it is made of ---------------------------------------------------------------------- */

/* One file; without a path nothing. *pipe: of one that cannot be read twice. */
static dgm_status add_file(struct dgm_env *env, struct dgm_buf *lines, const char *name,
                           const char *path, const char **pipe)
{
    int is_regular = 1;

    if (path != NULL && *pipe == NULL)
        DGM_TRY(dgm_made_of_file(env, lines, name, path, &is_regular));
    if (!is_regular)
        *pipe = path;
    return DGM_OK;
}

static dgm_status add_text(struct dgm_env *env, struct dgm_buf *lines, const struct dgm_text *text,
                           const char **pipe)
{
    DGM_TRY(add_file(env, lines, "source text", text->path[DGM_SOURCE], pipe));
    DGM_TRY(add_file(env, lines, "target text", text->path[DGM_TARGET], pipe));
    DGM_TRY(add_file(env, lines, "source trees", text->trees[DGM_SOURCE], pipe));
    DGM_TRY(add_file(env, lines, "sentence weights", text->weights, pipe));
    DGM_TRY(add_file(env, lines, "links of words", text->links, pipe));
    if (text->tag != NULL)
        DGM_TRY(dgm_buf_add_format(env, lines, "tag = %s\n", text->tag));
    return add_file(env, lines, "target trees", text->trees[DGM_TARGET], pipe);
}

static dgm_status add_parser(const struct dgm_run *run, const struct dgm_sets *sets,
                             struct dgm_buf *lines)
{
    uint64_t sum;

    DGM_TRY(dgm_sets_trees_parser_sum(run->env, &sets->parser, &sum));
    DGM_TRY(dgm_made_of_sum(run->env, lines, "parser", sum));
    /* 1, or no such line: one line in 32,000 words had a tree of other words, too. */
    return sets->parser.cutter.width > 0
               ? dgm_made_of_number(run->env, lines, "version of trees of cut lines", 2)
               : DGM_OK;
}

/* *pipe: a file that can be read only once, so that nothing is known of it; NULL: there is none. */
static dgm_status describe(const struct dgm_run *run, const struct dgm_sets *sets,
                           const struct dgm_sets_parts *parts, struct dgm_buf *lines,
                           const char **pipe)
{
    const struct dgm_text_list *texts = parts->files->texts;
    struct dgm_env *env = run->env;

    *pipe = NULL;
    for (size_t i = 0; i < texts->count; i++)
        DGM_TRY(add_text(env, lines, &texts->items[i], pipe));
    DGM_TRY(dgm_made_of_pipeline(env, lines, &sets->model->pipeline));
    if (sets->slots.share > 0) {
        DGM_TRY(dgm_buf_add_format(env, lines, "placeholders = %s\n",
                                   dgm_settings_text(run->settings, "placeholders")));
        DGM_TRY(dgm_made_of_number(env, lines, "seed", (int64_t)sets->slots.seed));
    }
    DGM_TRY(dgm_made_of_number(env, lines, "max-length", parts->longest));
    DGM_TRY(dgm_buf_add_format(env, lines, "on-bad-line = %s\n",
                               dgm_settings_text(run->settings, "on-bad-line")));
    DGM_TRY(dgm_made_of_number(env, lines, "bytes of a block", DGM_TEXT_BLOCK_BYTES));
    return parts->parses ? add_parser(run, sets, lines) : DGM_OK;
}

/* ---- beginning ------------------------------------------------------------------------------- */

dgm_status dgm_sets_cache_check(const struct dgm_run *run)
{
    const struct dgm_settings *settings = run->settings;
    const char *name = dgm_settings_text(settings, "train-cache");

    if (strcmp(name, "none") == 0 || strcmp(name, "auto") == 0)
        return DGM_OK;
    if (dgm_settings_flag(settings, "multitask"))
        return dgm_fail(run->env, DGM_USAGE,
                        "--train-cache %s: --multitask keeps its text in memory; "
                        "expected --train-cache none",
                        name);
    return dgm_text_cache_may_replace(run->env, name);
}

/* The file's path, and whether there may be one at all. */
static dgm_status choose_path(const struct dgm_run *run, struct dgm_sets_cache *cache)
{
    const struct dgm_settings *settings = run->settings;
    const char *name = dgm_settings_text(settings, "train-cache");
    const char *model = dgm_settings_text(settings, "model");
    const int is_auto = strcmp(name, "auto") == 0;

    if (strcmp(name, "none") == 0 || dgm_settings_flag(settings, "multitask"))
        return DGM_OK;
    if (snprintf(cache->path, sizeof cache->path, "%s%s", is_auto ? model : name,
                 is_auto ? ".cache" : "") >= (int)sizeof cache->path)
        return dgm_fail_at(run->env, DGM_USAGE, is_auto ? model : name, 0, 0, "path is too long");
    cache->always = !is_auto;
    cache->is_on = 1;
    return DGM_OK;
}

static struct dgm_text_limits find_limits(const struct dgm_pipeline *pipeline)
{
    struct dgm_text_limits limits;

    for (int side = DGM_SOURCE; side <= DGM_TARGET; side++)
        limits.ids[side] = (int64_t)dgm_vocab_size(dgm_pipeline_vocab(pipeline, side));
    for (int kind = 0; kind < DGM_WORD_FEATURES; kind++)
        limits.features[kind] = (int64_t)dgm_feature_size(&pipeline->features.of[kind]);
    return limits;
}

static dgm_status open_cache(const struct dgm_run *run, struct dgm_sets *sets,
                             struct dgm_sets_cache *cache)
{
    const struct dgm_text_limits limits = find_limits(&sets->model->pipeline);

    DGM_TRY(dgm_text_cache_open(run->env, &sets->cache, cache->path, cache->made_of.data, &limits,
                                cache->why));
    if (!sets->cache.is_open || sets->cache.part_count == sets->texts.count)
        return DGM_OK;
    snprintf(cache->why, sizeof cache->why, "it has another number of texts");
    dgm_text_cache_close(run->env, &sets->cache);
    return DGM_OK;
}

dgm_status dgm_sets_cache_begin(const struct dgm_run *run, struct dgm_sets *sets,
                                struct dgm_sets_cache *cache, const struct dgm_sets_parts *parts)
{
    const char *pipe;

    *cache = (struct dgm_sets_cache){ .run = run, .sets = sets, .memory = window_bytes(run) };
    DGM_TRY(choose_path(run, cache));
    if (!cache->is_on)
        return DGM_OK;
    DGM_TRY(describe(run, sets, parts, &cache->made_of, &pipe));
    if (pipe == NULL)
        return open_cache(run, sets, cache);
    cache->is_on = 0;
    return !cache->always ? DGM_OK
                          : dgm_fail_at(run->env, DGM_USAGE, pipe, 0, 0,
                                        "a device or a pipe, of which --train-cache could not tell "
                                        "later whether it is the same; expected a file, or "
                                        "--train-cache none");
}

/* ---- filling --------------------------------------------------------------------------------- */

static int is_dry(const struct dgm_sets_cache *cache)
{
    return dgm_settings_flag(cache->run->settings, "dry-run");
}

int dgm_sets_cache_is_due(struct dgm_sets_cache *cache, const struct dgm_corpus *corpus)
{
    if (!cache->is_on)
        return 0;
    cache->filled += dgm_text_block_pair_bytes(corpus, corpus->source.count - 1);
    if (cache->filled < DGM_TEXT_BLOCK_BYTES)
        return 0;
    cache->filled = 0;
    return is_dry(cache) || cache->always || cache->writer.is_open ||
           dgm_text_cache_corpus_bytes(corpus) > cache->memory;
}

/* Of both files; those of a pipe are not known. */
static dgm_status size_of(struct dgm_env *env, const struct dgm_text *text, double *bytes)
{
    *bytes = 0;
    for (int side = DGM_SOURCE; side <= DGM_TARGET; side++) {
        long long size = 0;
        int fd;

        if (text->path[side] == NULL || dgm_file_is_stream(env, text->path[side]))
            continue;
        DGM_TRY(dgm_file_open(env, &fd, text->path[side], &size, NULL));
        dgm_file_close(env, fd);
        *bytes += (double)size;
    }
    return DGM_OK;
}

/* A byte of text becomes an id and a word at most. */
#define MOST_TIMES 8

/* Up to the end of a text, its files' share of the memory, and what the texts behind it are sure to
 * leave. */
static dgm_status find_limit(struct dgm_sets_cache *cache, size_t text)
{
    const struct dgm_sets *sets = cache->sets;
    double before = 0, behind = 0, size, share, sure;

    for (size_t i = 0; i < sets->texts.count; i++) {
        DGM_TRY(size_of(cache->run->env, &sets->texts.items[i], &size));
        *(i <= text ? &before : &behind) += size;
    }
    share = before + behind > 0 ? (double)cache->memory * before / (before + behind) : 0;
    sure = (double)cache->memory - MOST_TIMES * behind;
    cache->limit = (int64_t)(share > sure ? share : sure) + 1;
    return DGM_OK;
}

/* A dry run writes nothing: of a text that is too large it looks at the first pairs; of several, at
 * the first of each. */
static dgm_status keep_first(struct dgm_sets_cache *cache, struct dgm_corpus *corpus)
{
    if (cache->limit == 0 || cache->text != corpus->part_count) {
        cache->text = corpus->part_count;
        cache->kept = 0;
        DGM_TRY(find_limit(cache, cache->text));
    }
    if (cache->kept == 0 && dgm_text_cache_corpus_bytes(corpus) > cache->limit)
        cache->kept = corpus->source.count;
    if (cache->kept > 0)
        corpus->source.count = corpus->target.count = cache->kept;
    return DGM_OK;
}

static dgm_status start_file(struct dgm_sets_cache *cache)
{
    struct dgm_env *env = cache->run->env;

    if (cache->why[0] != '\0')
        dgm_log(env, DGM_LOG_NOTE, "%s: made anew, since %s", cache->path, cache->why);
    return dgm_text_cache_writer_open(env, &cache->writer, cache->path, DGM_TEXT_BLOCK_BYTES);
}

dgm_status dgm_sets_cache_take(struct dgm_sets_cache *cache, struct dgm_corpus *corpus)
{
    struct dgm_env *env = cache->run->env;

    if (is_dry(cache))
        return keep_first(cache, corpus);
    if (!cache->writer.is_open) {
        DGM_TRY(start_file(cache));
        DGM_TRY(dgm_text_cache_writer_add(env, &cache->writer, corpus));
        dgm_corpus_forget_pairs(env, corpus); /* all that memory is not needed again */
        return DGM_OK;
    }
    DGM_TRY(dgm_text_cache_writer_add(env, &cache->writer, corpus));
    dgm_packed_reset(&corpus->source);
    dgm_packed_reset(&corpus->target);
    return DGM_OK;
}

/* ---- the end --------------------------------------------------------------------------------- */

/* What was read must be what is there now: a file that changed in between would make a cache that
 * says it is of another text than it holds. */
static dgm_status check_unchanged(struct dgm_sets_cache *cache, const struct dgm_sets_parts *parts)
{
    const struct dgm_run *run = cache->run;
    struct dgm_buf now = { 0 };
    const char *pipe;
    dgm_status status = describe(run, cache->sets, parts, &now, &pipe);

    if (status == DGM_OK && (pipe != NULL || strcmp(now.data, cache->made_of.data) != 0))
        status =
            dgm_fail_at(run->env, DGM_DATA, parts->files->texts->items[0].path[DGM_SOURCE], 0, 0,
                        "this text, its translation or its trees changed while they were "
                        "read; expected files that stay as they are");
    dgm_buf_clear(run->env, &now);
    return status;
}

static void report(const struct dgm_sets_cache *cache)
{
    const struct dgm_sets *sets = cache->sets;
    const struct dgm_text_cache *text = &sets->cache;
    const struct dgm_text_entry *last = &text->blocks[text->count - 1];

    dgm_log(cache->run->env, DGM_LOG_NOTE, "training text: encoded in %s, %zu blocks, %lld MiB",
            cache->path, text->count, (long long)(last->offset + last->bytes) >> 20);
}

dgm_status dgm_sets_cache_end(struct dgm_sets_cache *cache, struct dgm_corpus *corpus,
                              const struct dgm_sets_parts *parts)
{
    const struct dgm_run *run = cache->run;
    const struct dgm_sets *sets = cache->sets;

    if (dgm_settings_flag(run->settings, "dry-run"))
        return DGM_OK;
    if (!cache->always && !cache->writer.is_open &&
        dgm_text_cache_corpus_bytes(corpus) <= cache->memory)
        return DGM_OK;
    DGM_TRY(dgm_sets_cache_take(cache, corpus));
    DGM_TRY(check_unchanged(cache, parts));
    DGM_TRY(dgm_text_cache_writer_close(run->env, &cache->writer, corpus, cache->made_of.data));
    DGM_TRY(open_cache(run, cache->sets, cache));
    if (!sets->cache.is_open)
        return dgm_fail_at(run->env, DGM_FAILURE, cache->path, 0, 0,
                           "is not what was written just now: %s; expected a file of this run's "
                           "own",
                           cache->why);
    report(cache);
    return DGM_OK;
}

void dgm_sets_cache_clear(struct dgm_env *env, struct dgm_sets_cache *cache)
{
    dgm_text_cache_writer_abandon(env, &cache->writer);
    dgm_buf_clear(env, &cache->made_of);
}

/* ---- in use ---------------------------------------------------------------------------------- */

static dgm_status use_windows(const struct dgm_run *run, struct dgm_sets *sets,
                              struct dgm_windows *windows, struct dgm_corpus *corpus)
{
    const int64_t memory = window_bytes(run);

    dgm_corpus_forget_pairs(run->env, corpus);
    DGM_TRY(dgm_text_cache_counts(run->env, &sets->cache, corpus));
    dgm_corpus_forget_pairs(run->env, &sets->sample);
    DGM_TRY(dgm_text_cache_read(run->env, &sets->cache, 0, &sets->sample));
    DGM_TRY(dgm_sets_mixture_make(run, sets));
    DGM_TRY(
        dgm_windows_init(run->env, windows, &sets->cache, corpus, dgm_sets_mixture(sets), memory));
    dgm_log(run->env, DGM_LOG_NOTE,
            "training text: read from %s; an epoch has %lld windows of at most %lld MiB",
            sets->cache.path, (long long)windows->count, (long long)(memory >> 20));
    return DGM_OK;
}

dgm_status dgm_sets_cache_use(const struct dgm_run *run, struct dgm_sets *sets,
                              struct dgm_windows *windows, struct dgm_corpus *corpus)
{
    if (!sets->cache.is_open)
        return DGM_OK;
    if (dgm_text_cache_bytes(&sets->cache) > window_bytes(run))
        return use_windows(run, sets, windows, corpus);
    dgm_log(run->env, DGM_LOG_NOTE, "training text: read from %s", sets->cache.path);
    DGM_TRY(dgm_text_cache_read_all(run->env, &sets->cache, corpus));
    dgm_text_cache_close(run->env, &sets->cache);
    return DGM_OK;
}
