/*
 * shortlist_make.c: a shortlist for a model, from a parallel corpus, from a lexical table, or from
 * Marian's own.
 */
#include "model/search/shortlist_make.h"

#include <string.h>

#include "base/file/file.h"
#include "base/file/writer.h"
#include "base/mem.h"
#include "base/system/pool.h"
#include "data/shortlist/lex_binary.h"
#include "data/shortlist/lex_file.h"
#include "data/shortlist/pair_sample.h"
#include "data/shortlist/shortlist_file.h"
#include "data/text/pipeline_tags.h"
#include "model/file/model.h"
#include "tensor/gguf/gguf_load.h"

/* A side of more pieces costs a pair of the corpus: nothing is learned from it, at the greatest
 * cost. */
enum { LONGEST = 200 };

struct making {
    struct dgm_env *env;
    const struct dgm_shortlist_wishes *wishes;
    struct dgm_gguf file;
    struct dgm_model model; /* declared, without values */
    struct dgm_pair_sample sample;
    struct dgm_lex_table table;
    int64_t *counts; /* of target types; NULL: unknown */
    struct dgm_shortlist shortlist;
    struct dgm_writer writer;
};

static const struct dgm_vocab *vocab_of(const struct making *job, enum dgm_side side)
{
    return dgm_pipeline_vocab(&job->model.pipeline, side);
}

/* ---- reading --------------------------------------------------------------------------------- */

/* The vocabularies, and how text becomes pieces: what the head of the file says. */
static dgm_status read_model(struct making *job)
{
    DGM_TRY(dgm_gguf_open(job->env, &job->file, job->wishes->model));
    DGM_TRY(dgm_gguf_verify(job->env, &job->file, NULL));
    return dgm_model_declare(job->env, &job->model, &job->file);
}

/* How often each target type stands in the corpus. */
static dgm_status count_types(struct making *job)
{
    const struct dgm_packed *target = &job->sample.target;

    DGM_TRY(dgm_new(job->env, &job->counts, dgm_vocab_size(vocab_of(job, DGM_TARGET)),
                    sizeof *job->counts));
    for (int32_t i = 0; i < target->offsets[target->count]; i++)
        job->counts[target->ids[i]]++;
    return DGM_OK;
}

/* Numbers that add up: what is neither used nor left out was passed over for want of room. */
static void tell_pairs(const struct making *job)
{
    const struct dgm_pair_sample *sample = &job->sample;
    const long used = sample->source.count;

    dgm_log(
        job->env, DGM_LOG_NOTE,
        "pairs of the corpus: %ld; used: %ld; blank or of more than %d pieces: %ld; passed over "
        "as more than are wanted: %ld",
        sample->lines, used, (int)LONGEST, sample->left_out,
        sample->lines - used - sample->left_out);
}

static dgm_status learn(struct making *job)
{
    const int32_t types[2] = { (int32_t)dgm_vocab_size(vocab_of(job, DGM_SOURCE)),
                               (int32_t)dgm_vocab_size(vocab_of(job, DGM_TARGET)) };
    const struct dgm_shortlist_wishes *wishes = job->wishes;
    struct dgm_pair_sample *sample = &job->sample;
    struct dgm_pool *pool;
    dgm_status status;

    DGM_TRY(dgm_pipeline_choose_tag(job->env, &job->model.pipeline, wishes->tag));
    DGM_TRY(dgm_pair_sample_read(job->env, sample, &job->model.pipeline, wishes->source,
                                 wishes->target, wishes->pairs, LONGEST));
    tell_pairs(job);
    DGM_TRY(count_types(job));
    DGM_TRY(dgm_pool_new(job->env, &pool, wishes->threads));
    status =
        dgm_lex_table_learn(job->env, &job->table, pool, &sample->source, &sample->target, types);
    dgm_pool_free(job->env, pool);
    return status;
}

