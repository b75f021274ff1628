/*
 * test_workers.c: searches side by side find what one alone finds; the first failure, a stop among
 * them, ends all of them and is the caller's; polls and progress stay in the thread of the caller.
 */
#include <pthread.h>
#include <string.h>
#include <time.h>

#include "base/flag.h"
#include "decode/translate.h"
#include "tiny.h"

enum { SENTENCES = 400, BEAM = 3, LIMIT = 9, TOKENS = 600 };

/* A model, sentences, and what is asked of the workers. */
struct case_ {
    struct tiny tiny;
    struct dgm_batch batch;
    struct dgm_workers workers;
    struct dgm_result results[SENTENCES];
    pthread_t caller;
    int told, strangers; /* progress; polls and progress in another thread */
    long polls, last;    /* the poll that ends the work; 0: none */
};

static dgm_status open_case(struct case_ *c, int threads)
{
    struct dgm_model_config config = tiny_config();
    const struct dgm_net *models[2] = { &c->tiny.model, &c->tiny.model };
    struct dgm_search_options options;
    struct dgm_random random;

    memset(c, 0, sizeof *c);
    c->caller = pthread_self();
    DGM_TRY(tiny_open(&c->tiny, &config, threads));
    dgm_random_init(&random, 3, 0, 0, 0);
    for (int s = 0; s < SENTENCES; s++)
        DGM_TRY(
            tiny_add(&c->batch, &random, 1 + (int32_t)dgm_random_below(&random, 12), TINY_TREE));
    memset(&options, 0, sizeof options);
    options.beam = BEAM;
    options.length_extra = LIMIT;
    options.forbidden = 1;
    return dgm_workers_init(test_env(), &c->workers, models, 2, c->tiny.device, &options);
}

static void clear_results(struct case_ *c)
{
    for (int s = 0; s < SENTENCES; s++)
        dgm_result_clear(test_env(), &c->results[s]);
    memset(c->results, 0, sizeof c->results);
}

static void close_case(struct case_ *c)
{
    clear_results(c);
    dgm_workers_clear(test_env(), &c->workers);
    dgm_batch_clear(test_env(), &c->batch);
    tiny_close(&c->tiny);
}

static void tell(void *user, int32_t done)
{
    struct case_ *c = user;

    c->strangers += !pthread_equal(pthread_self(), c->caller);
    CHECK(done >= c->told);
    c->told = done;
}

static dgm_status count_polls(struct dgm_env *env, void *user)
{
    struct case_ *c = user;

    c->strangers += !pthread_equal(pthread_self(), c->caller);
    return ++c->polls == c->last ? dgm_fail(env, DGM_INTERRUPTED, "enough") : DGM_OK;
}

static dgm_status translate(struct case_ *c)
{
    const struct dgm_translate_watch watch = { tell, c };
    struct dgm_env *env = test_env();
    dgm_status status;

    env->poll = count_polls;
    env->poll_user = c;
    status = dgm_translate_all(env, &c->workers, &c->batch.source, TOKENS, c->results, &watch);
    c->strangers += env->poll != count_polls || env->poll_user != c; /* as it was before */
    env->poll = NULL;
    return status;
}

/* What is done is what the whole search of one thread found. */
static void check_results(const struct case_ *one, const struct case_ *c, int *done)
{
    *done = 0;

    for (int s = 0; s < SENTENCES; s++) {
        const struct dgm_result *a = &one->results[s], *b = &c->results[s];
        *done += b->is_done;
        if (!b->is_done)
            continue;
        CHECK_INT(b->count, a->count);
        for (int i = 0; i < a->count && i < b->count; i++) {
            CHECK_INT(b->items[i].length, a->items[i].length);
            CHECK(memcmp(&b->items[i].logp, &a->items[i].logp, sizeof a->items[i].logp) == 0);
            CHECK_MEM(b->items[i].tokens, a->items[i].tokens,
                      (size_t)a->items[i].length * sizeof *a->items[i].tokens);
        }
    }
}

TEST(workers_find_what_one_search_finds)
{
    static struct case_ one, more;
    int done;

    CHECK_STATUS(open_case(&one, 1), DGM_OK);
    CHECK_STATUS(translate(&one), DGM_OK);
    CHECK_INT(one.workers.team.count, 0);
    for (int threads = 2; threads <= 4; threads += 2) {
        CHECK_STATUS(open_case(&more, threads), DGM_OK);
        for (int again = 0; again < 2; again++) {
            more.told = 0;
            CHECK_STATUS(translate(&more), DGM_OK);
            CHECK_INT(more.workers.team.count, more.tiny.device->threads > 1 ? threads - 1 : 0);
            check_results(&one, &more, &done);
            CHECK_INT(done, SENTENCES);
            CHECK_INT(more.told, SENTENCES);
            clear_results(&more);
        }
        CHECK_INT(more.strangers, 0);
        close_case(&more);
    }
    close_case(&one);
}

/* Few sentences share the threads of each product, as does one. */
TEST(workers_are_not_called_for_few_sentences)
{
    static struct case_ c;

    CHECK_STATUS(open_case(&c, 2), DGM_OK);
    dgm_batch_reset(&c.batch);
    CHECK_STATUS(translate(&c), DGM_OK);
    for (int s = 0; s < 5; s++) {
        struct dgm_random random;
        dgm_random_init(&random, (uint64_t)s, 0, 0, 0);
        CHECK_STATUS(tiny_add(&c.batch, &random, 4, TINY_TREE), DGM_OK);
    }
    CHECK_STATUS(translate(&c), DGM_OK);
    CHECK_INT(c.workers.team.count, 0);
    close_case(&c);
}

