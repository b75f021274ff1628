/*
 * trial_rows.c: instances of tasks on rows of width D: look-ups, dropout, layer norm, sums of
 * columns, copies.
 */
#include <math.h>

#include "device/trial/trial.h"

/* ---- embedding --------------------------------------------------------------------------- */

enum { MOST_POSITIONS = 8 };

/* Rows, columns, and how far rows lie apart. */
struct shape {
    int64_t rows, dim, ld;
};

static struct shape draw_shape(struct dgm_trial *trial)
{
    struct shape shape;

    shape.rows = dgm_trial_between(trial, 1, dgm_trial_once_in(trial, 3) ? 300 : 40);
    shape.dim = dgm_trial_between(trial, 1, dgm_trial_once_in(trial, 4) ? 300 : 80);
    shape.ld = shape.dim + (dgm_trial_once_in(trial, 2) ? dgm_trial_between(trial, 1, 9) : 0);
    return shape;
}

/* What lies beside the last row's columns belongs to nobody. */
static int64_t strided_reals(int64_t rows, int64_t dim, int64_t ld)
{
    return (rows - 1) * ld + dim;
}

void dgm_trial_embed_forward(struct dgm_trial *trial, struct dgm_embed_forward_args *args)
{
    const struct shape shape = draw_shape(trial);
    const int64_t vocab = dgm_trial_between(trial, 1, 30);
    int32_t *places;

    args->rows = shape.rows;
    args->dim = shape.dim;
    args->ldy = shape.ld;
    args->ld_table = shape.dim + dgm_trial_between(trial, 0, 3);
    args->scale = (dgm_real)1.5;
    dgm_trial_reals(trial, &args->y, strided_reals(shape.rows, shape.dim, shape.ld), 1);
    dgm_trial_reals(trial, &args->table, strided_reals(vocab, shape.dim, args->ld_table), 1);
    dgm_trial_ints(trial, &args->ids, shape.rows, 0, vocab - 1);
    dgm_trial_drop(trial, &args->drop, &args->places, shape.rows);
    if (dgm_trial_once_in(trial, 3))
        return;
    dgm_trial_reals(trial, &args->positions, strided_reals(MOST_POSITIONS, shape.dim, shape.ld), 1);
    places = dgm_trial_ints(trial, &args->places, 2 * shape.rows, 0, 1000);
    for (int64_t i = 0; i < shape.rows; i++)
        places[2 * i + 1] = (int32_t)dgm_trial_between(trial, 0, MOST_POSITIONS - 1);
}

void dgm_trial_embed_backward(struct dgm_trial *trial, struct dgm_embed_backward_args *args)
{
    const struct shape shape = draw_shape(trial);
    const int64_t vocab = dgm_trial_between(trial, 1, dgm_trial_once_in(trial, 2) ? 5 : 200);

    args->rows = shape.rows;
    args->dim = shape.dim;
    args->ldy = shape.ld;
    args->ld_table = shape.dim + dgm_trial_between(trial, 0, 3);
    args->scale = (dgm_real)1.5;
    dgm_trial_reals(trial, &args->dtable, strided_reals(vocab, shape.dim, args->ld_table), 1);
    dgm_trial_reals(trial, &args->dy, strided_reals(shape.rows, shape.dim, shape.ld), 1);
    dgm_trial_ints(trial, &args->ids, shape.rows, 0, vocab - 1);
    dgm_trial_drop(trial, &args->drop, &args->places, shape.rows);
}

/* Rows that are not added may hold anything. */
void dgm_trial_add_rows(struct dgm_trial *trial, struct dgm_add_rows_args *args)
{
    const struct shape shape = draw_shape(trial);
    const int64_t most = dgm_trial_between(trial, 1, dgm_trial_once_in(trial, 2) ? 4 : 90);
    dgm_real *x;
    int32_t *index;

    args->rows = shape.rows;
    args->dim = shape.dim;
    dgm_trial_reals(trial, &args->y, most * shape.dim, 1);
    x = dgm_trial_reals(trial, &args->x, shape.rows * shape.dim, 1);
    index = dgm_trial_ints(trial, &args->index, shape.rows, -1, most - 1);
    for (int64_t i = 0; i < shape.rows; i++)
        if (index[i] < 0)
            x[i * shape.dim] = (dgm_real)NAN;
}

/* ---- residual ---------------------------------------------------------------------------- */

