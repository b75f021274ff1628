/*
 * test_lock.c: lock files: who has one, what is refused and why, and what is left when a call of
 * the system fails.
 */
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file/lock.h"
#include "failing_vfs.h"
#include "fork_case.h"
#include "test.h"

static const char *at(char path[1200], const char *name)
{
    snprintf(path, 1200, "%s/%s", test_dir(), name);
    return path;
}

static int is_there(const char *name)
{
    struct stat info;
    char path[1200];

    return lstat(at(path, name), &info) == 0;
}

static void check_message(const char *part)
{
    if (strstr(test_env()->error.message, part) == NULL)
        CHECK_STR(test_env()->error.message, part);
    dgm_env_clear_error(test_env());
}

static char heard[2000];

static void hear(void *user, dgm_level level, const char *text)
{
    (void)user;
    (void)level;
    snprintf(heard, sizeof heard, "%s", text);
}

TEST(lock_names_a_file_system_without_locks)
{
    static const int errors[] = { ENOLCK, ENOTSUP, EOPNOTSUPP, ENOSYS };
    struct dgm_env *env = test_env();
    struct dgm_lock lock;
    char path[1200];
    size_t i;

    at(path, "lock");
    for (i = 0; i < sizeof errors / sizeof errors[0]; i++) {
        failing_begin(env, 0, "lock", errors[i]);
        CHECK_STATUS(dgm_lock_take(env, &lock, path, 0), DGM_FAILURE);
        check_message("this file system has no locks");
        CHECK_INT(failing.open, 0);
        CHECK(!is_there("lock"));
    }
    env->log = hear;
    env->log_level = DGM_LOG_WARNING;
    CHECK_STATUS(dgm_lock_take(env, &lock, path, 1), DGM_OK);
    env->log = NULL;
    CHECK(strstr(heard, "nothing keeps a second trainer") != NULL);
    failing_end(env);
    dgm_lock_drop(env, &lock);
}

/* Also where locks may be lacking: here they are not. */
TEST(lock_names_the_process_that_has_it_and_leaves_it_its_file)
{
    struct dgm_env *env = test_env();
    struct dgm_lock lock, second;
    char path[1200];
    int state = -1;
    pid_t child;

    CHECK_STATUS(dgm_lock_take(env, &lock, at(path, "lock"), 0), DGM_OK);
    CHECK_INT(lock.made, 1);
    fflush(stdout);
    child = fork();
    if (child == 0) {
        char want[80];
        snprintf(want, sizeof want, "in use by process %ld;", (long)getppid());
        _exit(dgm_lock_take(env, &second, path, 1) != DGM_FAILURE ||
              strstr(env->error.message, want) == NULL);
    }
    CHECK(child > 0 && waitpid(child, &state, 0) == child);
    CHECK_INT(state, 0);
    CHECK(is_there("lock"));
    failing_begin(env, 0, "lock", EAGAIN); /* and no process is known */
    CHECK_STATUS(dgm_lock_take(env, &second, at(path, "far"), 0), DGM_FAILURE);
    failing_end(env);
    check_message("another machine or container");
    CHECK(is_there("far"));
    dgm_lock_undo(env, &lock, at(path, "lock"));
    CHECK(!is_there("lock"));
}

TEST(lock_that_was_there_before_stays_when_it_is_undone)
{
    struct dgm_env *env = test_env();
    struct dgm_lock lock;
    char path[1200];

    CHECK(fclose(fopen(at(path, "lock"), "wb")) == 0);
    CHECK_STATUS(dgm_lock_take(env, &lock, path, 0), DGM_OK);
    CHECK_INT(lock.made, 0);
    dgm_lock_undo(env, &lock, path);
    CHECK(is_there("lock"));
}

/* ---- a holder that lets go at the last moment ------------------------------------------------ */

static char let_go_path[1200];
static int let_go_left; /* how often the holder removes its file just before we have the lock; every
                         * other time somebody makes a new one at once */

static int lock_of_a_removed_file(void *user, int fd, long *holder)
{
    if (let_go_left > 0) {
        let_go_left--;
        unlink(let_go_path);
        if (let_go_left % 2 == 1)
            fclose(fopen(let_go_path, "wb"));
    }
    return dgm_vfs_system.lock(user, fd, holder);
}

/* A lock on a file without a name keeps nobody out: the next trainer would make a file of its
 * own. */
