/*
 * op_tree_cell_dynamic.c: binary trees composed with dynamic weights (Yang, Wong, Chao, Zhang
 * 2019): P diag(z) Q for each weight, B z for each bias, z = W_z m + b_z from the states m of a
 * child-sum network (Tai et al. 2015) that reads the same children. No weight is ever built.
 *
 * A node with children l and r:
 *
 *   f_L, f_R = Q l, Q r            m = child_sum(meta l, meta r)     z = W_z m + b_z
 *   t_b = [z f_L | z f_R | z], for each block b of Q
 *   left = P t_L                   right = P t_R                     bias = B z
 *
 * then compose (kernel/task/compose_list.h). Backward: gradients overwrite f, left and right, and
 * the products of the small network; weights get theirs at the end, by one product for each block.
 */
#include <string.h>

#include "graph/calls.h"
#include "graph/recurrent/tree_cell_plan.h"

/* Inputs of the node. Those whose values backward reads come first. */
enum {
    LEFT_IN,
    RIGHT_IN,
    LEFT_OUT,
    RIGHT_OUT,
    BIAS,
    META,
    Z,
    READ_BACKWARD,
    LEAVES = READ_BACKWARD,
    META_BIAS,
    Z_BIAS,
    LEAF_META,
    INPUTS
};

enum { GATES = 5 };

struct dynamic {
    struct dgm_tree_cell_plan plan;
    int64_t small, blocks, most; /* K; blocks of Q: 2 or 5; nodes in a step */
};

/*
 * The memory of a pass, over nodes `first` .. (work_at). M: all nodes where a backward pass
 * follows, else the largest step, whose memory all steps use in turn; n: the largest step. D:
 * width of states, K: of z and of small states, QK: rows of Q, 2K or 5K. Backward writes gradients
 * over factor, product and side.
 */
struct work {
    const struct dynamic *dynamic;
    int64_t dim, small, wide;                   /* D, K, QK */
    struct dgm_matrix child[2], small_child[2]; /* (M,D), (M,K): states of the children, l and r */
    struct dgm_matrix factor[2];                /* (M,QK) */
    struct dgm_matrix product[2];               /* (M,3K): meta times child */
    struct dgm_matrix side[2];                  /* (M,5D): left, right */
    struct dgm_matrix z, dz, t;                 /* (M,K), (M,K), (M,3 QK) */
    struct dgm_matrix states, dstates;          /* (leaves + M, K): of the small network */
    struct dgm_matrix bias, dchild[2], dsmall, taus; /* of a step: (n,5D), (n,D), (n,K), (n,3 QK) */
};

/* ---- memory ---------------------------------------------------------------------------------- */

/* Lays everything out from `from` on; returns the end. */
static struct dgm_ref lay_out(const struct dgm_node *y, struct dgm_ref from, struct work *work)
{
    const struct dynamic *dynamic = y->attr;
    const int64_t dim = y->cols, small = dynamic->small, wide = dynamic->blocks * small;
    const int64_t most = dynamic->most, rows = y->wants_grad ? dynamic->plan.nodes : most;

    memset(work, 0, sizeof *work);
    work->dynamic = dynamic;
    work->dim = dim;
    work->small = small;
    work->wide = wide;
    for (int k = 0; k < 2; k++) {
        work->child[k] = dgm_matrix_take(&from, rows, dim);
        work->small_child[k] = dgm_matrix_take(&from, rows, small);
        work->factor[k] = dgm_matrix_take(&from, rows, wide);
        work->product[k] = dgm_matrix_take(&from, rows, 3 * small);
        work->side[k] = dgm_matrix_take(&from, rows, GATES * dim);
        work->dchild[k] = dgm_matrix_take(&from, most, dim);
    }
    work->z = dgm_matrix_take(&from, rows, small);
    work->t = dgm_matrix_take(&from, rows, 3 * wide);
    work->states = dgm_matrix_take(&from, y->rows, small);
    work->bias = dgm_matrix_take(&from, most, GATES * dim);
    if (y->wants_grad) {
        work->dz = dgm_matrix_take(&from, rows, small);
        work->dstates = dgm_matrix_take(&from, y->rows, small);
        work->dsmall = dgm_matrix_take(&from, most, small);
        work->taus = dgm_matrix_take(&from, most, 3 * wide);
    }
    return from;
}

/* What belongs to the nodes from `first` on. */
static struct work work_at(const struct dgm_node *y, int64_t first)
{
    const int64_t row = y->wants_grad ? first : 0;
    struct work work;

