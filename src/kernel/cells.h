/*
 * cells.h: kernels on rows of recurrent cells: one step of a gated recurrent unit, with one state
 * before it or two (trees), and what gives it dynamic weights.
 *
 * device/task.h has the equations. Rows begin..end-1 are worked on; arrays need no alignment. A
 * row's results depend on nothing but the row.
 */
#ifndef DGM_KERNEL_CELLS_H
#define DGM_KERNEL_CELLS_H

#include <stddef.h>
#include <stdint.h>

#include "base/real.h"

/* The states that cells start from; state NULL: zeros. */
struct dgm_cell_states {
    const dgm_real *state;
    const int32_t *first, *second; /* NULL: row i itself; no second state */
    int64_t lds;
    dgm_real carry;
};

struct dgm_gated_cell_rows {
    dgm_real *y, *saved;   /* saved NULL: not wanted */
    const dgm_real *x, *h; /* h NULL: zeros; x NULL: in h; h may be in `saved` */
    struct dgm_cell_states from;
    int64_t dim, ldy, ld_saved, ldx, ldh;
};

struct dgm_gated_cell_grad {
    dgm_real *dx, *dh, *dcarry; /* NULL: not wanted; dh may be in `saved` */
    const dgm_real *dy, *saved;
    struct dgm_cell_states from;
    int64_t dim, lddx, lddh, lddcarry, lddy, ld_saved;
    int joint, accumulate_x, accumulate_h, accumulate_carry;
};

struct dgm_modulate_rows {
    dgm_real *t;
    const dgm_real *z, *factor[3]; /* NULL: absent */
    int64_t dim, blocks, ldz, ld_factor[3], ldt;
};

struct dgm_modulate_grad {
    dgm_real *dz, *dfactor[3]; /* NULL: not wanted; may be what they are gradients of */
    const dgm_real *dt, *z, *factor[3];
    int64_t dim, blocks, ldz, ld_factor[3], lddf[3], ldt;
    int accumulate[3];
};

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
    void (*gated_forward)(const struct dgm_gated_cell_rows *job, int64_t begin, int64_t end);
    void (*gated_backward)(const struct dgm_gated_cell_grad *job, int64_t begin, int64_t end);
    void (*modulate_forward)(const struct dgm_modulate_rows *job, int64_t begin, int64_t end);
    void (*modulate_backward)(const struct dgm_modulate_grad *job, int64_t begin, int64_t end);
};

extern const struct dgm_cell_kernels dgm_cells_c;

#endif
