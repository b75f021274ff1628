/*
 * capacity.c: how much memory the process may come to use: that of the machine, or less where a
 * control group or a limit of the process says so.
 *
 * Control groups of Linux lie in each other: each above that of the process may have a limit, too.
 */
#include "base/system/capacity.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <unistd.h>

#include "base/number/number.h"

#define GROUPS "/sys/fs/cgroup"

enum { PATH_SIZE = 1200, TEXT_SIZE = 4096 };

/* Of two, of which 0 is none. */
static int64_t less(int64_t a, int64_t b)
{
    return a == 0 || (b > 0 && b < a) ? b : a;
}

static int64_t of_machine(void)
{
#ifdef _SC_PHYS_PAGES
    const long pages = sysconf(_SC_PHYS_PAGES), unit = sysconf(_SC_PAGESIZE);

    return pages > 0 && unit > 0 ? (int64_t)pages * unit : 0;
#else
    return 0;
#endif
}

static int64_t of_process(void)
{
    struct rlimit limit;

    if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY ||
        limit.rlim_cur > INT64_MAX)
        return 0;
    return (int64_t)limit.rlim_cur;
}

/* ---- control groups -------------------------------------------------------------------------- */

/* The beginning of a small file; "" where there is none. */
static void read_text(char text[TEXT_SIZE], const char *path)
{
    const int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t size = fd >= 0 ? read(fd, text, TEXT_SIZE - 1) : 0;

    if (fd >= 0)
        close(fd);
    text[size > 0 ? size : 0] = '\0';
}

int64_t dgm_capacity_limit(const char *text)
{
    int64_t bytes = 0;

    return dgm_number_int(&bytes, text, strcspn(text, "\n")) && bytes > 0 ? bytes : 0;
}

int dgm_capacity_group(const char *text, const char **path)
{
    while (strncmp(text, "0::/", 4) != 0) {
        text = strchr(text, '\n');
        if (text == NULL)
            return 0;
        text++;
    }
    *path = text + 3;
    return (int)strcspn(*path, "\n");
}

/* Of the group "/a/b", of "/a", and of all. */
static int64_t of_groups(void)
{
    char text[TEXT_SIZE], limit[TEXT_SIZE], path[PATH_SIZE];
    const char *group = NULL;
    int64_t least = 0;

    read_text(text, "/proc/self/cgroup");
    for (int length = dgm_capacity_group(text, &group); length > 0; length--) {
        if (length > 1 && length < (int)strlen(group) && group[length] != '/' &&
            group[length] != '\n')
            continue;
        snprintf(path, sizeof path, GROUPS "%.*s/memory.max", length, group);
        read_text(limit, path);
        least = less(least, dgm_capacity_limit(limit));
    }
    read_text(limit, GROUPS "/memory/memory.limit_in_bytes"); /* version 1 */
    return less(least, dgm_capacity_limit(limit));
}

int64_t dgm_capacity_memory(void)
{
    return less(of_machine(), less(of_process(), of_groups()));
}
