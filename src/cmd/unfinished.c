/*
 * unfinished.c: the temporary files of outputs, for the moment when a signal ends the program.
 *
 * A signal handler may read this at any time. So a name is written as a whole before it counts, and
 * nothing is ever moved.
 */
#include "cmd/unfinished.h"

#include <signal.h>
#include <string.h>
#include <unistd.h>

enum { FILES = 64 };

static char names[FILES][1024];
static volatile sig_atomic_t count;
static volatile sig_atomic_t is_held, waiting; /* waiting: a signal, or 0 */

void dgm_unfinished_add(const char *path)
{
    size_t length = strlen(path);

    if (count == FILES || length >= sizeof names[0])
        return;
    memcpy(names[count], path, length + 1);
    count = count + 1;
}

void dgm_unfinished_drop(void)
{
    count = 0;
}

void dgm_unfinished_remove(void)
{
    int i;

    for (i = 0; i < count; i++)
        (void)unlink(names[i]);
}

int dgm_unfinished_waits(int signal)
{
    if (is_held)
        waiting = signal;
    return is_held;
}

void dgm_unfinished_hold(void)
{
    is_held = 1;
}

void dgm_unfinished_let_go(void)
{
    is_held = 0;
    if (waiting != 0)
        raise(waiting);
}
