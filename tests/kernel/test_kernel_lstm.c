/*
 * test_kernel_lstm.c: the units of an LSTM, of every instruction set this machine runs, against
 * plain C and against themselves at other places of a vector.
 */
#include "kernel_case.h"

enum { WIDEST = 67 };

static const int64_t dims[] = { 1, 2, 3, 4, 5, 7, 8, 15, 16, 17, 31, 33, 64, WIDEST };

enum { DIMS = sizeof dims / sizeof dims[0], VARIANTS = 8 };

/* The arrays of one step; each kernel call gets a copy of what it changes. */
struct step {
    struct case_array gates, input, before, keep, c, h, next, dh, dnext, dc, dinput;
};

static void begin(struct step *step, int64_t dim, int shift, struct dgm_random *random)
{
    struct case_array *const arrays[11] = { &step->gates, &step->input, &step->before, &step->keep,
                                            &step->c,     &step->h,     &step->next,   &step->dh,
                                            &step->dnext, &step->dc,    &step->dinput };

    for (int i = 0; i < 11; i++) {
        int wide =
            arrays[i] == &step->gates || arrays[i] == &step->input || arrays[i] == &step->dinput;
        case_array_begin(arrays[i], wide ? 4 * dim : dim, shift ? (shift + i) % 4 : 0);
        case_array_random(arrays[i], random);
        for (int64_t j = 0; wide && j < 4 * dim; j++)
            arrays[i]->x[j] *= 4; /* saturated gates too */
    }
}

/* Bits of a variant: 1: not the first step; 2: dropout; 4: not the last step. */
static struct dgm_lstm_cell cell_of(struct step *step, int variant)
{
    struct dgm_lstm_cell cell;

    cell.gates = step->gates.x;
    cell.input = step->input.x;
    cell.before = variant & 1 ? step->before.x : NULL;
    cell.c = step->c.x;
    cell.h = step->h.x;
    cell.next = variant & 4 ? step->next.x : NULL;
    cell.keep = variant & 2 ? step->keep.x : NULL;
    cell.ahead = variant & 1 ? step->input.x : NULL;
    return cell;
}

static struct dgm_lstm_grad grad_of(struct step *step, int variant)
{
    struct dgm_lstm_grad grad;

    grad.gates = step->gates.x;
    grad.dinput = variant == 5 ? NULL : step->dinput.x;
    grad.before = variant & 1 ? step->before.x : NULL;
    grad.c = step->c.x;
    grad.dh = step->dh.x;
    grad.dnext = variant & 4 ? step->dnext.x : NULL;
    grad.keep = variant & 2 ? step->keep.x : NULL;
    grad.dc = step->dc.x;
    grad.accumulate = variant == 3 || variant == 6;
    return grad;
}

/* The same numbers at another alignment. */
static void copy(struct case_array *to, const struct case_array *from, int shift)
{
    case_array_begin(to, from->count, shift);
    memcpy(to->x, from->x, (size_t)from->count * sizeof(dgm_real));
}

static void copy_step(struct step *to, const struct step *from, int shift)
{
    copy(&to->gates, &from->gates, shift);
    copy(&to->input, &from->input, (shift + 1) % 4);
    copy(&to->before, &from->before, (shift + 2) % 4);
    copy(&to->keep, &from->keep, shift);
    copy(&to->c, &from->c, (shift + 3) % 4);
    copy(&to->h, &from->h, shift);
    copy(&to->next, &from->next, (shift + 1) % 4);
    copy(&to->dh, &from->dh, shift);
    copy(&to->dnext, &from->dnext, (shift + 2) % 4);
    copy(&to->dc, &from->dc, shift);
    copy(&to->dinput, &from->dinput, shift);
}

/* Values reach 20; every result is a few products and functions of relative error 2 units. */
static void check_near(const struct case_array *got, const struct case_array *want)
{
    CHECK(case_array_is_intact(got));
    for (int64_t i = 0; i < want->count; i++)
        CHECK_NEAR(got->x[i], want->x[i], 24 * case_unit() * (1 + fabs((double)want->x[i])));
}

