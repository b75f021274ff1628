/* test_pool.c: every chunk once, and the same result for any number of threads. */
#include <pthread.h>
#include <string.h>
#include <time.h>

#include "base/system/pool.h"
#include "fork_case.h"
#include "test.h"

enum { MOST_CHUNKS = 3000 };

struct job {
    unsigned char runs[MOST_CHUNKS];
    double values[MOST_CHUNKS];
    int workers_seen[16];
    int threads, out_of_range;
    int worker_of_first; /* of chunk 0 */
};

static void fill_chunk(void *argument, int64_t chunk, int worker)
{
    struct job *job = argument;
    double value = 1.0 / (double)(chunk + 1);
    int i;
    for (i = 0; i < 50; i++)
        value = value * 1.0000001 + 0.25;
    job->values[chunk] = value;
    job->runs[chunk]++;
    if (chunk == 0)
        job->worker_of_first = worker;
    if (worker < 0 || worker >= job->threads)
        job->out_of_range = 1;
    else
        job->workers_seen[worker]++; /* a worker's number is its own while a job runs */
}

static void run_job(struct dgm_pool *pool, struct job *job, int64_t count)
{
    int64_t i;
    int ran = 0;
    memset(job, 0, sizeof *job);
    job->threads = dgm_pool_threads(pool);
    dgm_pool_run(pool, fill_chunk, job, count);
    CHECK_INT(job->out_of_range, 0);
    CHECK_INT(job->worker_of_first, 0); /* the caller, who asks meanwhile whether to stop */
    for (i = 0; i < count; i++)
        CHECK_INT(job->runs[i], 1);
    for (i = 0; i < job->threads; i++)
        ran += job->workers_seen[i];
    CHECK_INT(ran, count);
}

TEST(pool_results_do_not_depend_on_the_number_of_threads)
{
    static const int threads[] = { 1, 2, 3, 8 };
    static struct job one, other;
    struct dgm_env *env = test_env();
    size_t i;
    for (i = 0; i < 4; i++) {
        struct dgm_pool *pool = NULL;
        CHECK_STATUS(dgm_pool_new(env, &pool, threads[i]), DGM_OK);
        CHECK(dgm_pool_threads(pool) >= 1 && dgm_pool_threads(pool) <= threads[i]);
        run_job(pool, i == 0 ? &one : &other, MOST_CHUNKS);
        if (i > 0)
            CHECK_MEM(other.values, one.values, sizeof one.values);
        dgm_pool_free(env, pool);
    }
}

TEST(pool_survives_many_short_runs)
{
    static struct job job;
    struct dgm_env *env = test_env();
    int threads, round;
    for (threads = 2; threads <= 8; threads += 3) {
        struct dgm_pool *pool = NULL;
        CHECK_STATUS(dgm_pool_new(env, &pool, threads), DGM_OK);
        for (round = 0; round < 500; round++)
            run_job(pool, &job, round % 12);
        dgm_pool_free(env, pool);
    }
}

TEST(pool_is_freed_without_a_run)
{
    struct dgm_env *env = test_env();
    struct dgm_pool *pool = NULL;
    int i;
    for (i = 0; i < 20; i++) {
        CHECK_STATUS(dgm_pool_new(env, &pool, 1 + i % 5), DGM_OK);
        dgm_pool_free(env, pool);
    }
    dgm_pool_free(env, NULL);
    CHECK_STATUS(dgm_pool_new(env, &pool, 0), DGM_USAGE);
    CHECK_STR(env->error.message, "0 threads; expected 1..1024");
    dgm_env_clear_error(env);
}

static void count_chunk(void *job, int64_t chunk, int worker)
{
    (void)worker;
    *(int64_t *)job += chunk;
}

TEST(pool_of_one_runs_in_order_on_the_caller)
{
    struct dgm_env *env = test_env();
    struct dgm_pool *pool = NULL;
    int64_t sum = 0;
    CHECK_STATUS(dgm_pool_new(env, &pool, 1), DGM_OK);
    dgm_pool_run(pool, count_chunk, &sum, 100);
    dgm_pool_run(pool, count_chunk, &sum, 0);
    CHECK_INT(sum, 4950);
    dgm_pool_free(env, pool);
}

/* ---- forked children ------------------------------------------------------------------------- */

/* What a child does with two pools of its parent. */
struct child {
    struct dgm_pool *pools[2];
    int runs; /* of each, before it is freed */
};

