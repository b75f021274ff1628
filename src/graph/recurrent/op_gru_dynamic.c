/*
 * op_gru_dynamic.c: recurrent cells over trees with dynamic weights (Yang, Wong, Chao, Zhang
 * 2019): W = P diag(z) Q for each weight, B z for each bias, with z = W_z m + b_z from the states
 * m of a small recurrent network ("meta") that reads what the cell reads. No weight is ever built.
 *
 * For a row with parent p, sibling w and word x, on each side:
 *
 *   f = [Q_W p | meta_W p + meta_U w | Q_U w]   m = the gated cell of the middle part, over m's own
 *   z = W_z m + b_z                             t_b = [z f_W | z f_U | z Q_V x | z], block b of Q
 *   gates = [OUT_ur t | OUT_h [t_W t_U] | OUT_h [t_V z]]      h = the gated cell of these
 *
 * Matrices that read one state are stacked once per step, so that each state is multiplied once.
 * Backward goes from the last block to the first; gradients overwrite f, z and the gates. Weights
 * get theirs after the last block, each by products over all rows of its side.
 */
#include "graph/calls.h"
#include "graph/recurrent/gru_dynamic.h"
#include "graph/recurrent/gru_plan.h"

static uint64_t dynamic_extra(const struct dgm_node *y)
{
    const struct dgm_ref begin = { NULL, 0 };
    struct dgm_gru_dynamic_work work;

    return dgm_gru_dynamic_lay_out(y, begin, &work).offset;
}

/* Those of the cells, and those of the small network. */
static int dynamic_gates(const struct dgm_node *y, struct dgm_gate_rows *rows)
{
    const struct dgm_gru_plan *plan = &((const struct dgm_gru_dynamic_op *)y->attr)->plan;
    struct dgm_gru_dynamic_work work;

    dgm_gru_dynamic_lay_out(y, y->extra, &work);
    for (int s = 0; s < plan->sides; s++) {
        const struct dgm_gru_dynamic_store *store = &work.sides[s];
        const int64_t count = plan->side[s].rows;

        rows[2 * s] =
            (struct dgm_gate_rows){ store->gates.at, count, 2 * work.dim, store->gates.ld };
        rows[2 * s + 1] =
            (struct dgm_gate_rows){ store->meta.at, count, 2 * work.small, store->meta.ld };
    }
    return 2 * plan->sides;
}

/* ---- forward --------------------------------------------------------------------------------- */

/* Stacks the matrices that read parents and those that read siblings, for this run of the graph:
 * weights change from step to step. Roots: the small states are zeros, the states are init or
 * zeros. */
static dgm_status open_states(struct dgm_graph *g, const struct dgm_node *y,
                              const struct dgm_gru_dynamic_work *work)
{
    const int64_t roots = work->dynamic->plan.roots, small = work->small * work->dim;

    for (int s = 0; s < work->dynamic->plan.sides; s++) {
        const struct dgm_matrix *stack = work->sides[s].stack;
        const int64_t wide = work->wide * work->dim;
        DGM_TRY(dgm_call_copy(g, stack[0].at,
                              dgm_gru_dynamic_input(y, s, DGM_GRU_DYNAMIC_PARENT)->value, wide, 0));
        DGM_TRY(dgm_call_copy(g, dgm_matrix_at(stack[0], work->wide, 0).at,
                              dgm_gru_dynamic_input(y, s, DGM_GRU_DYNAMIC_PARENT_META)->value,
                              3 * small, 0));
        DGM_TRY(dgm_call_copy(g, stack[1].at,
                              dgm_gru_dynamic_input(y, s, DGM_GRU_DYNAMIC_SIBLING_META)->value,
                              3 * small, 0));
        DGM_TRY(dgm_call_copy(g, dgm_matrix_at(stack[1], 3 * work->small, 0).at,
                              dgm_gru_dynamic_input(y, s, DGM_GRU_DYNAMIC_SIBLING)->value, wide,
                              0));
    }
    DGM_TRY(dgm_call_zero(g, work->meta.at, roots * work->small));
    if (y->in[0] == NULL)
        return dgm_call_zero(g, y->value, roots * work->dim);
    return dgm_call_copy(g, y->value, y->in[0]->value, roots * work->dim, 0);
}

