/*
 * test_op_tree_cell.c: composition of binary trees: a worked example of the specification,
 * recurrent models, 8 (E4), any schedule to the same bits, plain formulas in double, and the hull.
 */
#include <math.h>
#include <stdio.h>

#include "base/mem.h"
#include "graph_case.h"
#include "worked_case.h"

enum { MOST = 64 };

/* One tree over all leaves: nodes in an order in which children come first. */
struct forest {
    int32_t left[MOST], right[MOST], counts[MOST];
    int32_t leaves, nodes, steps;
};

static struct dgm_tree_cell_plan plan_of(struct graph_case *c, struct forest *forest)
{
    struct dgm_tree_cell_plan plan;

    plan.leaves = forest->leaves;
    plan.nodes = forest->nodes;
    plan.steps = forest->steps;
    plan.counts = forest->counts;
    plan.left = case_ints(c, forest->left, MOST);
    plan.right = case_ints(c, forest->right, MOST);
    return plan;
}

/* ---- E4, the way up ------------------------------------------------------------------------- */

TEST(compose_is_the_worked_example)
{
    static const double want[] = { 0.0849431072, -0.1677496956, 0.2235421545, 0.0442089583 };
    struct forest forest = { { 0, 3 }, { 1, 2 }, { 1, 1 }, 3, 2, 2 };
    struct worked_matrix parts[15];
    struct worked_filler filler = { 0 };
    struct dgm_node *y, *leaves, *weights[3];
    struct graph_case c;
    dgm_real got[10];

    CHECK_STATUS(case_open(&c, 1), DGM_OK);
    leaves = worked_leaf(&c, &filler, 3, 2);
    for (int gate = 0; gate < 5; gate++) { /* U^L, U^R, b of each */
        parts[gate] = worked_fill(&filler, 2, 2);
        parts[5 + gate] = worked_fill(&filler, 2, 2);
        parts[10 + gate] = worked_fill(&filler, 1, 2);
    }
    for (int k = 0; k < 2; k++)
        weights[k] = worked_stack(&c, parts + 5 * k, 5);
    weights[2] = worked_row(&c, parts + 10, 5);
    {
        const struct dgm_tree_cell_plan plan = plan_of(&c, &forest);
        y = dgm_keep(&c.g, dgm_tree_cell(&c.g, leaves, weights[0], weights[1], weights[2], &plan));
    }
    CHECK_STATUS(dgm_graph_run(&c.g), DGM_OK);
    CHECK_STATUS(dgm_graph_read(&c.g, y, got), DGM_OK);
    for (int i = 0; i < 4; i++)
        CHECK_NEAR(got[6 + i], want[i], worked_tolerance(want[i]));
    CHECK_NEAR(got[0], -0.39, 1e-7);
    case_close(&c);
}

/* ---- random trees --------------------------------------------------------------------------- */

/* A random tree over `leaves` leaves, node by node. */
static void random_tree(struct forest *forest, int32_t leaves, struct dgm_random *random)
{
    int32_t ready[MOST], count = leaves;

    memset(forest, 0, sizeof *forest);
    forest->leaves = leaves;
    for (int32_t i = 0; i < leaves; i++)
        ready[i] = i;
    while (count > 1) {
        uint32_t i = dgm_random_below(random, (uint32_t)count - 1);
        int32_t m = forest->nodes++;

        forest->left[m] = ready[i];
        forest->right[m] = ready[i + 1];
        ready[i] = leaves + m;
        count--;
        memmove(ready + i + 1, ready + i + 2, ((size_t)count - i - 1) * sizeof *ready);
        forest->counts[forest->steps++] = 1;
    }
}

/* The same nodes by height, as few steps as there can be; place[m]: where node m has gone. */
static void by_height(struct forest *to, const struct forest *from, int32_t *place)
{
    int32_t height[MOST] = { 0 }, n = from->leaves;

    memset(to, 0, sizeof *to);
    to->leaves = n;
    for (int32_t m = 0; m < from->nodes; m++) {
        int32_t a = height[from->left[m]], b = height[from->right[m]];
        height[n + m] = 1 + (a > b ? a : b);
    }
    for (int32_t step = 1; to->nodes < from->nodes; step++, to->steps++)
        for (int32_t m = 0; m < from->nodes; m++)
            if (height[n + m] == step) {
                int32_t l = from->left[m], r = from->right[m];
                to->left[to->nodes] = l < n ? l : n + place[l - n];
                to->right[to->nodes] = r < n ? r : n + place[r - n];
                place[m] = to->nodes++;
                to->counts[to->steps]++;
            }
}

