/*
 * test_crew.c: training on ranks that are threads: the bytes of one process with buckets of any
 * size, a rank that fails within an update.
 */
#include "thread_ranks.h"
#include "training_case.h"

static struct dgm_settings settings;

static dgm_status train_rank(struct dgm_env *env, struct dgm_ranks *ranks)
{
    struct dgm_train_hooks hooks;
    struct dgm_device *device;
    struct dgm_devices devices;
    dgm_status status;

    memset(&hooks, 0, sizeof hooks);
    hooks.ranks = ranks;
    DGM_TRY(open_device(env, &device, 1));
    devices.items[0] = device;
    devices.count = 1;
    status = dgm_trainer_run(env, &devices, &settings, &hooks, &dgm_translation_learner);
    dgm_device_close(env, device);
    return status;
}

static int ends_well(struct dgm_env *env, struct dgm_ranks *ranks)
{
    return train_rank(env, ranks) == DGM_OK;
}

/* Trains `model` on several ranks; whether all of them were content. */
static int run(int ranks, const char *model, const char *const *extra,
               int (*work)(struct dgm_env *env, struct dgm_ranks *ranks))
{
    int all = make_settings(&settings, model, extra) == DGM_OK && run_ranks(ranks, work);

    dgm_settings_clear(test_env(), &settings);
    return all;
}

/* Buckets of a few parameters, and one for all; more batches than ranks, and one too few. */
TEST(crew_trains_the_bytes_of_one_process)
{
    static const char *const small[] = { "accumulate", "3", "bucket", "1K", NULL };
    static const char *const large[] = { "accumulate", "3", "bucket", "4M", NULL };

    CHECK(write_corpus());
    CHECK_STATUS(train("one", small, 1, 0, NULL), DGM_OK);
    CHECK(run(2, "two", small, ends_well));
    CHECK(run(3, "three", large, ends_well));
    CHECK(run(4, "four", small, ends_well));
    check_same_files("one", "two");
    check_same_files("one", "three");
    check_same_files("one", "four");
}

/* ---- what leaves early ----------------------------------------------------------------------- */

/* Bytes of gradients that were sent, and those before a backward pass was over, as rank 0 says. */
static unsigned long long sent, early;

static void hear(void *user, dgm_level level, const char *text)
{
    (void)user;
    (void)level;
    sscanf(text, "ranks: of %llu bytes of gradients that all have sent, %llu left", &sent, &early);
}

static int ends_heard(struct dgm_env *env, struct dgm_ranks *ranks)
{
    env->log = ranks->rank == 0 ? hear : NULL;
    env->log_level = DGM_LOG_NOTE;
    return train_rank(env, ranks) == DGM_OK;
}

/* One bucket holds the last gradient of a pass, too, and cannot leave before it; of several some
 * do, and that of the last gradient does not. */
TEST(crew_tells_what_leaves_before_a_pass_is_over)
{
    static const char *const one[] = { "accumulate", "3", "after", "10u", "bucket", "4M", NULL };
    static const char *const several[] = {
        "accumulate", "3", "after", "10u", "bucket", "1K", NULL
    };

    CHECK(write_corpus());
    sent = early = 0;
    CHECK(run(2, "one-bucket", one, ends_heard));
    CHECK(sent > 0);
    CHECK_INT((long long)early, 0);
    sent = early = 0;
    CHECK(run(2, "buckets", several, ends_heard));
    CHECK(early > 0 && early < sent);
}

/* A moving average, of which each rank has the part that it steps; one rank has nothing to step. */
TEST(crew_averages_the_values_of_one_process)
{
    static const char *const ema[] = { "accumulate", "3", "ema", "0.1", NULL };

    CHECK(write_corpus());
    CHECK_STATUS(train("one", ema, 1, 0, NULL), DGM_OK);
    CHECK(run(2, "two", ema, ends_well));
    CHECK(run(3, "three", ema, ends_well));
    check_same_files("one", "two");
    check_same_files("one", "three");
}

static int end_together(struct dgm_env *env, struct dgm_ranks *ranks)
{
    const dgm_status status = train_rank(env, ranks);

    return status == DGM_FAILURE && !ranks->is_unsafe && !ranks->is_stuck &&
           ranks->is_told == (ranks->rank != 1) &&
           strcmp(env->error.message, "rank 1 (b): the wire is torn") == 0;
}

/* Wherever in an update rank 1 fails: while it sends gradients, between two batches, or later. All
 * end with one message and without a transfer under way, and what was saved goes on. */
TEST(crew_ends_when_a_rank_fails_in_an_update)
{
    static const char *const extra[] = { "accumulate", "4", "bucket", "1K", NULL };
    static const int starts[] = { 700, 705, 711, 716, 721 };
    unsigned i;

    CHECK(write_corpus());
    CHECK_STATUS(train("whole", extra, 1, 0, NULL), DGM_OK);
    for (i = 0; i < sizeof starts / sizeof starts[0]; i++) {
        char name[16], folder[32];
        snprintf(name, sizeof name, "torn%u", i);
        snprintf(folder, sizeof folder, "%s.ckpt", name);
        wire.failing = 1;
        wire.starts = starts[i];
        CHECK(run(3, name, extra, end_together));
        CHECK_INT(wire.starts, 0);
        wire.starts = 0;
        CHECK(exists(folder) && !exists(name));
        CHECK(run(2, name, extra, ends_well));
        if (!is_double()) /* checkpoints hold f32: a resume rounds */
            check_same_files("whole", name);
    }
}
