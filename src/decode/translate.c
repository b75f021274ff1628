/*
 * translate.c: many sentences: batches by length, results in the order of the input. The longest
 * come first, so that memory grows to its most at once, and a run that does not fit fails before
 * it has worked for hours.
 */
#include "decode/translate.h"

#include <math.h>
#include <pthread.h>
#include <string.h>

#include "base/mem.h"
#include "base/system/room.h"
#include "decode/search/search_memory.h"

/*
 * Packs sentences order[*next..] while their tokens (of the longer side of each) and the rows of
 * scores that a step has for them, `beam` for each, are within `most`; at least one sentence. Those
 * whose translations begin with a given token are not mixed with others. *next becomes the first
 * that is left over.
 */
static dgm_status fill_batch(struct dgm_env *env, struct dgm_batch *batch,
                             const struct dgm_packed *source, const struct dgm_packed *target,
                             const int32_t *order, int32_t *next, struct dgm_search_share most,
                             int beam)
{
    int64_t tokens = 0;

    dgm_batch_reset(batch);
    while (*next < source->count) {
        int32_t s = order[*next], n = dgm_packed_length(source, s);
        int64_t rows = ((int64_t)batch->source.count + 1) * beam;
        if (target != NULL && dgm_packed_length(target, s) > n)
            n = dgm_packed_length(target, s);
        tokens += n;
        if (batch->source.count > 0 &&
            (tokens > most.tokens || rows > most.rows ||
             dgm_packed_has_first(source, s) != dgm_packed_has_first(&batch->source, 0)))
            return DGM_OK;
        DGM_TRY(dgm_batch_add(env, batch, source, target, s, s));
        (*next)++;
    }
    return DGM_OK;
}

static dgm_status search_batch(struct dgm_env *env, struct dgm_search *search,
                               const struct dgm_batch *batch, struct dgm_result *results)
{
    struct dgm_result *part;
    dgm_status status;

    DGM_TRY(dgm_new(env, &part, (size_t)batch->source.count, sizeof *part));
    status = dgm_search_batch(env, search, batch, part);
    for (int32_t s = 0; s < batch->source.count; s++) {
        if (status == DGM_OK)
            results[batch->numbers[s]] = part[s];
        else
            dgm_result_clear(env, &part[s]);
    }
    dgm_release(env, part);
    return status;
}

/* Sentences on their way through the workers. */
struct translation {
    const struct dgm_packed *source;
    const int32_t *order;
    struct dgm_search_share most;
    int beam;
    struct dgm_result *results;
    const struct dgm_translate_watch *watch;
    const struct dgm_search *callers; /* the search that the caller's thread uses */
    pthread_mutex_t lock;             /* of what follows */
    int32_t next, done;
};

static dgm_status take_batch(struct dgm_env *env, struct translation *all, struct dgm_batch *batch)
{
    dgm_status status;

    pthread_mutex_lock(&all->lock);
    status =
        fill_batch(env, batch, all->source, NULL, all->order, &all->next, all->most, all->beam);
    pthread_mutex_unlock(&all->lock);
    return status;
}

static int32_t count_done(struct translation *all, int32_t more)
{
    int32_t done;

    pthread_mutex_lock(&all->lock);
    done = all->done += more;
    pthread_mutex_unlock(&all->lock);
    return done;
}

/* A worker: batch after batch while sentences are left. */
static dgm_status search_batches(struct dgm_env *env, struct dgm_search *search, void *job)
{
    struct translation *all = job;
    struct dgm_batch batch = { 0 };
    dgm_status status;

    for (;;) {
        int32_t done;

        DGM_TRY_OUT(take_batch(env, all, &batch));
        if (batch.source.count == 0)
            break;
        DGM_TRY_OUT(search_batch(env, search, &batch, all->results));
        done = count_done(all, batch.source.count);
        if (all->watch != NULL && search == all->callers)
            all->watch->tell(all->watch->user, done);
    }
out:
    dgm_batch_clear(env, &batch);
    return status;
}

/* Before a search begins: it fits, perhaps with fewer workers, or is refused. What earlier searches
 * hold would serve this one, but counts as used: where both do not fit, it is given back. */
static dgm_status make_room(struct dgm_env *env, struct dgm_workers *workers,
                            const struct dgm_packed *source, const int32_t *order, int64_t most,
                            int *count)
{
    const struct dgm_search *search = &workers->search;

    if (workers->is_warm && dgm_room_is_asked(env) &&
        !dgm_room_for(env, dgm_search_memory(search, source, order, most, *count)))
        DGM_TRY(dgm_workers_forget(env, workers));
    return dgm_search_check_memory(env, search, source, order, most, workers->is_warm, count);
}