static int use_and_free(void *user)
{
    const struct child *child = user;
    const long live = test_live_blocks();
    static struct job job;

    for (int i = 0; i < child->runs; i++)
        for (int k = 0; k < 2; k++)
            run_job(child->pools[k], &job, 200);
    for (int k = 0; k < 2; k++)
        dgm_pool_free(test_env(), child->pools[k]);
    return test_has_failed() || test_live_blocks() != live - 2;
}

static void rest(void)
{
    const struct timespec moment = { 0, 20000000 };

    nanosleep(&moment, NULL);
}

/* Forked while workers begin, spin and sleep: whichever they do, the same holds. */
TEST(pool_serves_a_forked_child_as_well)
{
    static struct job job;
    struct dgm_env *env = test_env();

    if (fork_lacks() != NULL)
        TEST_SKIP(fork_lacks());
    for (int round = 0; round < 24; round++) {
        struct child child = { { NULL, NULL }, round % 3 };

        for (int k = 0; k < 2; k++)
            CHECK_STATUS(dgm_pool_new(env, &child.pools[k], 2 + 3 * k), DGM_OK);
        for (int i = 0; i < round / 3 % 4; i++)
            run_job(child.pools[i % 2], &job, 50);
        if (round % 2 == 0)
            rest();
        CHECK_INT(fork_and_run(use_and_free, &child), 0);
        for (int k = 0; k < 2; k++) {
            run_job(child.pools[k], &job, 50); /* after the child, or for the first time */
            dgm_pool_free(env, child.pools[k]);
        }
    }
}

/* Of a child, and its child. */
static int use_in_a_child(void *user)
{
    static struct job job;
    struct child *child = user;

    run_job(child->pools[0], &job, 200);
    return test_has_failed() || fork_and_run(use_and_free, child) != 0 || use_and_free(child) != 0;
}

TEST(pool_serves_a_child_of_a_child)
{
    struct child child = { { NULL, NULL }, 1 };

    if (fork_lacks() != NULL)
        TEST_SKIP(fork_lacks());
    for (int k = 0; k < 2; k++)
        CHECK_STATUS(dgm_pool_new(test_env(), &child.pools[k], 3), DGM_OK);
    CHECK_INT(fork_and_run(use_in_a_child, &child), 0);
    for (int k = 0; k < 2; k++)
        dgm_pool_free(test_env(), child.pools[k]);
}

/* The first chunk waits until another is taken by a worker, which never comes to an end in the
 * child. */
struct held {
    pthread_mutex_t lock;
    pthread_cond_t moved;
    int taken, is_over, is_child;
};

static void fork_in_the_first(struct held *held)
{
    pthread_mutex_lock(&held->lock);
    while (held->taken == 0)
        pthread_cond_wait(&held->moved, &held->lock);
    fflush(stdout);
    held->is_child = fork() == 0;
    if (held->is_child)
        alarm(FORK_GUARD);
    held->is_over = 1;
    pthread_cond_broadcast(&held->moved);
    pthread_mutex_unlock(&held->lock);
}

static void hold_chunk(void *job, int64_t chunk, int worker)
{
    struct held *held = job;

    if (chunk == 0) {
        fork_in_the_first(held);
        return;
    }
    pthread_mutex_lock(&held->lock);
    held->taken++;
    pthread_cond_broadcast(&held->moved);
    while (worker != 0 && !held->is_over)
        pthread_cond_wait(&held->moved, &held->lock);
    pthread_mutex_unlock(&held->lock);
}

TEST(pool_that_is_forked_in_the_midst_of_a_job_does_not_wait_for_ever)
{
    struct held held = { .lock = PTHREAD_MUTEX_INITIALIZER, .moved = PTHREAD_COND_INITIALIZER };
    struct dgm_pool *pool = NULL;
    static struct job job;
    int state = -1;

    if (fork_lacks() != NULL)
        TEST_SKIP(fork_lacks());
    CHECK_STATUS(dgm_pool_new(test_env(), &pool, 2), DGM_OK);
    if (dgm_pool_threads(pool) < 2) {
        dgm_pool_free(test_env(), pool);
        TEST_SKIP("no second thread");
    }
    dgm_pool_run(pool, hold_chunk, &held, 2);
    run_job(pool, &job, 200);
    dgm_pool_free(test_env(), pool);
    if (held.is_child)
        _exit(test_has_failed());
    CHECK(wait(&state) > 0);
    CHECK_INT(state, 0);
}
