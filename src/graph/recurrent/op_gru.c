/*
 * op_gru.c: gated recurrent units (Cho et al. 2014) over any schedule: sequences in any order,
 * and trees whose cells read a parent and a sibling (Yang, Wong, Chao, Zhang 2019).
 *
 * The states of all sentences lie in one matrix, block after block. A block costs one product with
 * the weights of parents, one with those of siblings, and one task for the gates
 * (kernel/task/cells_list.h has the equations). Backward takes the blocks in reverse order. The
 * gradients of the gates overwrite the saved gates, and what a block sends to parents and siblings
 * is added to the states' gradients, which are y's own. Each weight gets its gradient at the end,
 * by one product over all rows of its side.
 */
#include "graph/calls.h"
#include "graph/recurrent/gru_plan.h"

struct gru {
    struct dgm_gru_plan plan;
    dgm_real carry;
    int is_kept; /* a backward pass follows, or somebody looks at the gates */
};

/* Inputs of the node: init, then these of every side. */
enum { X, PARENT, SIBLING, SIDE_INPUTS };

static int place_of(int side, int which)
{
    return 1 + side * SIDE_INPUTS + which;
}

static struct dgm_node *input_of(const struct dgm_node *y, int side, int which)
{
    return y->in[place_of(side, which)];
}

static int wants(const struct dgm_node *y, int side, int which)
{
    return dgm_node_wants(y, place_of(side, which));
}

/*
 * The memory of a pass; its parts but `states` lie in y->extra, in this order. With a backward
 * pass: gates (N_s,4D) of every side, then room that `rows` and `more` share: (block,D) each while
 * blocks are run, (side,D) from `rows` on for the gradients of weights. Without one: gates
 * (block,4D) that all blocks use in turn, and rows (block,D). block, side: the rows of the largest.
 */
struct work {
    const struct gru *gru;
    int64_t dim;                            /* D */
    struct dgm_matrix states;               /* (roots + rows, D): y, or its gradient */
    struct dgm_matrix gates[DGM_GRU_SIDES]; /* columns u r q c, then their gradients */
    struct dgm_ref rows, more;              /* rows that were gathered, or will be scattered */
};

static uint64_t gru_extra(const struct dgm_node *y)
{
    const struct gru *gru = y->attr;
    const int64_t block = dgm_gru_plan_most_in_block(&gru->plan);
    const int64_t side = dgm_gru_plan_most_in_side(&gru->plan);
    int64_t reals = 5 * block;

    if (gru->is_kept)
        reals = 4 * gru->plan.rows + (2 * block > side ? 2 * block : side);
    return (uint64_t)(reals * y->cols) * sizeof(dgm_real);
}

static struct work work_of(const struct dgm_node *y, struct dgm_ref states)
{
    struct work work = { 0 };
    struct dgm_ref from = y->extra;

    work.gru = y->attr;
    work.dim = y->cols;
    work.states = dgm_matrix(states, work.dim);
    for (int s = 0; s < work.gru->plan.sides && work.gru->is_kept; s++)
        work.gates[s] = dgm_matrix_take(&from, work.gru->plan.side[s].rows, 4 * work.dim);
    if (!work.gru->is_kept)
        work.gates[0] =
            dgm_matrix_take(&from, dgm_gru_plan_most_in_block(&work.gru->plan), 4 * work.dim);
    work.rows = from;
    work.more =
        dgm_matrix_at(dgm_matrix(from, work.dim), dgm_gru_plan_most_in_block(&work.gru->plan), 0)
            .at;
    return work;
}

static int gru_gates(const struct dgm_node *y, struct dgm_gate_rows *rows)
{
    const struct work work = work_of(y, y->value);
    const struct dgm_gru_plan *plan = &work.gru->plan;

    for (int s = 0; s < plan->sides; s++)
        rows[s] = (struct dgm_gate_rows){ work.gates[s].at, plan->side[s].rows, 2 * work.dim,
                                          work.gates[s].ld };
    return plan->sides;
}

static struct dgm_matrix gates_of(const struct work *work, const struct dgm_gru_block *block)
{
    if (!work->gru->is_kept)
        return work->gates[0];
    return dgm_matrix_at(work->gates[block->side], block->in_side, 0);
}

/* Whether each cell of the block reads one state, and these states lie side by side. */
static int is_contiguous(const struct dgm_gru_plan *plan, const struct dgm_gru_block *block)
{
    return block->parents >= 0 && !plan->side[block->side].sibling.buffer;
}