/*
 * f (block, QK + 3K + QK) of a block. The stacks have the parts that read one state below each
 * other: parents give columns 0 .. QK+3K-1, siblings those from QK on. The middle 3K columns get
 * both shares, so that f begins with zeros and both products add.
 */
static dgm_status multiply_states(struct dgm_graph *g, const struct dgm_gru_dynamic_work *work,
                                  struct dgm_ref states, const struct dgm_gru_block *block,
                                  const struct dgm_gru_dynamic_store *store)
{
    const struct dgm_gru_side *side = &work->dynamic->plan.side[block->side];
    const struct dgm_product product =
        dgm_product(DGM_NT, block->count, work->wide + 3 * work->small, work->dim, 1);
    const struct dgm_matrix rows = dgm_matrix(work->rows, work->dim);

    DGM_TRY(dgm_call_zero(g, store->factors.at, block->count * store->factors.ld));
    DGM_TRY(dgm_call_gather(g, work->rows, states, dgm_list_at(side->parent, block->in_side),
                            block->count, work->dim));
    DGM_TRY(dgm_call_product(g, &product, store->factors, rows, store->stack[0]));
    DGM_TRY(dgm_call_gather(g, work->rows, states, dgm_list_at(side->sibling, block->in_side),
                            block->count, work->dim));
    return dgm_call_product(g, &product, dgm_matrix_at(store->factors, 0, work->wide), rows,
                            store->stack[1]);
}

/* m (block,K), the states of the small network, by a gated cell over the middle columns of f and
 * its own parents and siblings; then z (block,K) = m W_z^T + b_z. */
static dgm_status forward_meta(struct dgm_graph *g, const struct dgm_node *y,
                               const struct dgm_gru_dynamic_work *work,
                               const struct dgm_gru_block *block,
                               const struct dgm_gru_dynamic_store *store)
{
    const struct dgm_gru_side *side = &work->dynamic->plan.side[block->side];
    const struct dgm_node *bias = dgm_gru_dynamic_input(y, block->side, DGM_GRU_DYNAMIC_Z_BIAS);
    struct dgm_product product = dgm_product(DGM_NT, block->count, work->small, work->small, 0);
    struct dgm_gated_cell_forward_args cell = { 0 };

    cell.n = block->count;
    cell.dim = cell.ldy = cell.lds = work->small;
    cell.ld_saved = store->meta.ld;
    cell.ldx = 3 * work->small;
    cell.ldh = store->factors.ld;
    cell.carry = work->dynamic->carry;
    cell.y = dgm_matrix_at(work->meta, block->first, 0).at;
    cell.saved = store->meta.at;
    cell.x = dgm_gru_dynamic_rows(
        dgm_gru_dynamic_input(y, block->side, DGM_GRU_DYNAMIC_WORD_META)->value, cell.ldx, block);
    cell.h = dgm_matrix_at(store->factors, 0, work->wide).at;
    cell.state = work->meta.at;
    cell.first = dgm_list_at(side->parent, block->in_side);
    cell.second = dgm_list_at(side->sibling, block->in_side);
    DGM_TRY(dgm_device_run(g->env, g->device, DGM_TASK_gated_cell_forward, &cell));
    if (bias != NULL)
        product.bias = bias->value;
    return dgm_call_product(
        g, &product, store->z, dgm_matrix_at(work->meta, block->first, 0),
        dgm_matrix(dgm_gru_dynamic_input(y, block->side, DGM_GRU_DYNAMIC_Z)->value, work->small));
}

