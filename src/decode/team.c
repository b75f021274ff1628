/*
 * team.c: threads that compute apart from each other: their devices, polls and failures.
 */
#include "decode/team.h"

#include <assert.h>
#include <pthread.h>
#include <string.h>
#include <sys/types.h>
#include <time.h>
#include <unistd.h>

#include "base/flag.h"
#include "base/mem.h"

/* ---- making and clearing --------------------------------------------------------------------- */

static void free_member(struct dgm_env *env, const struct dgm_team_kind *kind,
                        struct dgm_team_member *member)
{
    if (member->own != NULL)
        kind->clear(&member->env, member->own);
    dgm_release(env, member->own);
    if (member->device != NULL)
        dgm_device_close(&member->env, member->device);
    dgm_release(env, member);
}

static dgm_status add_member(struct dgm_env *env, struct dgm_team *team, const void *like,
                             struct dgm_device *device)
{
    struct dgm_team_member *member;
    dgm_status status;

    DGM_TRY(dgm_grow(env, &team->others, &team->capacity, team->count, sizeof *team->others));
    DGM_TRY(dgm_new(env, &member, 1, sizeof *member));
    member->env = dgm_env_quiet(env);
    DGM_TRY_OUT(device->ops->open_beside(&member->env, device, &member->device));
    DGM_TRY_OUT(dgm_new(&member->env, &member->own, 1, team->kind->bytes));
    DGM_TRY_OUT(team->kind->init(&member->env, member->own, like, member->device));
out:
    if (status != DGM_OK) {
        env->error = member->env.error;
        free_member(env, team->kind, member);
        return status;
    }
    team->others[team->count++] = member;
    return DGM_OK;
}

dgm_status dgm_team_reserve(struct dgm_env *env, struct dgm_team *team,
                            const struct dgm_team_kind *kind, const void *like,
                            struct dgm_device *device, int *count)
{
    team->kind = kind;
    if (*count > device->threads)
        *count = device->threads > 1 ? device->threads : 1;
    while ((int)team->count < *count - 1)
        DGM_TRY(add_member(env, team, like, device));
    return DGM_OK;
}

void dgm_team_clear(struct dgm_env *env, struct dgm_team *team)
{
    for (size_t i = 0; i < team->count; i++)
        free_member(env, team->kind, team->others[i]);
    dgm_release(env, team->others);
    memset(team, 0, sizeof *team);
}

/* ---- running --------------------------------------------------------------------------------- */

struct run {
    struct dgm_team *team;
    struct dgm_env *env;
    dgm_team_fn *fn;
    void *job;
    int most;      /* members beside the caller */
    pid_t process; /* in which they are */

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
    if (run->process != getpid()) /* the others are not here, and end never */
        return dgm_fail(env, DGM_USAGE,
                        "a callback of this call has forked the process, and the "
                        "child came back; expected exec or _exit there");
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

/* The others may leave it no work to poll in: it asks once before that. */
static void work_as_caller(struct run *run)
{
    dgm_status status = dgm_poll(run->env);

    if (status == DGM_OK)
        status = run->fn(run->env, NULL, run->job);
    if (status == DGM_OK)
        status = wait_for_others(run);
    note(run, run->env, status);
}

/* One of the others that has not begun, or NULL. */
static struct dgm_team_member *take_member(struct run *run)
{
    struct dgm_team_member *member = NULL;

    pthread_mutex_lock(&run->lock);
    if (run->taken < run->most) {
        member = run->team->others[run->taken++];
        run->active++;
    }
    pthread_mutex_unlock(&run->lock);
    return member;
}

static void work_as_other(struct run *run)
{
    struct dgm_team_member *member = take_member(run);

    if (member == NULL)
        return;
    member->env.poll = poll_end;
    member->env.poll_user = run;
    dgm_env_clear_error(&member->env);
    note(run, &member->env, run->fn(&member->env, member->own, run->job));
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

dgm_status dgm_team_run(struct dgm_env *env, struct dgm_team *team, struct dgm_device *device,
                        int count, dgm_team_fn *fn, void *job)
{
    struct run run = { .team = team, .env = env, .fn = fn, .job = job };

    run.most = count - 1;
    assert(run.most <= (int)team->count && count <= (device->threads > 1 ? device->threads : 1));
    if (run.most <= 0)
        return fn(env, NULL, job);
    run.process = getpid();
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
