/*
 * gru_case.h: the worked examples of recurrent encoders: their filler, parameters in its order,
 * the tree of eight words, "We live in different places on the earth", and its schedule.
 */
#ifndef DGM_TEST_RECUR_CASE_H
#define DGM_TEST_RECUR_CASE_H

#include <math.h>

#include "graph/recurrent/gru_plan.h"
#include "graph_case.h"

/* One counter for a whole example. */
struct filler {
    struct graph_case *bench;
    int c;
};

static inline double fill_next(struct filler *filler)
{
    return (((37 * filler->c++ + 11) % 101) - 50) / 100.0;
}

static inline struct dgm_node *fill_leaf(struct filler *filler, int64_t rows, int64_t cols)
{
    double values[256];

    for (int64_t i = 0; i < rows * cols; i++)
        values[i] = fill_next(filler);
    return case_leaf(filler->bench, values, rows, cols);
}

/* `count` matrices or vectors of the gates u, r, h, filled gate by gate, each stacked. */
static inline void fill_gates(struct filler *filler, int64_t dim, const int64_t *cols, int count,
                              struct dgm_node **out)
{
    double values[5][256];

    for (int64_t gate = 0; gate < 3; gate++)
        for (int i = 0; i < count; i++)
            for (int64_t j = 0; j < dim * cols[i]; j++)
                values[i][gate * dim * cols[i] + j] = fill_next(filler);
    for (int i = 0; i < count; i++) /* a column is a bias */
        out[i] = cols[i] == 1 ? case_leaf(filler->bench, values[i], 1, 3 * dim)
                              : case_leaf(filler->bench, values[i], 3 * dim, cols[i]);
}

static inline void check_close(double got, double want)
{
    const double allowed = sizeof(dgm_real) == 8 ? 1e-9 : 1e-5 * (1 + fabs(want));

    CHECK_NEAR(got, want, allowed);
}

static inline void check_node(struct graph_case *bench, struct dgm_ref at, const double *want,
                              int count)
{
    dgm_real got[64];

    CHECK_STATUS(case_read(bench, at, got, count), DGM_OK);
    for (int i = 0; i < count; i++)
        check_close((double)got[i], want[i]);
}

/* Sum, and sum of squares, of `count` elements of a gradient from element `first` on. */
static inline void check_grad(struct graph_case *bench, const struct dgm_node *leaf, int64_t first,
                              int64_t count, double sum, double squares)
{
    double got[2] = { 0, 0 };
    dgm_real grad[256];

    CHECK_STATUS(case_read(bench, leaf->grad, grad, leaf->rows * leaf->cols), DGM_OK);
    for (int64_t i = first; i < first + count; i++) {
        got[0] += (double)grad[i];
        got[1] += (double)grad[i] * (double)grad[i];
    }
    check_close(got[0], sum);
    check_close(got[1], squares);
}

/* Both passes with the loss of all examples, L = sum of (0.1 i + 0.01 j) v_i[j]. */
static inline void run_example(struct graph_case *bench, struct dgm_node *v, double want)
{
    double dy[64], loss = 0;
    dgm_real got[64];

    for (int64_t i = 0; i < v->rows; i++)
        for (int64_t j = 0; j < v->cols; j++)
            dy[i * v->cols + j] = 0.1 * (double)(i + 1) + 0.01 * (double)(j + 1);
    dgm_keep(&bench->g, v);
    case_give(bench, v, dy);
    CHECK_STATUS(dgm_graph_run(&bench->g), DGM_OK);
    CHECK_STATUS(dgm_graph_read(&bench->g, v, got), DGM_OK);
    CHECK_STATUS(dgm_graph_backward(&bench->g), DGM_OK);
    for (int64_t i = 0; i < v->rows * v->cols; i++)
        loss += dy[i] * (double)got[i];
    check_close(loss, want);
}

/* ---- the tree -------------------------------------------------------------------------------- */

/* Rows: 0 INIT, then live, We, places, different, earth, the, in, on; sides: left, right. */
static const struct dgm_gru_block tree_blocks[] = {
    { 1, 1, 1, 0, 0 },  { 0, 2, 1, 0, -1 }, { 1, 3, 1, 1, -1 }, { 0, 4, 1, 1, -1 },
    { 1, 5, 1, 2, -1 }, { 0, 6, 2, 2, -1 }, { 0, 8, 1, 4, -1 },
};
static const int32_t tree_where[8] = { 2, 1, 7, 4, 3, 8, 6, 5 };
static const int32_t tree_words[2][5] = { { 0, 3, 6, 2, 5 }, { 1, 4, 7, 0, 0 } };
static const int tree_rows[2] = { 5, 3 };

static inline struct dgm_gru_plan tree_plan(struct graph_case *bench)
{
    static const int32_t parents[2][5] = { { 1, 3, 5, 3, 5 }, { 0, 1, 3, 0, 0 } };
    static const int32_t siblings[2][5] = { { 1, 3, 5, 4, 6 }, { 0, 1, 3, 0, 0 } };
    struct dgm_gru_plan plan;

    memset(&plan, 0, sizeof plan);
    plan.roots = 1;
    plan.rows = 8;
    plan.sides = 2;
    plan.block_count = sizeof tree_blocks / sizeof tree_blocks[0];
    plan.blocks = tree_blocks;
    for (int s = 0; s < 2; s++) {
        plan.side[s].rows = tree_rows[s];
        plan.side[s].parent = case_ints(bench, parents[s], tree_rows[s]);
        plan.side[s].sibling = case_ints(bench, siblings[s], tree_rows[s]);
    }
    return plan;
}

/* tanh(W mean(x) + b) of the one sentence that x is. */
static inline struct dgm_node *tree_init(struct graph_case *bench, struct dgm_node *x,
                                         struct dgm_node *w, struct dgm_node *b)
{
    const int32_t offsets[2] = { 0, (int32_t)x->rows };
    struct dgm_columns columns = { x, 0 };
    struct dgm_node *mean =
        dgm_span_mean(&bench->g, columns, x->cols, case_ints(bench, offsets, 2), 1);

    return dgm_keep(&bench->g,
                    dgm_activate(&bench->g, dgm_linear(&bench->g, mean, w, b), DGM_TANH));
}

/* The words of side s. */
static inline struct dgm_node *tree_input(struct graph_case *bench, struct dgm_node *x, int s)
{
    return dgm_gather(&bench->g, x, case_ints(bench, tree_words[s], tree_rows[s]), tree_rows[s]);
}

/* States in the order of words. */
static inline struct dgm_node *tree_output(struct graph_case *bench, struct dgm_node *states)
{
    return dgm_gather(&bench->g, states, case_ints(bench, tree_where, 8), 8);
}

#endif
