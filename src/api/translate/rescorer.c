/*
 * rescorer.c: the probabilities of given translations behind the public interface.
 */
#include <limits.h>
#include <math.h>
#include <string.h>

#include "api/context.h"
#include "api/translate/shared.h"
#include "base/mem.h"
#include "decode/search/search_defaults.h"
#include "decode/source_queue.h"
#include "decode/translate.h"

#define NOT_SCORED HUGE_VAL /* no logarithm of a probability */

struct dgm_rescorer {
    dgm_context *context;
    struct dgm_device *device;
    struct dgm_ensemble ensemble;
    struct dgm_shared_use shared;
    struct dgm_search_options options; /* penalty and alpha */
    int64_t batch_tokens;
    struct dgm_source_queue queue; /* the sources */
    struct dgm_encoded encoded;
    struct dgm_packed targets;  /* (queue.packed.count) one for each source that is not blank */
    int ran;                    /* logp below belongs to the queue */
    double *logp;               /* (queue.packed.count) */
    size_t done;                /* pairs from the first on whose results can be had */
    struct dgm_unknown unknown; /* words of the targets */
    struct dgm_unknown *found;  /* (queue.count) of each */
    size_t found_capacity;
    long unfounded; /* pairs of a blank source and a translation that is none */
};

/* ---- making and freeing ------------------------------------------------------------------- */

static dgm_status check_options(struct dgm_env *env, const dgm_rescorer_options *chosen)
{
    DGM_TRY(
        dgm_range_int(env, "dgm_rescorer_options.batch_tokens", chosen->batch_tokens, 0, INT_MAX));
    if (!chosen->has_alpha)
        return DGM_OK;
    return dgm_range_real(env, "dgm_rescorer_options.alpha", chosen->alpha, 0, 10);
}

static dgm_status read_options(struct dgm_env *env, struct dgm_rescorer *rescorer,
                               const dgm_rescorer_options *chosen)
{
    struct dgm_search_options *options = &rescorer->options;

    *options = dgm_search_defaults();
    options->penalty = DGM_PENALTY_NONE;
    if (chosen->has_alpha)
        options->alpha = chosen->alpha;
    rescorer->batch_tokens =
        chosen->batch_tokens > 0 ? chosen->batch_tokens : DGM_SEARCH_BATCH_TOKENS;
    return chosen->penalty != NULL ? dgm_penalty_read(env, chosen->penalty, &options->penalty)
                                   : DGM_OK;
}

static dgm_status open_all(struct dgm_rescorer *rescorer, const dgm_rescorer_options *chosen)
{
    struct dgm_env *env = &rescorer->context->env;
    const struct dgm_model_choice models = {
        "dgm_rescorer_options", chosen->models,       chosen->model_count,
        chosen->shared,         chosen->shared_count, chosen->compute_type,
    };
    enum dgm_compute_type type;
    const struct dgm_source_trees trees = { chosen->trees, chosen->no_trees, chosen->no_parse };

    DGM_TRY(check_options(env, chosen));
    DGM_TRY(dgm_model_choice_check(env, &models, &type));
    DGM_TRY(read_options(env, rescorer, chosen));
    DGM_TRY(dgm_context_open_device(rescorer->context, &rescorer->device));
    DGM_TRY(dgm_model_choice_open(env, &rescorer->ensemble, &rescorer->shared, &models,
                                  rescorer->device, type));
    DGM_TRY(dgm_source_queue_open(env, &rescorer->queue, &rescorer->ensemble, rescorer->device,
                                  type, &trees));
    return dgm_source_queue_set_tags(env, &rescorer->queue, chosen->tag, chosen->target_tag,
                                     !chosen->no_line_tags);
}

dgm_status dgm_rescorer_new(dgm_context *context, const dgm_rescorer_options *options,
                            dgm_rescorer **rescorer)
{
    dgm_rescorer_options chosen;
    struct dgm_rescorer *made;
    dgm_status status;

    DGM_ENTER_NEW(context, rescorer);
    DGM_TRY(
        dgm_options_take(&context->env, &chosen, sizeof chosen, options, "dgm_rescorer_options"));
    DGM_TRY(dgm_new(&context->env, &made, 1, sizeof *made));
    made->context = context;
    status = open_all(made, &chosen);
    if (status == DGM_OK)
        *rescorer = made;
    else
        dgm_rescorer_free(made);
    return status;
}

