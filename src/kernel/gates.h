/*
 * gates.h: kernels on rows where a gate blends two inputs: highways, context gates, and simple
 * recurrent units.
 *
 * kernel/task/gates_list.h has the equations. A call handles rows, or sentences, begin..end-1;
 * arrays need no alignment. The results of a row, or a sentence, depend only on it.
 */
#ifndef DGM_KERNEL_GATES_H
#define DGM_KERNEL_GATES_H

#include <stdint.h>

#include "kernel/task/jobs.h"

struct dgm_gate_kernels {
    void (*highway_forward)(const struct dgm_highway_forward_job *job, int64_t begin, int64_t end);
    void (*highway_backward)(const struct dgm_highway_backward_job *job, int64_t begin,
                             int64_t end);
    void (*mix_forward)(const struct dgm_gated_mix_forward_job *job, int64_t begin, int64_t end);
    /*
     * dx and dc may share columns if both are accumulated. Adds to sums (2 width + 1): the
     * gradients of x_gate, of c_gate and of the bias.
     */
    void (*mix_backward)(const struct dgm_gated_mix_backward_job *job, int64_t begin, int64_t end,
                         dgm_real *sums);
    void (*ssru_forward)(const struct dgm_ssru_forward_job *job, int64_t begin, int64_t end);
    void (*ssru_backward)(const struct dgm_ssru_backward_job *job, int64_t begin, int64_t end);
};

extern const struct dgm_gate_kernels dgm_gates_c;

#endif