/* t (block, 4 QK) from f and z, then the gates (block,4D), piece by piece. */
static dgm_status forward_gates(struct dgm_graph *g, const struct dgm_node *y,
                                const struct dgm_gru_dynamic_work *work,
                                const struct dgm_gru_block *block,
                                const struct dgm_gru_dynamic_store *store)
{
    struct dgm_modulate_forward_args modulate = { 0 };
    struct dgm_gru_dynamic_piece pieces[DGM_GRU_DYNAMIC_PIECES];
    const struct dgm_node *out = dgm_gru_dynamic_input(y, block->side, DGM_GRU_DYNAMIC_OUT);
    const int count = dgm_gru_dynamic_pieces(work->dynamic, pieces);

    modulate.core = dgm_gru_dynamic_modulate(work, store, block->count);
    modulate.t = store->t.at;
    modulate.z = store->z.at;
    modulate.factor[0] = store->factors.at;
    modulate.factor[1] = dgm_matrix_at(store->factors, 0, work->wide + 3 * work->small).at;
    modulate.factor[2] =
        dgm_gru_dynamic_rows(dgm_gru_dynamic_input(y, block->side, DGM_GRU_DYNAMIC_WORD)->value,
                             work->wide, block);
    DGM_TRY(dgm_device_run(g->env, g->device, DGM_TASK_modulate_forward, &modulate));
    for (int i = 0; i < count; i++) {
        const struct dgm_gru_dynamic_parts parts =
            dgm_gru_dynamic_parts_of(work, &pieces[i], store->t, store->gates, out->value);
        const struct dgm_product product =
            dgm_product(DGM_NT, block->count, pieces[i].gates * work->dim,
                        pieces[i].width * work->small, 0);
        DGM_TRY(dgm_call_product(g, &product, parts.gates, parts.t, parts.out));
    }
    return DGM_OK;
}

static dgm_status forward_block(struct dgm_graph *g, const struct dgm_node *y,
                                const struct dgm_gru_dynamic_work *work,
                                const struct dgm_gru_block *block)
{
    const struct dgm_gru_side *side = &work->dynamic->plan.side[block->side];
    const struct dgm_gru_dynamic_store store = dgm_gru_dynamic_store_of(work, block);
    struct dgm_gated_cell_forward_args cell = { 0 };

    DGM_TRY(multiply_states(g, work, y->value, block, &store));
    DGM_TRY(forward_meta(g, y, work, block, &store));
    DGM_TRY(forward_gates(g, y, work, block, &store));
    cell.n = block->count;
    cell.dim = cell.ldy = cell.lds = work->dim;
    cell.ld_saved = cell.ldh = store.gates.ld;
    cell.carry = work->dynamic->carry;
    cell.y = dgm_matrix_at(dgm_matrix(y->value, work->dim), block->first, 0).at;
    cell.saved = cell.h = store.gates.at;
    cell.state = y->value;
    cell.first = dgm_list_at(side->parent, block->in_side);
    cell.second = dgm_list_at(side->sibling, block->in_side);
    return dgm_device_run(g->env, g->device, DGM_TASK_gated_cell_forward, &cell);
}

static dgm_status dynamic_forward(struct dgm_graph *g, struct dgm_node *y)
{
    const struct dgm_gru_plan *plan = &((const struct dgm_gru_dynamic_op *)y->attr)->plan;
    struct dgm_gru_dynamic_work work;

    dgm_gru_dynamic_lay_out(y, y->extra, &work);
    DGM_TRY(open_states(g, y, &work));
    for (int i = 0; i < plan->block_count; i++)
        if (plan->blocks[i].count > 0)
            DGM_TRY(forward_block(g, y, &work, &plan->blocks[i]));
    return DGM_OK;
}

/* ---- backward -------------------------------------------------------------------------------- */

/* Which gradients of inputs by rows are added to, for each side. */
struct reverse {
    struct dgm_gru_dynamic_work work;
    int accumulate_word[DGM_GRU_SIDES], accumulate_meta[DGM_GRU_SIDES];
};

/* Gradients of the gates, in their memory. `rows` and `more` (block,D): what reaches parents and
 * siblings without passing a weight; the products of backward_states are added to it. */