/* Values and gradients of one schedule; dy belongs to nodes where `place` has put them. */
struct outcome {
    dgm_real y[MOST * 8], leaves[MOST * 8], weights[3][48 * 8];
};

static void run_forest(struct outcome *out, struct forest *forest, const int32_t *place,
                       int64_t dim, int64_t parts, int training)
{
    struct dgm_node *y, *leaves, *weights[3];
    struct graph_case c;
    dgm_real dy[MOST * 8], moved[MOST * 8];
    const dgm_real *dys[1] = { moved };
    const int64_t n = forest->leaves, total = (n + forest->nodes) * dim;

    memset(out, 0, sizeof *out);
    CHECK_STATUS(case_open(&c, training ? 1 : 2), DGM_OK);
    dgm_graph_begin(&c.g, training, 1, 1);
    leaves = dgm_sample_leaf(&c.g, &c.sample, n, dim);
    weights[0] = dgm_sample_leaf(&c.g, &c.sample, parts * dim, dim);
    weights[1] = dgm_sample_leaf(&c.g, &c.sample, parts * dim, dim);
    weights[2] = dgm_sample_leaf(&c.g, &c.sample, 1, parts * dim);
    for (int64_t i = 0; i < total; i++)
        dy[i] = (dgm_real)dgm_random_normal(&c.sample.random);
    for (int64_t i = 0; i < n + forest->nodes; i++)
        memcpy(moved + (i < n ? i : n + place[i - n]) * dim, dy + i * dim,
               (size_t)dim * sizeof *dy);
    {
        const struct dgm_tree_cell_plan plan = plan_of(&c, forest);
        y = dgm_keep(&c.g, dgm_tree_cell(&c.g, leaves, weights[0], weights[1], weights[2], &plan));
    }
    if (training)
        CHECK_STATUS(case_run(&c, &y, dys, 1), DGM_OK);
    else
        CHECK_STATUS(dgm_graph_run(&c.g), DGM_OK);
    CHECK_STATUS(dgm_graph_read(&c.g, y, moved), DGM_OK);
    for (int64_t i = 0; i < n + forest->nodes; i++)
        memcpy(out->y + i * dim, moved + (i < n ? i : n + place[i - n]) * dim,
               (size_t)dim * sizeof *dy);
    CHECK_STATUS(case_read(&c, leaves->grad, out->leaves, n * dim), DGM_OK);
    for (int k = 0; k < 3; k++)
        CHECK_STATUS(case_read(&c, weights[k]->grad, out->weights[k],
                               parts * dim * (k < 2 ? dim : 1)),
                     DGM_OK);
    case_close(&c);
}

TEST(compose_has_the_bits_of_one_node_at_a_time)
{
    static struct outcome one, all, forward;
    struct forest tree, batched;
    struct dgm_random random;
    int32_t same[MOST], place[MOST];

    dgm_random_init(&random, 61, 0, 0, 0);
    for (int32_t i = 0; i < MOST; i++)
        same[i] = i;
    for (int round = 0; round < 20; round++) {
        int64_t dim = 1 + (int64_t)dgm_random_below(&random, 8), parts = 5 + round % 2;

        random_tree(&tree, 1 + (int32_t)dgm_random_below(&random, 20), &random);
        by_height(&batched, &tree, place);
        run_forest(&one, &tree, same, dim, parts, 1);
        run_forest(&all, &batched, place, dim, parts, 1);
        run_forest(&forward, &batched, place, dim, parts, 0);
        CHECK_MEM(all.y, one.y, sizeof one.y);
        CHECK_MEM(forward.y, one.y, sizeof one.y);
        CHECK_MEM(all.leaves, one.leaves, sizeof one.leaves);
        for (int k = 0; k < 3; k++) /* sums over nodes, in another order */
            for (int i = 0; i < 48 * 8; i++)
                CHECK_NEAR(all.weights[k][i], one.weights[k][i],
                           1e-5 * (1 + fabs((double)one.weights[k][i])));
    }
}

