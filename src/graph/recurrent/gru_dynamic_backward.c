/*
 * gru_dynamic_backward.c: the gradients of op_gru_dynamic.c, from the last block to the first,
 * then those of the weights.
 */
#include <string.h>

#include "graph/recurrent/gru_dynamic.h"

/* Which gradients of inputs by rows are added to, for each side. */
struct reverse {
    struct dgm_dynamic_work work;
    int accumulate_word[DGM_GRU_SIDES], accumulate_meta[DGM_GRU_SIDES];
};

/* Gradients of the gates; `rows` and `more`: what goes straight on to parents and siblings. */
static dgm_status backward_cells(struct dgm_graph *g, const struct dgm_node *y,
                                 const struct dgm_dynamic_work *work,
                                 const struct dgm_gru_block *block,
                                 const struct dgm_dynamic_store *store)
{
    const struct dgm_gru_side *side = &work->dynamic->plan.side[block->side];
    struct dgm_gated_cell_backward_args cell;

    memset(&cell, 0, sizeof cell);
    cell.n = block->count;
    cell.dim = cell.lddcarry = cell.lddy = cell.lds = work->dim;
    cell.ld_saved = cell.lddh = store->gates.ld;
    cell.carry = work->dynamic->carry;
    cell.joint = 1;
    cell.dcarry = work->rows;
    cell.saved = cell.dh = store->gates.at;
    cell.dy = dgm_part_at(dgm_part(y->grad, work->dim), block->first, 0).at;
    cell.state = y->value;
    cell.first = dgm_list_at(side->parent, block->in_side);
    cell.second = dgm_list_at(side->sibling, block->in_side);
    DGM_TRY(dgm_device_run(g->env, g->device, DGM_TASK_gated_cell_backward, &cell));
    return dgm_part_copy(g, work->more, work->rows, block->count * work->dim, 0);
}

/* Gradients of t, and by these of f, of z and of the words. */
static dgm_status backward_factors(struct dgm_graph *g, const struct dgm_node *y,
                                   const struct reverse *reverse, const struct dgm_gru_block *block,
                                   const struct dgm_dynamic_store *store)
{
    const struct dgm_dynamic_work *work = &reverse->work;
    struct dgm_modulate_backward_args modulate;
    struct dgm_dynamic_piece pieces[DGM_DY_PIECES];
    const struct dgm_node *out = dgm_dynamic_input(y, block->side, DGM_DY_OUT);
    const struct dgm_node *word = dgm_dynamic_input(y, block->side, DGM_DY_WORD);
    const int count = dgm_dynamic_pieces(work->dynamic, pieces);

    for (int i = 0; i < count; i++) {
        const struct dgm_dynamic_parts parts =
            dgm_dynamic_parts_of(work, &pieces[i], work->taus, store->gates, out->value);
        const struct dgm_product product =
            dgm_product(DGM_NN, block->count, pieces[i].width * work->small,
                        pieces[i].gates * work->dim, 0);
        DGM_TRY(dgm_part_product(g, &product, parts.t, parts.gates, parts.out));
    }
    memset(&modulate, 0, sizeof modulate);
    modulate.core = dgm_dynamic_modulate(work, store, block->count);
    modulate.dt = work->taus.at;
    modulate.dz = modulate.z = store->z.at;
    modulate.dfactor[0] = modulate.factor[0] = store->factors.at;
    modulate.dfactor[1] = modulate.factor[1] =
        dgm_part_at(store->factors, 0, work->wide + 3 * work->small).at;
    modulate.factor[2] =
        dgm_dynamic_rows(dgm_dynamic_input(y, block->side, DGM_DY_WORD)->value, work->wide, block);
    modulate.lddf[0] = modulate.lddf[1] = store->factors.ld;
    modulate.lddf[2] = work->wide;
    if (dgm_dynamic_wants(y, block->side, DGM_DY_WORD)) {
        modulate.dfactor[2] = dgm_dynamic_rows(word->grad, work->wide, block);
        modulate.accumulate[2] = reverse->accumulate_word[block->side];
    }
    return dgm_device_run(g->env, g->device, DGM_TASK_modulate_backward, &modulate);
}

/* From the gradients of z to those of the small states, and of W_z. */
static dgm_status backward_z(struct dgm_graph *g, const struct dgm_node *y,
                             const struct dgm_dynamic_work *work, const struct dgm_gru_block *block,
                             const struct dgm_dynamic_store *store)
{
    const struct dgm_node *weight = dgm_dynamic_input(y, block->side, DGM_DY_Z);
    const struct dgm_part part = dgm_part(weight->value, work->small);
    const struct dgm_product down = dgm_product(DGM_NN, block->count, work->small, work->small, 1);
    const struct dgm_product grad = dgm_product(DGM_TN, work->small, work->small, block->count, 1);

    DGM_TRY(dgm_part_product(g, &down, dgm_part_at(work->dmeta, block->first, 0), store->z, part));
    if (!dgm_dynamic_wants(y, block->side, DGM_DY_Z))
        return DGM_OK;
    return dgm_part_product(g, &grad, dgm_part(weight->grad, work->small), store->z,
                            dgm_part_at(work->meta, block->first, 0));
}