void dgm_rescorer_free(dgm_rescorer *rescorer)
{
    struct dgm_env *env;

    if (DGM_IS_HELD(rescorer))
        return;
    env = &rescorer->context->env;
    dgm_release(env, rescorer->logp);
    dgm_release(env, rescorer->found);
    dgm_packed_clear(env, &rescorer->targets);
    dgm_encoded_clear(env, &rescorer->encoded);
    dgm_source_queue_clear(env, &rescorer->queue);
    dgm_ensemble_clear(env, &rescorer->ensemble);
    dgm_shared_leave(&rescorer->shared);
    if (rescorer->device != NULL)
        dgm_device_close(env, rescorer->device);
    dgm_release(env, rescorer);
}

/* ---- pairs -------------------------------------------------------------------------------- */

static void forget_pairs(struct dgm_env *env, struct dgm_rescorer *rescorer)
{
    dgm_release(env, rescorer->logp);
    rescorer->logp = NULL;
    dgm_source_queue_reset(&rescorer->queue);
    dgm_packed_reset(&rescorer->targets);
    rescorer->ran = 0;
    rescorer->done = 0;
}

/* Adds the target of the source that was queued last, unless the source is blank. */
static dgm_status add_target(struct dgm_env *env, struct dgm_rescorer *rescorer, const char *line,
                             size_t bytes)
{
    const struct dgm_source_queue *queue = &rescorer->queue;
    const struct dgm_queued *source = &queue->lines[queue->count - 1];
    struct dgm_unknown found;

    dgm_source_queue_doubt(env, &rescorer->queue, line, bytes);
    DGM_TRY(dgm_pipeline_encode(env, &rescorer->ensemble.models[0].pipeline, DGM_TARGET,
                                &rescorer->encoded, line, bytes));
    found = dgm_unknown_of(&rescorer->encoded);
    dgm_unknown_add(&rescorer->unknown, found);
    DGM_TRY(
        dgm_grow(env, &rescorer->found, &rescorer->found_capacity, queue->count - 1, sizeof found));
    rescorer->found[queue->count - 1] = found;
    if (source->sentence < 0) {
        rescorer->unfounded += !dgm_encoded_is_blank(&rescorer->encoded);
        return DGM_OK;
    }
    dgm_source_queue_cut(env, queue, &rescorer->encoded);
    return dgm_line_tree_pack(env, &rescorer->targets, &rescorer->encoded, NULL);
}

dgm_status dgm_rescorer_add(dgm_rescorer *rescorer, const char *source, size_t source_bytes,
                            const char *target, size_t target_bytes)
{
    struct dgm_env *env;
    dgm_status status;

    DGM_ENTER_HANDLE(rescorer);
    env = &rescorer->context->env;
    if (rescorer->ran)
        forget_pairs(env, rescorer);
    status = dgm_line_check(env, &source, source_bytes);
    if (status == DGM_OK)
        status = dgm_line_check(env, &target, target_bytes);
    if (status == DGM_OK)
        status = dgm_source_queue_add(env, &rescorer->queue, source, source_bytes);
    if (status == DGM_OK)
        status = add_target(env, rescorer, target, target_bytes);
    if (status != DGM_OK) /* a source might stand without its target */
        forget_pairs(env, rescorer);
    return status;
}

/* How many pairs, from the first on, are scored or have a blank source. */
static size_t count_done(const struct dgm_rescorer *rescorer)
{
    const struct dgm_source_queue *queue = &rescorer->queue;
    size_t i;

    for (i = 0; i < queue->count; i++)
        if (queue->lines[i].sentence >= 0 && rescorer->logp[queue->lines[i].sentence] == NOT_SCORED)
            break;
    return i;
}

