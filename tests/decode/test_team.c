/*
 * test_team.c: the caller of a team is asked whether to stop, also when others leave it no work.
 */
#include "decode/team.h"
#include <pthread.h>
#include <string.h>

#include "device/device.h"
#include "fork_case.h"
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

/* The caller waits until another member works, and forks. */
struct meeting {
    pthread_mutex_t lock;
    pthread_cond_t moved;
    int is_met, is_over, is_child;
};

static void fork_when_met(struct meeting *meeting)
{
    while (!meeting->is_met)
        pthread_cond_wait(&meeting->moved, &meeting->lock);
    fflush(stdout);
    meeting->is_child = fork() == 0;
    if (meeting->is_child)
        alarm(FORK_GUARD);
    meeting->is_over = 1;
}

static dgm_status meet(struct dgm_env *env, void *own, void *job)
{
    struct meeting *meeting = job;

    (void)env;
    pthread_mutex_lock(&meeting->lock);
    if (own == NULL)
        fork_when_met(meeting);
    meeting->is_met = 1;
    pthread_cond_broadcast(&meeting->moved);
    while (own != NULL && !meeting->is_over)
        pthread_cond_wait(&meeting->moved, &meeting->lock);
    pthread_mutex_unlock(&meeting->lock);
    return DGM_OK;
}

TEST(team_ends_in_a_child_that_comes_back_from_a_callback)
{
    struct meeting meeting = { .lock = PTHREAD_MUTEX_INITIALIZER,
                               .moved = PTHREAD_COND_INITIALIZER };
    struct dgm_env *env = test_env();
    const struct dgm_device_options options = { .threads = 2 };
    struct dgm_team team = { 0 };
    struct dgm_device *device;
    int count = 2, state = -1;
    dgm_status status;

    if (fork_lacks() != NULL)
        TEST_SKIP(fork_lacks());
    CHECK_STATUS(dgm_device_open(env, &device, "cpu", &options), DGM_OK);
    CHECK_STATUS(dgm_team_reserve(env, &team, &nothing, NULL, device, &count), DGM_OK);
    if (count < 2) {
        dgm_device_close(env, device);
        TEST_SKIP("no second thread");
    }
    status = dgm_team_run(env, &team, device, count, meet, &meeting);
    if (meeting.is_child)
        _exit(status != DGM_USAGE || strstr(env->error.message, "forked the process") == NULL);
    CHECK_STATUS(status, DGM_OK);
    CHECK(wait(&state) > 0);
    CHECK_INT(state, 0);
    dgm_team_clear(env, &team);
    dgm_device_close(env, device);
}