/* The cells of the small network: their gradients replace the middle part of f. */
static dgm_status backward_meta(struct dgm_graph *g, const struct dgm_node *y,
                                const struct reverse *reverse, const struct dgm_gru_block *block,
                                const struct dgm_dynamic_store *store)
{
    const struct dgm_dynamic_work *work = &reverse->work;
    const struct dgm_gru_side *side = &work->dynamic->plan.side[block->side];
    struct dgm_gated_cell_backward_args cell;

    memset(&cell, 0, sizeof cell);
    cell.n = block->count;
    cell.dim = cell.lddcarry = cell.lddy = cell.lds = work->small;
    cell.ld_saved = store->meta.ld;
    cell.lddh = store->factors.ld;
    cell.lddx = 3 * work->small;
    cell.carry = work->dynamic->carry;
    cell.dcarry = work->taus.at; /* free by now */
    cell.saved = store->meta.at;
    cell.dh = dgm_part_at(store->factors, 0, work->wide).at;
    cell.dy = dgm_part_at(work->dmeta, block->first, 0).at;
    cell.state = work->meta.at;
    cell.first = dgm_list_at(side->parent, block->in_side);
    cell.second = dgm_list_at(side->sibling, block->in_side);
    if (dgm_dynamic_wants(y, block->side, DGM_DY_WORD_META)) {
        cell.dx = dgm_dynamic_rows(dgm_dynamic_input(y, block->side, DGM_DY_WORD_META)->grad,
                                   cell.lddx, block);
        cell.accumulate_x = reverse->accumulate_meta[block->side];
    }
    DGM_TRY(dgm_device_run(g->env, g->device, DGM_TASK_gated_cell_backward, &cell));
    DGM_TRY(
        dgm_part_scatter(g, work->dmeta.at, cell.dcarry, cell.first, block->count, work->small));
    return dgm_part_scatter(g, work->dmeta.at, cell.dcarry, cell.second, block->count, work->small);
}

/* What parents and siblings get, by way of f and straight. */
static dgm_status backward_states(struct dgm_graph *g, const struct dgm_node *y,
                                  const struct dgm_dynamic_work *work,
                                  const struct dgm_gru_block *block,
                                  const struct dgm_dynamic_store *store)
{
    const struct dgm_gru_side *side = &work->dynamic->plan.side[block->side];
    const struct dgm_product product =
        dgm_product(DGM_NN, block->count, work->dim, work->wide + 3 * work->small, 1);

    DGM_TRY(dgm_part_product(g, &product, dgm_part(work->rows, work->dim), store->factors,
                             store->stack[0]));
    DGM_TRY(dgm_part_scatter(g, y->grad, work->rows, dgm_list_at(side->parent, block->in_side),
                             block->count, work->dim));
    DGM_TRY(dgm_part_product(g, &product, dgm_part(work->more, work->dim),
                             dgm_part_at(store->factors, 0, work->wide), store->stack[1]));
    return dgm_part_scatter(g, y->grad, work->more, dgm_list_at(side->sibling, block->in_side),
                            block->count, work->dim);
}

static dgm_status backward_block(struct dgm_graph *g, const struct dgm_node *y,
                                 const struct reverse *reverse, const struct dgm_gru_block *block)
{
    const struct dgm_dynamic_work *work = &reverse->work;
    const struct dgm_dynamic_store store = dgm_dynamic_store_of(work, block);

    DGM_TRY(backward_cells(g, y, work, block, &store));
    DGM_TRY(backward_factors(g, y, reverse, block, &store));
    DGM_TRY(backward_z(g, y, work, block, &store));
    DGM_TRY(backward_meta(g, y, reverse, block, &store));
    return backward_states(g, y, work, block, &store);
}

/* ---- gradients of weights, after the last block ---------------------------------------------- */

/* weight += columns first .. of f, transposed, times the states that they are products of. */
static dgm_status backward_weight(struct dgm_graph *g, const struct dgm_node *y,
                                  const struct dgm_dynamic_work *work, int s, int which,
                                  int64_t first)
{
    struct dgm_node *weight = dgm_dynamic_input(y, s, which);
    struct dgm_product product;

    if (!dgm_dynamic_wants(y, s, which))
        return DGM_OK;
    product = dgm_product(DGM_TN, weight->rows, work->dim, work->dynamic->plan.side[s].rows,
                          dgm_node_accumulate(weight) ? 1 : 0);
    return dgm_part_product(g, &product, dgm_part(weight->grad, work->dim),
                            dgm_part_at(work->sides[s].factors, 0, first),
                            dgm_part(work->rows, work->dim));
}