static dgm_status build(struct making *job)
{
    return dgm_shortlist_build(job->env, &job->shortlist, &job->table, vocab_of(job, DGM_SOURCE),
                               vocab_of(job, DGM_TARGET), job->counts, &job->wishes->sizes);
}

/* The lists that Marian has made. */
static dgm_status take_lists(struct making *job)
{
    const char *path = job->wishes->table;
    struct dgm_buf bytes = { 0 };
    dgm_status status;

    if (job->wishes->has_sizes)
        return dgm_fail_at(job->env, DGM_USAGE, path, 0, 0,
                           "a shortlist in Marian's binary form is as long as it is; expected no "
                           "--first, --best or --threshold");
    status = dgm_file_read(job->env, &bytes, path);
    if (status == DGM_OK)
        status = dgm_lex_binary_build(job->env, &job->shortlist, bytes.data, bytes.size, path,
                                      vocab_of(job, DGM_SOURCE), vocab_of(job, DGM_TARGET));
    dgm_buf_clear(job->env, &bytes);
    return status;
}

static dgm_status read_table(struct making *job)
{
    long used, passed;

    DGM_TRY(dgm_lex_file_read(job->env, &job->table, job->wishes->table, vocab_of(job, DGM_SOURCE),
                              vocab_of(job, DGM_TARGET), &used, &passed));
    if (passed > used)
        dgm_log(
            job->env, DGM_LOG_WARNING,
            "%s: %ld of %ld lines have a token that is in no vocabulary of the model; were they "
            "made from its pieces?",
            job->wishes->table, passed, passed + used);
    return build(job);
}

static dgm_status make_lists(struct making *job)
{
    int is_binary = 0;

    if (job->wishes->table == NULL) {
        DGM_TRY(learn(job));
        return build(job);
    }
    DGM_TRY(dgm_lex_binary_look(job->env, job->wishes->table, &is_binary));
    return is_binary ? take_lists(job) : read_table(job);
}

/* ---- writing --------------------------------------------------------------------------------- */

static void tell(const struct making *job, const char *out)
{
    const struct dgm_shortlist *shortlist = &job->shortlist;
    const int32_t types = shortlist->types[DGM_SOURCE];
    const uint64_t all = shortlist->starts[types];
    const uint64_t tenths = (all * 10 + (uint64_t)types / 2) / (uint64_t)types;

    dgm_log(job->env, DGM_LOG_NOTE,
            "%s: %d of %d target types are always allowed, and %llu.%llu of each source type", out,
            (int)shortlist->always_count, (int)shortlist->types[DGM_TARGET],
            (unsigned long long)(tenths / 10), (unsigned long long)(tenths % 10));
}

/* The file is opened first: to learn takes long. */
static dgm_status make(struct making *job, const char *out, const char *shown)
{
    DGM_TRY(dgm_writer_open(job->env, &job->writer, out));
    DGM_TRY(read_model(job));
    DGM_TRY(make_lists(job));
    DGM_TRY(dgm_shortlist_write(job->env, &job->shortlist, &job->writer));
    DGM_TRY(dgm_writer_close(job->env, &job->writer));
    tell(job, shown);
    return DGM_OK;
}

static void clear(struct making *job)
{
    dgm_writer_abandon(job->env, &job->writer);
    dgm_shortlist_clear(job->env, &job->shortlist);
    dgm_release(job->env, job->counts);
    dgm_lex_table_clear(job->env, &job->table);
    dgm_pair_sample_clear(job->env, &job->sample);
    dgm_model_clear(job->env, &job->model);
    dgm_gguf_clear(job->env, &job->file);
}

dgm_status dgm_shortlist_make_file(struct dgm_env *env, const struct dgm_shortlist_wishes *wishes,
                                   const char *out, const char *shown)
{
    struct making job = { .env = env, .wishes = wishes };
    dgm_status status;

    status = make(&job, out, shown);
    clear(&job);
    return status;
}
