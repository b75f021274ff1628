/*
 * pool.c: a pool of threads that pull the chunks of one job at a time.
 *
 * The gate counts the workers inside the job; it carries CLOSED while there is no job to
 * enter. A worker steps in by adding one. If it then finds the gate closed it steps out
 * again without having touched the job. The caller shuts the gate when no chunk is left
 * and waits until nobody is inside: a worker that slept through the whole job is not
 * waited for.
 *
 * A thread that waits spins for a few microseconds first, since kernels follow each other
 * closely. The order "announce that I sleep, then look again" against "change, then look
 * for sleepers" needs sequential consistency, which all operations here have.
 *
 * A forked process has the memory of the pool and none of its workers, whose locks may be taken for
 * ever and whose conditions wait for waiters that are gone. So the pool remembers its process; in
 * another one it touches nothing of the workers' but to make it anew.
 */
#include "base/system/pool.h"

#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/system/cpu.h"

enum { MAX_THREADS = 1024, SPINS = 2000, STACK_BYTES = 1 << 20, CACHE_LINE = 64 };

/* Far above any number of workers: one number tells both who is inside and whether the gate is
 * closed. */
#define CLOSED ((int64_t)1 << 32)

struct worker {
    struct dgm_pool *pool;
    pthread_t thread;
    int number; /* 1.. ; 0 is the caller */
};

/* A shared number on a cache line of its own: threads that write one would slow down those that
 * read another on the same line. */
struct shared {
    int64_t value;
    char apart[CACHE_LINE - sizeof(int64_t)];
};

struct dgm_pool {
    struct shared next;     /* chunk to be taken next */
    struct shared gate;     /* workers inside, plus CLOSED */
    struct shared round;    /* changes when a job is there or the pool ends */
    struct shared sleepers; /* workers that wait for `wake` */
    struct shared waiting;  /* 1 while the caller waits for `done` */
    struct shared ending;
    dgm_pool_fn *fn; /* written by the caller while the gate is closed */
    void *job;
    int64_t count;
    int is_running;        /* known to the caller alone */
    pthread_mutex_t lock;  /* of the two conditions */
    pthread_mutex_t words; /* of the shared numbers, where the compiler has no atomics */
    pthread_cond_t wake, done;
    int spins;
    pid_t process;           /* whose the workers are */
    int running;             /* workers that there are */
    int threads;             /* that may work, the caller included */
    struct worker workers[]; /* threads - 1 of them */
};

/* ---- shared numbers -------------------------------------------------------------- */

#if defined(__GNUC__) && !defined(__TINYC__) && __GCC_ATOMIC_LLONG_LOCK_FREE == 2

static int64_t add(struct dgm_pool *pool, struct shared *number, int64_t amount)
{
    (void)pool;
    return __atomic_add_fetch(&number->value, amount, __ATOMIC_SEQ_CST);
}

static int64_t get(struct dgm_pool *pool, struct shared *number)
{
    (void)pool;
    return __atomic_load_n(&number->value, __ATOMIC_SEQ_CST);
}

#else

static int64_t add(struct dgm_pool *pool, struct shared *number, int64_t amount)
{
    int64_t value;
    pthread_mutex_lock(&pool->words);
    value = number->value += amount;
    pthread_mutex_unlock(&pool->words);
    return value;
}

static int64_t get(struct dgm_pool *pool, struct shared *number)
{
    return add(pool, number, 0);
}

#endif

/* Tells the processor that this is a waiting loop. */
static void pause_briefly(void)
{
#if defined(__GNUC__) && (defined(__x86_64__) || defined(__i386__))
    __asm__ volatile("pause");
#elif defined(__GNUC__) && defined(__aarch64__)
    __asm__ volatile("yield");
#endif
}

/* ---- the workers ----------------------------------------------------------------- */

static void pull_chunks(struct dgm_pool *pool, int worker)
{
    int64_t count = pool->count;
    for (;;) {
        int64_t chunk = add(pool, &pool->next, 1) - 1;
        if (chunk >= count)
            return;
        pool->fn(pool->job, chunk, worker);
    }
}

/* Steps out of the gate; the last one wakes a caller that sleeps. */
static void leave(struct dgm_pool *pool)
{
    if (add(pool, &pool->gate, -1) != CLOSED || get(pool, &pool->waiting) == 0)
        return;
    pthread_mutex_lock(&pool->lock);
    pthread_cond_signal(&pool->done);
    pthread_mutex_unlock(&pool->lock);
}

/* Returns when the round is another than `seen`. */
static int64_t wait_for_round(struct dgm_pool *pool, int64_t seen)
{
    int64_t round = get(pool, &pool->round);
    for (int i = 0; i < pool->spins && round == seen; i++) {
        pause_briefly();
        round = get(pool, &pool->round);
    }
    if (round != seen)
        return round;
    /* Counted among the sleepers first, then one more look at the round; start_round changes the
     * round first and looks for sleepers then. In whichever order the two meet, one sees the
     * other. */
    pthread_mutex_lock(&pool->lock);
    add(pool, &pool->sleepers, 1);
    while ((round = get(pool, &pool->round)) == seen)
        pthread_cond_wait(&pool->wake, &pool->lock);
    add(pool, &pool->sleepers, -1);
    pthread_mutex_unlock(&pool->lock);
    return round;
}

