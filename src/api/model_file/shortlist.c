/*
 * shortlist.c: a shortlist for a model, from a parallel corpus or from a lexical table.
 */
#include <limits.h>
#include <string.h>

#include "api/context.h"
#include "base/file/output.h"
#include "base/file/writer.h"
#include "base/mem.h"
#include "base/option/inputs_apart.h"
#include "base/system/cpu.h"
#include "data/shortlist/lex_file.h"
#include "data/shortlist/pair_sample.h"
#include "data/shortlist/shortlist_build.h"
#include "data/shortlist/shortlist_file.h"
#include "data/text/pipeline_tags.h"
#include "model/file/model.h"
#include "tensor/gguf/gguf_load.h"

/* A side of more pieces costs a pair of the corpus: nothing is learned from it, at the greatest
 * cost. */
enum { LONGEST = 200 };

enum { FIRST = 100, BEST = 100, PAIRS = 500000 }; /* unless the caller says otherwise */

struct making {
    struct dgm_env *env;
    int threads;
    const dgm_shortlist_options *chosen;
    struct dgm_shortlist_sizes sizes;
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

/* ---- options --------------------------------------------------------------------------------- */

static dgm_status check_options(struct dgm_env *env, const dgm_shortlist_options *chosen)
{
    const int has_corpus = chosen->source != NULL || chosen->target != NULL;

    DGM_TRY(dgm_argument_check(env, chosen->model, "dgm_shortlist_options.model"));
    if (has_corpus == (chosen->table != NULL))
        return dgm_fail(env, DGM_USAGE,
                        "%s; expected one of them: the files of a parallel corpus, source and "
                        "target, or a lexical table",
                        has_corpus ? "a corpus and a lexical table"
                                   : "neither a corpus nor a lexical table");
    if (has_corpus && (chosen->source == NULL || chosen->target == NULL))
        return dgm_fail(env, DGM_USAGE, "one side of a corpus; expected source and target");
    if (chosen->table != NULL && chosen->pairs > 0)
        return dgm_fail(env, DGM_USAGE,
                        "dgm_shortlist_options.pairs with a lexical table; expected a corpus, of "
                        "which so many pairs are read");
    if (chosen->table != NULL && chosen->tag != NULL)
        return dgm_fail(env, DGM_USAGE,
                        "dgm_shortlist_options.tag with a lexical table, whose sources are words; "
                        "expected a corpus");
    DGM_TRY(dgm_range_int(env, "dgm_shortlist_options.first", chosen->first, -1, INT_MAX));
    DGM_TRY(dgm_range_int(env, "dgm_shortlist_options.best", chosen->best, 0, INT_MAX));
    DGM_TRY(dgm_range_int(env, "dgm_shortlist_options.pairs", chosen->pairs, 0, INT_MAX));
    return dgm_range_real(env, "dgm_shortlist_options.threshold", chosen->threshold, 0, 1);
}

static void read_options(struct making *job, const dgm_shortlist_options *chosen)
{
    job->chosen = chosen;
    job->sizes.first = chosen->first == 0 ? FIRST : chosen->first < 0 ? 0 : chosen->first;
    job->sizes.best = chosen->best > 0 ? chosen->best : BEST;
    job->sizes.threshold = chosen->threshold;
}

/* ---- reading --------------------------------------------------------------------------------- */

/* The vocabularies, and how text becomes pieces: what the head of the file says. */
static dgm_status read_model(struct making *job)
{
    DGM_TRY(dgm_gguf_open(job->env, &job->file, job->chosen->model));
    DGM_TRY(dgm_gguf_verify(job->env, &job->file, NULL));
    return dgm_model_declare(job->env, &job->model, &job->file);
}

/* How often each target type stands in the corpus. */
static dgm_status count_types(struct making *job)
{
    const struct dgm_packed *target = &job->sample.target;

    job->counts =
        dgm_alloc(job->env, dgm_vocab_size(vocab_of(job, DGM_TARGET)), sizeof *job->counts);
    if (job->counts == NULL)
        return DGM_MEMORY;
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
    const dgm_shortlist_options *chosen = job->chosen;
    struct dgm_pair_sample *sample = &job->sample;
    struct dgm_pool *pool;
    dgm_status status;

    DGM_TRY(dgm_pipeline_choose_tag(job->env, &job->model.pipeline, chosen->tag));
    DGM_TRY(dgm_pair_sample_read(job->env, sample, &job->model.pipeline, chosen->source,
                                 chosen->target, chosen->pairs > 0 ? chosen->pairs : PAIRS,
                                 LONGEST));
    tell_pairs(job);
    DGM_TRY(count_types(job));
    DGM_TRY(dgm_pool_new(job->env, &pool, job->threads));
    status =
        dgm_lex_table_learn(job->env, &job->table, pool, &sample->source, &sample->target, types);
    dgm_pool_free(job->env, pool);
    return status;
}

static dgm_status read_table(struct making *job)
{
    long used, passed;

    DGM_TRY(dgm_lex_file_read(job->env, &job->table, job->chosen->table, vocab_of(job, DGM_SOURCE),
                              vocab_of(job, DGM_TARGET), &used, &passed));
    if (passed > used)
        dgm_log(
            job->env, DGM_LOG_WARNING,
            "%s: %ld of %ld lines have a token that is in no vocabulary of the model; were they "
            "made from its pieces?",
            job->chosen->table, passed, passed + used);
    return DGM_OK;
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
    DGM_TRY(job->chosen->table != NULL ? read_table(job) : learn(job));
    DGM_TRY(dgm_shortlist_build(job->env, &job->shortlist, &job->table, vocab_of(job, DGM_SOURCE),
                                vocab_of(job, DGM_TARGET), job->counts, &job->sizes));
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

/* A file that is no input. */
static dgm_status find_output(struct dgm_env *env, struct dgm_output *output, const char *out,
                              const dgm_shortlist_options *chosen)
{
    const char *inputs[4];
    size_t count = 0;

    inputs[count++] = chosen->model;
    if (chosen->table != NULL)
        inputs[count++] = chosen->table;
    if (chosen->source != NULL)
        inputs[count++] = chosen->source;
    if (chosen->target != NULL)
        inputs[count++] = chosen->target;
    DGM_TRY(dgm_inputs_apart_check_one(env, out, inputs, count));
    return dgm_output_find_file(env, output, out);
}

dgm_status dgm_shortlist_make(dgm_context *context, const dgm_shortlist_options *options,
                              const char *out)
{
    dgm_shortlist_options chosen;
    struct making job;
    struct dgm_output output;
    dgm_status status;

    DGM_ENTER(context);
    memset(&job, 0, sizeof job);
    job.env = &context->env;
    job.threads = context->device.threads > 0 ? context->device.threads : dgm_cpu_count();
    DGM_TRY(dgm_argument_check(job.env, out, "out"));
    DGM_TRY(dgm_options_take(job.env, &chosen, sizeof chosen, options, "dgm_shortlist_options"));
    DGM_TRY(check_options(job.env, &chosen));
    DGM_TRY(find_output(job.env, &output, out, &chosen));
    read_options(&job, &chosen);
    status = make(&job, output.path, out);
    clear(&job);
    return status;
}
