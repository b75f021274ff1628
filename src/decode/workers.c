/*
 * workers.c: searches side by side: one on each thread, all on one copy of the weights.
 */
#include "decode/workers.h"

#include <string.h>

/* ---- making and clearing --------------------------------------------------------------------- */

dgm_status dgm_workers_init(struct dgm_env *env, struct dgm_workers *workers,
                            const struct dgm_net *const *models, int model_count,
                            struct dgm_device *device, const struct dgm_search_options *options)
{
    memset(workers, 0, sizeof *workers);
    return dgm_search_init(env, &workers->search, models, model_count, device, options);
}

void dgm_workers_clear(struct dgm_env *env, struct dgm_workers *workers)
{
    dgm_team_clear(env, &workers->team);
    dgm_search_clear(env, &workers->search);
    memset(workers, 0, sizeof *workers);
}

/* A search like another one, perhaps on another device. */
static dgm_status init_search(struct dgm_env *env, void *own, const void *like_,
                              struct dgm_device *device)
{
    const struct dgm_net *models[DGM_ENSEMBLE];
    const struct dgm_search *like = like_;

    for (int m = 0; m < like->model_count; m++)
        models[m] = like->models[m].net;
    return dgm_search_init(env, own, models, like->model_count, device, &like->options);
}

static void clear_search(struct dgm_env *env, void *own)
{
    dgm_search_clear(env, own);
}

static const struct dgm_team_kind searches = {
    .bytes = sizeof(struct dgm_search),
    .init = init_search,
    .clear = clear_search,
};

dgm_status dgm_workers_forget(struct dgm_env *env, struct dgm_workers *workers)
{
    struct dgm_search fresh;
    dgm_status status = init_search(env, &fresh, &workers->search, workers->search.device);

    if (status != DGM_OK) {
        dgm_search_clear(env, &fresh);
        return status;
    }
    dgm_team_clear(env, &workers->team);
    dgm_search_clear(env, &workers->search);
    workers->search = fresh;
    return DGM_OK;
}

/* ---- running --------------------------------------------------------------------------------- */

struct run {
    struct dgm_workers *workers;
    dgm_worker_fn *fn;
    void *job;
};

static dgm_status work(struct dgm_env *env, void *own, void *job)
{
    const struct run *run = job;

    return run->fn(env, own == NULL ? &run->workers->search : own, run->job);
}

dgm_status dgm_workers_run(struct dgm_env *env, struct dgm_workers *workers, int count,
                           dgm_worker_fn *fn, void *job)
{
    struct dgm_device *device = workers->search.device;
    struct run run = { .workers = workers, .fn = fn, .job = job };

    workers->is_warm = 1;
    DGM_TRY(dgm_team_reserve(env, &workers->team, &searches, &workers->search, device, &count));
    return dgm_team_run(env, &workers->team, device, count, work, &run);
}
