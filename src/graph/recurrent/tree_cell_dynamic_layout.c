/*
 * tree_cell_dynamic_layout.c: where op_tree_cell_dynamic.c keeps what it computes.
 */
#include <string.h>

#include "graph/recurrent/tree_cell_dynamic.h"

struct dgm_ref dgm_composing_lay_out(const struct dgm_node *y, struct dgm_ref from,
                                     struct dgm_composing_work *work)
{
    const struct dgm_composing *dynamic = y->attr;
    const int64_t dim = y->cols, small = dynamic->small, wide = dynamic->blocks * small;
    const int64_t most = dynamic->most, rows = y->wants_grad ? dynamic->plan.nodes : most;

    memset(work, 0, sizeof *work);
    work->dynamic = dynamic;
    work->dim = dim;
    work->small = small;
    work->wide = wide;
    for (int k = 0; k < 2; k++) {
        work->child[k] = dgm_part_take(&from, rows, dim);
        work->small_child[k] = dgm_part_take(&from, rows, small);
        work->factor[k] = dgm_part_take(&from, rows, wide);
        work->product[k] = dgm_part_take(&from, rows, 3 * small);
        work->side[k] = dgm_part_take(&from, rows, DGM_CO_GATES * dim);
        work->dchild[k] = dgm_part_take(&from, most, dim);
    }
    work->z = dgm_part_take(&from, rows, small);
    work->t = dgm_part_take(&from, rows, 3 * wide);
    work->states = dgm_part_take(&from, y->rows, small);
    work->bias = dgm_part_take(&from, most, DGM_CO_GATES * dim);
    if (y->wants_grad) {
        work->dz = dgm_part_take(&from, rows, small);
        work->dstates = dgm_part_take(&from, y->rows, small);
        work->dsmall = dgm_part_take(&from, most, small);
        work->taus = dgm_part_take(&from, most, 3 * wide);
    }
    return from;
}

struct dgm_composing_work dgm_composing_at(const struct dgm_node *y, int64_t first)
{
    const int64_t row = y->wants_grad ? first : 0;
    struct dgm_composing_work work;

    dgm_composing_lay_out(y, y->extra, &work);
    for (int k = 0; k < 2; k++) {
        work.child[k] = dgm_part_at(work.child[k], row, 0);
        work.small_child[k] = dgm_part_at(work.small_child[k], row, 0);
        work.factor[k] = dgm_part_at(work.factor[k], row, 0);
        work.product[k] = dgm_part_at(work.product[k], row, 0);
        work.side[k] = dgm_part_at(work.side[k], row, 0);
    }
    work.z = dgm_part_at(work.z, row, 0);
    work.dz = dgm_part_at(work.dz, row, 0);
    work.t = dgm_part_at(work.t, row, 0);
    return work;
}

struct dgm_modulate dgm_composing_modulate(const struct dgm_composing_work *work, int64_t count)
{
    struct dgm_modulate core;

    memset(&core, 0, sizeof core);
    core.n = count;
    core.dim = core.ldz = work->small;
    core.blocks = work->dynamic->blocks;
    core.ld_factor[0] = core.ld_factor[1] = work->wide;
    core.ldt = 3 * work->wide;
    return core;
}