static dgm_status backward_cells(struct dgm_graph *g, const struct dgm_node *y,
                                 const struct dgm_gru_dynamic_work *work,
                                 const struct dgm_gru_block *block,
                                 const struct dgm_gru_dynamic_store *store)
{
    const struct dgm_gru_side *side = &work->dynamic->plan.side[block->side];
    struct dgm_gated_cell_backward_args cell = { 0 };

    cell.n = block->count;
    cell.dim = cell.lddcarry = cell.lddy = cell.lds = work->dim;
    cell.ld_saved = cell.lddh = store->gates.ld;
    cell.carry = work->dynamic->carry;
    cell.joint = 1;
    cell.dcarry = work->rows;
    cell.saved = cell.dh = store->gates.at;
    cell.dy = dgm_matrix_at(dgm_matrix(y->grad, work->dim), block->first, 0).at;
    cell.state = y->value;
    cell.first = dgm_list_at(side->parent, block->in_side);
    cell.second = dgm_list_at(side->sibling, block->in_side);
    DGM_TRY(dgm_device_run(g->env, g->device, DGM_TASK_gated_cell_backward, &cell));
    return dgm_call_copy(g, work->more, work->rows, block->count * work->dim, 0);
}

/* taus = dt (block, 4 QK) = dgates OUT, piece by piece; from dt, f and z the gradients of f and of
 * z, in their memory, and those of the words. */
static dgm_status backward_factors(struct dgm_graph *g, const struct dgm_node *y,
                                   const struct reverse *reverse, const struct dgm_gru_block *block,
                                   const struct dgm_gru_dynamic_store *store)
{
    const struct dgm_gru_dynamic_work *work = &reverse->work;
    struct dgm_modulate_backward_args modulate = { 0 };
    struct dgm_gru_dynamic_piece pieces[DGM_GRU_DYNAMIC_PIECES];
    const struct dgm_node *out = dgm_gru_dynamic_input(y, block->side, DGM_GRU_DYNAMIC_OUT);
    const struct dgm_node *word = dgm_gru_dynamic_input(y, block->side, DGM_GRU_DYNAMIC_WORD);
    const int count = dgm_gru_dynamic_pieces(work->dynamic, pieces);

    for (int i = 0; i < count; i++) {
        const struct dgm_gru_dynamic_parts parts =
            dgm_gru_dynamic_parts_of(work, &pieces[i], work->taus, store->gates, out->value);
        const struct dgm_product product =
            dgm_product(DGM_NN, block->count, pieces[i].width * work->small,
                        pieces[i].gates * work->dim, 0);
        DGM_TRY(dgm_call_product(g, &product, parts.t, parts.gates, parts.out));
    }
    modulate.core = dgm_gru_dynamic_modulate(work, store, block->count);
    modulate.dt = work->taus.at;
    modulate.dz = modulate.z = store->z.at;
    modulate.dfactor[0] = modulate.factor[0] = store->factors.at;
    modulate.dfactor[1] = modulate.factor[1] =
        dgm_matrix_at(store->factors, 0, work->wide + 3 * work->small).at;
    modulate.factor[2] =
        dgm_gru_dynamic_rows(dgm_gru_dynamic_input(y, block->side, DGM_GRU_DYNAMIC_WORD)->value,
                             work->wide, block);
    modulate.lddf[0] = modulate.lddf[1] = store->factors.ld;
    modulate.lddf[2] = work->wide;
    if (dgm_gru_dynamic_wants(y, block->side, DGM_GRU_DYNAMIC_WORD)) {
        modulate.dfactor[2] = dgm_gru_dynamic_rows(word->grad, work->wide, block);
        modulate.accumulate[2] = reverse->accumulate_word[block->side];
    }
    return dgm_device_run(g->env, g->device, DGM_TASK_modulate_backward, &modulate);
}

/* dm += dz W_z, dW_z += dz^T m. The states m of a block lie side by side, so that W_z gets its
 * share here and needs no rows gathered at the end. */
static dgm_status backward_z(struct dgm_graph *g, const struct dgm_node *y,
                             const struct dgm_gru_dynamic_work *work,
                             const struct dgm_gru_block *block,
                             const struct dgm_gru_dynamic_store *store)
{
    const struct dgm_node *weight = dgm_gru_dynamic_input(y, block->side, DGM_GRU_DYNAMIC_Z);
    const struct dgm_matrix part = dgm_matrix(weight->value, work->small);
    const struct dgm_product down = dgm_product(DGM_NN, block->count, work->small, work->small, 1);
    const struct dgm_product grad = dgm_product(DGM_TN, work->small, work->small, block->count, 1);

    DGM_TRY(
        dgm_call_product(g, &down, dgm_matrix_at(work->dmeta, block->first, 0), store->z, part));
    if (!dgm_gru_dynamic_wants(y, block->side, DGM_GRU_DYNAMIC_Z))
        return DGM_OK;
    return dgm_call_product(g, &grad, dgm_matrix(weight->grad, work->small), store->z,
                            dgm_matrix_at(work->meta, block->first, 0));
}