/* Probabilities of finite scores are finite. */
static dgm_status check_scores(struct dgm_env *env, const struct dgm_rescorer *rescorer)
{
    const struct dgm_input_lines lines = dgm_source_queue_lines(&rescorer->queue);

    for (int32_t s = 0; s < rescorer->targets.count; s++)
        if (!isfinite(rescorer->logp[s]))
            return dgm_lost_scores_fail(env, &lines, s, "its translation", 0);
    return DGM_OK;
}

static dgm_status score_queue(struct dgm_env *env, struct dgm_rescorer *rescorer)
{
    for (int32_t s = 0; s < rescorer->targets.count; s++)
        rescorer->logp[s] = NOT_SCORED;
    DGM_TRY(dgm_source_queue_parse(env, &rescorer->queue));
    DGM_TRY(dgm_translate_score(env, rescorer->ensemble.nets, rescorer->ensemble.count,
                                rescorer->device, &rescorer->queue.packed, &rescorer->targets,
                                rescorer->batch_tokens, rescorer->logp));
    return check_scores(env, rescorer);
}

dgm_status dgm_rescorer_run(dgm_rescorer *rescorer, size_t *pairs)
{
    struct dgm_env *env;
    dgm_status status;

    DGM_ENTER_HANDLE(rescorer);
    env = &rescorer->context->env;
    DGM_TRY(dgm_argument_check(env, pairs, "pairs"));
    *pairs = 0;
    if (rescorer->ran)
        forget_pairs(env, rescorer);
    rescorer->ran = 1; /* whatever comes: the next pair begins a new queue */
    DGM_TRY(dgm_new(env, &rescorer->logp, (size_t)rescorer->targets.count, sizeof *rescorer->logp));
    status = score_queue(env, rescorer);
    if (status == DGM_OK)
        rescorer->done = rescorer->queue.count;
    else if (status == DGM_INTERRUPTED)
        rescorer->done = count_done(rescorer);
    *pairs = rescorer->done;
    return status;
}

dgm_status dgm_rescorer_finish(dgm_rescorer *rescorer, size_t *refused)
{
    struct dgm_env *env;

    DGM_ENTER_HANDLE(rescorer);
    env = &rescorer->context->env;
    if (rescorer->unfounded > 0)
        dgm_log(env, DGM_LOG_WARNING,
                "%ld pairs have a blank source and a translation that is not blank: 0 stands for "
                "it, which no model has said",
                rescorer->unfounded);
    dgm_unknown_tell(env, rescorer->unknown, &rescorer->ensemble.models[0].pipeline,
                     " of the translations");
    return dgm_source_queue_finish(env, &rescorer->queue, refused);
}

dgm_status dgm_rescorer_result(dgm_rescorer *rescorer, size_t pair, double *score, double *logp)
{
    int32_t s;
    double value;

    DGM_ENTER_HANDLE(rescorer);
    if (!rescorer->ran || pair >= rescorer->done)
        return dgm_fail(&rescorer->context->env, DGM_USAGE,
                        "result of pair %zu; expected a run, and a pair below %zu", pair,
                        rescorer->done);
    s = rescorer->queue.lines[pair].sentence;
    value = s >= 0 ? rescorer->logp[s] : rescorer->queue.lines[pair].refused ? (double)NAN : 0;
    if (logp != NULL)
        *logp = value;
    if (score != NULL)
        *score = s < 0 ? value
                       : dgm_result_score(&rescorer->options, value,
                                          dgm_packed_length(&rescorer->targets, s));
    return DGM_OK;
}

dgm_status dgm_rescorer_unknown(dgm_rescorer *rescorer, size_t pair, int64_t words[2],
                                int64_t unknown[2])
{
    const struct dgm_source_queue *queue = &rescorer->queue;

    DGM_ENTER_HANDLE(rescorer);
    if (pair >= queue->count)
        return dgm_fail(&rescorer->context->env, DGM_USAGE,
                        "words of pair %zu; expected a pair below %zu", pair, queue->count);
    for (int side = DGM_SOURCE; side <= DGM_TARGET; side++) {
        const struct dgm_unknown found =
            side == DGM_SOURCE ? queue->lines[pair].unknown : rescorer->found[pair];

        if (words != NULL)
            words[side] = found.words;
        if (unknown != NULL)
            unknown[side] = found.unknown;
    }
    return DGM_OK;
}
