/*
 * fork_case.h: what a forked child does, and how it ends.
 */
#ifndef DGM_FORK_CASE_H
#define DGM_FORK_CASE_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

#ifdef __has_feature
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define FORK_SANITIZED 1
#endif
#elif defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define FORK_SANITIZED 1
#endif
#ifndef FORK_SANITIZED
#define FORK_SANITIZED 0
#endif

/*
 * Why no process that has threads is forked here; NULL: it may be. AddressSanitizer's allocator
 * (clang 14) stays locked in the child if a thread was inside, which that of a C library does not;
 * a thread that a child starts ends qemu's user mode (7.2, plugins/core.c).
 */
static inline const char *fork_lacks(void)
{
    const char *emulator = getenv("TARGET_EXEC");

    if (FORK_SANITIZED)
        return "a sanitizer's allocator may be locked in a forked child";
    if (emulator != NULL && strncmp(emulator, "qemu", 4) == 0)
        return "the emulator has no threads in forked children";
    return NULL;
}

/* Seconds after which a child hangs that does the work of an instant. */
enum { FORK_GUARD = 100 };

/* Runs fn in a child: what it returns, from 0 on; 256 and the number of the signal that has ended
 * it, SIGALRM if it hangs; -1: there is no child. */
static inline int fork_and_run(int (*fn)(void *user), void *user)
{
    int state = 0;
    pid_t child;

    fflush(stdout);
    child = fork();
    if (child == 0) {
        alarm(FORK_GUARD);
        state = fn(user);
        fflush(stdout);
        _exit(state);
    }
    if (child < 0 || waitpid(child, &state, 0) != child)
        return -1;
    return WIFEXITED(state) ? WEXITSTATUS(state) : 256 + WTERMSIG(state);
}

#endif