/* The cells of the small network: their gradients replace the middle part of f. */
static dgm_status backward_meta(struct dgm_graph *g, const struct dgm_node *y,
                                const struct reverse *reverse, const struct dgm_gru_block *block,
                                const struct dgm_gru_dynamic_store *store)
{
    const struct dgm_gru_dynamic_work *work = &reverse->work;
    const struct dgm_gru_side *side = &work->dynamic->plan.side[block->side];
    struct dgm_gated_cell_backward_args cell = { 0 };

    cell.n = block->count;
    cell.dim = cell.lddcarry = cell.lddy = cell.lds = work->small;
    cell.ld_saved = store->meta.ld;
    cell.lddh = store->factors.ld;
    cell.lddx = 3 * work->small;
    cell.carry = work->dynamic->carry;
    cell.dcarry = work->taus.at; /* free by now */
    cell.saved = store->meta.at;
    cell.dh = dgm_matrix_at(store->factors, 0, work->wide).at;
    cell.dy = dgm_matrix_at(work->dmeta, block->first, 0).at;
    cell.state = work->meta.at;
    cell.first = dgm_list_at(side->parent, block->in_side);
    cell.second = dgm_list_at(side->sibling, block->in_side);
    if (dgm_gru_dynamic_wants(y, block->side, DGM_GRU_DYNAMIC_WORD_META)) {
        cell.dx =
            dgm_gru_dynamic_rows(dgm_gru_dynamic_input(y, block->side, DGM_GRU_DYNAMIC_WORD_META)
                                     ->grad,
                                 cell.lddx, block);
        cell.accumulate_x = reverse->accumulate_meta[block->side];
    }
    DGM_TRY(dgm_device_run(g->env, g->device, DGM_TASK_gated_cell_backward, &cell));
    DGM_TRY(
        dgm_call_scatter(g, work->dmeta.at, cell.dcarry, cell.first, block->count, work->small));
    return dgm_call_scatter(g, work->dmeta.at, cell.dcarry, cell.second, block->count, work->small);
}

/* What parents and siblings get, by way of f and straight. */
static dgm_status backward_states(struct dgm_graph *g, const struct dgm_node *y,
                                  const struct dgm_gru_dynamic_work *work,
                                  const struct dgm_gru_block *block,
                                  const struct dgm_gru_dynamic_store *store)
{
    const struct dgm_gru_side *side = &work->dynamic->plan.side[block->side];
    const struct dgm_product product =
        dgm_product(DGM_NN, block->count, work->dim, work->wide + 3 * work->small, 1);

    DGM_TRY(dgm_call_product(g, &product, dgm_matrix(work->rows, work->dim), store->factors,
                             store->stack[0]));
    DGM_TRY(dgm_call_scatter(g, y->grad, work->rows, dgm_list_at(side->parent, block->in_side),
                             block->count, work->dim));
    DGM_TRY(dgm_call_product(g, &product, dgm_matrix(work->more, work->dim),
                             dgm_matrix_at(store->factors, 0, work->wide), store->stack[1]));
    return dgm_call_scatter(g, y->grad, work->more, dgm_list_at(side->sibling, block->in_side),
                            block->count, work->dim);
}

static dgm_status backward_block(struct dgm_graph *g, const struct dgm_node *y,
                                 const struct reverse *reverse, const struct dgm_gru_block *block)
{
    const struct dgm_gru_dynamic_work *work = &reverse->work;
    const struct dgm_gru_dynamic_store store = dgm_gru_dynamic_store_of(work, block);

    DGM_TRY(backward_cells(g, y, work, block, &store));
    DGM_TRY(backward_factors(g, y, reverse, block, &store));
    DGM_TRY(backward_z(g, y, work, block, &store));
    DGM_TRY(backward_meta(g, y, reverse, block, &store));
    return backward_states(g, y, work, block, &store);
}