/* Whether such a block reads roots only, and these are zeros: then there is nothing to multiply. */
static int is_first(const struct dgm_node *y, const struct dgm_gru_block *block)
{
    const struct gru *gru = y->attr;

    return y->in[0] == NULL && is_contiguous(&gru->plan, block) &&
           block->parents + block->count <= gru->plan.roots;
}

/* ---- forward --------------------------------------------------------------------------------- */

static dgm_status open_states(struct dgm_graph *g, const struct dgm_node *y)
{
    const int64_t count = ((const struct gru *)y->attr)->plan.roots * y->cols;

    if (y->in[0] == NULL)
        return dgm_call_zero(g, y->value, count);
    return dgm_call_copy(g, y->value, y->in[0]->value, count, 0);
}

/* gates (block,3D) = parents W^T + siblings U^T, before the inputs x are added. */
static dgm_status multiply_states(struct dgm_graph *g, const struct dgm_node *y,
                                  const struct work *work, const struct dgm_gru_block *block)
{
    const struct dgm_gru_side *side = &work->gru->plan.side[block->side];
    const int64_t dim = work->dim;
    struct dgm_product product = dgm_product(DGM_NT, block->count, 3 * dim, dim, 0);
    struct dgm_matrix states = dgm_matrix(work->rows, dim), gates = gates_of(work, block);

    if (block->parents >= 0)
        states = dgm_matrix_at(work->states, block->parents, 0);
    else
        DGM_TRY(dgm_call_gather(g, work->rows, work->states.at,
                                dgm_list_at(side->parent, block->in_side), block->count, dim));
    DGM_TRY(dgm_call_product(g, &product, gates, states,
                             dgm_matrix(input_of(y, block->side, PARENT)->value, dim)));
    if (!side->sibling.buffer)
        return DGM_OK;
    DGM_TRY(dgm_call_gather(g, work->rows, work->states.at,
                            dgm_list_at(side->sibling, block->in_side), block->count, dim));
    product.beta = 1;
    return dgm_call_product(g, &product, gates, dgm_matrix(work->rows, dim),
                            dgm_matrix(input_of(y, block->side, SIBLING)->value, dim));
}

static dgm_status forward_block(struct dgm_graph *g, const struct dgm_node *y,
                                const struct work *work, const struct dgm_gru_block *block)
{
    const struct dgm_gru_side *side = &work->gru->plan.side[block->side];
    const struct dgm_matrix gates = gates_of(work, block);
    struct dgm_gated_cell_forward_args cell = { 0 };

    cell.n = block->count;
    cell.dim = cell.ldy = cell.lds = work->dim;
    cell.ld_saved = cell.ldh = gates.ld;
    cell.ldx = 3 * work->dim;
    cell.carry = work->gru->carry;
    cell.y = dgm_matrix_at(work->states, block->first, 0).at;
    if (work->gru->is_kept)
        cell.saved = gates.at;
    cell.x =
        dgm_matrix_at(dgm_matrix(input_of(y, block->side, X)->value, cell.ldx), block->in_side, 0)
            .at;
    if (!is_first(y, block)) {
        DGM_TRY(multiply_states(g, y, work, block));
        cell.h = gates.at;
        cell.state = work->states.at;
    }
    /* Without a list, row i of the block reads row i of `state`. */
    if (cell.state.buffer && is_contiguous(&work->gru->plan, block)) {
        cell.state = dgm_matrix_at(work->states, block->parents, 0).at;
    } else {
        cell.first = dgm_list_at(side->parent, block->in_side);
        cell.second = dgm_list_at(side->sibling, block->in_side);
    }
    return dgm_device_run(g->env, g->device, DGM_TASK_gated_cell_forward, &cell);
}

static dgm_status gru_forward(struct dgm_graph *g, struct dgm_node *y)
{
    const struct work work = work_of(y, y->value);
    const struct dgm_gru_plan *plan = &work.gru->plan;

    DGM_TRY(open_states(g, y));
    for (int i = 0; i < plan->block_count; i++)
        if (plan->blocks[i].count > 0)
            DGM_TRY(forward_block(g, y, &work, &plan->blocks[i]));
    return DGM_OK;
}

/* ---- backward -------------------------------------------------------------------------------- */