static dgm_status backward_inputs(struct dgm_graph *g, const struct dgm_node *y,
                                  const struct dgm_dynamic_work *work, int s)
{
    const struct dgm_gru_side *side = &work->dynamic->plan.side[s];
    const int64_t wide = work->wide;

    DGM_TRY(dgm_part_gather(g, work->rows, y->value, side->parent, side->rows, work->dim));
    DGM_TRY(backward_weight(g, y, work, s, DGM_DY_PARENT, 0));
    DGM_TRY(backward_weight(g, y, work, s, DGM_DY_PARENT_META, wide));
    DGM_TRY(dgm_part_gather(g, work->rows, y->value, side->sibling, side->rows, work->dim));
    DGM_TRY(backward_weight(g, y, work, s, DGM_DY_SIBLING_META, wide));
    return backward_weight(g, y, work, s, DGM_DY_SIBLING, wide + 3 * work->small);
}

static dgm_status backward_out(struct dgm_graph *g, const struct dgm_node *y,
                               const struct dgm_dynamic_work *work, int s)
{
    struct dgm_node *out = dgm_dynamic_input(y, s, DGM_DY_OUT);
    struct dgm_dynamic_piece pieces[DGM_DY_PIECES];
    const int count = dgm_dynamic_pieces(work->dynamic, pieces);
    int accumulate;

    if (!dgm_dynamic_wants(y, s, DGM_DY_OUT))
        return DGM_OK;
    accumulate = dgm_node_accumulate(out);
    for (int i = 0; i < count; i++) {
        const struct dgm_dynamic_parts parts =
            dgm_dynamic_parts_of(work, &pieces[i], work->sides[s].t, work->sides[s].gates,
                                 out->grad);
        const struct dgm_product product =
            dgm_product(DGM_TN, pieces[i].gates * work->dim, pieces[i].width * work->small,
                        work->dynamic->plan.side[s].rows, accumulate ? 1 : 0);
        DGM_TRY(dgm_part_product(g, &product, parts.out, parts.gates, parts.t));
    }
    return DGM_OK;
}

static dgm_status backward_z_bias(struct dgm_graph *g, const struct dgm_node *y,
                                  const struct dgm_dynamic_work *work, int s)
{
    struct dgm_column_sums_args sums;
    int accumulate;

    if (!dgm_dynamic_wants(y, s, DGM_DY_Z_BIAS))
        return DGM_OK;
    DGM_TRY(dgm_node_open_grad(g, dgm_dynamic_input(y, s, DGM_DY_Z_BIAS), 0, &accumulate));
    memset(&sums, 0, sizeof sums);
    sums.y = dgm_dynamic_input(y, s, DGM_DY_Z_BIAS)->grad;
    sums.x = work->sides[s].z.at;
    sums.m = work->dynamic->plan.side[s].rows;
    sums.n = sums.ldx = work->small;
    return dgm_device_run(g->env, g->device, DGM_TASK_column_sums, &sums);
}

/* ---- both ------------------------------------------------------------------------------------ */

static dgm_status open_grads(struct dgm_graph *g, const struct dgm_node *y, struct reverse *reverse)
{
    const struct dgm_dynamic_work *work = &reverse->work;
    const struct dgm_gru_plan *plan = &work->dynamic->plan;

    for (int s = 0; s < plan->sides; s++) {
        int accumulate;
        reverse->accumulate_word[s] = dgm_dynamic_wants(y, s, DGM_DY_WORD) &&
                                      dgm_node_accumulate(dgm_dynamic_input(y, s, DGM_DY_WORD));
        reverse->accumulate_meta[s] =
            dgm_dynamic_wants(y, s, DGM_DY_WORD_META) &&
            dgm_node_accumulate(dgm_dynamic_input(y, s, DGM_DY_WORD_META));
        if (dgm_dynamic_wants(y, s, DGM_DY_Z))
            DGM_TRY(dgm_node_open_grad(g, dgm_dynamic_input(y, s, DGM_DY_Z), 0, &accumulate));
    }
    return dgm_part_zero(g, work->dmeta.at, (plan->roots + plan->rows) * work->small);
}

dgm_status dgm_dynamic_backward(struct dgm_graph *g, struct dgm_node *y)
{
    const struct dgm_gru_plan *plan = &((const struct dgm_dynamic *)y->attr)->plan;
    struct reverse reverse;

    memset(&reverse, 0, sizeof reverse);
    dgm_dynamic_lay_out(y, y->extra, &reverse.work);
    DGM_TRY(open_grads(g, y, &reverse));
    for (int i = plan->block_count - 1; i >= 0; i--)
        if (plan->blocks[i].count > 0)
            DGM_TRY(backward_block(g, y, &reverse, &plan->blocks[i]));
    for (int s = 0; s < plan->sides; s++) {
        DGM_TRY(backward_inputs(g, y, &reverse.work, s));
        DGM_TRY(backward_out(g, y, &reverse.work, s));
        DGM_TRY(backward_z_bias(g, y, &reverse.work, s));
    }
    if (!dgm_node_wants(y, 0))
        return DGM_OK;
    return dgm_part_copy(g, y->in[0]->grad, y->grad, plan->roots * y->cols,
                         dgm_node_accumulate(y->in[0]));
}