TEST(workers_stop_when_the_caller_is_told_to)
{
    static struct case_ one, more;
    int least = SENTENCES;

    CHECK_STATUS(open_case(&one, 1), DGM_OK);
    CHECK_STATUS(translate(&one), DGM_OK);
    CHECK_STATUS(open_case(&more, 3), DGM_OK);
    for (long last = 1; last < 40; last += 3) {
        int done;
        more.polls = 0;
        more.last = last;
        more.told = 0;
        if (translate(&more) == DGM_OK) /* the others were faster */
            break;
        CHECK_STATUS(test_env()->error.status, DGM_INTERRUPTED);
        CHECK_STR(test_env()->error.message, "enough");
        dgm_env_clear_error(test_env());
        check_results(&one, &more, &done);
        least = done < least ? done : least;
        clear_results(&more);
    }
    CHECK(least < SENTENCES);
    more.last = 0;
    more.told = 0;
    clear_results(&more);
    CHECK_STATUS(translate(&more), DGM_OK);
    check_results(&one, &more, &least);
    CHECK_INT(least, SENTENCES);
    CHECK_INT(more.strangers, 0);
    close_case(&more);
    close_case(&one);
}

/* ---- failures -------------------------------------------------------------------------------- */

/* A job in which one worker fails, and the others wait for the end. */
struct failing {
    const struct dgm_search *callers;
    int by_caller;
    dgm_flag has_begun[2]; /* somebody else; the caller */
    dgm_status of_caller;
};

static dgm_status fail_one(struct dgm_env *env, struct dgm_search *search, void *job)
{
    struct failing *failing = job;
    const int is_caller = search == failing->callers;
    const struct timespec moment = { 0, 1000000 };
    dgm_status status = DGM_OK;

    dgm_flag_set(&failing->has_begun[is_caller], 1);
    while (!dgm_flag_get(&failing->has_begun[!is_caller]))
        nanosleep(&moment, NULL);
    if (is_caller == failing->by_caller)
        return dgm_fail(env, DGM_DATA, is_caller ? "the caller" : "another");
    while (status == DGM_OK) {
        nanosleep(&moment, NULL);
        status = dgm_poll(env);
    }
    if (is_caller)
        failing->of_caller = status;
    return status;
}

TEST(workers_end_with_the_first_failure)
{
    static struct case_ c;

    FOR_THE_CPU();
    CHECK_STATUS(open_case(&c, 2), DGM_OK);
    if (c.tiny.device->threads < 2) {
        close_case(&c);
        TEST_SKIP("no second thread");
    }
    for (int by_caller = 0; by_caller < 2; by_caller++) {
        struct failing failing = { &c.workers.search, by_caller, { 0, 0 }, DGM_OK };

        CHECK_STATUS(dgm_workers_run(test_env(), &c.workers, 2, fail_one, &failing), DGM_DATA);
        CHECK_STATUS(test_env()->error.status, DGM_DATA);
        CHECK_STR(test_env()->error.message, by_caller ? "the caller" : "another");
        CHECK_STATUS(failing.of_caller, by_caller ? DGM_OK : DGM_INTERRUPTED);
        dgm_env_clear_error(test_env());
    }
    CHECK_STATUS(translate(&c), DGM_OK);
    close_case(&c);
}

/* Whichever allocation fails, in whichever thread: DGM_MEMORY, nothing lost, and the workers work
 * on. */
TEST(workers_survive_failing_allocations)
{
    static struct case_ c;
    long before;
    int failed = 0;

    CHECK_STATUS(open_case(&c, 3), DGM_OK);
    before = test_allocations();
    for (long n = 1; n < 200; n += 7) {
        dgm_status status;
        test_env_fail_at(before + n);
        status = translate(&c);
        test_env_fail_at(0);
        CHECK(status == DGM_OK || status == DGM_MEMORY);
        failed += status == DGM_MEMORY;
        CHECK_STATUS(test_env()->error.status, status);
        dgm_env_clear_error(test_env());
        clear_results(&c);
        c.told = 0;
        before = test_allocations();
    }
    CHECK(failed > 0);
    CHECK_STATUS(translate(&c), DGM_OK);
    close_case(&c);
}

/* Without memory to begin anew, they go on with what they have: all models of the ensemble. */
TEST(workers_that_cannot_forget_work_on)
{
    static struct case_ one, more;
    int failed = 0, done;

    CHECK_STATUS(open_case(&one, 1), DGM_OK);
    CHECK_STATUS(translate(&one), DGM_OK);
    CHECK_STATUS(open_case(&more, 3), DGM_OK);
    for (int n = 1; n < 20; n++) {
        dgm_status status;

        more.told = 0;
        CHECK_STATUS(translate(&more), DGM_OK);
        check_results(&one, &more, &done);
        CHECK_INT(done, SENTENCES);
        clear_results(&more);
        test_env_fail_at(test_allocations() + n);
        status = dgm_workers_forget(test_env(), &more.workers);
        test_env_fail_at(0);
        CHECK(status == DGM_OK || status == DGM_MEMORY);
        failed += status == DGM_MEMORY;
        dgm_env_clear_error(test_env());
        if (status == DGM_OK)
            break;
    }
    CHECK(failed > 0);
    more.told = 0;
    CHECK_STATUS(translate(&more), DGM_OK);
    check_results(&one, &more, &done);
    CHECK_INT(done, SENTENCES);
    close_case(&more);
    close_case(&one);
}