static void check_variant(const struct dgm_lstm_kernels *kernels, int64_t dim, int shift,
                          int variant, struct dgm_random *random)
{
    static struct step want, got;
    struct dgm_lstm_cell cell;
    struct dgm_lstm_grad grad;

    begin(&want, dim, 0, random);
    copy_step(&got, &want, shift);
    cell = cell_of(&want, variant);
    dgm_lstm_c.forward(&cell, dim);
    cell = cell_of(&got, variant);
    kernels->forward(&cell, dim);
    check_near(&got.gates, &want.gates);
    check_near(&got.c, &want.c);
    check_near(&got.h, &want.h);
    check_near(&got.next, &want.next);
    copy_step(&got, &want, shift);
    grad = grad_of(&want, variant);
    dgm_lstm_c.backward(&grad, dim);
    grad = grad_of(&got, variant);
    kernels->backward(&grad, dim);
    check_near(&got.gates, &want.gates);
    check_near(&got.dinput, &want.dinput);
    check_near(&got.dc, &want.dc);
}

TEST(kernel_lstm_agrees_with_plain_c)
{
    struct dgm_random random;

    dgm_random_init(&random, 8, 0, 0, 0);
    for (size_t i = 0; i < dgm_kernels_count(); i++)
        for (int d = 0; d < DIMS && dgm_kernels_entry(i); d++)
            for (int variant = 0; variant < VARIANTS; variant++)
                check_variant(dgm_kernels_entry(i)->lstm, dims[d], d % 4, variant, &random);
}

/* Unit j of `all`, alone. */
static void cut_unit(struct step *one, const struct step *all, int64_t dim, int64_t j)
{
    static struct dgm_random random;

    begin(one, 1, 0, &random);
    for (int gate = 0; gate < 4; gate++) {
        one->gates.x[gate] = all->gates.x[gate * dim + j];
        one->input.x[gate] = all->input.x[gate * dim + j];
        one->dinput.x[gate] = all->dinput.x[gate * dim + j];
    }
    one->before.x[0] = all->before.x[j];
    one->keep.x[0] = all->keep.x[j];
    one->c.x[0] = all->c.x[j];
    one->dh.x[0] = all->dh.x[j];
    one->dnext.x[0] = all->dnext.x[j];
    one->dc.x[0] = all->dc.x[j];
}

static void check_alone(const struct dgm_lstm_kernels *kernels, int64_t dim,
                        struct dgm_random *random)
{
    static struct step all, before, ones[WIDEST];
    struct dgm_lstm_cell cell;
    struct dgm_lstm_grad grad;

    begin(&all, dim, 0, random);
    for (int64_t j = 0; j < dim; j++) {
        cut_unit(&ones[j], &all, dim, j);
        cell = cell_of(&ones[j], 7);
        kernels->forward(&cell, 1);
    }
    cell = cell_of(&all, 7);
    kernels->forward(&cell, dim);
    for (int64_t j = 0; j < dim; j++) {
        CHECK_MEM(ones[j].h.x, all.h.x + j, sizeof(dgm_real));
        CHECK_MEM(ones[j].next.x, all.next.x + j, sizeof(dgm_real));
    }
    copy_step(&before, &all, 0);
    grad = grad_of(&all, 7);
    kernels->backward(&grad, dim);
    for (int64_t j = 0; j < dim; j++) {
        cut_unit(&ones[j], &before, dim, j);
        grad = grad_of(&ones[j], 7);
        kernels->backward(&grad, 1);
        CHECK_MEM(ones[j].dc.x, all.dc.x + j, sizeof(dgm_real));
        for (int gate = 0; gate < 4; gate++)
            CHECK_MEM(ones[j].dinput.x + gate, all.dinput.x + gate * dim + j, sizeof(dgm_real));
    }
}

TEST(kernel_lstm_computes_a_unit_alike_at_every_place)
{
    struct dgm_random random;

    dgm_random_init(&random, 9, 0, 0, 0);
    for (size_t i = 0; i < dgm_kernels_count(); i++)
        for (int d = 0; d < DIMS && dgm_kernels_entry(i); d++)
            check_alone(dgm_kernels_entry(i)->lstm, dims[d], &random);
}
