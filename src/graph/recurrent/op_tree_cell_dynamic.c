/*
 * op_tree_cell_dynamic.c: binary trees composed with dynamic weights (Yang, Wong, Chao, Zhang 2019):
 * P diag(z) Q for each weight, B z for each bias, z = W_z m + b_z from the states m of a child-sum
 * network (Tai et al. 2015) that reads the same children. No weight is ever built.
 *
 * Of a node with children l and r: f = Q l, Q r   m = child_sum(meta l, meta r)   z = W_z m + b_z
 *   t_b = [z f_L | z f_R | z], block b of Q   left = P t_L   right = P t_R   bias = B z
 * then compose (device/task.h). Backward (tree_cell_dynamic_backward.c): gradients take the place of
 * f, of left and right and of the small network's products; weights get theirs at the end, by one
 * product for each block.
 */
#include <string.h>

#include "graph/recurrent/tree_cell_dynamic.h"

static size_t dynamic_extra(const struct dgm_node *y)
{
    const struct dgm_ref begin = { NULL, 0 };
    struct dgm_composing_work work;

    return dgm_composing_lay_out(y, begin, &work).offset;
}

/* ---- forward --------------------------------------------------------------------------------- */

static dgm_status open_states(struct dgm_graph *g, const struct dgm_node *y)
{
    const struct dgm_composing_work work = dgm_composing_at(y, 0);
    const struct dgm_tree_cell_plan *plan = &work.dynamic->plan;
    const struct dgm_node *leaf_meta = y->in[DGM_CO_LEAF_META];

    DGM_TRY(dgm_part_copy(g, y->value, y->in[DGM_CO_LEAVES]->value, plan->leaves * y->cols, 0));
    if (leaf_meta == NULL)
        return dgm_part_zero(g, work.states.at, plan->leaves * work.small);
    return dgm_part_copy(g, work.states.at, leaf_meta->value, plan->leaves * work.small, 0);
}

static dgm_status read_children(struct dgm_graph *g, const struct dgm_node *y,
                                const struct dgm_composing_work *work, int64_t first, int64_t count)
{
    const struct dgm_product in = dgm_product(DGM_NT, count, work->wide, work->dim, 0);
    const struct dgm_product meta = dgm_product(DGM_NT, count, 3 * work->small, work->dim, 0);

    for (int k = 0; k < 2; k++) {
        const struct dgm_ref index = dgm_composing_index(&work->dynamic->plan, k, first);
        DGM_TRY(dgm_part_gather(g, work->child[k].at, y->value, index, count, work->dim));
        DGM_TRY(dgm_part_gather(g, work->small_child[k].at, work->states.at, index, count,
                                work->small));
        DGM_TRY(dgm_part_product(g, &in, work->factor[k], work->child[k],
                                 dgm_part(y->in[DGM_CO_LEFT_IN + k]->value, work->dim)));
        DGM_TRY(dgm_part_product(g, &meta, work->product[k], work->child[k],
                                 dgm_part(y->in[DGM_CO_META]->value, work->dim)));
    }
    return DGM_OK;
}

/* The small states of the step, then z and t. */
static dgm_status find_z(struct dgm_graph *g, const struct dgm_node *y,
                         const struct dgm_composing_work *work, int64_t first, int64_t count)
{
    const struct dgm_part state = dgm_part_at(work->states, work->dynamic->plan.leaves + first, 0);
    struct dgm_product product = dgm_product(DGM_NT, count, work->small, work->small, 0);
    struct dgm_child_sum_forward_args sum;
    struct dgm_modulate_forward_args modulate;

    memset(&sum, 0, sizeof sum);
    sum.y = state.at;
    sum.left = work->product[0].at;
    sum.right = work->product[1].at;
    sum.l = work->small_child[0].at;
    sum.r = work->small_child[1].at;
    sum.bias = y->in[DGM_CO_META_BIAS]->value;
    sum.n = count;
    sum.dim = work->small;
    DGM_TRY(dgm_device_run(g->env, g->device, DGM_TASK_child_sum_forward, &sum));
    if (y->in[DGM_CO_Z_BIAS] != NULL)
        product.bias = y->in[DGM_CO_Z_BIAS]->value;
    DGM_TRY(dgm_part_product(g, &product, work->z, state,
                             dgm_part(y->in[DGM_CO_Z]->value, work->small)));
    memset(&modulate, 0, sizeof modulate);
    modulate.t = work->t.at;
    modulate.z = work->z.at;
    modulate.factor[0] = work->factor[0].at;
    modulate.factor[1] = work->factor[1].at;
    modulate.core = dgm_composing_modulate(work, count);
    return dgm_device_run(g->env, g->device, DGM_TASK_modulate_forward, &modulate);
}

