/*
 * test_team.c: the caller of a team is asked whether to stop, also when others leave it no work.
 */
#include "decode/team.h"
#include "device/device.h"
#include "test.h"

static dgm_status find_nothing_left(struct dgm_env *env, void *own, void *job)
{
    (void)env;
    (void)own;
    (void)job;
    return DGM_OK;
}

static dgm_status init_nothing(struct dgm_env *env, void *own, const void *like,
                               struct dgm_device *device)
{
    (void)env;
    (void)own;
    (void)like;
    (void)device;
    return DGM_OK;
}

static void clear_nothing(struct dgm_env *env, void *own)
{
    (void)env;
    (void)own;
}

static const struct dgm_team_kind nothing = { 1, init_nothing, clear_nothing };

static dgm_status stop_at_once(struct dgm_env *env, void *user)
{
    (void)user;
    return dgm_fail(env, DGM_INTERRUPTED, "stopped");
}

TEST(team_asks_the_caller_where_others_leave_it_no_work)
{
    struct dgm_env *env = test_env();
    const struct dgm_device_options options = { .threads = 2 };
    struct dgm_team team = { 0 };
    struct dgm_device *device;
    int count = 2;

    CHECK_STATUS(dgm_device_open(env, &device, "cpu", &options), DGM_OK);
    CHECK_STATUS(dgm_team_reserve(env, &team, &nothing, NULL, device, &count), DGM_OK);
    if (count < 2) {
        dgm_device_close(env, device);
        TEST_SKIP("no second thread");
    }
    env->poll = stop_at_once;
    CHECK_STATUS(dgm_team_run(env, &team, device, count, find_nothing_left, NULL), DGM_INTERRUPTED);
    CHECK_STR(env->error.message, "stopped");
    env->poll = NULL;
    dgm_env_clear_error(env);
    CHECK_STATUS(dgm_team_run(env, &team, device, count, find_nothing_left, NULL), DGM_OK);
    dgm_team_clear(env, &team);
    dgm_device_close(env, device);
}