/* ---- the formulas --------------------------------------------------------------------------- */

static double logistic(double x)
{
    return 1 / (1 + exp(-x));
}

/* Gate g, coordinate j of both products and the bias. */
static double gate(const dgm_real *const w[3], const double *l, const double *r, int g, int j,
                   int dim)
{
    double sum = (double)w[2][g * dim + j];

    for (int k = 0; k < dim; k++)
        sum += (double)w[0][(g * dim + j) * dim + k] * l[k] +
               (double)w[1][(g * dim + j) * dim + k] * r[k];
    return sum;
}

static void naive_node(double *y, const dgm_real *const w[3], const double *l, const double *r,
                       int parts, int dim)
{
    static const double zeros[8];

    for (int j = 0; j < dim; j++) {
        const int last = parts - 1;
        const double bias = (double)w[2][last * dim + j];
        double c = logistic(gate(w, l, r, 0, j, dim)) * (gate(w, l, zeros, last, j, dim) - bias) +
                   logistic(gate(w, l, r, 1, j, dim)) * (gate(w, zeros, r, last, j, dim) - bias);
        double a = gate(w, l, r, 2, j, dim), b = gate(w, l, r, 3, j, dim);

        c = tanh(c + bias);
        if (parts == 5)
            y[j] = (exp(a) * l[j] + exp(b) * r[j] + c) / (1 + exp(a) + exp(b));
        else
            y[j] = logistic(a) * l[j] + logistic(b) * r[j] + logistic(gate(w, l, r, 4, j, dim)) * c;
    }
}

static void check_formulas(const struct forest *tree, int parts, int dim, const dgm_real *y,
                           const dgm_real *const w[3])
{
    double state[MOST][8];

    for (int32_t i = 0; i < tree->leaves + tree->nodes; i++) {
        if (i >= tree->leaves)
            naive_node(state[i], w, state[tree->left[i - tree->leaves]],
                       state[tree->right[i - tree->leaves]], parts, dim);
        for (int j = 0; j < dim; j++) {
            double got = (double)y[i * dim + j];

            if (i < tree->leaves)
                state[i][j] = got;
            CHECK_NEAR(got, state[i][j], 2e-5 * (1 + fabs(state[i][j])));
        }
    }
}

TEST(compose_agrees_with_the_formulas)
{
    struct dgm_random random;
    dgm_real y[MOST * 8], read[3][48 * 8];
    const dgm_real *const w[3] = { read[0], read[1], read[2] };

    dgm_random_init(&random, 62, 0, 0, 0);
    for (int round = 0; round < 20; round++) {
        int dim = 1 + (int)dgm_random_below(&random, 8), parts = 5 + round % 2;
        struct dgm_node *nodes[4];
        struct graph_case c;
        struct forest tree;

        CHECK_STATUS(case_open(&c, 1), DGM_OK);
        random_tree(&tree, 1 + (int32_t)dgm_random_below(&random, 20), &random);
        nodes[3] = dgm_sample_leaf(&c.g, &c.sample, tree.leaves, dim);
        for (int k = 0; k < 3; k++)
            nodes[k] = dgm_sample_leaf(&c.g, &c.sample, k < 2 ? parts * dim : 1,
                                       k < 2 ? dim : parts * dim);
        {
            const struct dgm_tree_cell_plan plan = plan_of(&c, &tree);
            nodes[3] =
                dgm_keep(&c.g, dgm_tree_cell(&c.g, nodes[3], nodes[0], nodes[1], nodes[2], &plan));
        }
        CHECK_STATUS(dgm_graph_run(&c.g), DGM_OK);
        CHECK_STATUS(dgm_graph_read(&c.g, nodes[3], y), DGM_OK);
        for (int k = 0; k < 3; k++)
            CHECK_STATUS(dgm_graph_read(&c.g, nodes[k], read[k]), DGM_OK);
        check_formulas(&tree, parts, dim, y, w);
        case_close(&c);
    }
}
