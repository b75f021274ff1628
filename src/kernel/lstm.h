/*
 * lstm.h: what an LSTM does to the H units of one sequence, in one direction, at one step;
 * kernel/task/lstm_list.h has the equations. The products with the recurrent matrix are the
 * caller's.
 *
 * Arrays need no alignment and do not overlap. Four gates stand side by side: i f g o, H each.
 * Elements are computed alike wherever they stand.
 */
#ifndef DGM_KERNEL_LSTM_H
#define DGM_KERNEL_LSTM_H

#include <stdint.h>

#include "base/real.h"

struct dgm_lstm_cell {
    dgm_real *gates;        /* (4H) keep h_{t-1} W^T; becomes i f g o */
    const dgm_real *input;  /* (4H) */
    const dgm_real *before; /* c_{t-1}; NULL at the first step, where `gates` is not read */
    dgm_real *c, *h;
    dgm_real *next;        /* keep h, for the next step; NULL at the last */
    const dgm_real *keep;  /* NULL: ones */
    const dgm_real *ahead; /* (4H) `input` of the call after this, for caches to fetch; or NULL */
};

struct dgm_lstm_grad {
    dgm_real *gates;        /* (4H) i f g o; becomes the gradient of the sums they came from */
    dgm_real *dinput;       /* (4H) set to the same, or added to; NULL: not wanted */
    const dgm_real *before; /* c_{t-1}; NULL at the first step */
    const dgm_real *c, *dh; /* dh: of the output */
    const dgm_real *dnext;  /* of `next`; NULL at the last step, where `dc` is not read */
    const dgm_real *keep;   /* NULL: ones */
    dgm_real *dc;           /* of c_t by way of c_{t+1}; becomes that of c_{t-1} */
    int accumulate;
};

struct dgm_lstm_kernels {
    void (*forward)(const struct dgm_lstm_cell *cell, int64_t dim);
    void (*backward)(const struct dgm_lstm_grad *grad, int64_t dim);
};

extern const struct dgm_lstm_kernels dgm_lstm_c;

#endif
