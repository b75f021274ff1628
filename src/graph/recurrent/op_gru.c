/*
 * op_gru.c: gated recurrent units (Cho et al. 2014) over any schedule: sequences in any order,
 * and trees whose cells read a parent and a sibling (Yang, Wong, Chao, Zhang 2019).
 *
 * The states of all sentences lie in one matrix, block after block; a block is one product for each
 * of parents and siblings, and one task for the gates (device/task.h has the equations). Backward
 * goes through the blocks in reverse: gradients of gates take the place of the gates, and what
 * they send to parents and siblings is added to the states' gradients, which are y's own. Weights
 * get theirs at the end, by one product each.
 */
#include <string.h>

#include "graph/recurrent/gru_op.h"

static size_t recur_extra(const struct dgm_node *y)
{
    const struct dgm_gru_op *recur = y->attr;
    const int64_t block = dgm_gru_most_in_block(&recur->plan);
    const int64_t side = dgm_gru_most_in_side(&recur->plan);
    int64_t reals = 5 * block;

    if (recur->is_kept)
        reals = 4 * recur->plan.rows + (2 * block > side ? 2 * block : side);
    return (size_t)(reals * y->cols) * sizeof(dgm_real);
}

struct dgm_gru_work dgm_gru_work_of(const struct dgm_node *y, struct dgm_ref states)
{
    struct dgm_gru_work work;
    struct dgm_ref from = y->extra;

    memset(&work, 0, sizeof work);
    work.recur = y->attr;
    work.dim = y->cols;
    work.states = dgm_part(states, work.dim);
    for (int s = 0; s < work.recur->plan.sides && work.recur->is_kept; s++)
        work.gates[s] = dgm_part_take(&from, work.recur->plan.side[s].rows, 4 * work.dim);
    if (!work.recur->is_kept)
        work.gates[0] =
            dgm_part_take(&from, dgm_gru_most_in_block(&work.recur->plan), 4 * work.dim);
    work.rows = from;
    work.more =
        dgm_part_at(dgm_part(from, work.dim), dgm_gru_most_in_block(&work.recur->plan), 0).at;
    return work;
}

/* ---- forward --------------------------------------------------------------------------------- */

static dgm_status open_states(struct dgm_graph *g, const struct dgm_node *y)
{
    const int64_t count = ((const struct dgm_gru_op *)y->attr)->plan.roots * y->cols;

    if (y->in[0] == NULL)
        return dgm_part_zero(g, y->value, count);
    return dgm_part_copy(g, y->value, y->in[0]->value, count, 0);
}

/* The recurrent side of all gates of a block. */
static dgm_status multiply_states(struct dgm_graph *g, const struct dgm_node *y,
                                  const struct dgm_gru_work *work,
                                  const struct dgm_gru_block *block)
{
    const struct dgm_gru_side *side = &work->recur->plan.side[block->side];
    const int64_t dim = work->dim;
    struct dgm_product product = { DGM_NT, block->count, 3 * dim, dim, 0, { NULL, 0 } };
    struct dgm_part states = dgm_part(work->rows, dim), gates = dgm_gru_gates(work, block);

    if (block->parents >= 0)
        states = dgm_part_at(work->states, block->parents, 0);
    else
        DGM_TRY(dgm_part_gather(g, work->rows, work->states.at,
                                dgm_list_at(side->parent, block->in_side), block->count, dim));
    DGM_TRY(dgm_part_product(g, &product, gates, states,
                             dgm_part(dgm_gru_input(y, block->side, DGM_RC_PARENT)->value, dim)));
    if (!side->sibling.buffer)
        return DGM_OK;
    DGM_TRY(dgm_part_gather(g, work->rows, work->states.at,
                            dgm_list_at(side->sibling, block->in_side), block->count, dim));
    product.beta = 1;
    return dgm_part_product(g, &product, gates, dgm_part(work->rows, dim),
                            dgm_part(dgm_gru_input(y, block->side, DGM_RC_SIBLING)->value, dim));
}

static dgm_status forward_block(struct dgm_graph *g, const struct dgm_node *y,
                                const struct dgm_gru_work *work, const struct dgm_gru_block *block)
{
    const struct dgm_gru_side *side = &work->recur->plan.side[block->side];
    const struct dgm_part gates = dgm_gru_gates(work, block);
    struct dgm_gated_cell_forward_args cell;

    memset(&cell, 0, sizeof cell);
    cell.n = block->count;
    cell.dim = cell.ldy = cell.lds = work->dim;
    cell.ld_saved = cell.ldh = gates.ld;
    cell.ldx = 3 * work->dim;
    cell.carry = work->recur->carry;
    cell.y = dgm_part_at(work->states, block->first, 0).at;
    if (work->recur->is_kept)
        cell.saved = gates.at;
    cell.x = dgm_part_at(dgm_part(dgm_gru_input(y, block->side, DGM_RC_X)->value, cell.ldx),
                         block->in_side, 0)
                 .at;
    if (!dgm_gru_is_first(y, block)) {
        DGM_TRY(multiply_states(g, y, work, block));
        cell.h = gates.at;
        cell.state = work->states.at;
    }
    if (cell.state.buffer && dgm_gru_is_contiguous(&work->recur->plan, block)) {
        cell.state = dgm_part_at(work->states, block->parents, 0).at;
    } else {
        cell.first = dgm_list_at(side->parent, block->in_side);
        cell.second = dgm_list_at(side->sibling, block->in_side);
    }
    return dgm_device_run(g->env, g->device, DGM_TASK_gated_cell_forward, &cell);
}

