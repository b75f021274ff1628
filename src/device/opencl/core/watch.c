/*
 * watch.c: a thread for a call of a driver, and the wait for it.
 *
 * The memory that both sides share is the C library's own: a call that was left may return when the
 * allocator of the environment is no more. Whoever lets go of it last frees it.
 */
#include "device/opencl/core/watch.h"

#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "device/opencl/system/environment.h"

/* Of a thread in which a compiler may work: some C libraries give it 128 KiB. */
enum { STACK_BYTES = 8 << 20 };

/* Milliseconds between two looks, and until somebody is told. */
enum { LOOK = 100, TOLD_AFTER = 1500 };

struct watched {
    pthread_mutex_t lock; /* of is_done and is_left */
    pthread_cond_t done;
    int is_done, is_left;
    dgm_cl_call_fn *fn;
    unsigned char call[];
};

static void free_watched(struct watched *watched)
{
    pthread_mutex_destroy(&watched->lock);
    pthread_cond_destroy(&watched->done);
    free(watched);
}

static void *run(void *user)
{
    struct watched *watched = user;
    int is_left;

    watched->fn(watched->call);
    pthread_mutex_lock(&watched->lock);
    watched->is_done = 1;
    is_left = watched->is_left;
    pthread_cond_signal(&watched->done);
    pthread_mutex_unlock(&watched->lock);
    if (is_left)
        free_watched(watched);
    return NULL;
}

/* Signals are for the threads of the program. 0: there is no thread. */
static int begin(struct watched *watched)
{
    pthread_attr_t attributes;
    sigset_t all, before;
    pthread_t thread;
    int error;

    if (pthread_attr_init(&attributes) != 0)
        return 0;
    (void)pthread_attr_setstacksize(&attributes, STACK_BYTES);
    (void)pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    error = pthread_create(&thread, &attributes, run, watched);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    pthread_attr_destroy(&attributes);
    return error == 0;
}

static struct watched *make_watched(dgm_cl_call_fn *fn, const void *call, size_t bytes)
{
    struct watched *watched = calloc(1, sizeof *watched + bytes);

    if (watched == NULL)
        return NULL;
    pthread_mutex_init(&watched->lock, NULL);
    pthread_cond_init(&watched->done, NULL);
    watched->fn = fn;
    memcpy(watched->call, call, bytes);
    return watched;
}

static int64_t now(void)
{
    struct timespec time;

    clock_gettime(CLOCK_MONOTONIC, &time);
    return (int64_t)time.tv_sec * 1000 + time.tv_nsec / 1000000;
}

/* Waits for at most LOOK milliseconds; whether the call has returned. */
static int look(struct watched *watched)
{
    struct timespec until;
    int is_done;

    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += LOOK * 1000000L;
    until.tv_sec += until.tv_nsec / 1000000000L;
    until.tv_nsec %= 1000000000L;
    pthread_mutex_lock(&watched->lock);
    if (!watched->is_done)
        pthread_cond_timedwait(&watched->done, &watched->lock, &until);
    is_done = watched->is_done;
    pthread_mutex_unlock(&watched->lock);
    return is_done;
}

/* "NAME: compiling opencl/norm.cl, 12 s" once a second; *told: the second that was told last. */
static void tell(struct dgm_env *env, const struct dgm_opencl *opencl, const char *what,
                 int64_t waited, int64_t *told)
{
    char text[256];

    if (env->wait == NULL || env->log_level < DGM_LOG_NOTE || waited < TOLD_AFTER ||
        waited / 1000 == *told)
        return;
    *told = waited / 1000;
    snprintf(text, sizeof text, "%.60s: %s, %lld s", opencl->traits.name, what, (long long)*told);
    env->wait(env->wait_user, text);
}

static dgm_status wait_for(struct dgm_env *env, struct dgm_opencl *opencl, const char *what,
                           int seconds, struct watched *watched)
{
    const int64_t start = now();
    dgm_status status = DGM_OK;
    int64_t told = 0;

    while (status == DGM_OK && !look(watched)) {
        const int64_t waited = now() - start;

        tell(env, opencl, what, waited, &told);
        status = dgm_poll(env);
        opencl->is_stopped = status != DGM_OK;
        if (status == DGM_OK && seconds > 0 && waited >= (int64_t)seconds * 1000)
            status =
                dgm_fail(env, DGM_UNSUPPORTED, "%s: %s: not done in %d s (DGM_CL_COMPILE_LIMIT)",
                         opencl->traits.name, what, seconds);
    }
    if (told > 0)
        env->wait(env->wait_user, NULL);
    return status;
}

/* The call goes on alone, unless it has returned by now. */
static void leave(struct dgm_env *env, struct dgm_opencl *opencl, struct watched *watched)
{
    int is_done;

    pthread_mutex_lock(&watched->lock);
    watched->is_left = 1;
    is_done = watched->is_done;
    pthread_mutex_unlock(&watched->lock);
    if (is_done)
        free_watched(watched);
    opencl->has_left = 1;
    if (env->has_left != NULL)
        *env->has_left = 1;
}

dgm_status dgm_cl_watch(struct dgm_env *env, struct dgm_opencl *opencl, const char *what,
                        int seconds, dgm_cl_call_fn *fn, void *call, size_t bytes)
{
    struct watched *watched = make_watched(fn, call, bytes);
    dgm_status status;

    if (watched == NULL || !begin(watched)) {
        if (watched != NULL)
            free_watched(watched);
        fn(call);
        return DGM_OK;
    }
    status = wait_for(env, opencl, what, seconds, watched);
    if (status != DGM_OK) {
        leave(env, opencl, watched);
        return status;
    }
    memcpy(call, watched->call, bytes);
    free_watched(watched);
    return DGM_OK;
}

/* ---- the queue ------------------------------------------------------------------------------- */

static int is_on_trial(const struct dgm_opencl *opencl)
{
    for (int i = 0; i < DGM_TASK_COUNT; i++)
        if (opencl->on_trial[i])
            return 1;
    return 0;
}

/* A queue that never comes to its end is of no use to what comes next. */
static dgm_status replace_queue(struct dgm_env *env, struct dgm_opencl *opencl)
{
    cl_int error;
    cl_command_queue queue = opencl->cl.CreateCommandQueue(opencl->context, opencl->id, 0, &error);

    if (queue == NULL)
        return dgm_cl_fail(env, opencl->traits.name, "clCreateCommandQueue", error);
    opencl->queue = queue;
    opencl->stage = NULL; /* the other queue may still read it */
    opencl->staged = 0;
    return DGM_OK;
}

/* Instances of trials are small: there the time is the compiler's. Elsewhere the launches may be
 * those of a whole update. */
dgm_status dgm_cl_watch_launch(struct dgm_env *env, struct dgm_opencl *opencl, const char *what,
                               dgm_cl_call_fn *fn, void *call, size_t bytes)
{
    const int limit = is_on_trial(opencl) ? dgm_cl_compile_limit() : 0;
    const dgm_status status = dgm_cl_watch(env, opencl, what, limit, fn, call, bytes);

    if (status != DGM_OK) {
        struct dgm_env own = *env;

        opencl->left++;
        dgm_env_clear_error(&own);
        if (replace_queue(&own, opencl) != DGM_OK)
            opencl->late = own.error; /* the next call says so */
    }
    return status;
}
