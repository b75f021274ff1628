/*
 * attention_toy.h: "Toy A" of the specification (transformer_variants.md), run by the plain C
 * kernel: what the tests of its worked examples share.
 */
#ifndef DGM_TEST_ATTENTION_TOY_H
#define DGM_TEST_ATTENTION_TOY_H

#include <math.h>
#include <string.h>

#include "kernel/kernel.h"
#include "test.h"

enum { N = 4, D = 2, LABELS = 5 };

#define PRINTED 1.1e-6 /* six decimals, and single precision */

/* "Toy A": the cat sleeps now, one head. */
static const dgm_real toy_q[] = { 1, 0, 0, 1, 1, 1, (dgm_real)0.5, (dgm_real)-0.5 };
static const dgm_real toy_k[] = { (dgm_real)0.5, 1, 1, 0, -1, (dgm_real)0.5, (dgm_real)0.2,
                                  (dgm_real)0.3 };
static const dgm_real toy_v[] = { 1, 2, 0, 1, -1, 0, 2, -1 };
static const dgm_real toy_r[] = { 1, -1, (dgm_real)0.5, (dgm_real)0.5, (dgm_real)-0.5,
                                  1, 1,  (dgm_real)0.25 };

struct toy {
    struct dgm_attention_block block;
    dgm_real z[N * D], lse[N], dq[N * D], dk[N * D], dv[N * D];
    dgm_real dkey[2][LABELS * D], dvalue[2][LABELS * D];
    dgm_real scratch[16384];
};

static inline void toy_start(struct toy *toy)
{
    struct dgm_attention_block *b = &toy->block;
    int t;

    memset(toy, 0, sizeof *toy);
    b->n = b->m = N;
    b->dim = b->dim_v = D;
    b->ldq = b->ldk = b->ldv = b->ldz = b->lddz = b->lddq = b->lddk = b->lddv = D;
    b->q = toy_q;
    b->k = toy_k;
    b->v = toy_v;
    b->dz = toy_r;
    b->scale = (dgm_real)(1 / sqrt(2.0));
    b->z = toy->z;
    b->lse = toy->lse;
    b->ld_heads = 1;
    b->dq = toy->dq;
    b->dk = toy->dk;
    b->dv = toy->dv;
    b->scratch = toy->scratch;
    for (t = 0; t < 2; t++) {
        b->relations[t].dkey = toy->dkey[t];
        b->relations[t].dvalue = toy->dvalue[t];
    }
}

static inline void toy_run(struct toy *toy)
{
    CHECK(dgm_attention_scratch(N, D, D, 3, LABELS) <= 16384);
    dgm_attention_c.forward(&toy->block);
    dgm_attention_c.backward(&toy->block);
}

static inline double toy_loss(const struct toy *toy)
{
    double loss = 0;
    int i;

    for (i = 0; i < N * D; i++)
        loss += (double)toy_r[i] * (double)toy->z[i];
    return loss;
}

static inline void near(const dgm_real *got, const double *want, int count)
{
    int i;

    for (i = 0; i < count; i++)
        CHECK_NEAR(got[i], want[i], PRINTED);
}

/* Rows of A, seen through values that are the identity: two columns of keys at a time. */
static inline void near_weights(struct toy *toy, const double *want)
{
    dgm_real columns[N * D];
    int part, i, j;

    for (part = 0; part < N; part += D) {
        for (j = 0; j < N * D; j++)
            columns[j] = j / D == part + j % D;
        toy->block.v = columns;
        dgm_attention_c.forward(&toy->block);
        for (i = 0; i < N; i++)
            for (j = 0; j < D; j++)
                CHECK_NEAR(toy->z[i * D + j], want[i * N + part + j], PRINTED);
    }
    toy->block.v = toy_v;
}

#endif