static dgm_status recur_forward(struct dgm_graph *g, struct dgm_node *y)
{
    const struct dgm_gru_work work = dgm_gru_work_of(y, y->value);
    const struct dgm_gru_plan *plan = &work.recur->plan;

    DGM_TRY(open_states(g, y));
    for (int i = 0; i < plan->block_count; i++)
        if (plan->blocks[i].count > 0)
            DGM_TRY(forward_block(g, y, &work, &plan->blocks[i]));
    return DGM_OK;
}

/* ---- the operation --------------------------------------------------------------------------- */

/* Weights of all sides, as bits of inputs. */
#define WEIGHTS (1u << (1 + DGM_RC_PARENT) | 1u << (1 + DGM_RC_SIBLING))

static struct dgm_node *recur_sample(struct dgm_graph *g, struct dgm_sample *sample)
{
    struct dgm_node *x[DGM_GRU_SIDES], *w[DGM_GRU_SIDES], *u[DGM_GRU_SIDES], *init = NULL;
    const int siblings = (int)dgm_sample_int(sample, 0, 1);
    const int64_t dim = dgm_sample_int(sample, 1, 4);
    const struct dgm_gru_plan plan = dgm_gru_sample(g, sample, DGM_GRU_SIDES, siblings);

    if (g->status != DGM_OK)
        return NULL;
    if (dgm_sample_int(sample, 0, 2))
        init = dgm_sample_leaf(g, sample, plan.roots, dim);
    for (int s = 0; s < plan.sides; s++) {
        x[s] = dgm_sample_leaf(g, sample, plan.side[s].rows, 3 * dim);
        if (dgm_sample_int(sample, 0, 1))
            x[s] = dgm_activate(g, x[s], DGM_TANH);
        w[s] = dgm_sample_leaf(g, sample, 3 * dim, dim);
        u[s] = siblings ? dgm_sample_leaf(g, sample, 3 * dim, dim) : NULL;
    }
    return dgm_gru(g, init, x, w, u, &plan, (dgm_real)(dgm_sample_int(sample, 0, 1) ? 1 : 0.5));
}

const struct dgm_op dgm_op_gru = { "recur",
                                   WEIGHTS | WEIGHTS << DGM_RC_INPUTS |
                                       WEIGHTS << 2 * DGM_RC_INPUTS | WEIGHTS << 3 * DGM_RC_INPUTS |
                                       DGM_KEEP_OUTPUT,
                                   -1,
                                   -1,
                                   DGM_NO_LOSS,
                                   recur_extra,
                                   recur_forward,
                                   dgm_gru_backward,
                                   recur_sample };

/* What is wrong with the operands of one side; NULL: nothing. */
static const char *side_error(const struct dgm_gru_plan *plan, int s, const struct dgm_node *x,
                              const struct dgm_node *w, const struct dgm_node *u)
{
    if (x->rows != plan->side[s].rows || x->cols != 3 * w->cols)
        return "x (N_s,3D) for weights (3D,D)";
    if (w->rows != 3 * w->cols || (u != NULL && (u->rows != w->rows || u->cols != w->cols)))
        return "weights (3D,D)";
    if ((u == NULL) != (plan->side[s].sibling.buffer == NULL))
        return "weights of siblings where the plan has siblings";
    return NULL;
}

static int set_inputs(struct dgm_graph *g, struct dgm_node **in, struct dgm_node *const *x,
                      struct dgm_node *const *w, struct dgm_node *const *u,
                      const struct dgm_gru_plan *plan)
{
    for (int s = 0; s < plan->sides; s++) {
        struct dgm_node *sibling = u != NULL ? u[s] : NULL;
        const char *error;
        if (x[s] == NULL || w[s] == NULL)
            return 0;
        error = side_error(plan, s, x[s], w[s], sibling);
        if (w[s]->cols != w[0]->cols)
            error = "weights of one size";
        for (int before = 0; before < s; before++)
            if (x[before] == x[s])
                error = "an x for each side";
        if (error != NULL)
            return dgm_node_fail(g, "recur", x[s], w[s], error) != NULL;
        in[1 + s * DGM_RC_INPUTS + DGM_RC_X] = x[s];
        in[1 + s * DGM_RC_INPUTS + DGM_RC_PARENT] = w[s];
        in[1 + s * DGM_RC_INPUTS + DGM_RC_SIBLING] = sibling;
    }
    return 1;
}

struct dgm_node *dgm_gru(struct dgm_graph *g, struct dgm_node *init, struct dgm_node *const *x,
                         struct dgm_node *const *parent_weight,
                         struct dgm_node *const *sibling_weight, const struct dgm_gru_plan *plan,
                         dgm_real carry)
{
    struct dgm_node *in[1 + DGM_GRU_SIDES * DGM_RC_INPUTS] = { NULL }, *y;
    struct dgm_gru_op *recur;

    if (!dgm_gru_plan_is_sound(plan))
        return dgm_node_fail(g, "recur", init, NULL, "a plan that computes every row once");
    if (!set_inputs(g, in, x, parent_weight, sibling_weight, plan))
        return NULL;
    if (init != NULL && (init->rows != plan->roots || init->cols != parent_weight[0]->cols))
        return dgm_node_fail(g, "recur", init, parent_weight[0], "init (roots,D)");
    in[0] = init;
    y = dgm_node_new(g, &dgm_op_gru, plan->roots + plan->rows, parent_weight[0]->cols, in,
                     1 + plan->sides * DGM_RC_INPUTS, sizeof *recur);
    if (y == NULL)
        return NULL;
    recur = y->attr;
    recur->plan = *plan;
    recur->carry = carry;
    recur->is_kept = y->wants_grad;
    return y;
}
