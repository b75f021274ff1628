/*
 * attention.h: the attention core of one sentence and one head, forward and backward.
 *
 * The formulas are those of struct dgm_attention (kernel/task/attention_list.h): scores, terms,
 * softmax, dropout and the weighted sum of values in one pass over a tile of queries, so that no
 * matrix of n x m weights outlives its tile. Every sum runs in an order that depends on the row
 * alone: row i of a causal block has the same bits as a block of one query over its i + m - n + 1
 * visible keys.
 */
#ifndef DGM_KERNEL_ATTENTION_H
#define DGM_KERNEL_ATTENTION_H

#include "kernel/drop.h"

/* Vectors added to keys and values, chosen by a label for each pair of query and key. */
struct dgm_attention_relation {
    int64_t count;               /* labels; 0: the relation is off */
    int64_t clip;                /* Shaw: label = clip(j - i', -clip, clip) + clip */
    const unsigned char *labels; /* (n,m), or NULL: Shaw */
    const dgm_real *key, *value; /* (count,dim), (count,dim_v), or NULL */
    dgm_real *dkey, *dvalue;     /* backward: added to; NULL: not wanted */
};

struct dgm_attention_block {
    int64_t n, m;               /* queries, keys; query i stands at place i + m - n */
    int64_t dim, dim_v;         /* d_k, d_v */
    int64_t ldq, ldk, ldv, ldz; /* elements between rows */
    int64_t ld_heads;           /* the same of lse, ignored, center, window: (N,H) in a batch */
    const dgm_real *q, *k, *v;  /* the head's first column; q at query 0 */
    const int32_t *key_rows;    /* key j is row key_rows[j] of k and v; NULL: row j */
    dgm_real scale;
    int causal;
    const dgm_real *factor[2], *addend; /* (n,m), or NULL */
    const unsigned char *ignored;       /* (n): not 0: factor[1] counts as 1; or NULL */
    const unsigned char *hidden;        /* (n,m): not 0 hides the key; or NULL */
    const dgm_real *center, *window;    /* (n), or NULL: no window; window_size for each */
    dgm_real window_size;
    const int32_t *forced; /* (n): a visible key that A is one-hot at, or -1; or NULL */
    struct dgm_attention_relation relations[2];

    struct dgm_mask mask;  /* dropout of the weights, with the head's own stream */
    const int32_t *places; /* (n,2): sentence, position of each query; read if the mask drops */

    dgm_real *z;   /* forward: (n,dim_v) at stride ldz */
    dgm_real *lse; /* (n): written (if not NULL) forward, read backward */

    /* Backward only. Rows of dk and dv are those of k and v, key_rows included. */
    const dgm_real *dz;
    dgm_real *dq, *dk, *dv;      /* each NULL where not wanted */
    dgm_real *dcenter, *dwindow; /* (n), or NULL */
    int64_t lddz, lddq, lddk, lddv;
    int accumulate_q, accumulate_k, accumulate_v, accumulate_center, accumulate_window;

    dgm_real *scratch; /* dgm_attention_scratch elements, aligned to 64 bytes */
};

struct dgm_attention_kernels {
    void (*forward)(const struct dgm_attention_block *block);
    void (*backward)(const struct dgm_attention_block *block);
};

/* The plain C kernels: the reference, and the only ones when dgm_real is double. */
extern const struct dgm_attention_kernels dgm_attention_c;

/* Queries of one tile. Gradients of keys are summed tile after tile. */
#define DGM_ATTENTION_TILE 32

/* Rows of scratch begin at multiples of 16 elements. */
static inline int64_t dgm_attention_padded(int64_t count)
{
    return (count + 15) / 16 * 16;
}

/* Elements of scratch that either pass needs for m keys and relations of these label counts. */
static inline int64_t dgm_attention_scratch(int64_t m, int64_t dim, int64_t dim_v, int64_t count0,
                                            int64_t count1)
{
    int64_t keys = dgm_attention_padded(m);
    int64_t rows = dgm_attention_padded(dim) + dgm_attention_padded(dim_v);
    int64_t labels = dgm_attention_padded(count0) + dgm_attention_padded(count1);

    return DGM_ATTENTION_TILE * 2 * (keys + labels) + 3 * keys + labels + 16 +
           (keys + DGM_ATTENTION_TILE) * rows;
}

#endif
