/*
 * gru_dynamic.c: where op_gru_dynamic.c keeps what it computes, and the pieces of OUT t.
 *
 * OUT t gives a row's four gates. u and r are sums over all four parts of t, but h is not: its
 * recurrent half [t_W t_U] is multiplied by the reset gate before the half of the input [t_V z] is
 * added, so that both halves are products of their own and stand side by side in the gates: columns
 * u r h_recurrent h_input, D each. That is why there is one piece more than there are blocks of Q.
 */
#include "graph/recurrent/gru_dynamic.h"

#include <string.h>

#include "graph/recurrent/gru_plan.h"

struct dgm_ref dgm_gru_dynamic_lay_out(const struct dgm_node *y, struct dgm_ref from,
                                       struct dgm_gru_dynamic_work *work)
{
    const struct dgm_gru_dynamic_op *dynamic = y->attr;
    const struct dgm_gru_plan *plan = &dynamic->plan;
    const int64_t dim = y->cols, small = dynamic->small, wide = dynamic->blocks * small;
    const int64_t block = dgm_gru_plan_most_in_block(plan), side = dgm_gru_plan_most_in_side(plan);

    memset(work, 0, sizeof *work);
    work->dynamic = dynamic;
    work->dim = dim;
    work->small = small;
    work->wide = wide;
    for (int s = 0; s < plan->sides; s++) {
        const int64_t rows = dynamic->is_kept ? plan->side[s].rows : block;
        struct dgm_gru_dynamic_store *store = &work->sides[s];
        store->factors = dgm_matrix_take(&from, rows, 2 * wide + 3 * small);
        store->meta = dgm_matrix_take(&from, rows, 4 * small);
        store->z = dgm_matrix_take(&from, rows, small);
        store->t = dgm_matrix_take(&from, rows, 4 * wide);
        store->gates = dgm_matrix_take(&from, rows, 4 * dim);
        store->stack[0] = dgm_matrix_take(&from, wide + 3 * small, dim);
        store->stack[1] = dgm_matrix_take(&from, wide + 3 * small, dim);
    }
    work->meta = dgm_matrix_take(&from, plan->roots + plan->rows, small);
    if (dynamic->is_kept) {
        work->dmeta = dgm_matrix_take(&from, plan->roots + plan->rows, small);
        work->taus = dgm_matrix_take(&from, block, 4 * wide);
        work->more = dgm_matrix_take(&from, block, dim).at;
    }
    work->rows = dgm_matrix_take(&from, side > block ? side : block, dim).at;
    return from;
}

struct dgm_gru_dynamic_store dgm_gru_dynamic_store_of(const struct dgm_gru_dynamic_work *work,
                                                      const struct dgm_gru_block *block)
{
    const int64_t row = work->dynamic->is_kept ? block->in_side : 0;
    struct dgm_gru_dynamic_store store = work->sides[block->side];

    store.factors = dgm_matrix_at(store.factors, row, 0);
    store.meta = dgm_matrix_at(store.meta, row, 0);
    store.z = dgm_matrix_at(store.z, row, 0);
    store.t = dgm_matrix_at(store.t, row, 0);
    store.gates = dgm_matrix_at(store.gates, row, 0);
    return store;
}

int dgm_gru_dynamic_pieces(const struct dgm_gru_dynamic_op *dynamic,
                           struct dgm_gru_dynamic_piece pieces[DGM_GRU_DYNAMIC_PIECES])
{
    /* Q has a block for u and r together, and one for h. */
    static const struct dgm_gru_dynamic_piece shared[] = {
        { .gate = 0, .gates = 2, .block = 0, .first = 0, .width = 4, .to = 0 },
        { .gate = 2, .gates = 1, .block = 1, .first = 0, .width = 2, .to = 2 },
        { .gate = 2, .gates = 1, .block = 1, .first = 2, .width = 2, .to = 3 },
    };
    /* Q has a block for each gate. */
    static const struct dgm_gru_dynamic_piece own[] = {
        { .gate = 0, .gates = 1, .block = 0, .first = 0, .width = 4, .to = 0 },
        { .gate = 1, .gates = 1, .block = 1, .first = 0, .width = 4, .to = 1 },
        { .gate = 2, .gates = 1, .block = 2, .first = 0, .width = 2, .to = 2 },
        { .gate = 2, .gates = 1, .block = 2, .first = 2, .width = 2, .to = 3 },
    };

    if (dynamic->blocks == 2)
        memcpy(pieces, shared, sizeof shared);
    else
        memcpy(pieces, own, sizeof own);
    return dynamic->blocks == 2 ? 3 : 4;
}

struct dgm_gru_dynamic_parts dgm_gru_dynamic_parts_of(const struct dgm_gru_dynamic_work *work,
                                                      const struct dgm_gru_dynamic_piece *piece,
                                                      struct dgm_matrix t, struct dgm_matrix gates,
                                                      struct dgm_ref out)
{
    struct dgm_gru_dynamic_parts parts;

    parts.t = dgm_matrix_at(t, 0, (4 * piece->block + piece->first) * work->small);
    parts.gates = dgm_matrix_at(gates, 0, piece->to * work->dim);
    parts.out = dgm_matrix_at(dgm_matrix(out, 4 * work->small), piece->gate * work->dim,
                              piece->first * work->small);
    return parts;
}

struct dgm_modulate dgm_gru_dynamic_modulate(const struct dgm_gru_dynamic_work *work,
                                             const struct dgm_gru_dynamic_store *store,
                                             int64_t count)
{
    struct dgm_modulate core;

    core.n = count;
    core.dim = core.ldz = work->small;
    core.blocks = work->dynamic->blocks;
    core.ld_factor[0] = core.ld_factor[1] = store->factors.ld;
    core.ld_factor[2] = work->wide;
    core.ldt = 4 * work->wide;
    return core;
}
