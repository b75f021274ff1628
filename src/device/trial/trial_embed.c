/*
 * trial_embed.c: instances of look-ups in tables, and of sums over rows with the same number.
 */
#include <math.h>

#include "device/trial/trial.h"

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
static int64_t reals_of(int64_t rows, int64_t dim, int64_t ld)
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
    dgm_trial_reals(trial, &args->y, reals_of(shape.rows, shape.dim, shape.ld), 1);
    dgm_trial_reals(trial, &args->table, reals_of(vocab, shape.dim, args->ld_table), 1);
    dgm_trial_ints(trial, &args->ids, shape.rows, 0, vocab - 1);
    dgm_trial_drop(trial, &args->drop, &args->places, shape.rows);
    if (dgm_trial_once_in(trial, 3))
        return;
    dgm_trial_reals(trial, &args->positions, reals_of(MOST_POSITIONS, shape.dim, shape.ld), 1);
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
    dgm_trial_reals(trial, &args->dtable, reals_of(vocab, shape.dim, args->ld_table), 1);
    dgm_trial_reals(trial, &args->dy, reals_of(shape.rows, shape.dim, shape.ld), 1);
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
