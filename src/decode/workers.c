/*
 * workers.c: searches side by side: one on each thread, all on one copy of the weights.
 */
#include "decode/workers.h"

#include <pthread.h>
#include <string.h>
#include <time.h>

#include "base/flag.h"
#include "base/mem.h"

/* The graphs of a search keep its environment, which therefore has a place of its own. */
struct dgm_worker {
    struct dgm_env env; /* the caller's but for log, poll and error */
    struct dgm_device *device;
    struct dgm_search search;
};

/* ---- making and clearing --------------------------------------------------------------------- */

dgm_status dgm_workers_init(struct dgm_env *env, struct dgm_workers *workers,
                            const struct dgm_net *const *models, int model_count,
                            struct dgm_device *device, const struct dgm_search_options *options)
{
    memset(workers, 0, sizeof *workers);
    return dgm_search_init(env, &workers->search, models, model_count, device, options);
}

static void free_worker(struct dgm_env *env, struct dgm_worker *worker)
{
    dgm_search_clear(&worker->env, &worker->search);
    dgm_device_close(&worker->env, worker->device);
    dgm_release(env, worker);
}

void dgm_workers_clear(struct dgm_env *env, struct dgm_workers *workers)
{
    for (int i = 0; i < workers->count; i++)
        free_worker(env, workers->others[i]);
    dgm_release(env, workers->others);
    dgm_search_clear(env, &workers->search);
    memset(workers, 0, sizeof *workers);
}

/* A search like the caller's, on a device of its own. */
static dgm_status open_worker(const struct dgm_search *like, struct dgm_worker *worker)
{
    const struct dgm_net *models[DGM_ENSEMBLE];

    for (int m = 0; m < like->model_count; m++)
        models[m] = like->models[m].net;
    DGM_TRY(like->device->ops->open_beside(&worker->env, like->device, &worker->device));
    return dgm_search_init(&worker->env, &worker->search, models, like->model_count, worker->device,
                           &like->options);
}

static dgm_status add_worker(struct dgm_env *env, struct dgm_workers *workers)
{
    struct dgm_worker *worker;
    size_t capacity = (size_t)workers->capacity;
    dgm_status status;

    DGM_TRY(dgm_grow(env, &workers->others, &capacity, (size_t)workers->count,
                     sizeof *workers->others));
    workers->capacity = (int)capacity;
    worker = dgm_alloc(env, 1, sizeof *worker);
    if (worker == NULL)
        return DGM_MEMORY;
    worker->env = dgm_env_quiet(env);
    status = open_worker(&workers->search, worker);
    if (status != DGM_OK) {
        env->error = worker->env.error;
        free_worker(env, worker);
        return status;
    }
    workers->others[workers->count++] = worker;
    return DGM_OK;
}

/* ---- running --------------------------------------------------------------------------------- */

struct run {
    struct dgm_workers *workers;
    struct dgm_env *env;
    dgm_worker_fn *fn;
    void *job;
    int most; /* workers beside the caller */

    dgm_poll_fn poll; /* of the caller */
    void *poll_user;
    dgm_flag is_ending; /* somebody failed */

    pthread_mutex_t lock; /* of what follows */
    pthread_cond_t done;  /* one of the others has ended */
    int taken, active;    /* of the others: have begun, and are at work */
    dgm_status status;    /* the first failure */
    dgm_error error;
};

static void note(struct run *run, const struct dgm_env *env, dgm_status status)
{
    if (status == DGM_OK)
        return;
    pthread_mutex_lock(&run->lock);
    if (run->status == DGM_OK) {
        run->status = status;
        run->error = env->error;
    }
    pthread_mutex_unlock(&run->lock);
    dgm_flag_set(&run->is_ending, 1);
}

/* The polls of others and of the caller: a failure elsewhere ends this work, too. */
static dgm_status poll_end(struct dgm_env *env, void *user)
{
    const struct run *run = user;

    return dgm_flag_get(&run->is_ending) ? dgm_fail(env, DGM_INTERRUPTED, "stopped") : DGM_OK;
}

static dgm_status poll_all(struct dgm_env *env, void *user)
{
    const struct run *run = user;

    DGM_TRY(poll_end(env, user));
    return run->poll != NULL ? run->poll(env, run->poll_user) : DGM_OK;
}

static void wait_briefly(struct run *run)
{
    enum { WAIT_NS = 20000000 };
    struct timespec until;

    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += WAIT_NS;
    if (until.tv_nsec >= 1000000000) {
        until.tv_nsec -= 1000000000;
        until.tv_sec++;
    }
    pthread_cond_timedwait(&run->done, &run->lock, &until);
}

/* Asks whether to stop until all others that have begun are done. */
static dgm_status wait_for_others(struct run *run)
{
    dgm_status status = DGM_OK;

    pthread_mutex_lock(&run->lock);
    while (run->active > 0 && status == DGM_OK) {
        wait_briefly(run);
        pthread_mutex_unlock(&run->lock);
        status = dgm_poll(run->env);
        pthread_mutex_lock(&run->lock);
    }
    pthread_mutex_unlock(&run->lock);
    return status;
}

static void work_as_caller(struct run *run)
{
    dgm_status status = run->fn(run->env, &run->workers->search, run->job);

    if (status == DGM_OK)
        status = wait_for_others(run);
    note(run, run->env, status);
}

/* One of the others that has not begun, or NULL. */
static struct dgm_worker *take_worker(struct run *run)
{
    struct dgm_worker *worker = NULL;

    pthread_mutex_lock(&run->lock);
    if (run->taken < run->most) {
        worker = run->workers->others[run->taken++];
        run->active++;
    }
    pthread_mutex_unlock(&run->lock);
    return worker;
}

static void work_as_other(struct run *run)
{
    struct dgm_worker *worker = take_worker(run);

    if (worker == NULL)
        return;
    worker->env.poll = poll_end;
    worker->env.poll_user = run;
    dgm_env_clear_error(&worker->env);
    note(run, &worker->env, run->fn(&worker->env, &worker->search, run->job));
    pthread_mutex_lock(&run->lock);
    run->active--;
    pthread_cond_signal(&run->done);
    pthread_mutex_unlock(&run->lock);
}

static void work(void *shared, int64_t chunk, int worker)
{
    (void)chunk;
    if (dgm_flag_get(&((const struct run *)shared)->is_ending))
        return;
    if (worker == 0)
        work_as_caller(shared);
    else
        work_as_other(shared);
}

dgm_status dgm_workers_run(struct dgm_env *env, struct dgm_workers *workers, int count,
                           dgm_worker_fn *fn, void *job)
{
    struct dgm_device *device = workers->search.device;
    struct run run = { .workers = workers, .env = env, .fn = fn, .job = job };

    run.most = (count < device->threads ? count : device->threads) - 1;
    if (run.most <= 0)
        return fn(env, &workers->search, job);
    while (workers->count < run.most)
        DGM_TRY(add_worker(env, workers));
    run.poll = env->poll;
    run.poll_user = env->poll_user;
    pthread_mutex_init(&run.lock, NULL);
    pthread_cond_init(&run.done, NULL);
    env->poll = poll_all;
    env->poll_user = &run;
    device->ops->run_apart(device, work, &run);
    env->poll = run.poll;
    env->poll_user = run.poll_user;
    pthread_cond_destroy(&run.done);
    pthread_mutex_destroy(&run.lock);
    if (run.status != DGM_OK)
        env->error = run.error;
    return run.status;
}