    lay_out(y, y->extra, &work);
    for (int k = 0; k < 2; k++) {
        work.child[k] = dgm_matrix_at(work.child[k], row, 0);
        work.small_child[k] = dgm_matrix_at(work.small_child[k], row, 0);
        work.factor[k] = dgm_matrix_at(work.factor[k], row, 0);
        work.product[k] = dgm_matrix_at(work.product[k], row, 0);
        work.side[k] = dgm_matrix_at(work.side[k], row, 0);
    }
    work.z = dgm_matrix_at(work.z, row, 0);
    work.dz = dgm_matrix_at(work.dz, row, 0);
    work.t = dgm_matrix_at(work.t, row, 0);
    return work;
}

/* How t of `count` nodes follows from their factors. */
static struct dgm_modulate modulate_of(const struct work *work, int64_t count)
{
    struct dgm_modulate core = { 0 };

    core.n = count;
    core.dim = core.ldz = work->small;
    core.blocks = work->dynamic->blocks;
    core.ld_factor[0] = core.ld_factor[1] = work->wide;
    core.ldt = 3 * work->wide;
    return core;
}

/* The gates that block b of Q makes: five blocks make one each; of two blocks, the first makes the
 * four gates r_L r_R a_L a_R and the second makes c. */
static int64_t first_gate(const struct work *work, int64_t block)
{
    return work->dynamic->blocks == GATES ? block : block * (GATES - 1);
}

static int64_t gates_of(const struct work *work, int64_t block)
{
    return work->dynamic->blocks == 2 && block == 0 ? GATES - 1 : 1;
}

/* Part 0, 1 or 2 of block b of t, and the rows of P or B that belong to the block. */
static struct dgm_matrix t_part(const struct work *work, struct dgm_matrix t, int64_t block,
                                int part)
{
    return dgm_matrix_at(t, 0, (3 * block + part) * work->small);
}

static struct dgm_matrix block_rows(const struct work *work, struct dgm_ref weight, int64_t block)
{
    return dgm_matrix_at(dgm_matrix(weight, work->small), first_gate(work, block) * work->dim, 0);
}

static struct dgm_ref children_of(const struct dgm_tree_cell_plan *plan, int k, int64_t first)
{
    return dgm_list_at(k == 0 ? plan->left : plan->right, first);
}

static uint64_t dynamic_extra(const struct dgm_node *y)
{
    const struct dgm_ref begin = { NULL, 0 };
    struct work work;

    return lay_out(y, begin, &work).offset;
}

/* ---- forward --------------------------------------------------------------------------------- */

static dgm_status open_states(struct dgm_graph *g, const struct dgm_node *y)
{
    const struct work work = work_at(y, 0);
    const struct dgm_tree_cell_plan *plan = &work.dynamic->plan;
    const struct dgm_node *leaf_meta = y->in[LEAF_META];

    DGM_TRY(dgm_call_copy(g, y->value, y->in[LEAVES]->value, plan->leaves * y->cols, 0));
    if (leaf_meta == NULL)
        return dgm_call_zero(g, work.states.at, plan->leaves * work.small);
    return dgm_call_copy(g, work.states.at, leaf_meta->value, plan->leaves * work.small, 0);
}

/* For both children: gathers the states (n,D) and the small ones (n,K), then f = Q l (n,QK) and
 * meta l (n,3K). */
static dgm_status read_children(struct dgm_graph *g, const struct dgm_node *y,
                                const struct work *work, int64_t first, int64_t count)
{
    const struct dgm_product in = dgm_product(DGM_NT, count, work->wide, work->dim, 0);
    const struct dgm_product meta = dgm_product(DGM_NT, count, 3 * work->small, work->dim, 0);

    for (int k = 0; k < 2; k++) {
        const struct dgm_ref index = children_of(&work->dynamic->plan, k, first);
        DGM_TRY(dgm_call_gather(g, work->child[k].at, y->value, index, count, work->dim));
        DGM_TRY(dgm_call_gather(g, work->small_child[k].at, work->states.at, index, count,
                                work->small));
        DGM_TRY(dgm_call_product(g, &in, work->factor[k], work->child[k],
                                 dgm_matrix(y->in[LEFT_IN + k]->value, work->dim)));
        DGM_TRY(dgm_call_product(g, &meta, work->product[k], work->child[k],
                                 dgm_matrix(y->in[META]->value, work->dim)));
    }
    return DGM_OK;
}

