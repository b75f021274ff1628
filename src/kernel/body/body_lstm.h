/*
 * body_lstm.h: the kernels of lstm.h over the vector vocabulary, by the helpers of body_math.h.
 */

#include "kernel/simd/prefetch.h"

/* The sums of gates, from element `at` on. */
static inline vec lstm_sum(const struct dgm_lstm_cell *cell, int64_t at, int lanes)
{
    vec x = rows_load(cell->input + at, lanes);

    return cell->before ? vec_add(x, rows_load(cell->gates + at, lanes)) : x;
}

static void lstm_forward(const struct dgm_lstm_cell *cell, int64_t dim)
{
    float *a = cell->gates;

    for (int64_t j = 0; j < dim; j += VEC_WIDTH) {
        int lanes = rows_lanes(dim - j);
        for (int gate = 0; gate < 4 && cell->ahead; gate++)
            DGM_PREFETCH(cell->ahead + gate * dim + j);
        vec i = vec_sigmoid(lstm_sum(cell, j, lanes));
        vec f = vec_sigmoid(lstm_sum(cell, dim + j, lanes));
        vec g = vec_tanh(lstm_sum(cell, 2 * dim + j, lanes));
        vec o = vec_sigmoid(lstm_sum(cell, 3 * dim + j, lanes));
        vec c = vec_mul(i, g), h;
        if (cell->before)
            c = vec_fma(f, rows_load(cell->before + j, lanes), c);
        h = vec_mul(o, vec_tanh(c));
        rows_store(a + j, i, lanes);
        rows_store(a + dim + j, f, lanes);
        rows_store(a + 2 * dim + j, g, lanes);
        rows_store(a + 3 * dim + j, o, lanes);
        rows_store(cell->c + j, c, lanes);
        rows_store(cell->h + j, h, lanes);
        if (cell->next && cell->keep)
            h = vec_mul(rows_load(cell->keep + j, lanes), h);
        if (cell->next)
            rows_store(cell->next + j, h, lanes);
    }
}

/* s (1 - s), the slope of the logistic function where its value is s. */
static inline vec lstm_slope(vec s)
{
    return vec_mul(s, vec_sub(vec_set1(1.0f), s));
}

/* Stores d, the gradient of the sums of one gate, in `gates` and, if wanted, in `dinput`. */
static inline void lstm_hand(const struct dgm_lstm_grad *grad, int64_t at, vec d, int lanes)
{
    rows_store(grad->gates + at, d, lanes);
    if (!grad->dinput)
        return;
    if (grad->accumulate)
        d = vec_add(rows_load(grad->dinput + at, lanes), d);
    rows_store(grad->dinput + at, d, lanes);
}

static void lstm_backward(const struct dgm_lstm_grad *grad, int64_t dim)
{
    const vec one = vec_set1(1.0f);
    const float *a = grad->gates;

    for (int64_t j = 0; j < dim; j += VEC_WIDTH) {
        int lanes = rows_lanes(dim - j);
        vec i = rows_load(a + j, lanes), f = rows_load(a + dim + j, lanes);
        vec g = rows_load(a + 2 * dim + j, lanes), o = rows_load(a + 3 * dim + j, lanes);
        vec before = grad->before ? rows_load(grad->before + j, lanes) : vec_zero();
        vec t = vec_tanh(rows_load(grad->c + j, lanes));
        vec dh = rows_load(grad->dh + j, lanes), dc = vec_zero();
        if (grad->dnext) {
            vec d = rows_load(grad->dnext + j, lanes);
            dh = vec_add(dh, grad->keep ? vec_mul(rows_load(grad->keep + j, lanes), d) : d);
            dc = rows_load(grad->dc + j, lanes);
        }
        dc = vec_fma(vec_mul(dh, o), vec_fnma(t, t, one), dc);
        lstm_hand(grad, j, vec_mul(vec_mul(dc, g), lstm_slope(i)), lanes);
        lstm_hand(grad, dim + j, vec_mul(vec_mul(dc, before), lstm_slope(f)), lanes);
        lstm_hand(grad, 2 * dim + j, vec_mul(vec_mul(dc, i), vec_fnma(g, g, one)), lanes);
        lstm_hand(grad, 3 * dim + j, vec_mul(vec_mul(dh, t), lstm_slope(o)), lanes);
        rows_store(grad->dc + j, vec_mul(dc, f), lanes);
    }
}

static const struct dgm_lstm_kernels lstm_kernels = { lstm_forward, lstm_backward };
