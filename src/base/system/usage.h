/*
 * usage.h: how much memory the process uses, as the system counts it: program, stacks and all.
 */
#ifndef DGM_BASE_SYSTEM_USAGE_H
#define DGM_BASE_SYSTEM_USAGE_H

#include <stddef.h>

/* Bytes that lie in memory now; where the system does not tell, the most that ever did; 0: not
 * known. */
size_t dgm_usage_now(void);

/* The most that ever did; 0: not known. */
size_t dgm_usage_peak(void);

/* The most that the process will use, if its work takes no more than that many bytes in all from
 * now on: what is behind it, such as reading long lines, may have taken more. */
double dgm_usage_most(double bytes);

#endif