/* ---- gradients of weights, after the last block ---------------------------------------------- */

/* weight += columns first .. of f, transposed, times the states that they are products of. */
static dgm_status backward_weight(struct dgm_graph *g, const struct dgm_node *y,
                                  const struct dgm_gru_dynamic_work *work, int s, int which,
                                  int64_t first)
{
    const struct dgm_gru_plan *plan = &work->dynamic->plan;

    return dgm_node_weight_grad(g, y, dgm_gru_dynamic_place(plan->sides, s, which),
                                dgm_matrix_at(work->sides[s].factors, 0, first),
                                dgm_matrix(work->rows, work->dim), plan->side[s].rows);
}

static dgm_status backward_inputs(struct dgm_graph *g, const struct dgm_node *y,
                                  const struct dgm_gru_dynamic_work *work, int s)
{
    const struct dgm_gru_side *side = &work->dynamic->plan.side[s];
    const int64_t wide = work->wide;

    DGM_TRY(dgm_call_gather(g, work->rows, y->value, side->parent, side->rows, work->dim));
    DGM_TRY(backward_weight(g, y, work, s, DGM_GRU_DYNAMIC_PARENT, 0));
    DGM_TRY(backward_weight(g, y, work, s, DGM_GRU_DYNAMIC_PARENT_META, wide));
    DGM_TRY(dgm_call_gather(g, work->rows, y->value, side->sibling, side->rows, work->dim));
    DGM_TRY(backward_weight(g, y, work, s, DGM_GRU_DYNAMIC_SIBLING_META, wide));
    return backward_weight(g, y, work, s, DGM_GRU_DYNAMIC_SIBLING, wide + 3 * work->small);
}

/* The gradient of OUT: the pieces over all rows of a side at once, since t and the gradients of
 * the gates are kept for all of them. Two pieces write different columns of OUT's gradient. */
static dgm_status backward_out(struct dgm_graph *g, const struct dgm_node *y,
                               const struct dgm_gru_dynamic_work *work, int s)
{
    struct dgm_node *out = dgm_gru_dynamic_input(y, s, DGM_GRU_DYNAMIC_OUT);
    struct dgm_gru_dynamic_piece pieces[DGM_GRU_DYNAMIC_PIECES];
    const int count = dgm_gru_dynamic_pieces(work->dynamic, pieces);
    int accumulate;

    if (!dgm_gru_dynamic_wants(y, s, DGM_GRU_DYNAMIC_OUT))
        return DGM_OK;
    accumulate = dgm_node_accumulate(out);
    for (int i = 0; i < count; i++) {
        const struct dgm_gru_dynamic_parts parts =
            dgm_gru_dynamic_parts_of(work, &pieces[i], work->sides[s].t, work->sides[s].gates,
                                     out->grad);
        const struct dgm_product product =
            dgm_product(DGM_TN, pieces[i].gates * work->dim, pieces[i].width * work->small,
                        work->dynamic->plan.side[s].rows, accumulate ? 1 : 0);
        DGM_TRY(dgm_call_product(g, &product, parts.out, parts.gates, parts.t));
    }
    return DGM_OK;
}

static dgm_status backward_z_bias(struct dgm_graph *g, const struct dgm_node *y,
                                  const struct dgm_gru_dynamic_work *work, int s)
{
    struct dgm_node *bias = dgm_gru_dynamic_input(y, s, DGM_GRU_DYNAMIC_Z_BIAS);

    if (!dgm_gru_dynamic_wants(y, s, DGM_GRU_DYNAMIC_Z_BIAS))
        return DGM_OK;
    DGM_TRY(dgm_node_open_sum(g, bias));
    return dgm_call_column_sums(g, bias->grad, work->sides[s].z, work->dynamic->plan.side[s].rows,
                                work->small);
}

/* ---- both ------------------------------------------------------------------------------------ */

