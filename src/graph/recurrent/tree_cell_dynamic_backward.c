/*
 * tree_cell_dynamic_backward.c: the gradients of op_tree_cell_dynamic.c, from the last step to the
 * first, then those of the weights.
 */
#include <string.h>

#include "graph/recurrent/tree_cell_dynamic.h"

static struct dgm_part grads_of(const struct dgm_node *y, int64_t first)
{
    const struct dgm_composing *dynamic = y->attr;

    return dgm_part_at(dgm_part(y->grad, y->cols), dynamic->plan.leaves + first, 0);
}

/* The gradients of the gates of a block on one side, 2: of the bias. */
static struct dgm_part dgates(const struct dgm_composing_work *work, struct dgm_part dy,
                              int64_t block, int k)
{
    if (k == 2 && dgm_composing_gate(work, block) == DGM_CO_GATES - 1)
        return dy;
    return dgm_part_at(work->side[k % 2], 0, dgm_composing_gate(work, block) * work->dim);
}

static dgm_status compose_back(struct dgm_graph *g, const struct dgm_node *y,
                               const struct dgm_composing_work *work, int64_t first, int64_t count)
{
    const struct dgm_part dy = grads_of(y, first);
    struct dgm_compose_backward_args args;

    memset(&args, 0, sizeof args);
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
            dgm_product(DGM_NN, count, work->small, dgm_composing_gates(work, b) * work->dim, 0);
        for (int k = 0; k < 3; k++)
            DGM_TRY(
                dgm_part_product(g, &tau, dgm_composing_t(work, work->taus, b, k),
                                 dgates(work, dy, b, k),
                                 dgm_composing_rows(work, y->in[DGM_CO_LEFT_OUT + k]->value, b)));
    }
    return DGM_OK;
}

