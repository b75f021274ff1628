/*
 * trial_softmax.c: instances of tasks on rows of scores over the vocabulary.
 */
#include <math.h>

#include "device/trial/trial.h"

/* Few rows of a large vocabulary, or many of a small one. */
static void draw_sizes(struct dgm_trial *trial, int64_t *rows, int64_t *vocab)
{
    const int is_large = dgm_trial_once_in(trial, 3);

    *rows = dgm_trial_between(trial, 1, is_large ? 6 : 30);
    *vocab = dgm_trial_between(trial, 1, is_large ? 6000 : 90);
}

/* Scores far from 0 in some rows, as logits are, and impossible ones in some. */
static dgm_real *draw_scores(struct dgm_trial *trial, const struct dgm_ref *field, int64_t rows,
                             int64_t vocab)
{
    dgm_real *x = dgm_trial_reals(trial, field, rows * vocab, 2);

    for (int64_t i = 0; i < rows; i++) {
        const dgm_real shift = (dgm_real)dgm_trial_between(trial, -50, 50);

        for (int64_t j = 0; j < vocab; j++)
            x[i * vocab + j] += shift;
        if (vocab > 1 && dgm_trial_once_in(trial, 4))
            x[i * vocab + dgm_trial_between(trial, 0, vocab - 1)] = -(dgm_real)INFINITY;
        if (dgm_trial_once_in(trial, 40))
            x[i * vocab + dgm_trial_between(trial, 0, vocab - 1)] = (dgm_real)NAN;
    }
    return x;
}

void dgm_trial_cross_entropy(struct dgm_trial *trial, struct dgm_cross_entropy_args *args)
{
    draw_sizes(trial, &args->rows, &args->vocab);
    draw_scores(trial, &args->logits, args->rows, args->vocab);
    dgm_trial_reals(trial, &args->losses, 2 * args->rows, 1);
    dgm_trial_ints(trial, &args->targets, args->rows, 0, args->vocab - 1);
    args->smoothing = dgm_trial_once_in(trial, 2) ? (dgm_real)0.1 : 0;
    args->grad_scale = (dgm_real)0.25;
    args->form = dgm_trial_once_in(trial, 2) ? DGM_SMOOTHING_OLD : DGM_SMOOTHING_T2T;
    args->want_gradient = dgm_trial_once_in(trial, 2);
}

void dgm_trial_log_softmax(struct dgm_trial *trial, struct dgm_log_softmax_args *args)
{
    draw_sizes(trial, &args->rows, &args->vocab);
    draw_scores(trial, &args->y, args->rows, args->vocab);
    if (dgm_trial_once_in(trial, 2))
        dgm_trial_same(trial, &args->x, &args->y);
    else
        draw_scores(trial, &args->x, args->rows, args->vocab);
}

/* Whole and half scores, so that many are equal; some of them -0 and some NaN. */
static void round_scores(struct dgm_trial *trial, dgm_real *x, int64_t count)
{
    for (int64_t i = 0; i < count; i++)
        x[i] =
            dgm_trial_once_in(trial, 30) ? (dgm_real)NAN : (dgm_real)(rint((double)x[i] * 2) / 2);
}

void dgm_trial_top_k(struct dgm_trial *trial, struct dgm_top_k_args *args)
{
    dgm_real *x;

    draw_sizes(trial, &args->rows, &args->vocab);
    args->k = dgm_trial_between(trial, 1, dgm_trial_once_in(trial, 4) ? 20 : 6);
    args->normalize = dgm_trial_once_in(trial, 2);
    for (int i = 0; i < 2; i++)
        args->forbidden[i] =
            (int32_t)dgm_trial_between(trial, -1,
                                       dgm_trial_once_in(trial, 2) ? -1 : args->vocab - 1);
    x = draw_scores(trial, &args->x, args->rows, args->vocab);
    if (dgm_trial_once_in(trial, 2))
        round_scores(trial, x, args->rows * args->vocab);
    dgm_trial_reals(trial, &args->values, args->rows * args->k, 1);
    dgm_trial_ints(trial, &args->ids, args->rows * args->k, 0, 9);
}

/* Lists that end early, and some that are empty; x has columns that nobody may read. */
void dgm_trial_pick_columns(struct dgm_trial *trial, struct dgm_pick_columns_args *args)
{
    const int64_t lists = dgm_trial_between(trial, 1, 5);
    int64_t columns;

    draw_sizes(trial, &args->rows, &columns);
    args->width = dgm_trial_between(trial, 1, columns);
    args->ldx = columns + dgm_trial_between(trial, 0, 3);
    args->missing = -3;
    dgm_trial_reals(trial, &args->y, args->rows * args->width, 1);
    dgm_trial_reals(trial, &args->x, args->rows * args->ldx, 1);
    dgm_trial_ints(trial, &args->index, lists * args->width, -1, columns - 1);
    dgm_trial_ints(trial, &args->owners, args->rows, 0, lists - 1);
}
