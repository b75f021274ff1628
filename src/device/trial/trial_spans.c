/*
 * trial_spans.c: instances of sigmoids and means over the rows of sentences.
 */
#include <math.h>

#include "device/trial/trial.h"

enum { MOST_SENTENCES = 6 };

void dgm_trial_span_sigmoid_forward(struct dgm_trial *trial,
                                    struct dgm_span_sigmoid_forward_args *args)
{
    const int64_t sentences = dgm_trial_between(trial, 1, MOST_SENTENCES);
    dgm_real *x;
    int64_t count;

    args->rows = dgm_trial_between(trial, 1, 50);
    args->cols = dgm_trial_between(trial, 1, 9);
    args->floor = dgm_trial_once_in(trial, 2) ? 3 : 0;
    count = args->rows * args->cols;
    x = dgm_trial_reals(trial, &args->y, count, 4);
    if (dgm_trial_once_in(trial, 2))
        dgm_trial_same(trial, &args->x, &args->y);
    else
        x = dgm_trial_reals(trial, &args->x, count, 4);
    x[count - 1] = (dgm_real)NAN;
    x[0] = -200;
    dgm_trial_ints(trial, &args->owners, args->rows, 0, sentences - 1);
    dgm_trial_ints(trial, &args->counts, sentences, 1, 60);
}

void dgm_trial_span_sigmoid_backward(struct dgm_trial *trial,
                                     struct dgm_span_sigmoid_backward_args *args)
{
    const int64_t sentences = dgm_trial_between(trial, 1, MOST_SENTENCES);
    dgm_real *y;
    int64_t count;

    args->rows = dgm_trial_between(trial, 1, 50);
    args->cols = dgm_trial_between(trial, 1, 9);
    args->floor = dgm_trial_once_in(trial, 2) ? 3 : 0;
    args->accumulate = dgm_trial_once_in(trial, 2);
    count = args->rows * args->cols;
    dgm_trial_reals(trial, &args->dx, count, 1);
    y = dgm_trial_reals(trial, &args->y, count, 1);
    for (int64_t i = 0; i < count; i++)
        y[i] = i % 3 == 0 ? args->floor : (dgm_real)(0.1 + 12 * fabs((double)y[i]));
    dgm_trial_same_or_reals(trial, !args->accumulate && dgm_trial_once_in(trial, 2), &args->dy,
                            &args->dx, count);
    dgm_trial_ints(trial, &args->owners, args->rows, 0, sentences - 1);
    dgm_trial_ints(trial, &args->counts, sentences, 1, 60);
}

/* Reals of a matrix of `rows` rows, ld apart; one more where there would be none. */
static int64_t reals_of(int64_t rows, int64_t width, int64_t ld)
{
    return rows > 0 ? (rows - 1) * ld + width : 1;
}

void dgm_trial_span_mean_forward(struct dgm_trial *trial, struct dgm_span_mean_forward_args *args)
{
    int32_t *offsets;
    int64_t rows;

    args->sentences = dgm_trial_between(trial, 1, MOST_SENTENCES);
    args->width = dgm_trial_between(trial, 1, 90);
    args->ldx = args->width + dgm_trial_between(trial, 0, 3);
    offsets = dgm_trial_ints(trial, &args->offsets, args->sentences + 1, 0, 0);
    rows = dgm_trial_offsets(trial, offsets, args->sentences, 0, 8);
    dgm_trial_reals(trial, &args->y, args->sentences * args->width, 1)[0] = (dgm_real)NAN;
    dgm_trial_reals(trial, &args->x, reals_of(rows, args->width, args->ldx), 1);
}

void dgm_trial_span_mean_backward(struct dgm_trial *trial, struct dgm_span_mean_backward_args *args)
{
    int32_t *offsets;
    int64_t rows;

    args->sentences = dgm_trial_between(trial, 1, MOST_SENTENCES);
    args->width = dgm_trial_between(trial, 1, 90);
    args->lddx = args->width + dgm_trial_between(trial, 0, 3);
    args->accumulate = dgm_trial_once_in(trial, 2);
    offsets = dgm_trial_ints(trial, &args->offsets, args->sentences + 1, 0, 0);
    rows = dgm_trial_offsets(trial, offsets, args->sentences, 0, 8);
    dgm_trial_reals(trial, &args->dx, reals_of(rows, args->width, args->lddx), 1);
    dgm_trial_reals(trial, &args->dy, args->sentences * args->width, 1);
}

/* Links of `rows` rows to some of `width` columns, places or none; positive weights. */
struct links {
    const struct dgm_ref *starts, *keys, *places, *shares, *a;
};

static void draw_links(struct dgm_trial *trial, const struct links *links, int64_t rows, int64_t ld)
{
    int32_t *starts = dgm_trial_ints(trial, links->starts, rows + 1, 0, 0);
    const int64_t count = dgm_trial_offsets(trial, starts, rows, 0, 4);
    dgm_real *a = dgm_trial_reals(trial, links->a, rows * ld, 1);

    dgm_trial_ints(trial, links->keys, count + 1, 0, ld - 1);
    dgm_trial_reals(trial, links->shares, rows, 1);
    for (int64_t i = 0; i < rows * ld; i++)
        a[i] = (dgm_real)fabs((double)a[i]);
    if (dgm_trial_once_in(trial, 2)) {
        int32_t *places = dgm_trial_ints(trial, links->places, rows, 0, 0);
        for (int64_t i = 0; i < rows; i++)
            places[i] = (int32_t)(rows - 1 - i);
    }
}

void dgm_trial_link_loss_forward(struct dgm_trial *trial, struct dgm_link_loss_forward_args *args)
{
    const struct links links = { &args->starts, &args->keys, &args->places, &args->shares,
                                 &args->a };

    args->rows = dgm_trial_between(trial, 1, 90);
    args->lda = dgm_trial_between(trial, 1, 40);
    args->floor = (dgm_real)1e-6;
    draw_links(trial, &links, args->rows, args->lda);
    dgm_trial_reals(trial, &args->losses, args->rows, 1)[0] = (dgm_real)NAN;
}

void dgm_trial_link_loss_backward(struct dgm_trial *trial, struct dgm_link_loss_backward_args *args)
{
    const struct links links = { &args->starts, &args->keys, &args->places, &args->shares,
                                 &args->a };

    args->rows = dgm_trial_between(trial, 1, 90);
    args->lda = dgm_trial_between(trial, 1, 40);
    args->ldda = args->lda + dgm_trial_between(trial, 0, 3);
    args->floor = (dgm_real)0.1;
    args->scale = (dgm_real)0.5;
    draw_links(trial, &links, args->rows, args->lda);
    dgm_trial_reals(trial, &args->da, args->rows * args->ldda, 1);
}