TEST(lock_is_on_the_file_that_has_the_name)
{
    struct dgm_env *env = test_env();
    struct dgm_vfs vfs = dgm_vfs_system;
    struct dgm_lock lock;
    struct stat open, named;

    vfs.lock = lock_of_a_removed_file;
    env->vfs = &vfs;
    at(let_go_path, "lock");
    let_go_left = 3;
    CHECK_STATUS(dgm_lock_take(env, &lock, let_go_path, 0), DGM_OK);
    CHECK_INT(let_go_left, 0);
    CHECK(stat(let_go_path, &named) == 0 && fstat(lock.fd, &open) == 0);
    CHECK(open.st_ino == named.st_ino && open.st_dev == named.st_dev);
    dgm_lock_undo(env, &lock, let_go_path);
    let_go_left = 1000;
    CHECK_STATUS(dgm_lock_take(env, &lock, let_go_path, 0), DGM_FAILURE);
    check_message("made and removed again and again");
    env->vfs = &dgm_vfs_system;
}

/* Somebody else may have put anything there. */
TEST(lock_follows_no_link_and_waits_for_no_pipe)
{
    struct dgm_env *env = test_env();
    struct dgm_lock lock;
    char path[1200];
    FILE *file = fopen(at(path, "precious"), "wb");

    CHECK(file != NULL && fputs("words", file) >= 0 && fclose(file) == 0);
    CHECK(symlink("precious", at(path, "link")) == 0);
    CHECK_STATUS(dgm_lock_take(env, &lock, path, 0), DGM_FAILURE);
    check_message("regular file");
    CHECK(symlink("nowhere", at(path, "loose")) == 0);
    CHECK_STATUS(dgm_lock_take(env, &lock, path, 0), DGM_FAILURE);
    check_message("regular file");
    CHECK(!is_there("nowhere"));
    CHECK(mkfifo(at(path, "pipe"), 0666) == 0);
    CHECK_STATUS(dgm_lock_take(env, &lock, path, 0), DGM_FAILURE);
    check_message("regular file");
    file = fopen(at(path, "precious"), "rb");
    CHECK(file != NULL && fgetc(file) == 'w' && fclose(file) == 0);
}

/* Whichever call fails: an error and nothing left, or the lock. */
TEST(lock_leaves_nothing_when_a_call_fails)
{
    struct dgm_env *env = test_env();
    struct dgm_lock lock;
    char path[1200];
    long n;

    at(path, "lock");
    for (n = 1; n < 40; n++) {
        failing_begin(env, n, NULL, EIO);
        if (dgm_lock_take(env, &lock, path, 0) == DGM_OK)
            dgm_lock_undo(env, &lock, path);
        else
            CHECK(failing.calls >= n);
        CHECK_INT(failing.open, 0);
        CHECK(!is_there("lock") || strcmp(failing.failed, "remove") == 0);
        unlink(path);
        dgm_env_clear_error(env);
        if (failing.calls < n)
            break;
    }
    failing_end(env);
    CHECK(n > 7 && n < 40);
}

/* ---- forked while a thread takes one --------------------------------------------------------- */

/* A thread in a file system that does not answer: it says that it has come to that, and waits. */
static int came[2], answers[2];

static int lock_late(void *user, int fd, long *holder)
{
    char byte = 0;

    if (write(came[1], &byte, 1) != 1 || read(answers[0], &byte, 1) != 1)
        return -1;
    return dgm_vfs_system.lock(user, fd, holder);
}

static void *take_late(void *user)
{
    struct dgm_env env = *test_env();
    struct dgm_vfs vfs = dgm_vfs_system;
    struct dgm_lock lock;

    vfs.lock = lock_late;
    env.vfs = &vfs;
    *(dgm_status *)user = dgm_lock_take(&env, &lock, "late", 0);
    dgm_lock_undo(&env, &lock, "late");
    return NULL;
}

static int take_in_child(void *user)
{
    struct dgm_lock lock;

    if (dgm_lock_take(test_env(), &lock, user, 0) != DGM_OK)
        return 1;
    dgm_lock_undo(test_env(), &lock, user);
    return 0;
}

TEST(lock_can_be_taken_in_a_child_that_was_forked_while_a_thread_took_one)
{
    dgm_status status = DGM_FAILURE;
    pthread_t thread;
    char path[1200], byte = 0;

    CHECK(chdir(test_dir()) == 0 && pipe(came) == 0 && pipe(answers) == 0);
    CHECK(pthread_create(&thread, NULL, take_late, &status) == 0);
    CHECK(read(came[0], &byte, 1) == 1);
    at(path, "child");
    CHECK_INT(fork_and_run(take_in_child, path), 0);
    CHECK(write(answers[1], &byte, 1) == 1);
    pthread_join(thread, NULL);
    CHECK_STATUS(status, DGM_OK);
    CHECK(!is_there("child") && !is_there("late"));
}
