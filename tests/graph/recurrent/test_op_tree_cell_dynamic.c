/*
 * test_op_tree_cell_dynamic.c: composition with dynamic weights: E5 of the specification, recurrent
 * models, 8; one Q for each part or for all; constant z is a static composition.
 */
#include <math.h>

#include "worked_case.h"

enum { D = 2, K = 3 };

static struct dgm_tree_cell_plan plan_of(struct graph_case *c, int32_t leaves)
{
    static const int32_t left[] = { 0, 3 }, right[] = { 1, 2 }, counts[] = { 1, 1 };
    const struct dgm_tree_cell_plan plan = {
        leaves, leaves - 1, leaves - 1, counts, case_ints(c, left, 2), case_ints(c, right, 2)
    };

    return plan;
}

/* The numbers of the example; left_in and right_in have two blocks, or all parts of their own. */
static struct dgm_node *fill_weights(struct graph_case *c, struct dgm_tree_cell_dynamic *weights,
                                     int blocks)
{
    struct worked_filler filler = { 0 };
    struct worked_matrix out[2][2], in[2][5], bias[2], meta[3], meta_bias[3];
    struct dgm_node *leaves = worked_leaf(c, &filler, 2, D);

    memset(weights, 0, sizeof *weights);
    weights->leaf_meta = worked_leaf(c, &filler, 2, K);
    for (int k = 0; k < 2; k++) {
        out[k][0] = worked_fill(&filler, 4 * D, K);
        in[k][0] = worked_fill(&filler, K, D);
        out[k][1] = worked_fill(&filler, D, K);
        in[k][blocks - 1] = worked_fill(&filler, K, D);
        for (int b = 1; b < blocks - 1; b++)
            in[k][b] = in[k][0];
    }
    bias[0] = worked_fill(&filler, 4 * D, K);
    bias[1] = worked_fill(&filler, D, K);
    for (int gate = 0; gate < 3; gate++) {
        meta[gate] = worked_fill(&filler, K, D);
        meta_bias[gate] = worked_fill(&filler, 1, K);
    }
    weights->left_in = worked_stack(c, in[0], blocks);
    weights->right_in = worked_stack(c, in[1], blocks);
    weights->left_out = worked_stack(c, out[0], 2);
    weights->right_out = worked_stack(c, out[1], 2);
    weights->bias = worked_stack(c, bias, 2);
    weights->meta = worked_stack(c, meta, 3);
    weights->meta_bias = worked_row(c, meta_bias, 3);
    weights->z = worked_leaf(c, &filler, K, K);
    return leaves;
}

TEST(compose_dynamic_is_the_worked_example)
{
    static const double want[] = { -0.0422865598, -0.1082442356 };

    for (int blocks = 2; blocks <= 5; blocks += 3) {
        struct dgm_tree_cell_dynamic weights;
        struct dgm_node *y, *leaves;
        struct graph_case c;
        dgm_real got[3 * D];

        CHECK_STATUS(case_open(&c, 1), DGM_OK);
        leaves = fill_weights(&c, &weights, blocks);
        {
            const struct dgm_tree_cell_plan plan = plan_of(&c, 2);
            y = dgm_keep(&c.g, dgm_tree_cell_dynamic(&c.g, leaves, &weights, &plan));
        }
        CHECK_STATUS(dgm_graph_run(&c.g), DGM_OK);
        CHECK_STATUS(dgm_graph_read(&c.g, y, got), DGM_OK);
        for (int j = 0; j < D; j++)
            CHECK_NEAR(got[2 * D + j], want[j], worked_tolerance(want[j]));
        case_close(&c);
    }
}

/* y (rows,cols) = a (rows,inner) b (inner,cols). */
static void multiply(double *y, const dgm_real *a, const dgm_real *b, int rows, int inner, int cols)
{
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < cols; j++) {
            y[i * cols + j] = 0;
            for (int k = 0; k < inner; k++)
                y[i * cols + j] += (double)a[i * inner + k] * (double)b[k * cols + j];
        }
}

/* The static weight (5D,D) of one side: P Q, gates and candidate. */
static struct dgm_node *static_weight(struct graph_case *c, const struct dgm_node *out,
                                      const struct dgm_node *in)
{
    dgm_real p[5 * D * K], q[2 * K * D];
    double w[5 * D * D];

    if (case_read(c, out->value, p, 5 * D * K) != DGM_OK ||
        case_read(c, in->value, q, 2 * K * D) != DGM_OK)
        return NULL;
    multiply(w, p, q, 4 * D, K, D);
    multiply(w + 4 * D * D, p + 4 * D * K, q + K * D, D, K, D);
    return case_leaf(c, w, 5 * D, D);
}

/* W_z = 0 and b_z = 1: the weights are P Q, the bias B times ones. */
TEST(compose_dynamic_with_a_constant_z_is_compose)
{
    static const double ones[K] = { 1, 1, 1 };
    static const dgm_real one[K] = { 1, 1, 1 };
    struct dgm_tree_cell_dynamic weights;
    struct dgm_node *y[2], *leaves, *fixed[3];
    struct dgm_tree_cell_plan plan;
    struct graph_case c;
    dgm_real got[2][5 * D], b[5 * D * K];
    double sums[5 * D];

    CHECK_STATUS(case_open(&c, 1), DGM_OK);
    fill_weights(&c, &weights, 2);
    leaves = dgm_sample_leaf(&c.g, &c.sample, 3, D);
    weights.leaf_meta = NULL;
    weights.z = case_leaf(&c, NULL, K, K);
    weights.z_bias = case_leaf(&c, ones, 1, K);
    fixed[0] = static_weight(&c, weights.left_out, weights.left_in);
    fixed[1] = static_weight(&c, weights.right_out, weights.right_in);
    CHECK_STATUS(case_read(&c, weights.bias->value, b, 5 * D * K), DGM_OK);
    multiply(sums, b, one, 5 * D, K, 1);
    fixed[2] = case_leaf(&c, sums, 1, 5 * D);
    plan = plan_of(&c, 3);
    y[0] = dgm_keep(&c.g, dgm_tree_cell_dynamic(&c.g, leaves, &weights, &plan));
    y[1] = dgm_keep(&c.g, dgm_tree_cell(&c.g, leaves, fixed[0], fixed[1], fixed[2], &plan));
    CHECK_STATUS(dgm_graph_run(&c.g), DGM_OK);
    for (int k = 0; k < 2; k++)
        CHECK_STATUS(dgm_graph_read(&c.g, y[k], got[k]), DGM_OK);
    for (int i = 0; i < 5 * D; i++)
        CHECK_NEAR(got[0][i], got[1][i], 1e-6);
    case_close(&c);
}
