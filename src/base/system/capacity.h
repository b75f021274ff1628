/*
 * capacity.h: how much memory the process may come to use.
 */
#ifndef DGM_BASE_SYSTEM_CAPACITY_H
#define DGM_BASE_SYSTEM_CAPACITY_H

#include <stdint.h>

/* Bytes: what the machine has or, where that is less, what the system lets the process have (a
 * limit of its control group, of a container, or of `ulimit -v`). It does not matter what is in
 * use. 0: not known. */
int64_t dgm_capacity_memory(void);

/* The same limit of a control group, in bytes, from the text of the file that holds it ("max\n",
 * "1073741824\n"); 0: none. */
int64_t dgm_capacity_limit(const char *text);
/* The path of the process's control group from the text of /proc/self/cgroup, which has a line
 * "0::/PATH" of version 2; its length, 0: it has none there. */
int dgm_capacity_group(const char *text, const char **path);

#endif
