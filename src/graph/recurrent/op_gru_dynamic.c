/*
 * op_gru_dynamic.c: recurrent cells over trees with dynamic weights (Yang, Wong, Chao, Zhang
 * 2019): W = P diag(z) Q for each weight, B z for each bias, with z = W_z m + b_z from the states m
 * of a small recurrent network ("meta") that reads what the cell reads. No weight is ever built.
 *
 * Of a row with parent p, sibling w and word x, per side:
 *
 *   f = [Q_W p | meta_W p + meta_U w | Q_U w]   m = the gated cell of the middle part, over m's own
 *   z = W_z m + b_z                             t_b = [z f_W | z f_U | z Q_V x | z], block b of Q
 *   gates = [OUT_ur t | OUT_h [t_W t_U] | OUT_h [t_V z]]      h = the gated cell of these
 *
 * Matrices that read one state are stacked once per step, so that each state is multiplied once.
 * Backward (gru_dynamic_backward.c): gradients take the place of f, of z and of the gates.
 */
#include <string.h>

#include "graph/recurrent/gru_dynamic.h"

static size_t dynamic_extra(const struct dgm_node *y)
{
    const struct dgm_ref begin = { NULL, 0 };
    struct dgm_dynamic_work work;

    return dgm_dynamic_lay_out(y, begin, &work).offset;
}

/* ---- forward --------------------------------------------------------------------------------- */

static dgm_status open_states(struct dgm_graph *g, const struct dgm_node *y,
                              const struct dgm_dynamic_work *work)
{
    const int64_t roots = work->dynamic->plan.roots, small = work->small * work->dim;

    for (int s = 0; s < work->dynamic->plan.sides; s++) {
        const struct dgm_part *stack = work->sides[s].stack;
        const int64_t wide = work->wide * work->dim;
        DGM_TRY(
            dgm_part_copy(g, stack[0].at, dgm_dynamic_input(y, s, DGM_DY_PARENT)->value, wide, 0));
        DGM_TRY(dgm_part_copy(g, dgm_part_at(stack[0], work->wide, 0).at,
                              dgm_dynamic_input(y, s, DGM_DY_PARENT_META)->value, 3 * small, 0));
        DGM_TRY(dgm_part_copy(g, stack[1].at, dgm_dynamic_input(y, s, DGM_DY_SIBLING_META)->value,
                              3 * small, 0));
        DGM_TRY(dgm_part_copy(g, dgm_part_at(stack[1], 3 * work->small, 0).at,
                              dgm_dynamic_input(y, s, DGM_DY_SIBLING)->value, wide, 0));
    }
    DGM_TRY(dgm_part_zero(g, work->meta.at, roots * work->small));
    if (y->in[0] == NULL)
        return dgm_part_zero(g, y->value, roots * work->dim);
    return dgm_part_copy(g, y->value, y->in[0]->value, roots * work->dim, 0);
}

/* f of a block. */
static dgm_status multiply_states(struct dgm_graph *g, const struct dgm_dynamic_work *work,
                                  struct dgm_ref states, const struct dgm_gru_block *block,
                                  const struct dgm_dynamic_store *store)
{
    const struct dgm_gru_side *side = &work->dynamic->plan.side[block->side];
    const struct dgm_product product =
        dgm_product(DGM_NT, block->count, work->wide + 3 * work->small, work->dim, 1);
    const struct dgm_part rows = dgm_part(work->rows, work->dim);

    DGM_TRY(dgm_part_zero(g, store->factors.at, block->count * store->factors.ld));
    DGM_TRY(dgm_part_gather(g, work->rows, states, dgm_list_at(side->parent, block->in_side),
                            block->count, work->dim));
    DGM_TRY(dgm_part_product(g, &product, store->factors, rows, store->stack[0]));
    DGM_TRY(dgm_part_gather(g, work->rows, states, dgm_list_at(side->sibling, block->in_side),
                            block->count, work->dim));
    return dgm_part_product(g, &product, dgm_part_at(store->factors, 0, work->wide), rows,
                            store->stack[1]);
}