void dgm_trial_residual_forward(struct dgm_trial *trial, struct dgm_residual_forward_args *args)
{
    const int64_t same = dgm_trial_between(trial, 0, 3);
    int64_t count;

    args->rows = dgm_trial_between(trial, 1, 30);
    args->dim = dgm_trial_between(trial, 1, 200);
    count = args->rows * args->dim;
    dgm_trial_reals(trial, &args->y, count, 1);
    if (same == 0)
        dgm_trial_same(trial, &args->x, &args->y);
    else if (dgm_trial_once_in(trial, 2))
        dgm_trial_reals(trial, &args->x, count, 1);
    dgm_trial_same_or_reals(trial, same == 1, &args->r, &args->y, count);
    dgm_trial_drop(trial, &args->drop, &args->places, args->rows);
}

void dgm_trial_residual_backward(struct dgm_trial *trial, struct dgm_residual_backward_args *args)
{
    int64_t count;

    args->rows = dgm_trial_between(trial, 1, 30);
    args->dim = dgm_trial_between(trial, 1, 200);
    args->accumulate = dgm_trial_once_in(trial, 2);
    count = args->rows * args->dim;
    dgm_trial_reals(trial, &args->dr, count, 1);
    dgm_trial_same_or_reals(trial, !args->accumulate && dgm_trial_once_in(trial, 2), &args->dy,
                            &args->dr, count);
    dgm_trial_drop(trial, &args->drop, &args->places, args->rows);
}

/* ---- norm -------------------------------------------------------------------------------- */

static int64_t draw_rows(struct dgm_trial *trial)
{
    return dgm_trial_between(trial, 1, dgm_trial_once_in(trial, 4) ? 700 : 40);
}

static int64_t draw_dim(struct dgm_trial *trial)
{
    return dgm_trial_between(trial, 2, dgm_trial_once_in(trial, 4) ? 140 : 40);
}

void dgm_trial_norm_forward(struct dgm_trial *trial, struct dgm_norm_forward_args *args)
{
    const int64_t rows = args->rows = draw_rows(trial), dim = args->dim = draw_dim(trial);
    dgm_real *x = dgm_trial_reals(trial, &args->x, rows * dim, 2);

    args->eps = (dgm_real)1e-6;
    for (int64_t i = 0; i < rows * dim; i++)
        x[i] += 3;
    *dgm_trial_reals(trial, &args->y, rows * dim, 1) = (dgm_real)NAN;
    if (dgm_trial_once_in(trial, 2))
        dgm_trial_reals(trial, &args->stats, 2 * rows, 1);
    dgm_trial_reals(trial, &args->gain, dim, 1);
    dgm_trial_reals(trial, &args->bias, dim, 1);
}

void dgm_trial_norm_backward(struct dgm_trial *trial, struct dgm_norm_backward_args *args)
{
    const int64_t rows = args->rows = draw_rows(trial), dim = args->dim = draw_dim(trial);
    dgm_real *dx = dgm_trial_reals(trial, &args->dx, rows * dim, 1);
    dgm_real *stats = dgm_trial_reals(trial, &args->stats, 2 * rows, 1);

    args->accumulate = dgm_trial_once_in(trial, 2);
    if (!args->accumulate)
        dx[rows * dim / 2] = (dgm_real)NAN;
    for (int64_t i = 0; i < rows; i++)
        stats[2 * i + 1] = (dgm_real)(0.5 + fabs((double)stats[2 * i + 1]));
    dgm_trial_reals(trial, &args->dgain, dim, 1);
    dgm_trial_reals(trial, &args->dbias, dim, 1);
    dgm_trial_reals(trial, &args->dy, rows * dim, 1);
    dgm_trial_reals(trial, &args->x, rows * dim, 1);
    dgm_trial_reals(trial, &args->gain, dim, 1);
}

/* The norm of a sum, and the sum's dropout. */
void dgm_trial_residual_norm_forward(struct dgm_trial *trial,
                                     struct dgm_residual_norm_forward_args *args)
{
    const int64_t rows = args->rows = draw_rows(trial), dim = args->dim = draw_dim(trial);

    args->eps = (dgm_real)1e-6;
    dgm_trial_reals(trial, &args->h, rows * dim, 2);
    if (dgm_trial_once_in(trial, 2))
        dgm_trial_reals(trial, &args->r, rows * dim, 1);
    else
        dgm_trial_same(trial, &args->r, &args->h);
    *dgm_trial_reals(trial, &args->y, rows * dim, 1) = 3;
    if (dgm_trial_once_in(trial, 2))
        dgm_trial_reals(trial, &args->x, rows * dim, 1);
    else if (dgm_trial_once_in(trial, 2))
        dgm_trial_same(trial, &args->x, &args->y);
    if (dgm_trial_once_in(trial, 2))
        dgm_trial_reals(trial, &args->stats, 2 * rows, 1);
    dgm_trial_reals(trial, &args->gain, dim, 1);
    dgm_trial_reals(trial, &args->bias, dim, 1);
    dgm_trial_drop(trial, &args->drop, &args->places, rows);
}