/* The small states of the step, then z and t. */
static dgm_status find_z(struct dgm_graph *g, const struct dgm_node *y, const struct work *work,
                         int64_t first, int64_t count)
{
    const struct dgm_matrix state =
        dgm_matrix_at(work->states, work->dynamic->plan.leaves + first, 0);
    struct dgm_product product = dgm_product(DGM_NT, count, work->small, work->small, 0);
    struct dgm_child_sum_forward_args sum = { 0 };
    struct dgm_modulate_forward_args modulate = { 0 };

    sum.y = state.at;
    sum.left = work->product[0].at;
    sum.right = work->product[1].at;
    sum.l = work->small_child[0].at;
    sum.r = work->small_child[1].at;
    sum.bias = y->in[META_BIAS]->value;
    sum.n = count;
    sum.dim = work->small;
    DGM_TRY(dgm_device_run(g->env, g->device, DGM_TASK_child_sum_forward, &sum));
    if (y->in[Z_BIAS] != NULL)
        product.bias = y->in[Z_BIAS]->value;
    DGM_TRY(
        dgm_call_product(g, &product, work->z, state, dgm_matrix(y->in[Z]->value, work->small)));
    modulate.t = work->t.at;
    modulate.z = work->z.at;
    modulate.factor[0] = work->factor[0].at;
    modulate.factor[1] = work->factor[1].at;
    modulate.core = modulate_of(work, count);
    return dgm_device_run(g->env, g->device, DGM_TASK_modulate_forward, &modulate);
}

/* left and right (n,5D): block b of t times the rows of P that belong to the block; the bias
 * (n,5D) = z B^T is a row of its own for every node. Then the composition, as with constant
 * weights. */
static dgm_status compose_step(struct dgm_graph *g, const struct dgm_node *y,
                               const struct work *work, int64_t first, int64_t count)
{
    const struct dgm_product bias = dgm_product(DGM_NT, count, GATES * work->dim, work->small, 0);
    struct dgm_compose_forward_args args = { 0 };

    for (int64_t b = 0; b < work->dynamic->blocks; b++) {
        const struct dgm_product out =
            dgm_product(DGM_NT, count, gates_of(work, b) * work->dim, work->small, 0);
        for (int k = 0; k < 2; k++)
            DGM_TRY(
                dgm_call_product(g, &out,
                                 dgm_matrix_at(work->side[k], 0, first_gate(work, b) * work->dim),
                                 t_part(work, work->t, b, k),
                                 block_rows(work, y->in[LEFT_OUT + k]->value, b)));
    }
    DGM_TRY(dgm_call_product(g, &bias, work->bias, work->z,
                             dgm_matrix(y->in[BIAS]->value, work->small)));
    args.y =
        dgm_matrix_at(dgm_matrix(y->value, work->dim), work->dynamic->plan.leaves + first, 0).at;
    args.left = work->side[0].at;
    args.right = work->side[1].at;
    args.l = work->child[0].at;
    args.r = work->child[1].at;
    args.bias = work->bias.at;
    args.ld_bias = GATES * work->dim;
    args.core.n = count;
    args.core.dim = work->dim;
    args.core.mixes = 2;
    return dgm_device_run(g->env, g->device, DGM_TASK_compose_forward, &args);
}

static dgm_status dynamic_forward(struct dgm_graph *g, struct dgm_node *y)
{
    const struct dynamic *dynamic = y->attr;
    int64_t first = 0;

    DGM_TRY(open_states(g, y));
    for (int s = 0; s < dynamic->plan.steps; s++) {
        const int64_t count = dynamic->plan.counts[s];
        const struct work work = work_at(y, first);
        DGM_TRY(read_children(g, y, &work, first, count));
        DGM_TRY(find_z(g, y, &work, first, count));
        DGM_TRY(compose_step(g, y, &work, first, count));
        first += count;
    }
    return DGM_OK;
}

/* ---- backward -------------------------------------------------------------------------------- */

static struct dgm_matrix grads_of(const struct dgm_node *y, int64_t first)
{
    const struct dynamic *dynamic = y->attr;

    return dgm_matrix_at(dgm_matrix(y->grad, y->cols), dynamic->plan.leaves + first, 0);
}

/* The gradients of a block's gates on side k, 0: left, 1: right; k = 2: of the bias. Both sides and
 * the bias are added up in a gate, so that any side has the bias's gradient, except for c: there it
 * is what composition left in dy. */
