/*
 * lstm_c.c: the kernels of lstm.h in plain C, the reference for all others.
 */
#include "kernel/lstm.h"

#include "kernel/simd/real_math.h"

static void lstm_forward(const struct dgm_lstm_cell *cell, int64_t dim)
{
    const dgm_real *x = cell->input;
    dgm_real *a = cell->gates;

    for (int64_t j = 0; j < 4 * dim; j++) {
        dgm_real sum = cell->before ? x[j] + a[j] : x[j];
        a[j] = j / dim == 2 ? dgm_real_tanh(sum) : dgm_real_sigmoid(sum); /* g, of i f g o */
    }
    for (int64_t j = 0; j < dim; j++) {
        dgm_real i = a[j], f = a[dim + j], g = a[2 * dim + j], o = a[3 * dim + j];
        dgm_real c = cell->before ? f * cell->before[j] + i * g : i * g;
        dgm_real h = o * dgm_real_tanh(c);
        cell->c[j] = c;
        cell->h[j] = h;
        if (cell->next)
            cell->next[j] = cell->keep ? cell->keep[j] * h : h;
    }
}

static void lstm_backward(const struct dgm_lstm_grad *grad, int64_t dim)
{
    dgm_real *a = grad->gates;

    for (int64_t j = 0; j < dim; j++) {
        dgm_real i = a[j], f = a[dim + j], g = a[2 * dim + j], o = a[3 * dim + j];
        dgm_real before = grad->before ? grad->before[j] : 0, t = dgm_real_tanh(grad->c[j]);
        dgm_real dh = grad->dh[j], dc = 0;
        if (grad->dnext) {
            dh += grad->keep ? grad->keep[j] * grad->dnext[j] : grad->dnext[j];
            dc = grad->dc[j];
        }
        dc += dh * o * (1 - t * t);
        a[j] = dc * g * (i * (1 - i));
        a[dim + j] = dc * before * (f * (1 - f));
        a[2 * dim + j] = dc * i * (1 - g * g);
        a[3 * dim + j] = dh * t * (o * (1 - o));
        grad->dc[j] = dc * f;
    }
    for (int64_t j = 0; j < 4 * dim && grad->dinput; j++)
        grad->dinput[j] = grad->accumulate ? grad->dinput[j] + a[j] : a[j];
}

const struct dgm_lstm_kernels dgm_lstm_c = { lstm_forward, lstm_backward };
