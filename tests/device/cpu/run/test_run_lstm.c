/*
 * test_run_lstm.c: the LSTM over packed sequences against a loop over single sequences in double.
 */
#include <math.h>
#include <string.h>

#include "lstm_lab.h"
#include "test.h"

enum { WIDEST = 128, LONGEST = 12 };

/* One sequence in one direction, all in double. */
struct plain {
    double keep[WIDEST];
    double gate[LONGEST][4][WIDEST], c[LONGEST + 1][WIDEST], h[LONGEST + 1][WIDEST];
    double dgate[LONGEST][4][WIDEST];
};

static double logistic(double x)
{
    return 1 / (1 + exp(-x));
}

static int64_t row_at(const struct lstm_problem *p, int32_t s, int direction, int64_t t)
{
    return direction ? p->offsets[s + 1] - 1 - t : p->offsets[s] + t;
}

static double weight_at(const struct lstm_problem *p, int direction, int gate, int64_t j, int64_t k)
{
    return (double)p->weight[((direction * 4 + gate) * p->dim + j) * p->dim + k];
}

/* c[t + 1], h[t + 1] are the states after step t. */
static void plain_forward(const struct lstm_problem *p, struct plain *x, int32_t s, int direction)
{
    const int64_t dim = p->dim, length = p->offsets[s + 1] - p->offsets[s];

    memset(x, 0, sizeof *x);
    for (int64_t j = 0; j < dim && length > 0; j++)
        x->keep[j] = lstm_lab_keep(p, p->places[2 * p->offsets[s]], direction * dim + j);
    for (int64_t t = 0; t < length; t++)
        for (int64_t j = 0; j < dim; j++) {
            for (int gate = 0; gate < 4; gate++) {
                double sum =
                    (double)
                        p->gates[(row_at(p, s, direction, t) * 8 + direction * 4 + gate) * dim + j];
                for (int64_t k = 0; k < dim; k++)
                    sum += weight_at(p, direction, gate, j, k) * x->keep[k] * x->h[t][k];
                x->gate[t][gate][j] = gate == 2 ? tanh(sum) : logistic(sum);
            }
            x->c[t + 1][j] = x->gate[t][1][j] * x->c[t][j] + x->gate[t][0][j] * x->gate[t][2][j];
            x->h[t + 1][j] = x->gate[t][3][j] * tanh(x->c[t + 1][j]);
        }
}

/* Gradient of h[t + 1][k]: from above, and from the step after. */
static double plain_dh(const struct lstm_problem *p, const struct plain *x, int32_t s,
                       int direction, int64_t t, int64_t k)
{
    double dh = (double)p->dy[(row_at(p, s, direction, t) * 2 + direction) * p->dim + k];

    for (int64_t j = 0; t + 1 < p->offsets[s + 1] - p->offsets[s] && j < p->dim; j++)
        for (int gate = 0; gate < 4; gate++)
            dh += x->dgate[t + 1][gate][j] * weight_at(p, direction, gate, j, k) * x->keep[k];
    return dh;
}

static void plain_backward(const struct lstm_problem *p, struct plain *x, int32_t s, int direction)
{
    double later[WIDEST] = { 0 }; /* dc by way of the step after */

    for (int64_t t = p->offsets[s + 1] - p->offsets[s]; t-- > 0;)
        for (int64_t j = 0; j < p->dim; j++) {
            double i = x->gate[t][0][j], f = x->gate[t][1][j];
            double g = x->gate[t][2][j], o = x->gate[t][3][j], th = tanh(x->c[t + 1][j]);
            double dh = plain_dh(p, x, s, direction, t, j);
            double dc = later[j] + dh * o * (1 - th * th);
            x->dgate[t][0][j] = dc * g * i * (1 - i);
            x->dgate[t][1][j] = dc * x->c[t][j] * f * (1 - f);
            x->dgate[t][2][j] = dc * i * (1 - g * g);
            x->dgate[t][3][j] = dh * th * o * (1 - o);
            later[j] = dc * f;
        }
}

static void add_weight_grad(const struct lstm_problem *p, const struct plain *x, int32_t s,
                            int direction, double *dweight)
{
    for (int64_t t = 0; t < p->offsets[s + 1] - p->offsets[s]; t++)
        for (int64_t j = 0; j < 4 * p->dim; j++)
            for (int64_t k = 0; k < p->dim; k++)
                dweight[(direction * 4 * p->dim + j) * p->dim + k] +=
                    x->dgate[t][j / p->dim][j % p->dim] * x->keep[k] * x->h[t][k];
}

static void check_sequence(const struct lstm_problem *p, const struct plain *x, int32_t s,
                           int direction)
{
    const int64_t dim = p->dim;

    for (int64_t t = 0; t < p->offsets[s + 1] - p->offsets[s]; t++) {
        const int64_t row = row_at(p, s, direction, t);
        for (int64_t j = 0; j < dim; j++)
            CHECK_NEAR(p->y[(row * 2 + direction) * dim + j], x->h[t + 1][j], 1e-5);
        for (int64_t j = 0; j < 4 * dim; j++)
            CHECK_NEAR(p->dgates[(row * 8 + direction * 4) * dim + j],
                       x->dgate[t][j / dim][j % dim], 1e-4);
    }
}

static void check_plain(int32_t count, int64_t longest, int64_t dim, double rate)
{
    static struct plain x;
    static double dweight[8 * WIDEST * WIDEST];
    struct dgm_arena arena = { 0 };
    struct lstm_problem p;

    CHECK_STATUS(lstm_lab_problem(&arena, &p, count, longest, dim, rate), DGM_OK);
    CHECK_STATUS(lstm_lab_solve(&p, 2), DGM_OK);
    memset(dweight, 0, sizeof dweight);
    for (int32_t s = 0; s < count; s++)
        for (int direction = 0; direction < 2; direction++) {
            plain_forward(&p, &x, s, direction);
            plain_backward(&p, &x, s, direction);
            check_sequence(&p, &x, s, direction);
            add_weight_grad(&p, &x, s, direction, dweight);
        }
    for (int64_t i = 0; i < 8 * dim * dim; i++)
        CHECK_NEAR(p.dweight[i], dweight[i], 1e-4 * (1 + fabs(dweight[i])));
    dgm_arena_clear(test_env(), &arena);
}

TEST(lstm_agrees_with_a_plain_loop)
{
    check_plain(1, 1, 1, 0);
    check_plain(7, 4, 3, 0);
    check_plain(20, 12, 16, 0);
    check_plain(90, 5, 33, 0);
    check_plain(9, 4, 128, 0); /* rows of gates lie 4096 bytes apart */
}

TEST(lstm_with_dropout_agrees_with_a_plain_loop)
{
    check_plain(7, 4, 5, 0.4);
    check_plain(20, 12, 16, 0.25);
    check_plain(60, 5, 39, 0.3);
}

TEST(lstm_of_empty_sequences_gives_an_empty_result)
{
    struct dgm_arena arena = { 0 };
    struct lstm_problem p;

    CHECK_STATUS(lstm_lab_problem(&arena, &p, 3, 0, 4, 0.3), DGM_OK);
    CHECK_INT(p.rows, 0);
    CHECK_STATUS(lstm_lab_solve(&p, 1), DGM_OK);
    for (int64_t i = 0; i < 8 * 16; i++)
        CHECK_NEAR(p.dweight[i], 0, 0);
    dgm_arena_clear(test_env(), &arena);
}