/* The states of the small network, and z. */
static dgm_status forward_meta(struct dgm_graph *g, const struct dgm_node *y,
                               const struct dgm_dynamic_work *work,
                               const struct dgm_gru_block *block,
                               const struct dgm_dynamic_store *store)
{
    const struct dgm_gru_side *side = &work->dynamic->plan.side[block->side];
    const struct dgm_node *bias = dgm_dynamic_input(y, block->side, DGM_DY_Z_BIAS);
    struct dgm_product product = dgm_product(DGM_NT, block->count, work->small, work->small, 0);
    struct dgm_gated_cell_forward_args cell;

    memset(&cell, 0, sizeof cell);
    cell.n = block->count;
    cell.dim = cell.ldy = cell.lds = work->small;
    cell.ld_saved = store->meta.ld;
    cell.ldx = 3 * work->small;
    cell.ldh = store->factors.ld;
    cell.carry = work->dynamic->carry;
    cell.y = dgm_part_at(work->meta, block->first, 0).at;
    cell.saved = store->meta.at;
    cell.x = dgm_dynamic_rows(dgm_dynamic_input(y, block->side, DGM_DY_WORD_META)->value, cell.ldx,
                              block);
    cell.h = dgm_part_at(store->factors, 0, work->wide).at;
    cell.state = work->meta.at;
    cell.first = dgm_list_at(side->parent, block->in_side);
    cell.second = dgm_list_at(side->sibling, block->in_side);
    DGM_TRY(dgm_device_run(g->env, g->device, DGM_TASK_gated_cell_forward, &cell));
    if (bias != NULL)
        product.bias = bias->value;
    return dgm_part_product(g, &product, store->z, dgm_part_at(work->meta, block->first, 0),
                            dgm_part(dgm_dynamic_input(y, block->side, DGM_DY_Z)->value,
                                     work->small));
}

/* t, and what the gates are given. */
static dgm_status forward_gates(struct dgm_graph *g, const struct dgm_node *y,
                                const struct dgm_dynamic_work *work,
                                const struct dgm_gru_block *block,
                                const struct dgm_dynamic_store *store)
{
    struct dgm_modulate_forward_args modulate;
    struct dgm_dynamic_piece pieces[DGM_DY_PIECES];
    const struct dgm_node *out = dgm_dynamic_input(y, block->side, DGM_DY_OUT);
    const int count = dgm_dynamic_pieces(work->dynamic, pieces);

    memset(&modulate, 0, sizeof modulate);
    modulate.core = dgm_dynamic_modulate(work, store, block->count);
    modulate.t = store->t.at;
    modulate.z = store->z.at;
    modulate.factor[0] = store->factors.at;
    modulate.factor[1] = dgm_part_at(store->factors, 0, work->wide + 3 * work->small).at;
    modulate.factor[2] =
        dgm_dynamic_rows(dgm_dynamic_input(y, block->side, DGM_DY_WORD)->value, work->wide, block);
    DGM_TRY(dgm_device_run(g->env, g->device, DGM_TASK_modulate_forward, &modulate));
    for (int i = 0; i < count; i++) {
        const struct dgm_dynamic_parts parts =
            dgm_dynamic_parts_of(work, &pieces[i], store->t, store->gates, out->value);
        const struct dgm_product product =
            dgm_product(DGM_NT, block->count, pieces[i].gates * work->dim,
                        pieces[i].width * work->small, 0);
        DGM_TRY(dgm_part_product(g, &product, parts.gates, parts.t, parts.out));
    }
    return DGM_OK;
}

static dgm_status forward_block(struct dgm_graph *g, const struct dgm_node *y,
                                const struct dgm_dynamic_work *work,
                                const struct dgm_gru_block *block)
{
    const struct dgm_gru_side *side = &work->dynamic->plan.side[block->side];
    const struct dgm_dynamic_store store = dgm_dynamic_store_of(work, block);
    struct dgm_gated_cell_forward_args cell;

    DGM_TRY(multiply_states(g, work, y->value, block, &store));
    DGM_TRY(forward_meta(g, y, work, block, &store));
    DGM_TRY(forward_gates(g, y, work, block, &store));
    memset(&cell, 0, sizeof cell);
    cell.n = block->count;
    cell.dim = cell.ldy = cell.lds = work->dim;
    cell.ld_saved = cell.ldh = store.gates.ld;
    cell.carry = work->dynamic->carry;
    cell.y = dgm_part_at(dgm_part(y->value, work->dim), block->first, 0).at;
    cell.saved = cell.h = store.gates.at;
    cell.state = y->value;
    cell.first = dgm_list_at(side->parent, block->in_side);
    cell.second = dgm_list_at(side->sibling, block->in_side);
    return dgm_device_run(g->env, g->device, DGM_TASK_gated_cell_forward, &cell);
}

