/*
 * workers.c: searches side by side: one on each thread, all on one copy of the weights.
 */
#include "decode/workers.h"

#include <string.h>

#include "base/mem.h"

/* ---- making and clearing --------------------------------------------------------------------- */

dgm_status dgm_workers_init(struct dgm_env *env, struct dgm_workers *workers,
                            const struct dgm_net *const *models, int model_count,
                            struct dgm_device *device, const struct dgm_search_options *options)
{
    memset(workers, 0, sizeof *workers);
    return dgm_search_init(env, &workers->search, models, model_count, device, options);
}

static void clear_others(struct dgm_env *env, struct dgm_workers *workers)
{
    for (int i = 0; i < workers->count; i++) {
        dgm_search_clear(&workers->team.others[i]->env, workers->others[i]);
        dgm_release(env, workers->others[i]);
    }
    dgm_release(env, workers->others);
    workers->others = NULL;
    workers->count = workers->capacity = 0;
    dgm_team_clear(env, &workers->team);
}

void dgm_workers_clear(struct dgm_env *env, struct dgm_workers *workers)
{
    clear_others(env, workers);
    dgm_search_clear(env, &workers->search);
    memset(workers, 0, sizeof *workers);
}

/* A search like another one, perhaps on another device. */
static dgm_status init_search(struct dgm_env *env, const struct dgm_search *like,
                              struct dgm_device *device, struct dgm_search *search)
{
    const struct dgm_net *models[DGM_ENSEMBLE];

    for (int m = 0; m < like->model_count; m++)
        models[m] = like->models[m].net;
    return dgm_search_init(env, search, models, like->model_count, device, &like->options);
}

dgm_status dgm_workers_forget(struct dgm_env *env, struct dgm_workers *workers)
{
    struct dgm_search fresh;
    dgm_status status = init_search(env, &workers->search, workers->search.device, &fresh);

    if (status != DGM_OK) {
        dgm_search_clear(env, &fresh);
        return status;
    }
    clear_others(env, workers);
    dgm_search_clear(env, &workers->search);
    workers->search = fresh;
    return DGM_OK;
}

static dgm_status add_search(struct dgm_env *env, struct dgm_workers *workers)
{
    struct dgm_team_member *member = workers->team.others[workers->count];
    size_t capacity = (size_t)workers->capacity;
    struct dgm_search *search;
    dgm_status status;

    DGM_TRY(dgm_grow(env, &workers->others, &capacity, (size_t)workers->count,
                     sizeof *workers->others));
    workers->capacity = (int)capacity;
    search = dgm_alloc(env, 1, sizeof *search);
    if (search == NULL)
        return DGM_MEMORY;
    status = init_search(&member->env, &workers->search, member->device, search);
    if (status != DGM_OK) {
        env->error = member->env.error;
        dgm_search_clear(&member->env, search);
        dgm_release(env, search);
        return status;
    }
    workers->others[workers->count++] = search;
    return DGM_OK;
}

/* ---- running --------------------------------------------------------------------------------- */

struct run {
    struct dgm_workers *workers;
    dgm_worker_fn *fn;
    void *job;
};

static dgm_status work(struct dgm_env *env, int number, void *job)
{
    const struct run *run = job;

    return run->fn(env, number == 0 ? &run->workers->search : run->workers->others[number - 1],
                   run->job);
}

dgm_status dgm_workers_run(struct dgm_env *env, struct dgm_workers *workers, int count,
                           dgm_worker_fn *fn, void *job)
{
    struct dgm_device *device = workers->search.device;
    struct run run = { .workers = workers, .fn = fn, .job = job };

    workers->is_warm = 1;
    DGM_TRY(dgm_team_reserve(env, &workers->team, device, &count));
    while (workers->count < count - 1)
        DGM_TRY(add_search(env, workers));
    return dgm_team_run(env, &workers->team, device, count, work, &run);
}