static dgm_status compose_step(struct dgm_graph *g, const struct dgm_node *y,
                               const struct dgm_composing_work *work, int64_t first, int64_t count)
{
    const struct dgm_product bias =
        dgm_product(DGM_NT, count, DGM_CO_GATES * work->dim, work->small, 0);
    struct dgm_compose_forward_args args;

    for (int64_t b = 0; b < work->dynamic->blocks; b++) {
        const struct dgm_product out =
            dgm_product(DGM_NT, count, dgm_composing_gates(work, b) * work->dim, work->small, 0);
        for (int k = 0; k < 2; k++)
            DGM_TRY(
                dgm_part_product(g, &out,
                                 dgm_part_at(work->side[k], 0,
                                             dgm_composing_gate(work, b) * work->dim),
                                 dgm_composing_t(work, work->t, b, k),
                                 dgm_composing_rows(work, y->in[DGM_CO_LEFT_OUT + k]->value, b)));
    }
    DGM_TRY(dgm_part_product(g, &bias, work->bias, work->z,
                             dgm_part(y->in[DGM_CO_BIAS]->value, work->small)));
    memset(&args, 0, sizeof args);
    args.y = dgm_part_at(dgm_part(y->value, work->dim), work->dynamic->plan.leaves + first, 0).at;
    args.left = work->side[0].at;
    args.right = work->side[1].at;
    args.l = work->child[0].at;
    args.r = work->child[1].at;
    args.bias = work->bias.at;
    args.ld_bias = DGM_CO_GATES * work->dim;
    args.core.n = count;
    args.core.dim = work->dim;
    args.core.mixes = 2;
    return dgm_device_run(g->env, g->device, DGM_TASK_compose_forward, &args);
}

static dgm_status dynamic_forward(struct dgm_graph *g, struct dgm_node *y)
{
    const struct dgm_composing *dynamic = y->attr;
    int64_t first = 0;

    DGM_TRY(open_states(g, y));
    for (int s = 0; s < dynamic->plan.steps; s++) {
        const int64_t count = dynamic->plan.counts[s];
        const struct dgm_composing_work work = dgm_composing_at(y, first);
        DGM_TRY(read_children(g, y, &work, first, count));
        DGM_TRY(find_z(g, y, &work, first, count));
        DGM_TRY(compose_step(g, y, &work, first, count));
        first += count;
    }
    return DGM_OK;
}

/* ---- the node -------------------------------------------------------------------------------- */

static struct dgm_node *dynamic_sample(struct dgm_graph *g, struct dgm_sample *sample)
{
    const struct dgm_tree_cell_plan plan = dgm_sample_trees(g, sample);
    const int64_t dim = dgm_sample_int(sample, 1, 4), small = dgm_sample_int(sample, 1, 3);
    const int64_t wide = small * (dgm_sample_int(sample, 0, 1) ? 2 : DGM_CO_GATES);
    struct dgm_tree_cell_dynamic weights;

    memset(&weights, 0, sizeof weights);
    weights.left_in = dgm_sample_leaf(g, sample, wide, dim);
    weights.right_in = dgm_sample_leaf(g, sample, wide, dim);
    weights.left_out = dgm_sample_leaf(g, sample, DGM_CO_GATES * dim, small);
    weights.right_out = dgm_sample_leaf(g, sample, DGM_CO_GATES * dim, small);
    weights.bias = dgm_sample_leaf(g, sample, DGM_CO_GATES * dim, small);
    weights.meta = dgm_sample_leaf(g, sample, 3 * small, dim);
    weights.meta_bias = dgm_sample_leaf(g, sample, 1, 3 * small);
    weights.z = dgm_sample_leaf(g, sample, small, small);
    if (dgm_sample_int(sample, 0, 1))
        weights.z_bias = dgm_sample_leaf(g, sample, 1, small);
    if (dgm_sample_int(sample, 0, 1))
        weights.leaf_meta = dgm_sample_leaf(g, sample, plan.leaves, small);
    return dgm_tree_cell_dynamic(g, dgm_sample_leaf(g, sample, plan.leaves, dim), &weights, &plan);
}