static void *worker_main(void *argument)
{
    struct worker *worker = argument;
    struct dgm_pool *pool = worker->pool;
    int64_t seen = 0;
    for (;;) {
        seen = wait_for_round(pool, seen);
        if (get(pool, &pool->ending))
            return NULL;
        /* Announced before the job is touched: the caller, which closes the gate first and counts
         * those inside then, either sees this worker or has shown it a closed gate. */
        if (add(pool, &pool->gate, 1) < CLOSED)
            pull_chunks(pool, worker->number);
        leave(pool);
    }
}

/* ---- the caller ------------------------------------------------------------------ */

/* Starts a round: the job or the end, whichever has been prepared. */
static void start_round(struct dgm_pool *pool)
{
    add(pool, &pool->round, 1);
    if (get(pool, &pool->sleepers) == 0)
        return;
    pthread_mutex_lock(&pool->lock);
    pthread_cond_broadcast(&pool->wake);
    pthread_mutex_unlock(&pool->lock);
}

/* Whether this process has the workers, not the one that it was forked from. */
static int has_workers(const struct dgm_pool *pool)
{
    return pool->process == getpid();
}

/* Returns when nobody is inside the closed gate; or in a process that was forked meanwhile, by the
 * first chunk, where those inside are not. */
static void wait_until_empty(struct dgm_pool *pool)
{
    for (int i = 0; i < pool->spins; i++) {
        if (get(pool, &pool->gate) == CLOSED)
            return;
        pause_briefly();
    }
    if (!has_workers(pool))
        return;
    pthread_mutex_lock(&pool->lock);
    add(pool, &pool->waiting, 1);
    while (get(pool, &pool->gate) != CLOSED)
        pthread_cond_wait(&pool->done, &pool->lock);
    add(pool, &pool->waiting, -1);
    pthread_mutex_unlock(&pool->lock);
}

int dgm_pool_threads(const struct dgm_pool *pool)
{
    return pool->threads;
}

/* What workers and caller share, before there are workers. */
static void make_shared(struct dgm_pool *pool)
{
    pool->gate.value = CLOSED;
    pool->round.value = pool->sleepers.value = pool->waiting.value = 0;
    pool->process = getpid();
    pool->running = 0;
    pthread_mutex_init(&pool->lock, NULL);
    pthread_mutex_init(&pool->words, NULL);
    pthread_cond_init(&pool->wake, NULL);
    pthread_cond_init(&pool->done, NULL);
}

/* Starts as many workers as the system grants, `most` at most. Signals are left to the caller's
 * thread. */
static void start_workers(struct dgm_pool *pool, int most)
{
    pthread_attr_t attributes;
    sigset_t all, before;
    int has_attributes = pthread_attr_init(&attributes) == 0;
    if (has_attributes)
        (void)pthread_attr_setstacksize(&attributes, STACK_BYTES);
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    while (pool->running < most) {
        struct worker *worker = &pool->workers[pool->running];
        worker->pool = pool;
        worker->number = pool->running + 1;
        if (pthread_create(&worker->thread, has_attributes ? &attributes : NULL, worker_main,
                           worker) != 0)
            break;
        pool->running++;
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (has_attributes)
        pthread_attr_destroy(&attributes);
}

void dgm_pool_run(struct dgm_pool *pool, dgm_pool_fn *fn, void *job, int64_t count)
{
    if (pool->threads == 1 || count <= 1 || pool->is_running) {
        for (int64_t chunk = 0; chunk < count; chunk++)
            fn(job, chunk, 0);
        return;
    }
    if (!has_workers(pool)) {
        make_shared(pool);
        start_workers(pool, pool->threads - 1);
    }
    pool->is_running = 1;
    /* The gate is closed and nobody is inside: these may be written without a lock. */
    pool->fn = fn;
    pool->job = job;
    pool->count = count;
    add(pool, &pool->next, 1 - get(pool, &pool->next));
    add(pool, &pool->gate, -CLOSED);
    start_round(pool);
    fn(job, 0, 0);
    pull_chunks(pool, 0);
    add(pool, &pool->gate, CLOSED);
    wait_until_empty(pool);
    pool->is_running = 0;
}

dgm_status dgm_pool_new(struct dgm_env *env, struct dgm_pool **out, int threads)
{
    struct dgm_pool *pool;
    if (threads < 1 || threads > MAX_THREADS)
        return dgm_fail(env, DGM_USAGE, "%d threads; expected 1..%d", threads, MAX_THREADS);
    DGM_TRY(dgm_new(env, &pool, 1, sizeof *pool + (size_t)threads * sizeof *pool->workers));
    /* With more threads than processors, spinning would hold up those who work. */
    pool->spins = threads <= dgm_cpu_count() ? SPINS : 0;
    make_shared(pool);
    start_workers(pool, threads - 1);
    pool->threads = pool->running + 1;
    if (pool->threads < threads)
        dgm_log(env, DGM_LOG_WARNING, "%d threads instead of %d: the system grants no more",
                pool->threads, threads);
    *out = pool;
    return DGM_OK;
}

static void end_workers(struct dgm_pool *pool)
{
    add(pool, &pool->ending, 1);
    start_round(pool);
    for (int i = 0; i < pool->running; i++)
        pthread_join(pool->workers[i].thread, NULL);
    pthread_cond_destroy(&pool->wake);
    pthread_cond_destroy(&pool->done);
    pthread_mutex_destroy(&pool->lock);
    pthread_mutex_destroy(&pool->words);
}

void dgm_pool_free(struct dgm_env *env, struct dgm_pool *pool)
{
    if (pool == NULL)
        return;
    if (has_workers(pool))
        end_workers(pool);
    dgm_release(env, pool);
}
