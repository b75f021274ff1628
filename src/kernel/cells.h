/*
 * cells.h: kernels on rows of recurrent cells: one step of a gated recurrent unit, with one state
 * before it or two (trees), and the modulation that gives it dynamic weights.
 *
 * kernel/task/cells_list.h has the equations. A call handles rows begin..end-1; arrays need no
 * alignment. The results of a row depend only on the row.
 */
#ifndef DGM_KERNEL_CELLS_H
#define DGM_KERNEL_CELLS_H

#include <stddef.h>
#include <stdint.h>

#include "kernel/task/jobs.h"

/* The states that cells start from; state NULL: zeros. */
struct dgm_cell_states {
    const dgm_real *state;
    const int32_t *first, *second; /* NULL: row i itself; no second state */
    int64_t lds;
    dgm_real carry;
};

/* An initialiser: those of a job. */
#define DGM_CELL_STATES(job)                                                \
    {                                                                       \
        (job)->state, (job)->first, (job)->second, (job)->lds, (job)->carry \
    }

/* The first, or the second, state of row i; NULL: zeros. */
static inline const dgm_real *dgm_cell_first(const struct dgm_cell_states *from, int64_t i)
{
    const int64_t row = from->first ? from->first[i] : i;

    return from->state && row >= 0 ? from->state + row * from->lds : NULL;
}

static inline const dgm_real *dgm_cell_second(const struct dgm_cell_states *from, int64_t i)
{
    const int64_t row = from->second ? from->second[i] : -1;

    return from->state && row >= 0 ? from->state + row * from->lds : NULL;
}

struct dgm_cell_kernels {
    void (*gated_forward)(const struct dgm_gated_cell_forward_job *job, int64_t begin, int64_t end);
    void (*gated_backward)(const struct dgm_gated_cell_backward_job *job, int64_t begin,
                           int64_t end);
    void (*modulate_forward)(const struct dgm_modulate_forward_job *job, int64_t begin,
                             int64_t end);
    void (*modulate_backward)(const struct dgm_modulate_backward_job *job, int64_t begin,
                              int64_t end);
};

extern const struct dgm_cell_kernels dgm_cells_c;

#endif