static dgm_status dynamic_forward(struct dgm_graph *g, struct dgm_node *y)
{
    const struct dgm_gru_plan *plan = &((const struct dgm_dynamic *)y->attr)->plan;
    struct dgm_dynamic_work work;

    dgm_dynamic_lay_out(y, y->extra, &work);
    DGM_TRY(open_states(g, y, &work));
    for (int i = 0; i < plan->block_count; i++)
        if (plan->blocks[i].count > 0)
            DGM_TRY(forward_block(g, y, &work, &plan->blocks[i]));
    return DGM_OK;
}

/* ---- the operation --------------------------------------------------------------------------- */

static struct dgm_node *dynamic_sample(struct dgm_graph *g, struct dgm_sample *sample)
{
    const struct dgm_gru_plan plan = dgm_gru_sample(g, sample, 2, 1);
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
const struct dgm_op dgm_op_gru_dynamic = { "recur_dynamic",
                                           ((1u << DGM_GRU_SIDES * DGM_DY_READ) - 1) << 1 |
                                               DGM_KEEP_OUTPUT,
                                           -1,
                                           -1,
                                           DGM_NO_LOSS,
                                           dynamic_extra,
                                           dynamic_forward,
                                           dgm_dynamic_backward,
                                           dynamic_sample };

static int has_shape(const struct dgm_node *node, int64_t rows, int64_t cols)
{
    return node->rows == rows && node->cols == cols;
}

static int is_sound(const struct dgm_gru_dynamic *side, int64_t rows, int64_t dim, int64_t small,
                    int64_t wide)
{
    return has_shape(side->parent, wide, dim) && has_shape(side->sibling, wide, dim) &&
           has_shape(side->word, rows, wide) && has_shape(side->out, 3 * dim, 4 * small) &&
           has_shape(side->parent_meta, 3 * small, dim) &&
           has_shape(side->sibling_meta, 3 * small, dim) &&
           has_shape(side->word_meta, rows, 3 * small) && has_shape(side->z, small, small) &&
           (side->z_bias == NULL || has_shape(side->z_bias, 1, small)) &&
           (wide == 2 * small || wide == 3 * small);
}

static int set_inputs(struct dgm_graph *g, struct dgm_node **in,
                      const struct dgm_gru_dynamic *sides, const struct dgm_gru_plan *plan)
{
    for (int s = 0; s < plan->sides; s++) {
        const struct dgm_gru_dynamic *side = &sides[s];
        struct dgm_node *const all[DGM_DY_INPUTS] = { side->out,          side->z,
                                                      side->word,         side->parent,
                                                      side->sibling,      side->parent_meta,
                                                      side->sibling_meta, side->word_meta,
                                                      side->z_bias };
        for (int which = 0; which < DGM_DY_INPUTS; which++) {
            if (all[which] == NULL && which != DGM_DY_Z_BIAS)
                return 0;
            in[dgm_dynamic_place(plan->sides, s, which)] = all[which];
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
    struct dgm_node *in[1 + DGM_GRU_SIDES * DGM_DY_INPUTS] = { NULL }, *y;
    struct dgm_dynamic *dynamic;

    if (!dgm_gru_plan_is_sound(plan))
        return dgm_node_fail(g, "recur_dynamic", init, NULL, "a plan that computes every row once");
    if (!set_inputs(g, in, sides, plan))
        return NULL;
    if (init != NULL && !has_shape(init, plan->roots, sides[0].parent->cols))
        return dgm_node_fail(g, "recur_dynamic", init, sides[0].parent, "init (roots,D)");
    in[0] = init;
    y = dgm_node_new(g, &dgm_op_gru_dynamic, plan->roots + plan->rows, sides[0].parent->cols, in,
                     1 + plan->sides * DGM_DY_INPUTS, sizeof *dynamic);
    if (y == NULL)
        return NULL;
    dynamic = y->attr;
    dynamic->plan = *plan;
    dynamic->carry = carry;
    dynamic->small = sides[0].z->cols;
    dynamic->blocks = sides[0].parent->rows / dynamic->small;
    dynamic->is_kept = y->wants_grad;
    return y;
}