static struct dgm_matrix dgates(const struct work *work, struct dgm_matrix dy, int64_t block, int k)
{
    if (k == 2 && first_gate(work, block) == GATES - 1)
        return dy;
    return dgm_matrix_at(work->side[k % 2], 0, first_gate(work, block) * work->dim);
}

/* Through the composition to the gradients of the gates, in the memory of left and right, and of
 * the children; then dt (n, 3 QK), block by block, in taus. */
static dgm_status compose_back(struct dgm_graph *g, const struct dgm_node *y,
                               const struct work *work, int64_t first, int64_t count)
{
    const struct dgm_matrix dy = grads_of(y, first);
    struct dgm_compose_backward_args args = { 0 };

    args.dl = work->dchild[0].at;
    args.dr = work->dchild[1].at;
    args.dy = dy.at;
    args.left = work->side[0].at;
    args.right = work->side[1].at;
    args.l = work->child[0].at;
    args.r = work->child[1].at;
    args.core.n = count;
    args.core.dim = work->dim;
    args.core.mixes = 2;
    DGM_TRY(dgm_device_run(g->env, g->device, DGM_TASK_compose_backward, &args));
    for (int64_t b = 0; b < work->dynamic->blocks; b++) {
        const struct dgm_product tau =
            dgm_product(DGM_NN, count, work->small, gates_of(work, b) * work->dim, 0);
        for (int k = 0; k < 3; k++)
            DGM_TRY(dgm_call_product(g, &tau, t_part(work, work->taus, b, k),
                                     dgates(work, dy, b, k),
                                     block_rows(work, y->in[LEFT_OUT + k]->value, b)));
    }
    return DGM_OK;
}

/* From dt to dz and the gradients of f, from dz to the small states (+=: a parent has added to them
 * already), and back through their child-sum. */
static dgm_status small_back(struct dgm_graph *g, const struct dgm_node *y, const struct work *work,
                             int64_t first, int64_t count)
{
    const struct dgm_matrix ds =
        dgm_matrix_at(work->dstates, work->dynamic->plan.leaves + first, 0);
    const struct dgm_product product = dgm_product(DGM_NN, count, work->small, work->small, 1);
    struct dgm_modulate_backward_args modulate = { 0 };
    struct dgm_child_sum_backward_args sum = { 0 };

    modulate.dz = work->dz.at;
    modulate.dt = work->taus.at;
    modulate.z = work->z.at;
    modulate.core = modulate_of(work, count);
    for (int k = 0; k < 2; k++) {
        modulate.dfactor[k] = modulate.factor[k] = work->factor[k].at;
        modulate.lddf[k] = work->wide;
    }
    DGM_TRY(dgm_device_run(g->env, g->device, DGM_TASK_modulate_backward, &modulate));
    DGM_TRY(dgm_call_product(g, &product, ds, work->dz, dgm_matrix(y->in[Z]->value, work->small)));
    sum.dcarry = work->dsmall.at;
    sum.dy = ds.at;
    sum.left = work->product[0].at;
    sum.right = work->product[1].at;
    sum.l = work->small_child[0].at;
    sum.r = work->small_child[1].at;
    sum.n = count;
    sum.dim = work->small;
    return dgm_device_run(g->env, g->device, DGM_TASK_child_sum_backward, &sum);
}

/* The children get the gradients of Q l and meta l by products, besides what composition brought
 * them (dchild). Scatter adds them to the states, which later steps read. */
static dgm_status children_back(struct dgm_graph *g, const struct dgm_node *y,
                                const struct work *work, int64_t first, int64_t count)
{
    const struct dgm_product in = dgm_product(DGM_NN, count, work->dim, work->wide, 1);
    const struct dgm_product meta = dgm_product(DGM_NN, count, work->dim, 3 * work->small, 1);

    for (int k = 0; k < 2; k++) {
        const struct dgm_ref index = children_of(&work->dynamic->plan, k, first);
        DGM_TRY(dgm_call_product(g, &in, work->dchild[k], work->factor[k],
                                 dgm_matrix(y->in[LEFT_IN + k]->value, work->dim)));
        DGM_TRY(dgm_call_product(g, &meta, work->dchild[k], work->product[k],
                                 dgm_matrix(y->in[META]->value, work->dim)));
        DGM_TRY(dgm_call_scatter(g, y->grad, work->dchild[k].at, index, count, work->dim));
        DGM_TRY(dgm_call_scatter(g, work->dstates.at, work->dsmall.at, index, count, work->small));
    }
    return DGM_OK;
}