static dgm_status open_grads(struct dgm_graph *g, const struct dgm_node *y, struct reverse *reverse)
{
    const struct dgm_gru_dynamic_work *work = &reverse->work;
    const struct dgm_gru_plan *plan = &work->dynamic->plan;

    for (int s = 0; s < plan->sides; s++) {
        reverse->accumulate_word[s] =
            dgm_gru_dynamic_wants(y, s, DGM_GRU_DYNAMIC_WORD) &&
            dgm_node_accumulate(dgm_gru_dynamic_input(y, s, DGM_GRU_DYNAMIC_WORD));
        reverse->accumulate_meta[s] =
            dgm_gru_dynamic_wants(y, s, DGM_GRU_DYNAMIC_WORD_META) &&
            dgm_node_accumulate(dgm_gru_dynamic_input(y, s, DGM_GRU_DYNAMIC_WORD_META));
        if (dgm_gru_dynamic_wants(y, s, DGM_GRU_DYNAMIC_Z))
            DGM_TRY(dgm_node_open_sum(g, dgm_gru_dynamic_input(y, s, DGM_GRU_DYNAMIC_Z)));
    }
    return dgm_call_zero(g, work->dmeta.at, (plan->roots + plan->rows) * work->small);
}

static dgm_status dynamic_backward(struct dgm_graph *g, struct dgm_node *y)
{
    const struct dgm_gru_plan *plan = &((const struct dgm_gru_dynamic_op *)y->attr)->plan;
    struct reverse reverse = { 0 };

    dgm_gru_dynamic_lay_out(y, y->extra, &reverse.work);
    DGM_TRY(open_grads(g, y, &reverse));
    for (int i = plan->block_count - 1; i >= 0; i--)
        if (plan->blocks[i].count > 0)
            DGM_TRY(backward_block(g, y, &reverse, &plan->blocks[i]));
    for (int s = 0; s < plan->sides; s++) {
        DGM_TRY(backward_inputs(g, y, &reverse.work, s));
        DGM_TRY(backward_out(g, y, &reverse.work, s));
        DGM_TRY(backward_z_bias(g, y, &reverse.work, s));
    }
    return dgm_node_copy_grad(g, y, 0, y->grad);
}

/* ---- the operation --------------------------------------------------------------------------- */

static struct dgm_node *dynamic_sample(struct dgm_graph *g, struct dgm_sample *sample)
{
    const struct dgm_gru_plan plan = dgm_gru_plan_sample(g, sample, 2, 1);
    const int64_t dim = dgm_sample_int(sample, 1, 3), small = dgm_sample_int(sample, 1, 3);
    const int64_t wide = dgm_sample_int(sample, 2, 3) * small;
    struct dgm_gru_dynamic sides[DGM_GRU_SIDES];
    struct dgm_node *init = NULL;

    if (g->status != DGM_OK)
        return NULL;
    if (dgm_sample_int(sample, 0, 2))
        init = dgm_sample_leaf(g, sample, plan.roots, dim);
    for (int s = 0; s < plan.sides; s++) {
        struct dgm_gru_dynamic *side = &sides[s];
        side->parent = dgm_sample_leaf(g, sample, wide, dim);
        side->sibling = dgm_sample_leaf(g, sample, wide, dim);
        side->word = dgm_sample_leaf(g, sample, plan.side[s].rows, wide);
        side->out = dgm_sample_leaf(g, sample, 3 * dim, 4 * small);
        side->parent_meta = dgm_sample_leaf(g, sample, 3 * small, dim);
        side->sibling_meta = dgm_sample_leaf(g, sample, 3 * small, dim);
        side->word_meta = dgm_sample_leaf(g, sample, plan.side[s].rows, 3 * small);
        side->z = dgm_sample_leaf(g, sample, small, small);
        side->z_bias = dgm_sample_int(sample, 0, 2) ? dgm_sample_leaf(g, sample, 1, small) : NULL;
        if (dgm_sample_int(sample, 0, 1)) {
            side->word = dgm_activate(g, side->word, DGM_TANH);
            side->word_meta = dgm_activate(g, side->word_meta, DGM_TANH);
            side->out = dgm_activate(g, side->out, DGM_TANH);
        }
    }
    return dgm_gru_dynamic(g, init, sides, &plan,
                           (dgm_real)(dgm_sample_int(sample, 0, 1) ? 1 : 0.5));
}

