/*
 * trial_pairs.c: instances of tasks on the pairs of rows of each sentence.
 */
#include <math.h>

#include "device/trial/trial.h"

/* Sentences of 1 to 20 rows, and their blocks; both arrays are the instance's operands. */
struct blocks {
    int64_t sentences, rows, elements;
    int32_t *offsets, *squares;
};

static struct blocks draw_blocks(struct dgm_trial *trial, const struct dgm_ref *offsets,
                                 const struct dgm_ref *squares)
{
    struct blocks blocks;

    blocks.sentences = dgm_trial_between(trial, 1, 6);
    blocks.offsets = dgm_trial_ints(trial, offsets, blocks.sentences + 1, 0, 0);
    blocks.squares = dgm_trial_ints(trial, squares, blocks.sentences, 0, 0);
    blocks.rows = dgm_trial_offsets(trial, blocks.offsets, blocks.sentences, 1,
                                    dgm_trial_once_in(trial, 4) ? 90 : 20);
    blocks.elements = dgm_trial_squares(blocks.squares, blocks.offsets, blocks.sentences);
    return blocks;
}

/* rows x ld reals, NaN beyond `dim` columns. */
static void draw_matrix(struct dgm_trial *trial, const struct dgm_ref *field, int64_t rows,
                        int64_t dim, int64_t ld)
{
    dgm_real *x = dgm_trial_reals(trial, field, rows * ld, 1);

    for (int64_t i = 0; i < rows; i++)
        for (int64_t c = dim; c < ld; c++)
            x[i * ld + c] = (dgm_real)NAN;
}

void dgm_trial_pair_scores(struct dgm_trial *trial, struct dgm_pair_scores_args *args)
{
    const struct blocks blocks = draw_blocks(trial, &args->offsets, &args->squares);

    args->sentences = blocks.sentences;
    args->dim = dgm_trial_between(trial, 1, 90);
    args->ldq = args->dim + dgm_trial_between(trial, 0, 3);
    args->ldk = args->dim + dgm_trial_between(trial, 0, 3);
    *dgm_trial_reals(trial, &args->scores, blocks.elements, 1) = (dgm_real)NAN;
    draw_matrix(trial, &args->q, blocks.rows, args->dim, args->ldq);
    draw_matrix(trial, &args->k, blocks.rows, args->dim, args->ldk);
}

/* Either gradient may be absent, and both may be one. */
void dgm_trial_pair_scores_backward(struct dgm_trial *trial,
                                    struct dgm_pair_scores_backward_args *args)
{
    const struct blocks blocks = draw_blocks(trial, &args->offsets, &args->squares);
    const int is_one = dgm_trial_once_in(trial, 3);

    args->sentences = blocks.sentences;
    args->dim = dgm_trial_between(trial, 1, 150);
    args->ldq = args->dim + dgm_trial_between(trial, 0, 3);
    args->ldk = is_one ? args->ldq : args->dim + dgm_trial_between(trial, 0, 3);
    args->accumulate_q = dgm_trial_once_in(trial, 2);
    args->accumulate_k = is_one || dgm_trial_once_in(trial, 2);
    dgm_trial_reals(trial, &args->dscores, blocks.elements, 1);
    draw_matrix(trial, &args->q, blocks.rows, args->dim, args->ldq);
    draw_matrix(trial, &args->k, blocks.rows, args->dim, args->ldk);
    if (is_one || !dgm_trial_once_in(trial, 4))
        draw_matrix(trial, &args->dq, blocks.rows, args->accumulate_q ? args->dim : 0, args->ldq);
    if (is_one)
        dgm_trial_same(trial, &args->dk, &args->dq);
    else if (!dgm_trial_once_in(trial, 4))
        draw_matrix(trial, &args->dk, blocks.rows, args->accumulate_k ? args->dim : 0, args->ldk);
}

/* A column that row i of n may choose, or -1. */
static int32_t draw_target(struct dgm_trial *trial, enum dgm_pair_mask mask, int64_t i, int64_t n)
{
    const int64_t target = dgm_trial_between(trial, 0, mask == DGM_PAIRS_CAUSAL ? i : n - 1);
    const int is_self = mask == DGM_PAIRS_NOT_SELF && target == i;

    return is_self || dgm_trial_once_in(trial, 5) ? -1 : (int32_t)target;
}

void dgm_trial_pair_loss(struct dgm_trial *trial, struct dgm_pair_loss_args *args)
{
    const struct blocks blocks = draw_blocks(trial, &args->offsets, &args->squares);
    int32_t *targets = dgm_trial_ints(trial, &args->targets, blocks.rows, 0, 0);

    args->sentences = blocks.sentences;
    args->mask = (enum dgm_pair_mask)dgm_trial_between(trial, 0, 2);
    args->want_gradient = dgm_trial_once_in(trial, 2);
    args->grad_scale = (dgm_real)0.25;
    dgm_trial_reals(trial, &args->scores, blocks.elements, 2);
    dgm_trial_reals(trial, &args->losses, blocks.rows, 1);
    for (int64_t s = 0; s < blocks.sentences; s++)
        for (int64_t row = blocks.offsets[s]; row < blocks.offsets[s + 1]; row++)
            targets[row] = draw_target(trial, args->mask, row - blocks.offsets[s],
                                       blocks.offsets[s + 1] - blocks.offsets[s]);
}

void dgm_trial_pair_log_softmax(struct dgm_trial *trial, struct dgm_pair_log_softmax_args *args)
{
    const struct blocks blocks = draw_blocks(trial, &args->offsets, &args->squares);

    args->sentences = blocks.sentences;
    args->mask = (enum dgm_pair_mask)dgm_trial_between(trial, 0, 2);
    dgm_trial_reals(trial, &args->y, blocks.elements, 2);
}
