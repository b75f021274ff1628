/*
 * test_batch_size.c: --batch-tokens auto: the largest batch of the number that is chosen fits the
 * limit, and that of the next number does not.
 *
 * The learner has sentences of 1 to 20 rows and a graph that needs the same for each row.
 */
#include "train/plan/batch_size.h"

#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "base/philox.h"
#include "base/system/meter.h"
#include "base/system/room.h"
#include "graph/ops.h"
#include "open_device.h"
#include "test.h"
#include "train/learner.h"
#include "train/options.h"
#include "train/plan/fit.h"
#include "train/plan/need.h"

enum { PAIRS = 3000, WIDTH = 64, MIB = 1 << 20 };

/* ---- a learner ------------------------------------------------------------------------------- */

static dgm_status join(const struct dgm_run *run, struct dgm_trainee *trainee,
                       struct dgm_replica *replica)
{
    (void)run;
    (void)trainee;
    (void)replica;
    return DGM_OK;
}

static void leave(const struct dgm_run *run, struct dgm_replica *replica)
{
    (void)run;
    (void)replica;
}

static dgm_status build(const struct dgm_run *run, struct dgm_trainee *trainee,
                        const struct dgm_batch *batch, struct dgm_replica *replica)
{
    const struct dgm_packed *rows = &batch->source;
    const struct dgm_ref none = { NULL, 0 };
    struct dgm_graph *g = &replica->graph;
    struct dgm_node *x;
    int layer;

    (void)run;
    (void)trainee;
    dgm_graph_begin(g, 1, 1, 1);
    x = dgm_constant(g, none, rows->offsets[rows->count], WIDTH);
    for (layer = 0; layer < 3; layer++)
        x = dgm_linear(g, x, dgm_leaf(g, none, none, WIDTH, WIDTH), NULL);
    dgm_keep(g, x);
    return DGM_OK;
}

static const struct dgm_learner learner = {
    .size = 1,
    .replica_size = 1,
    .join = join,
    .leave = leave,
    .build = build,
};

/* ---- a run of it ----------------------------------------------------------------------------- */

struct sized {
    struct dgm_env env;
    struct dgm_meter meter; /* for its limit alone */
    struct dgm_settings settings;
    struct dgm_devices devices;
    struct dgm_params params;
    struct dgm_corpus corpus;
    struct dgm_run run;
    struct dgm_trainee trainee;
    struct dgm_course course;
    struct dgm_replicas replicas;
};

static dgm_status add_pairs(struct dgm_corpus *corpus)
{
    const int32_t ids[20] = { 0 };
    struct dgm_random random;

    dgm_random_init(&random, 7, 0, 0, 0);
    for (int p = 0; p < PAIRS; p++) {
        const int32_t n = 1 + (int32_t)dgm_random_below(&random, 20);
        DGM_TRY(dgm_packed_add(test_env(), &corpus->source, ids, ids, n, NULL, 1));
        DGM_TRY(dgm_packed_add(test_env(), &corpus->target, ids, ids, n, NULL, 1));
    }
    return DGM_OK;
}

static dgm_status open_run(struct sized *sized, int devices, int threads)
{
    struct dgm_run *run = &sized->run;

    memset(sized, 0, sizeof *sized);
    sized->env = *test_env();
    sized->env.meter = &sized->meter;
    sized->params.total = 1000;
    sized->trainee =
        (struct dgm_trainee){ &learner, .params = &sized->params, .corpus = &sized->corpus };
    run->env = &sized->env;
    run->devices = &sized->devices;
    run->settings = &sized->settings;
    run->options.fits_memory = 1;
    run->options.accumulate = devices;
    run->options.order.seed = 1;
    run->state.epoch = 1;
    DGM_TRY(dgm_settings_init(run->env, &sized->settings, dgm_train_tables));
    DGM_TRY(add_pairs(&sized->corpus));
    for (; sized->devices.count < devices; sized->devices.count++)
        DGM_TRY(open_device(run->env, &sized->devices.items[sized->devices.count], threads));
    run->device = sized->devices.items[0];
    DGM_TRY(dgm_windows_begin(run->env, &sized->course.windows, &sized->course.order,
                              &sized->corpus, &run->options.order, 1));
    return dgm_replicas_init(run, &sized->trainee, &sized->replicas);
}

static void close_run(struct sized *sized)
{
    struct dgm_env *env = &sized->env;

    dgm_replicas_clear(&sized->run, &sized->trainee, &sized->replicas);
    dgm_batch_clear(env, &sized->course.batch);
    dgm_order_clear(env, &sized->course.order);
    dgm_windows_clear(env, &sized->course.windows);
    dgm_corpus_clear(env, &sized->corpus);
    dgm_devices_close(env, &sized->devices);
    dgm_settings_clear(env, &sized->settings);
}

static dgm_status take(struct sized *sized)
{
    return dgm_batch_size_take(&sized->run, &sized->trainee, &sized->course, &sized->replicas);
}