/* Backward reads the first READ inputs of every side; bits beyond those of few sides do no harm. */
const struct dgm_op dgm_op_gru_dynamic = {
    .name = "recur_dynamic",
    .keep = ((1u << DGM_GRU_SIDES * DGM_GRU_DYNAMIC_READ) - 1) << 1 | DGM_KEEP_OUTPUT,
    .extra = dynamic_extra,
    .gates = dynamic_gates,
    .forward = dynamic_forward,
    .backward = dynamic_backward,
    .sample = dynamic_sample,
};

static int is_sound(const struct dgm_gru_dynamic *side, int64_t rows, int64_t dim, int64_t small,
                    int64_t wide)
{
    return dgm_node_is(side->parent, wide, dim) && dgm_node_is(side->sibling, wide, dim) &&
           dgm_node_is(side->word, rows, wide) && dgm_node_is(side->out, 3 * dim, 4 * small) &&
           dgm_node_is(side->parent_meta, 3 * small, dim) &&
           dgm_node_is(side->sibling_meta, 3 * small, dim) &&
           dgm_node_is(side->word_meta, rows, 3 * small) && dgm_node_is(side->z, small, small) &&
           (side->z_bias == NULL || dgm_node_is(side->z_bias, 1, small)) &&
           (wide == 2 * small || wide == 3 * small);
}

static int set_inputs(struct dgm_graph *g, struct dgm_node **in,
                      const struct dgm_gru_dynamic *sides, const struct dgm_gru_plan *plan)
{
    for (int s = 0; s < plan->sides; s++) {
        const struct dgm_gru_dynamic *side = &sides[s];
        struct dgm_node *const all[DGM_GRU_DYNAMIC_INPUTS] = {
            side->out,          side->z,         side->word,
            side->parent,       side->sibling,   side->parent_meta,
            side->sibling_meta, side->word_meta, side->z_bias
        };
        for (int which = 0; which < DGM_GRU_DYNAMIC_INPUTS; which++) {
            if (all[which] == NULL && which != DGM_GRU_DYNAMIC_Z_BIAS)
                return 0;
            in[dgm_gru_dynamic_place(plan->sides, s, which)] = all[which];
        }
        if (!is_sound(side, plan->side[s].rows, sides[0].parent->cols, sides[0].z->cols,
                      sides[0].parent->rows) ||
            !plan->side[s].sibling.buffer)
            return dgm_node_fail(g, "recur_dynamic", side->parent, side->out,
                                 "Q (2K or 3K,D), OUT (3D,4K), and siblings") != NULL;
    }
    return 1;
}

struct dgm_node *dgm_gru_dynamic(struct dgm_graph *g, struct dgm_node *init,
                                 const struct dgm_gru_dynamic *sides,
                                 const struct dgm_gru_plan *plan, dgm_real carry)
{
    struct dgm_node *in[1 + DGM_GRU_SIDES * DGM_GRU_DYNAMIC_INPUTS] = { NULL }, *y;
    struct dgm_gru_dynamic_op dynamic = { .plan = *plan, .carry = carry };

    if (!dgm_gru_plan_is_sound(plan))
        return dgm_node_fail(g, "recur_dynamic", init, NULL, "a plan that computes every row once");
    if (!set_inputs(g, in, sides, plan))
        return NULL;
    if (init != NULL && !dgm_node_is(init, plan->roots, sides[0].parent->cols))
        return dgm_node_fail(g, "recur_dynamic", init, sides[0].parent, "init (roots,D)");
    in[0] = init;
    dynamic.small = sides[0].z->cols;
    dynamic.blocks = sides[0].parent->rows / dynamic.small;
    y = dgm_node_new(g, &dgm_op_gru_dynamic, plan->roots + plan->rows, sides[0].parent->cols, in,
                     1 + plan->sides * DGM_GRU_DYNAMIC_INPUTS, &dynamic, sizeof dynamic);
    if (y != NULL)
        ((struct dgm_gru_dynamic_op *)y->attr)->is_kept = y->wants_grad || g->keeps_gates;
    return y;
}