void dgm_trial_residual_norm_backward(struct dgm_trial *trial,
                                      struct dgm_residual_norm_backward_args *args)
{
    const int64_t rows = args->rows = draw_rows(trial), dim = args->dim = draw_dim(trial);
    dgm_real *dx = dgm_trial_reals(trial, &args->dx, rows * dim, 1);
    dgm_real *stats = dgm_trial_reals(trial, &args->stats, 2 * rows, 1);

    args->accumulate = dgm_trial_once_in(trial, 2);
    if (!args->accumulate)
        dx[rows * dim / 2] = (dgm_real)NAN;
    for (int64_t i = 0; i < rows; i++)
        stats[2 * i + 1] = (dgm_real)(0.5 + fabs((double)stats[2 * i + 1]));
    dgm_trial_reals(trial, &args->dgain, dim, 1);
    dgm_trial_reals(trial, &args->dbias, dim, 1);
    dgm_trial_reals(trial, &args->dr, rows * dim, 1);
    dgm_trial_same_or_reals(trial, dgm_trial_once_in(trial, 2), &args->dy, &args->dr, rows * dim);
    dgm_trial_reals(trial, &args->x, rows * dim, 1);
    dgm_trial_reals(trial, &args->gain, dim, 1);
    dgm_trial_drop(trial, &args->drop, &args->places, rows);
}

/* What lies between the rows of x is not read. */
void dgm_trial_column_sums(struct dgm_trial *trial, struct dgm_column_sums_args *args)
{
    dgm_real *x;

    args->m = draw_rows(trial);
    args->n = draw_dim(trial);
    args->ldx = args->n + dgm_trial_between(trial, 0, 3);
    x = dgm_trial_reals(trial, &args->x, args->m * args->ldx, 1);
    for (int64_t i = 0; i < args->m; i++)
        for (int64_t c = args->n; c < args->ldx; c++)
            x[i * args->ldx + c] = (dgm_real)NAN;
    dgm_trial_reals(trial, &args->y, args->n, 1);
}

/* ---- copies ------------------------------------------------------------------------------ */

void dgm_trial_copy_rows(struct dgm_trial *trial, struct dgm_copy_rows_args *args)
{
    const int64_t from = dgm_trial_between(trial, 1, 20);

    args->rows = dgm_trial_between(trial, 1, 40);
    args->dim = dgm_trial_between(trial, 1, 150);
    args->ldy = args->dim + dgm_trial_between(trial, 0, 3);
    args->ldx = args->dim + dgm_trial_between(trial, 0, 3);
    dgm_trial_reals(trial, &args->y, (args->rows - 1) * args->ldy + args->dim, 1);
    dgm_trial_reals(trial, &args->x, (from - 1) * args->ldx + args->dim, 1)[0] = (dgm_real)NAN;
    dgm_trial_ints(trial, &args->index, args->rows, -1, from - 1);
}

/* Blocks may lie apart; those of x may also overlap, or be the same. */
void dgm_trial_copy_columns(struct dgm_trial *trial, struct dgm_copy_columns_args *args)
{
    int64_t last;

    args->rows = dgm_trial_between(trial, 1, 20);
    args->groups = dgm_trial_between(trial, 1, 5);
    args->width = dgm_trial_between(trial, 1, 90);
    args->step_y = args->width + dgm_trial_between(trial, 0, 4);
    args->step_x = dgm_trial_between(trial, 0, args->width + 5);
    args->ldy = args->groups * args->step_y + dgm_trial_between(trial, 0, 4);
    args->ldx = args->groups * args->step_x + args->width;
    args->accumulate = dgm_trial_once_in(trial, 2);
    last = (args->rows - 1) * args->ldy + (args->groups - 1) * args->step_y;
    dgm_trial_reals(trial, &args->y, last + args->width, 1);
    if (!args->accumulate && dgm_trial_once_in(trial, 2))
        dgm_trial_reals(trial, &args->y, last + args->width, 1)[0] = (dgm_real)NAN;
    dgm_trial_reals(trial, &args->x, args->rows * args->ldx, 1);
}