const struct dgm_op dgm_op_tree_cell_dynamic = { "compose_dynamic",
                                                 (1u << DGM_CO_READ) - 1,
                                                 -1,
                                                 -1,
                                                 DGM_NO_LOSS,
                                                 dynamic_extra,
                                                 dynamic_forward,
                                                 dgm_composing_backward,
                                                 dynamic_sample };

static int is_matrix(const struct dgm_node *node, int64_t rows, int64_t cols)
{
    return node->rows == rows && node->cols == cols;
}

static int has_shapes(struct dgm_node *const *in, const struct dgm_tree_cell_plan *plan)
{
    const int64_t dim = in[DGM_CO_LEAVES]->cols, small = in[DGM_CO_Z]->rows,
                  wide = in[DGM_CO_LEFT_IN]->rows;

    return in[DGM_CO_LEAVES]->rows == plan->leaves &&
           (wide == 2 * small || wide == DGM_CO_GATES * small) &&
           is_matrix(in[DGM_CO_LEFT_IN], wide, dim) && is_matrix(in[DGM_CO_RIGHT_IN], wide, dim) &&
           is_matrix(in[DGM_CO_LEFT_OUT], DGM_CO_GATES * dim, small) &&
           is_matrix(in[DGM_CO_RIGHT_OUT], DGM_CO_GATES * dim, small) &&
           is_matrix(in[DGM_CO_BIAS], DGM_CO_GATES * dim, small) &&
           is_matrix(in[DGM_CO_META], 3 * small, dim) &&
           is_matrix(in[DGM_CO_META_BIAS], 1, 3 * small) && is_matrix(in[DGM_CO_Z], small, small) &&
           (in[DGM_CO_Z_BIAS] == NULL || is_matrix(in[DGM_CO_Z_BIAS], 1, small)) &&
           (in[DGM_CO_LEAF_META] == NULL || is_matrix(in[DGM_CO_LEAF_META], plan->leaves, small));
}

struct dgm_node *dgm_tree_cell_dynamic(struct dgm_graph *g, struct dgm_node *leaves,
                                       const struct dgm_tree_cell_dynamic *weights,
                                       const struct dgm_tree_cell_plan *plan)
{
    struct dgm_node *in[DGM_CO_INPUTS], *y;
    struct dgm_composing *dynamic;

    in[DGM_CO_LEFT_IN] = weights->left_in;
    in[DGM_CO_RIGHT_IN] = weights->right_in;
    in[DGM_CO_LEFT_OUT] = weights->left_out;
    in[DGM_CO_RIGHT_OUT] = weights->right_out;
    in[DGM_CO_BIAS] = weights->bias;
    in[DGM_CO_META] = weights->meta;
    in[DGM_CO_Z] = weights->z;
    in[DGM_CO_LEAVES] = leaves;
    in[DGM_CO_META_BIAS] = weights->meta_bias;
    in[DGM_CO_Z_BIAS] = weights->z_bias;
    in[DGM_CO_LEAF_META] = weights->leaf_meta;
    for (int i = 0; i < DGM_CO_Z_BIAS; i++)
        if (in[i] == NULL)
            return NULL;
    if (!has_shapes(in, plan))
        return dgm_node_fail(g, "compose_dynamic", leaves, in[DGM_CO_LEFT_IN],
                             "leaves (N,D), Q (2K or 5K,D), P and B (5D,K), a small network");
    y = dgm_node_new(g, &dgm_op_tree_cell_dynamic, plan->leaves + plan->nodes, leaves->cols, in,
                     DGM_CO_INPUTS, sizeof *dynamic);
    if (y == NULL)
        return NULL;
    dynamic = y->attr;
    dynamic->plan = *plan;
    dynamic->small = in[DGM_CO_Z]->rows;
    dynamic->blocks = in[DGM_CO_LEFT_IN]->rows / dynamic->small;
    for (int s = 0; s < plan->steps; s++)
        if (plan->counts[s] > dynamic->most)
            dynamic->most = plan->counts[s];
    return y;
}