/* From t to z and the factors, from z to the small states, and through their step. */
static dgm_status small_back(struct dgm_graph *g, const struct dgm_node *y,
                             const struct dgm_composing_work *work, int64_t first, int64_t count)
{
    const struct dgm_part ds = dgm_part_at(work->dstates, work->dynamic->plan.leaves + first, 0);
    const struct dgm_product product = dgm_product(DGM_NN, count, work->small, work->small, 1);
    struct dgm_modulate_backward_args modulate;
    struct dgm_child_sum_backward_args sum;

    memset(&modulate, 0, sizeof modulate);
    modulate.dz = work->dz.at;
    modulate.dt = work->taus.at;
    modulate.z = work->z.at;
    modulate.core = dgm_composing_modulate(work, count);
    for (int k = 0; k < 2; k++) {
        modulate.dfactor[k] = modulate.factor[k] = work->factor[k].at;
        modulate.lddf[k] = work->wide;
    }
    DGM_TRY(dgm_device_run(g->env, g->device, DGM_TASK_modulate_backward, &modulate));
    DGM_TRY(
        dgm_part_product(g, &product, ds, work->dz, dgm_part(y->in[DGM_CO_Z]->value, work->small)));
    memset(&sum, 0, sizeof sum);
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

static dgm_status children_back(struct dgm_graph *g, const struct dgm_node *y,
                                const struct dgm_composing_work *work, int64_t first, int64_t count)
{
    const struct dgm_product in = dgm_product(DGM_NN, count, work->dim, work->wide, 1);
    const struct dgm_product meta = dgm_product(DGM_NN, count, work->dim, 3 * work->small, 1);

    for (int k = 0; k < 2; k++) {
        const struct dgm_ref index = dgm_composing_index(&work->dynamic->plan, k, first);
        DGM_TRY(dgm_part_product(g, &in, work->dchild[k], work->factor[k],
                                 dgm_part(y->in[DGM_CO_LEFT_IN + k]->value, work->dim)));
        DGM_TRY(dgm_part_product(g, &meta, work->dchild[k], work->product[k],
                                 dgm_part(y->in[DGM_CO_META]->value, work->dim)));
        DGM_TRY(dgm_part_scatter(g, y->grad, work->dchild[k].at, index, count, work->dim));
        DGM_TRY(dgm_part_scatter(g, work->dstates.at, work->dsmall.at, index, count, work->small));
    }
    return DGM_OK;
}

/* dweight = a^T b over all nodes. */
static dgm_status weight_grad(struct dgm_graph *g, const struct dgm_node *y, int which,
                              struct dgm_part a, struct dgm_part b)
{
    const struct dgm_composing *dynamic = y->attr;
    struct dgm_node *weight = y->in[which];
    struct dgm_product product;

    if (!dgm_node_wants(y, which))
        return DGM_OK;
    product = dgm_product(DGM_TN, weight->rows, weight->cols, dynamic->plan.nodes,
                          dgm_node_accumulate(weight) ? 1 : 0);
    return dgm_part_product(g, &product, dgm_part(weight->grad, weight->cols), a, b);
}

/* Of P on both sides and of B: block by block. */
static dgm_status out_grads(struct dgm_graph *g, const struct dgm_node *y,
                            const struct dgm_composing_work *work)
{
    for (int k = 0; k < 3; k++) {
        struct dgm_node *weight = y->in[DGM_CO_LEFT_OUT + k];
        const int ready = !dgm_node_wants(y, DGM_CO_LEFT_OUT + k) || dgm_node_accumulate(weight);
        if (!dgm_node_wants(y, DGM_CO_LEFT_OUT + k))
            continue;
        for (int64_t b = 0; b < work->dynamic->blocks; b++) {
            const struct dgm_product product =
                dgm_product(DGM_TN, dgm_composing_gates(work, b) * work->dim, work->small,
                            work->dynamic->plan.nodes, ready ? 1 : 0);
            DGM_TRY(dgm_part_product(g, &product, dgm_composing_rows(work, weight->grad, b),
                                     dgates(work, grads_of(y, 0), b, k),
                                     k == 2 ? work->z : dgm_composing_t(work, work->t, b, k)));
        }
    }
    return DGM_OK;
}

static dgm_status add_sums(struct dgm_graph *g, struct dgm_ref y, struct dgm_part x, int64_t rows,
                           int64_t cols)
{
    struct dgm_column_sums_args sums;

    memset(&sums, 0, sizeof sums);
    sums.y = y;
    sums.x = x.at;
    sums.m = rows;
    sums.n = cols;
    sums.ldx = x.ld;
    return dgm_device_run(g->env, g->device, DGM_TASK_column_sums, &sums);
}

/* Of the small network's bias u and r_L come from the left products, r_R from the right ones. */
static dgm_status bias_grads(struct dgm_graph *g, const struct dgm_node *y,
                             const struct dgm_composing_work *work)
{
    const int64_t small = work->small, nodes = work->dynamic->plan.nodes;
    const struct dgm_part dc = dgm_part_at(work->dstates, work->dynamic->plan.leaves, 0);
    int accumulate;

    if (dgm_node_wants(y, DGM_CO_Z_BIAS)) {
        DGM_TRY(dgm_node_open_grad(g, y->in[DGM_CO_Z_BIAS], 0, &accumulate));
        DGM_TRY(add_sums(g, y->in[DGM_CO_Z_BIAS]->grad, work->dz, nodes, small));
    }
    if (dgm_node_wants(y, DGM_CO_META_BIAS)) {
        const struct dgm_part to = dgm_part(y->in[DGM_CO_META_BIAS]->grad, 3 * small);
        DGM_TRY(dgm_node_open_grad(g, y->in[DGM_CO_META_BIAS], 0, &accumulate));
        DGM_TRY(add_sums(g, to.at, work->product[0], nodes, 2 * small));
        DGM_TRY(add_sums(g, dgm_part_at(to, 0, small).at, dgm_part_at(work->product[1], 0, small),
                         nodes, small));
        DGM_TRY(add_sums(g, dgm_part_at(to, 0, 2 * small).at, dc, nodes, small));
    }
    return DGM_OK;
}

static dgm_status weight_grads(struct dgm_graph *g, const struct dgm_node *y)
{
    const struct dgm_composing_work work = dgm_composing_at(y, 0);
    const int64_t leaves = work.dynamic->plan.leaves;

    if (work.dynamic->plan.nodes == 0)
        return DGM_OK;
    for (int k = 0; k < 2; k++) {
        DGM_TRY(weight_grad(g, y, DGM_CO_LEFT_IN + k, work.factor[k], work.child[k]));
        DGM_TRY(weight_grad(g, y, DGM_CO_META, work.product[k], work.child[k]));
    }
    DGM_TRY(weight_grad(g, y, DGM_CO_Z, work.dz, dgm_part_at(work.states, leaves, 0)));
    DGM_TRY(out_grads(g, y, &work));
    return bias_grads(g, y, &work);
}

static dgm_status pass_on(struct dgm_graph *g, const struct dgm_node *y, int which,
                          struct dgm_ref from)
{
    struct dgm_node *to = y->in[which];

    if (!dgm_node_wants(y, which))
        return DGM_OK;
    return dgm_part_copy(g, to->grad, from, to->rows * to->cols, dgm_node_accumulate(to));
}

dgm_status dgm_composing_backward(struct dgm_graph *g, struct dgm_node *y)
{
    const struct dgm_composing *dynamic = y->attr;
    struct dgm_composing_work work = dgm_composing_at(y, 0);
    int64_t first = dynamic->plan.nodes;

    DGM_TRY(dgm_part_zero(g, work.dstates.at, y->rows * work.small));
    for (int s = dynamic->plan.steps - 1; s >= 0; s--) {
        const int64_t count = dynamic->plan.counts[s];
        first -= count;
        work = dgm_composing_at(y, first);
        DGM_TRY(compose_back(g, y, &work, first, count));
        DGM_TRY(small_back(g, y, &work, first, count));
        DGM_TRY(children_back(g, y, &work, first, count));
    }
    DGM_TRY(weight_grads(g, y));
    DGM_TRY(pass_on(g, y, DGM_CO_LEAVES, y->grad));
    return pass_on(g, y, DGM_CO_LEAF_META, work.dstates.at);
}