/* What is chosen under a limit; 0: nothing; -1: batches are not cut so. */
static int64_t choose(struct sized *sized, double limit)
{
    const struct dgm_run *run = &sized->run;

    sized->meter.limit = (size_t)limit;
    sized->run.state.batch_tokens = 0;
    if (take(sized) != DGM_OK)
        return 0;
    return run->options.order.batch_tokens == run->state.batch_tokens ? run->state.batch_tokens
                                                                      : -1;
}

/* What a run with so many tokens needs; -1: that is not known. */
static double need_of(struct sized *sized, int64_t tokens)
{
    struct dgm_course *course = &sized->course;
    struct dgm_need need;

    sized->run.options.order.batch_tokens = tokens;
    if (dgm_windows_cut(&sized->env, &course->windows, &course->order, &sized->corpus,
                        &sized->run.options.order, 1) != DGM_OK ||
        dgm_need_find(&sized->run, &sized->trainee, course, &sized->replicas, &need) != DGM_OK)
        return -1;
    return dgm_need_total(&need) + dgm_need_program(&sized->trainee, &course->windows) +
           DGM_BETWEEN_STARTS;
}

/* ---- tests ----------------------------------------------------------------------------------- */

static void check_limits(int devices)
{
    struct sized sized;
    int64_t before = 0, tokens;
    double limit;

    CHECK_STATUS(open_run(&sized, devices, 1), DGM_OK);
    for (limit = 19 * MIB; limit < 60 * MIB; limit *= 1.03) {
        tokens = choose(&sized, limit);
        CHECK(tokens >= before);
        if (tokens > 0) {
            CHECK(need_of(&sized, tokens) > 0 && need_of(&sized, tokens) <= limit);
            CHECK(sized.course.order.batches == 1 || need_of(&sized, dgm_fit_next(tokens)) > limit);
        }
        before = tokens;
    }
    CHECK(before > 1000);
    close_run(&sized);
}

TEST(batch_size_is_the_largest_that_fits)
{
    check_limits(1);
}

TEST(batch_size_counts_steps_of_all_devices)
{
    check_limits(3);
}

/* So a dry run tells what the run will do. */
TEST(batch_size_does_not_depend_on_threads_or_devices_that_are_open)
{
    static const int threads[] = { 1, 2, 5 };
    int64_t tokens[3], dry;
    struct sized sized;

    for (int i = 0; i < 3; i++) {
        CHECK_STATUS(open_run(&sized, 2, threads[i]), DGM_OK);
        tokens[i] = choose(&sized, 40 * MIB);
        dgm_replicas_clear(&sized.run, &sized.trainee, &sized.replicas);
        CHECK_STATUS(dgm_settings_set(&sized.env, &sized.settings, "dry-run", "true", "test"),
                     DGM_OK);
        CHECK_STATUS(dgm_replicas_init(&sized.run, &sized.trainee, &sized.replicas), DGM_OK);
        dry = choose(&sized, 40 * MIB);
        CHECK_INT(dry, tokens[i]);
        close_run(&sized);
    }
    CHECK(tokens[0] > 0);
    CHECK_INT(tokens[1], tokens[0]);
    CHECK_INT(tokens[2], tokens[0]);
}

/* The message names the limit, and one that would do. */
TEST(batch_size_refuses_a_limit_without_room_for_a_sentence)
{
    struct sized sized;
    const char *hint;
    long long limit = 0;

    CHECK_STATUS(open_run(&sized, 1, 1), DGM_OK);
    CHECK_INT(choose(&sized, 5 * MIB), 0);
    CHECK_INT(sized.env.error.status, DGM_MEMORY);
    CHECK(strstr(sized.env.error.message, "--memory allows 5. Try --memory ") != NULL);
    hint = strstr(sized.env.error.message, "Try --memory ");
    CHECK_INT(sscanf(hint, "Try --memory %lldM", &limit), 1);
    dgm_env_clear_error(&sized.env);
    CHECK(choose(&sized, (double)limit * MIB) > 0);
    CHECK_INT(choose(&sized, (double)(limit - 1) * MIB), 0);
    dgm_env_clear_error(&sized.env);
    close_run(&sized);
}

/* A number that a checkpoint has stays, and the order with it. */
TEST(batch_size_of_a_run_that_goes_on_stays)
{
    struct sized sized;

    CHECK_STATUS(open_run(&sized, 1, 1), DGM_OK);
    sized.meter.limit = 40 * MIB;
    sized.run.state.batch_tokens = sized.run.options.order.batch_tokens = 77;
    CHECK_STATUS(take(&sized), DGM_OK);
    CHECK_INT(sized.run.options.order.batch_tokens, 77);
    sized.run.options.fits_memory = 0;
    sized.run.state.batch_tokens = 0;
    CHECK_STATUS(take(&sized), DGM_OK);
    CHECK_INT(sized.run.state.batch_tokens, 0);
    CHECK_INT(sized.run.options.order.batch_tokens, 77);
    close_run(&sized);
}
