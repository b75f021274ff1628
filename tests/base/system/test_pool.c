/* test_pool.c: every chunk once, and the same result for any number of threads. */
#include <string.h>

#include "base/system/pool.h"
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