/* Of P on both sides and of B: block by block. */
static dgm_status out_grads(struct dgm_graph *g, const struct dgm_node *y, const struct work *work)
{
    for (int k = 0; k < 3; k++) {
        struct dgm_node *weight = y->in[LEFT_OUT + k];
        const int ready = !dgm_node_wants(y, LEFT_OUT + k) || dgm_node_accumulate(weight);
        if (!dgm_node_wants(y, LEFT_OUT + k))
            continue;
        for (int64_t b = 0; b < work->dynamic->blocks; b++) {
            const struct dgm_product product =
                dgm_product(DGM_TN, gates_of(work, b) * work->dim, work->small,
                            work->dynamic->plan.nodes, ready ? 1 : 0);
            DGM_TRY(dgm_call_product(g, &product, block_rows(work, weight->grad, b),
                                     dgates(work, grads_of(y, 0), b, k),
                                     k == 2 ? work->z : t_part(work, work->t, b, k)));
        }
    }
    return DGM_OK;
}

/* Of the small network's bias u and r_L come from the left products, r_R from the right ones. */
static dgm_status bias_grads(struct dgm_graph *g, const struct dgm_node *y, const struct work *work)
{
    const int64_t small = work->small, nodes = work->dynamic->plan.nodes;
    const struct dgm_matrix dc = dgm_matrix_at(work->dstates, work->dynamic->plan.leaves, 0);

    if (dgm_node_wants(y, Z_BIAS)) {
        DGM_TRY(dgm_node_open_sum(g, y->in[Z_BIAS]));
        DGM_TRY(dgm_call_column_sums(g, y->in[Z_BIAS]->grad, work->dz, nodes, small));
    }
    if (dgm_node_wants(y, META_BIAS)) {
        const struct dgm_matrix to = dgm_matrix(y->in[META_BIAS]->grad, 3 * small);
        DGM_TRY(dgm_node_open_sum(g, y->in[META_BIAS]));
        DGM_TRY(dgm_call_column_sums(g, to.at, work->product[0], nodes, 2 * small));
        DGM_TRY(dgm_call_column_sums(g, dgm_matrix_at(to, 0, small).at,
                                     dgm_matrix_at(work->product[1], 0, small), nodes, small));
        DGM_TRY(dgm_call_column_sums(g, dgm_matrix_at(to, 0, 2 * small).at, dc, nodes, small));
    }
    return DGM_OK;
}

static dgm_status weight_grads(struct dgm_graph *g, const struct dgm_node *y)
{
    const struct work work = work_at(y, 0);
    const int64_t leaves = work.dynamic->plan.leaves, nodes = work.dynamic->plan.nodes;

    if (nodes == 0)
        return DGM_OK;
    for (int k = 0; k < 2; k++) {
        DGM_TRY(dgm_node_weight_grad(g, y, LEFT_IN + k, work.factor[k], work.child[k], nodes));
        DGM_TRY(dgm_node_weight_grad(g, y, META, work.product[k], work.child[k], nodes));
    }
    DGM_TRY(dgm_node_weight_grad(g, y, Z, work.dz, dgm_matrix_at(work.states, leaves, 0), nodes));
    DGM_TRY(out_grads(g, y, &work));
    return bias_grads(g, y, &work);
}

static dgm_status dynamic_backward(struct dgm_graph *g, struct dgm_node *y)
{
    const struct dynamic *dynamic = y->attr;
    struct work work = work_at(y, 0);
    int64_t first = dynamic->plan.nodes;

    DGM_TRY(dgm_call_zero(g, work.dstates.at, y->rows * work.small));
    for (int s = dynamic->plan.steps - 1; s >= 0; s--) {
        const int64_t count = dynamic->plan.counts[s];
        first -= count;
        work = work_at(y, first);
        DGM_TRY(compose_back(g, y, &work, first, count));
        DGM_TRY(small_back(g, y, &work, first, count));
        DGM_TRY(children_back(g, y, &work, first, count));
    }
    DGM_TRY(weight_grads(g, y));
    DGM_TRY(dgm_node_copy_grad(g, y, LEAVES, y->grad));
    return dgm_node_copy_grad(g, y, LEAF_META, work.dstates.at);
}

/* ---- the node -------------------------------------------------------------------------------- */

