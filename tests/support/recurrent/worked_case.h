/*
 * worked_case.h: the filler of the worked examples of the specification, recurrent models, 8: one
 * counter over all numbers of an example, val(c) = (((37 c + 11) mod 101) - 50) / 100.
 */
#ifndef DGM_TEST_WORKED_CASE_H
#define DGM_TEST_WORKED_CASE_H

#include <math.h>

#include "graph_case.h"

enum { WORKED_MOST = 64 };

struct worked_filler {
    int counter;
};

struct worked_matrix {
    double x[WORKED_MOST];
    int rows, cols;
};

static inline struct worked_matrix worked_fill(struct worked_filler *filler, int rows, int cols)
{
    struct worked_matrix matrix;

    matrix.rows = rows;
    matrix.cols = cols;
    for (int i = 0; i < rows * cols; i++)
        matrix.x[i] = (double)((37 * filler->counter++ + 11) % 101 - 50) / 100;
    return matrix;
}

/* Matrices of as many columns, one above the other. */
static inline struct dgm_node *worked_stack(struct graph_case *c, const struct worked_matrix *parts,
                                            int count)
{
    double x[16 * WORKED_MOST];
    int rows = 0, reals = 0;

    for (int i = 0; i < count; i++) {
        memcpy(x + reals, parts[i].x, (size_t)(parts[i].rows * parts[i].cols) * sizeof *x);
        reals += parts[i].rows * parts[i].cols;
        rows += parts[i].rows;
    }
    return case_leaf(c, x, rows, parts[0].cols);
}

/* Rows side by side: a bias. */
static inline struct dgm_node *worked_row(struct graph_case *c, const struct worked_matrix *parts,
                                          int count)
{
    double x[16 * WORKED_MOST];
    int reals = 0;

    for (int i = 0; i < count; i++) {
        memcpy(x + reals, parts[i].x, (size_t)parts[i].cols * sizeof *x);
        reals += parts[i].cols;
    }
    return case_leaf(c, x, 1, reals);
}

static inline struct dgm_node *worked_leaf(struct graph_case *c, struct worked_filler *filler,
                                           int rows, int cols)
{
    const struct worked_matrix matrix = worked_fill(filler, rows, cols);

    return case_leaf(c, matrix.x, rows, cols);
}

/* Ten decimals are printed; 1e-5 of a number in single precision. */
static inline double worked_tolerance(double want)
{
    return sizeof(dgm_real) == 4 ? 1e-5 * (fabs(want) + 0.01) : 1e-9 * (1 + fabs(want));
}

/* Sum, and sum of squares, of `count` reals at `from`. */
static inline void worked_check_sums(struct graph_case *c, struct dgm_ref from, int count,
                                     double sum, double squares)
{
    dgm_real x[16 * WORKED_MOST];
    double got_sum = 0, got_squares = 0;

    CHECK_STATUS(case_read(c, from, x, count), DGM_OK);
    for (int i = 0; i < count; i++) {
        got_sum += (double)x[i];
        got_squares += (double)x[i] * (double)x[i];
    }
    CHECK_NEAR(got_sum, sum, worked_tolerance(sum));
    CHECK_NEAR(got_squares, squares, worked_tolerance(squares));
}

#endif
