/*
 * gru_backward.c: the gradients of op_gru.c, from the last block to the first, then those of
 * the weights.
 */
#include <string.h>

#include "graph/recurrent/gru_op.h"

/* What a pass backwards knows besides. */
struct reverse {
    struct dgm_gru_work work;      /* its states are gradients */
    struct dgm_ref values;         /* the states themselves */
    int accumulate[DGM_GRU_SIDES]; /* gradients of x are added to */
};

/* Gradients of the gates, and `carried`, what goes straight on to each state that was read. */
static dgm_status backward_cells(struct dgm_graph *g, const struct dgm_node *y,
                                 const struct reverse *reverse, const struct dgm_gru_block *block,
                                 struct dgm_ref carried, int accumulate)
{
    const struct dgm_gru_work *work = &reverse->work;
    const struct dgm_gru_side *side = &work->recur->plan.side[block->side];
    const struct dgm_part gates = dgm_gru_gates(work, block);
    struct dgm_gated_cell_backward_args cell;

    memset(&cell, 0, sizeof cell);
    cell.n = block->count;
    cell.dim = cell.lddcarry = cell.lddy = cell.lds = work->dim;
    cell.ld_saved = cell.lddh = gates.ld;
    cell.lddx = 3 * work->dim;
    cell.carry = work->recur->carry;
    cell.dcarry = carried;
    cell.accumulate_carry = accumulate;
    cell.saved = cell.dh = gates.at;
    cell.dy = dgm_part_at(work->states, block->first, 0).at;
    cell.accumulate_x = reverse->accumulate[block->side];
    if (dgm_gru_wants(y, block->side, DGM_RC_X))
        cell.dx = dgm_part_at(dgm_part(dgm_gru_input(y, block->side, DGM_RC_X)->grad, cell.lddx),
                              block->in_side, 0)
                      .at;
    if (!dgm_gru_is_first(y, block)) {
        cell.state = reverse->values;
        cell.first = dgm_list_at(side->parent, block->in_side);
        cell.second = dgm_list_at(side->sibling, block->in_side);
    }
    return dgm_device_run(g->env, g->device, DGM_TASK_gated_cell_backward, &cell);
}

/* to += F weight, the block's share of one kind of states. */
static dgm_status send(struct dgm_graph *g, const struct dgm_node *y,
                       const struct dgm_gru_work *work, const struct dgm_gru_block *block,
                       int which, struct dgm_ref to)
{
    const int64_t dim = work->dim;
    const struct dgm_product product = { DGM_NN, block->count, dim, 3 * dim, 1, { NULL, 0 } };

    return dgm_part_product(g, &product, dgm_part(to, dim), dgm_gru_gates(work, block),
                            dgm_part(dgm_gru_input(y, block->side, which)->value, dim));
}

/* One state each, and these side by side: all is added where they are. */
static dgm_status backward_contiguous(struct dgm_graph *g, const struct dgm_node *y,
                                      const struct reverse *reverse,
                                      const struct dgm_gru_block *block)
{
    const struct dgm_ref none = { NULL, 0 };
    const struct dgm_ref to = dgm_part_at(reverse->work.states, block->parents, 0).at;

    if (dgm_gru_is_first(y, block))
        return backward_cells(g, y, reverse, block, none, 0);
    DGM_TRY(backward_cells(g, y, reverse, block, to, 1));
    return send(g, y, &reverse->work, block, DGM_RC_PARENT, to);
}

static dgm_status backward_block(struct dgm_graph *g, const struct dgm_node *y,
                                 const struct reverse *reverse, const struct dgm_gru_block *block)
{
    const struct dgm_gru_work *work = &reverse->work;
    const struct dgm_gru_side *side = &work->recur->plan.side[block->side];
    const struct dgm_ref parents = dgm_list_at(side->parent, block->in_side);
    const struct dgm_ref siblings = dgm_list_at(side->sibling, block->in_side);

    if (dgm_gru_is_contiguous(&work->recur->plan, block))
        return backward_contiguous(g, y, reverse, block);
    DGM_TRY(backward_cells(g, y, reverse, block, work->rows, 0));
    if (siblings.buffer) {
        DGM_TRY(dgm_part_copy(g, work->more, work->rows, block->count * work->dim, 0));
        DGM_TRY(send(g, y, work, block, DGM_RC_SIBLING, work->more));
        DGM_TRY(
            dgm_part_scatter(g, work->states.at, work->more, siblings, block->count, work->dim));
    }
    DGM_TRY(send(g, y, work, block, DGM_RC_PARENT, work->rows));
    return dgm_part_scatter(g, work->states.at, work->rows, parents, block->count, work->dim);
}

/* The gradient of one weight: F^T times the states that it multiplied. */
static dgm_status backward_weight(struct dgm_graph *g, const struct dgm_node *y,
                                  const struct reverse *reverse, int s, int which,
                                  struct dgm_ref list)
{
    const struct dgm_gru_work *work = &reverse->work;
    const int64_t rows = work->recur->plan.side[s].rows, dim = work->dim;
    struct dgm_product product = { DGM_TN, 3 * dim, dim, rows, 0, { NULL, 0 } };
    struct dgm_node *weight = dgm_gru_input(y, s, which);

    if (!dgm_gru_wants(y, s, which))
        return DGM_OK;
    product.beta = dgm_node_accumulate(weight) ? 1 : 0;
    DGM_TRY(dgm_part_gather(g, work->rows, reverse->values, list, rows, dim));
    return dgm_part_product(g, &product, dgm_part(weight->grad, dim), work->gates[s],
                            dgm_part(work->rows, dim));
}

dgm_status dgm_gru_backward(struct dgm_graph *g, struct dgm_node *y)
{
    struct reverse reverse;
    const struct dgm_gru_plan *plan = &((const struct dgm_gru_op *)y->attr)->plan;

    memset(&reverse, 0, sizeof reverse);
    reverse.work = dgm_gru_work_of(y, y->grad);
    reverse.values = y->value;
    for (int s = 0; s < plan->sides; s++)
        reverse.accumulate[s] =
            dgm_gru_wants(y, s, DGM_RC_X) && dgm_node_accumulate(dgm_gru_input(y, s, DGM_RC_X));
    for (int i = plan->block_count - 1; i >= 0; i--)
        if (plan->blocks[i].count > 0)
            DGM_TRY(backward_block(g, y, &reverse, &plan->blocks[i]));
    for (int s = 0; s < plan->sides; s++) {
        DGM_TRY(backward_weight(g, y, &reverse, s, DGM_RC_PARENT, plan->side[s].parent));
        DGM_TRY(backward_weight(g, y, &reverse, s, DGM_RC_SIBLING, plan->side[s].sibling));
    }
    if (!dgm_node_wants(y, 0))
        return DGM_OK;
    return dgm_part_copy(g, y->in[0]->grad, y->grad, plan->roots * y->cols,
                         dgm_node_accumulate(y->in[0]));
}
