/*
 * fork_case.h: what a forked child does, and how it ends.
 */
#ifndef DGM_FORK_CASE_H
#define DGM_FORK_CASE_H

#include <stdio.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

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
