/*
 * trial_gemm.c: instances of the matrix product.
 */
#include <math.h>

#include "device/trial/trial.h"

/*
 * Few rows, some, and many (above 16, 48 and 64 rows products may go other ways), each in all forms
 * by the number of the instance; sums have blocks of 256 steps. Those of backward passes, NN and
 * TN, are long; a device may split the sums of the first nine instances, whose k is even, and which
 * have no bias and no ReLU, and not those of the next nine.
 */
static void draw_sides(struct dgm_trial *trial, struct dgm_gemm_args *args)
{
    static const int64_t least[] = { 65, 1, 17 }, most[] = { 150, 16, 64 };
    const int rows = (int)(trial->number / 3 % 3);

    args->form = (enum dgm_gemm_form)(trial->number % 3);
    args->m = dgm_trial_between(trial, least[rows], most[rows]);
    args->n = dgm_trial_between(trial, rows == 0 ? 65 : 1,
                                rows == 0 || dgm_trial_once_in(trial, 2) ? 150 : 40);
    args->k = dgm_trial_between(trial, dgm_trial_once_in(trial, 20) ? 0 : 1,
                                dgm_trial_once_in(trial, 4) ? 600 : 70);
    if (args->form != DGM_NT)
        args->k = (args->k + 512) / 2 * 2 + (int64_t)((trial->number - 1) / 9 % 2);
    args->batch = 1;
    if (trial->number > 3 && dgm_trial_once_in(trial, 3)) /* options are for one product */
        args->batch = dgm_trial_between(trial, 2, 4);
    if (args->batch > 1) /* trial memory is limited */
        args->k = args->k % 80;
}

/* Those of pairs have the options alone that such kernels know; gradients of weights have sums of
 * three blocks or four. */
static int is_of_pair(const struct dgm_trial *trial)
{
    return trial->number >= DGM_TRIAL_PAIRS;
}

static void draw_sides_of_pair(struct dgm_trial *trial, struct dgm_gemm_args *args)
{
    const uint64_t turn = trial->number - DGM_TRIAL_PAIRS;
    const int is_large = turn / 2 % 2 == 0, is_first = turn % 2 == 0;

    args->form = is_first ? DGM_TN : DGM_NN;
    args->m = dgm_trial_between(trial, is_large ? 65 : 1, is_large ? 150 : 64);
    args->n = dgm_trial_between(trial, is_large ? 65 : 1, is_large ? 150 : 64);
    args->k = dgm_trial_between(trial, is_first ? 513 : 1, is_first ? 800 : 600);
    args->batch = 1;
}

static int may_be_split(const struct dgm_trial *trial, const struct dgm_gemm_args *args)
{
    return args->form != DGM_NT && trial->number <= 9;
}

/* Elements from the first to the last of one matrix, and those to the next of the batch. */
static int64_t draw_room(struct dgm_trial *trial, int64_t rows, int64_t width, int64_t batch,
                         int64_t *ld, int64_t *stride)
{
    *ld = width + (dgm_trial_once_in(trial, 2) ? dgm_trial_between(trial, 1, 9) : 0);
    if (dgm_trial_once_in(trial, 3)) /* addresses that are multiples of 16 bytes */
        *ld = (*ld + 3) / 4 * 4;
    *stride = rows * *ld + (dgm_trial_once_in(trial, 2) ? 3 : 0);
    return (batch - 1) * *stride + rows * *ld;
}

/* By the number of the instance, so that few of them reach every kernel, or by chance. */
static int draw_option(struct dgm_trial *trial, const struct dgm_gemm_args *args, uint64_t turn)
{
    return args->batch == 1 && (trial->number % 2 == turn || dgm_trial_once_in(trial, 2));
}

/* A mask has zeros of both signs, too. */
static void draw_mask(struct dgm_trial *trial, struct dgm_gemm_args *args)
{
    const int64_t count = args->m * args->n;
    dgm_real *mask = dgm_trial_reals(trial, &args->mask, count, 1);

    args->ldc = args->n;
    for (int64_t i = 0; i < count; i += 7)
        mask[i] = i % 2 ? -(dgm_real)0 : 0;
}

void dgm_trial_gemm(struct dgm_trial *trial, struct dgm_gemm_args *args)
{
    int64_t count;
    dgm_real *c;

    (is_of_pair(trial) ? draw_sides_of_pair : draw_sides)(trial, args);
    args->alpha = dgm_trial_once_in(trial, 2) ? 1 : (dgm_real)-1.75;
    args->beta = (dgm_real)dgm_trial_between(trial, 0, 2) * (dgm_real)0.5;
    args->relu = dgm_trial_once_in(trial, 3) && !may_be_split(trial, args) && !is_of_pair(trial);
    count = draw_room(trial, args->form == DGM_TN ? args->k : args->m,
                      args->form == DGM_TN ? args->m : args->k, args->batch, &args->lda,
                      &args->stride_a);
    dgm_trial_reals(trial, &args->a, count, 1);
    count = draw_room(trial, args->form == DGM_NT ? args->n : args->k,
                      args->form == DGM_NT ? args->k : args->n, args->batch, &args->ldb,
                      &args->stride_b);
    dgm_trial_reals(trial, &args->b, count, 1);
    count = draw_room(trial, args->m, args->n, args->batch, &args->ldc, &args->stride_c);
    if (draw_option(trial, args, 1) && !(is_of_pair(trial) && args->form == DGM_TN)) {
        draw_mask(trial, args);
        count = args->m * args->n;
    }
    c = dgm_trial_reals(trial, &args->c, count, 1);
    for (int64_t i = 0; i < count && args->beta == 0; i++)
        c[i] = (dgm_real)NAN;
    if (args->form == DGM_TN && draw_option(trial, args, 0))
        dgm_trial_reals(trial, &args->sums, args->m, 1);
    if (dgm_trial_once_in(trial, 2) && !may_be_split(trial, args) && !is_of_pair(trial))
        dgm_trial_reals(trial, &args->bias, args->n, 1);
}
