/*
 * compose.h: kernels on rows where two constituents of a tree are composed into one.
 *
 * kernel/task/compose_list.h has the equations. A call handles rows begin..end-1; arrays need no
 * alignment. The results of a row depend only on the row.
 */
#ifndef DGM_KERNEL_COMPOSE_H
#define DGM_KERNEL_COMPOSE_H

#include <stdint.h>

#include "kernel/task/jobs.h"

/*
 * Both ways, left and right have P D reals in a row: P = dgm_compose_parts is 5, or 6 where each
 * state is mixed in by a gate of its own. Forward leaves [r_L | r_R | z_L | z_R | .. | q_L] in left
 * and [z_C | c | .. | q_R] in right. Child sums: [u | r_L | q_L] in left and [c | r_R | q_R] in
 * right, 3 K reals in a row each.
 */
struct dgm_compose_kernels {
    void (*forward)(const struct dgm_compose_forward_job *job, int64_t begin, int64_t end);
    void (*backward)(const struct dgm_compose_backward_job *job, int64_t begin, int64_t end);
    void (*child_sum_forward)(const struct dgm_child_sum_forward_job *job, int64_t begin,
                              int64_t end);
    void (*child_sum_backward)(const struct dgm_child_sum_backward_job *job, int64_t begin,
                               int64_t end);
};

extern const struct dgm_compose_kernels dgm_compose_c;

#endif