dgm_status dgm_translate_all(struct dgm_env *env, struct dgm_workers *workers,
                             const struct dgm_packed *source, int64_t batch_tokens,
                             struct dgm_result *results, const struct dgm_translate_watch *watch)
{
    const struct dgm_search *search = &workers->search;
    struct translation all = { .source = source, .results = results, .watch = watch };
    int32_t *order;
    int count = dgm_search_workers(search, source, batch_tokens);
    dgm_status status;

    if (source->count == 0)
        return DGM_OK;
    DGM_TRY(dgm_packed_order(env, source, &order));
    DGM_TRY_OUT(make_room(env, workers, source, order, batch_tokens, &count));
    all.order = order;
    all.most = dgm_search_share(search, source, batch_tokens, count);
    all.beam = search->options.beam;
    all.callers = search;
    pthread_mutex_init(&all.lock, NULL);
    status = dgm_workers_run(env, workers, count, search_batches, &all);
    pthread_mutex_destroy(&all.lock);
    if (status == DGM_OK && watch != NULL && count > 1)
        watch->tell(watch->user, source->count);
out:
    dgm_release(env, order);
    return status;
}

/* ---- scoring given translations ------------------------------------------------------------- */

/* Everything that scoring keeps open. */
struct scoring {
    struct dgm_graph graph;
    struct dgm_step step;
    struct dgm_batch batch;
    dgm_real *losses; /* (M,2) of one model */
    double *mean;     /* (M) sum over models of p(token) */
    size_t capacity;
};

static dgm_status reserve_rows(struct dgm_env *env, struct scoring *scoring, size_t rows)
{
    const struct dgm_parallel arrays[] = { { &scoring->losses, 2 * sizeof *scoring->losses },
                                           { &scoring->mean, sizeof *scoring->mean },
                                           { NULL, 0 } };

    return dgm_reserve_parallel(env, arrays, &scoring->capacity, rows);
}

static dgm_status score_model(struct dgm_env *env, struct scoring *scoring,
                              const struct dgm_net *net)
{
    struct dgm_graph *g = &scoring->graph;
    struct dgm_node *loss;

    DGM_TRY(dgm_net_stage(env, net, &scoring->step, &scoring->batch, 0, 0, 0));
    dgm_graph_begin(g, 0, 0, 0);
    loss = dgm_net_loss(g, net, &scoring->step, 0, 1, NULL);
    DGM_TRY(dgm_graph_run(g));
    return dgm_graph_read(g, loss, scoring->losses);
}

static dgm_status score_batch(struct dgm_env *env, struct scoring *scoring,
                              const struct dgm_net *const *models, int model_count, double *logp)
{
    const struct dgm_packed *target = &scoring->batch.target;
    int32_t rows = target->offsets[target->count], s, i;

    DGM_TRY(reserve_rows(env, scoring, (size_t)rows));
    for (int m = 0; m < model_count; m++) {
        DGM_TRY(score_model(env, scoring, models[m]));
        /* p = exp(-cross-entropy) of every token, added up in the order of the models. */
        for (i = 0; i < rows; i++)
            scoring->mean[i] =
                (m == 0 ? 0 : scoring->mean[i]) + exp(-(double)scoring->losses[2 * i + 1]);
    }
    for (s = 0; s < target->count; s++) {
        double sum = 0;
        for (i = target->offsets[s] + dgm_packed_has_first(&scoring->batch.source, s);
             i < target->offsets[s + 1]; i++)
            sum += model_count == 1 ? -(double)scoring->losses[2 * i + 1]
                                    : log(scoring->mean[i] / model_count);
        logp[scoring->batch.numbers[s]] = sum;
    }
    return DGM_OK;
}

dgm_status dgm_translate_score(struct dgm_env *env, const struct dgm_net *const *models,
                               int model_count, struct dgm_device *device,
                               const struct dgm_packed *source, const struct dgm_packed *target,
                               int64_t batch_tokens, double *logp)
{
    const struct dgm_search_share most = { batch_tokens, batch_tokens };
    struct scoring scoring = { 0 };
    int32_t *order, next = 0;
    dgm_status status;

    if (source->count == 0)
        return DGM_OK;
    DGM_TRY(dgm_packed_order(env, source, &order));
    dgm_step_init(&scoring.step, device);
    DGM_TRY_OUT(dgm_graph_init(env, &scoring.graph, device));
    while (next < source->count) {
        DGM_TRY_OUT(fill_batch(env, &scoring.batch, source, target, order, &next, most, 1));
        DGM_TRY_OUT(dgm_poll(env));
        DGM_TRY_OUT(score_batch(env, &scoring, models, model_count, logp));
    }
out:
    dgm_graph_clear(&scoring.graph);
    dgm_step_clear(env, &scoring.step);
    dgm_batch_clear(env, &scoring.batch);
    dgm_release(env, scoring.losses);
    dgm_release(env, scoring.mean);
    dgm_release(env, order);
    return status;
}