/* What a pass backwards needs besides. */
struct reverse {
    struct work work;              /* its states are gradients */
    struct dgm_ref values;         /* the states themselves */
    int accumulate[DGM_GRU_SIDES]; /* gradients of x are added to */
};

/* Gradients of the gates, and `carried` (block,D): what reaches each state that was read without
 * passing a weight, by (1 - u) c + u carry (p + w). */
static dgm_status backward_cells(struct dgm_graph *g, const struct dgm_node *y,
                                 const struct reverse *reverse, const struct dgm_gru_block *block,
                                 struct dgm_ref carried, int accumulate)
{
    const struct work *work = &reverse->work;
    const struct dgm_gru_side *side = &work->gru->plan.side[block->side];
    const struct dgm_matrix gates = gates_of(work, block);
    struct dgm_gated_cell_backward_args cell = { 0 };

    cell.n = block->count;
    cell.dim = cell.lddcarry = cell.lddy = cell.lds = work->dim;
    cell.ld_saved = cell.lddh = gates.ld;
    cell.lddx = 3 * work->dim;
    cell.carry = work->gru->carry;
    cell.dcarry = carried;
    cell.accumulate_carry = accumulate;
    cell.saved = cell.dh = gates.at;
    cell.dy = dgm_matrix_at(work->states, block->first, 0).at;
    cell.accumulate_x = reverse->accumulate[block->side];
    if (wants(y, block->side, X))
        cell.dx = dgm_matrix_at(dgm_matrix(input_of(y, block->side, X)->grad, cell.lddx),
                                block->in_side, 0)
                      .at;
    if (!is_first(y, block)) {
        cell.state = reverse->values;
        cell.first = dgm_list_at(side->parent, block->in_side);
        cell.second = dgm_list_at(side->sibling, block->in_side);
    }
    return dgm_device_run(g->env, g->device, DGM_TASK_gated_cell_backward, &cell);
}

/* to += F weight, the block's share of one kind of states. */
static dgm_status send(struct dgm_graph *g, const struct dgm_node *y, const struct work *work,
                       const struct dgm_gru_block *block, int which, struct dgm_ref to)
{
    const int64_t dim = work->dim;
    const struct dgm_product product = dgm_product(DGM_NN, block->count, dim, 3 * dim, 1);

    return dgm_call_product(g, &product, dgm_matrix(to, dim), gates_of(work, block),
                            dgm_matrix(input_of(y, block->side, which)->value, dim));
}

/* Cells that read one state each, side by side: what they send is added in place, with
 * nothing to gather or to scatter. */
static dgm_status backward_contiguous(struct dgm_graph *g, const struct dgm_node *y,
                                      const struct reverse *reverse,
                                      const struct dgm_gru_block *block)
{
    const struct dgm_ref none = { NULL, 0 };
    const struct dgm_ref to = dgm_matrix_at(reverse->work.states, block->parents, 0).at;

    if (is_first(y, block))
        return backward_cells(g, y, reverse, block, none, 0);
    DGM_TRY(backward_cells(g, y, reverse, block, to, 1));
    return send(g, y, &reverse->work, block, PARENT, to);
}

/*
 * Parents and siblings get the same carried gradient, and each a product of its own: `more` is a
 * copy of it for the siblings. Rows of a block may share a parent, hence the scatter, which adds
 * row after row in a fixed order.
 */
static dgm_status backward_block(struct dgm_graph *g, const struct dgm_node *y,
                                 const struct reverse *reverse, const struct dgm_gru_block *block)
{
    const struct work *work = &reverse->work;
    const struct dgm_gru_side *side = &work->gru->plan.side[block->side];
    const struct dgm_ref parents = dgm_list_at(side->parent, block->in_side);
    const struct dgm_ref siblings = dgm_list_at(side->sibling, block->in_side);

    if (is_contiguous(&work->gru->plan, block))
        return backward_contiguous(g, y, reverse, block);
    DGM_TRY(backward_cells(g, y, reverse, block, work->rows, 0));
    if (siblings.buffer) {
        DGM_TRY(dgm_call_copy(g, work->more, work->rows, block->count * work->dim, 0));
        DGM_TRY(send(g, y, work, block, SIBLING, work->more));
        DGM_TRY(
            dgm_call_scatter(g, work->states.at, work->more, siblings, block->count, work->dim));
    }
    DGM_TRY(send(g, y, work, block, PARENT, work->rows));
    return dgm_call_scatter(g, work->states.at, work->rows, parents, block->count, work->dim);
}