static struct dgm_node *dynamic_sample(struct dgm_graph *g, struct dgm_sample *sample)
{
    const struct dgm_tree_cell_plan plan = dgm_tree_cell_plan_sample(g, sample);
    const int64_t dim = dgm_sample_int(sample, 1, 4), small = dgm_sample_int(sample, 1, 3);
    const int64_t wide = small * (dgm_sample_int(sample, 0, 1) ? 2 : GATES);
    struct dgm_tree_cell_dynamic weights = { 0 };

    weights.left_in = dgm_sample_leaf(g, sample, wide, dim);
    weights.right_in = dgm_sample_leaf(g, sample, wide, dim);
    weights.left_out = dgm_sample_leaf(g, sample, GATES * dim, small);
    weights.right_out = dgm_sample_leaf(g, sample, GATES * dim, small);
    weights.bias = dgm_sample_leaf(g, sample, GATES * dim, small);
    weights.meta = dgm_sample_leaf(g, sample, 3 * small, dim);
    weights.meta_bias = dgm_sample_leaf(g, sample, 1, 3 * small);
    weights.z = dgm_sample_leaf(g, sample, small, small);
    if (dgm_sample_int(sample, 0, 1))
        weights.z_bias = dgm_sample_leaf(g, sample, 1, small);
    if (dgm_sample_int(sample, 0, 1))
        weights.leaf_meta = dgm_sample_leaf(g, sample, plan.leaves, small);
    return dgm_tree_cell_dynamic(g, dgm_sample_leaf(g, sample, plan.leaves, dim), &weights, &plan);
}

const struct dgm_op dgm_op_tree_cell_dynamic = {
    .name = "compose_dynamic",
    .keep = (1u << READ_BACKWARD) - 1,
    .extra = dynamic_extra,
    .forward = dynamic_forward,
    .backward = dynamic_backward,
    .sample = dynamic_sample,
};

static int has_shapes(struct dgm_node *const *in, const struct dgm_tree_cell_plan *plan)
{
    const int64_t dim = in[LEAVES]->cols, small = in[Z]->rows, wide = in[LEFT_IN]->rows;

    return in[LEAVES]->rows == plan->leaves && (wide == 2 * small || wide == GATES * small) &&
           dgm_node_is(in[LEFT_IN], wide, dim) && dgm_node_is(in[RIGHT_IN], wide, dim) &&
           dgm_node_is(in[LEFT_OUT], GATES * dim, small) &&
           dgm_node_is(in[RIGHT_OUT], GATES * dim, small) &&
           dgm_node_is(in[BIAS], GATES * dim, small) && dgm_node_is(in[META], 3 * small, dim) &&
           dgm_node_is(in[META_BIAS], 1, 3 * small) && dgm_node_is(in[Z], small, small) &&
           (in[Z_BIAS] == NULL || dgm_node_is(in[Z_BIAS], 1, small)) &&
           (in[LEAF_META] == NULL || dgm_node_is(in[LEAF_META], plan->leaves, small));
}

struct dgm_node *dgm_tree_cell_dynamic(struct dgm_graph *g, struct dgm_node *leaves,
                                       const struct dgm_tree_cell_dynamic *weights,
                                       const struct dgm_tree_cell_plan *plan)
{
    struct dgm_node *const in[INPUTS] = { [LEFT_IN] = weights->left_in,
                                          [RIGHT_IN] = weights->right_in,
                                          [LEFT_OUT] = weights->left_out,
                                          [RIGHT_OUT] = weights->right_out,
                                          [BIAS] = weights->bias,
                                          [META] = weights->meta,
                                          [Z] = weights->z,
                                          [LEAVES] = leaves,
                                          [META_BIAS] = weights->meta_bias,
                                          [Z_BIAS] = weights->z_bias,
                                          [LEAF_META] = weights->leaf_meta };
    struct dynamic dynamic = { .plan = *plan, .most = dgm_tree_cell_plan_most(plan) };

    for (int i = 0; i < Z_BIAS; i++)
        if (in[i] == NULL)
            return NULL;
    if (!has_shapes(in, plan))
        return dgm_node_fail(g, "compose_dynamic", leaves, in[LEFT_IN],
                             "leaves (N,D), Q (2K or 5K,D), P and B (5D,K), a small network");
    dynamic.small = in[Z]->rows;
    dynamic.blocks = in[LEFT_IN]->rows / dynamic.small;
    return dgm_node_new(g, &dgm_op_tree_cell_dynamic, plan->leaves + plan->nodes, leaves->cols, in,
                        INPUTS, &dynamic, sizeof dynamic);
}