/* The gradient of one weight: F^T times the states that it multiplied. */
static dgm_status backward_weight(struct dgm_graph *g, const struct dgm_node *y,
                                  const struct reverse *reverse, int s, int which,
                                  struct dgm_ref list)
{
    const struct work *work = &reverse->work;
    const int64_t rows = work->gru->plan.side[s].rows, dim = work->dim;

    if (!wants(y, s, which))
        return DGM_OK;
    DGM_TRY(dgm_call_gather(g, work->rows, reverse->values, list, rows, dim));
    return dgm_node_weight_grad(g, y, place_of(s, which), work->gates[s],
                                dgm_matrix(work->rows, dim), rows);
}

static dgm_status gru_backward(struct dgm_graph *g, struct dgm_node *y)
{
    struct reverse reverse = { 0 };
    const struct dgm_gru_plan *plan = &((const struct gru *)y->attr)->plan;

    reverse.work = work_of(y, y->grad);
    reverse.values = y->value;
    for (int s = 0; s < plan->sides; s++)
        reverse.accumulate[s] = wants(y, s, X) && dgm_node_accumulate(input_of(y, s, X));
    for (int i = plan->block_count - 1; i >= 0; i--)
        if (plan->blocks[i].count > 0)
            DGM_TRY(backward_block(g, y, &reverse, &plan->blocks[i]));
    for (int s = 0; s < plan->sides; s++) {
        DGM_TRY(backward_weight(g, y, &reverse, s, PARENT, plan->side[s].parent));
        DGM_TRY(backward_weight(g, y, &reverse, s, SIBLING, plan->side[s].sibling));
    }
    return dgm_node_copy_grad(g, y, 0, y->grad);
}

/* ---- the operation --------------------------------------------------------------------------- */

/* Weights of all sides, as bits of inputs. */
#define WEIGHTS (1u << (1 + PARENT) | 1u << (1 + SIBLING))

static struct dgm_node *gru_sample(struct dgm_graph *g, struct dgm_sample *sample)
{
    struct dgm_node *x[DGM_GRU_SIDES], *w[DGM_GRU_SIDES], *u[DGM_GRU_SIDES], *init = NULL;
    const int siblings = (int)dgm_sample_int(sample, 0, 1);
    const int64_t dim = dgm_sample_int(sample, 1, 4);
    const struct dgm_gru_plan plan = dgm_gru_plan_sample(g, sample, DGM_GRU_SIDES, siblings);

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

const struct dgm_op dgm_op_gru = {
    .name = "recur",
    .keep = WEIGHTS | WEIGHTS << SIDE_INPUTS | WEIGHTS << 2 * SIDE_INPUTS |
            WEIGHTS << 3 * SIDE_INPUTS | DGM_KEEP_OUTPUT,
    .extra = gru_extra,
    .gates = gru_gates,
    .forward = gru_forward,
    .backward = gru_backward,
    .sample = gru_sample,
};

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
        in[place_of(s, X)] = x[s];
        in[place_of(s, PARENT)] = w[s];
        in[place_of(s, SIBLING)] = sibling;
    }
    return 1;
}

struct dgm_node *dgm_gru(struct dgm_graph *g, struct dgm_node *init, struct dgm_node *const *x,
                         struct dgm_node *const *parent_weight,
                         struct dgm_node *const *sibling_weight, const struct dgm_gru_plan *plan,
                         dgm_real carry)
{
    struct dgm_node *in[1 + DGM_GRU_SIDES * SIDE_INPUTS] = { NULL }, *y;
    const struct gru gru = { .plan = *plan, .carry = carry };

    if (!dgm_gru_plan_is_sound(plan))
        return dgm_node_fail(g, "recur", init, NULL, "a plan that computes every row once");
    if (!set_inputs(g, in, x, parent_weight, sibling_weight, plan))
        return NULL;
    if (init != NULL && (init->rows != plan->roots || init->cols != parent_weight[0]->cols))
        return dgm_node_fail(g, "recur", init, parent_weight[0], "init (roots,D)");
    in[0] = init;
    y = dgm_node_new(g, &dgm_op_gru, plan->roots + plan->rows, parent_weight[0]->cols, in,
                     1 + plan->sides * SIDE_INPUTS, &gru, sizeof gru);
    if (y != NULL)
        ((struct gru *)y->attr)->is_kept = y->wants_grad || g->keeps_gates;
    return y;
}
