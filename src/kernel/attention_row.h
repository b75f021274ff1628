/*
 * attention_row.h: what a row of attention weights needs beside arithmetic on reals: the keys it
 * sees, its share of the terms and the labels of its relations. Shared by the C and the vector
 * kernels.
 */
#ifndef DGM_KERNEL_ATTENTION_ROW_H
#define DGM_KERNEL_ATTENTION_ROW_H

#include <stddef.h>

#include "kernel/attention.h"

/* Keys 0 .. seen-1 are visible to query i, but for hidden ones. */
static inline int64_t attention_seen(const struct dgm_attention_block *b, int64_t i)
{
    int64_t seen = i + b->m - b->n + 1;

    if (!b->causal)
        return b->m;
    return seen > 0 ? seen : 0;
}

static inline int64_t attention_key_row(const struct dgm_attention_block *b, int64_t j)
{
    return b->key_rows != NULL ? b->key_rows[j] : j;
}

/* Factor f of query i's scores; NULL where it counts as 1. */
static inline const dgm_real *attention_factor(const struct dgm_attention_block *b, int f,
                                               int64_t i)
{
    if (b->factor[f] == NULL || (f == 1 && b->ignored != NULL && b->ignored[i * b->ld_heads]))
        return NULL;
    return b->factor[f] + i * b->m;
}

static inline dgm_real attention_window(const struct dgm_attention_block *b, int64_t i)
{
    return b->window != NULL ? b->window[i * b->ld_heads] : b->window_size;
}

/* Writes or adds the gradients of query i's center P and window D: of sum_j dE_ij (j - P) they
 * get 4/D^2, of sum_j dE_ij (j - P)^2 4/D^3. */
static inline void attention_put_window(const struct dgm_attention_block *b, int64_t i,
                                        dgm_real first, dgm_real second)
{
    dgm_real share = 4 / (attention_window(b, i) * attention_window(b, i));
    int64_t at = i * b->ld_heads;

    if (b->dcenter != NULL)
        b->dcenter[at] = share * first + (b->accumulate_center ? b->dcenter[at] : 0);
    if (b->dwindow != NULL)
        b->dwindow[at] =
            share * second / attention_window(b, i) + (b->accumulate_window ? b->dwindow[at] : 0);
}

/* The key that query i is forced to look at alone, or -1. */
static inline int64_t attention_forced(const struct dgm_attention_block *b, int64_t i, int64_t seen)
{
    return b->forced != NULL && b->forced[i] < seen ? b->forced[i] : -1;
}

/* How the keys of one row are labelled. */
struct attention_labels {
    const unsigned char *bytes; /* label of key j; NULL: keys fall into three runs */
    int64_t left, middle;       /* keys < left have the first label, keys >= middle the last */
    int64_t shift, last;        /* between them key j has label j + shift */
};

static inline int64_t attention_clamp(int64_t x, int64_t low, int64_t high)
{
    return x < low ? low : x > high ? high : x;
}

static inline struct attention_labels attention_labels(const struct dgm_attention_block *b,
                                                       const struct dgm_attention_relation *r,
                                                       int64_t i, int64_t seen)
{
    int64_t place = i + b->m - b->n;
    struct attention_labels labels;

    labels.bytes = r->labels != NULL ? r->labels + i * b->m : NULL;
    labels.left = attention_clamp(place - r->clip, 0, seen);
    labels.middle = attention_clamp(place + r->clip, labels.left, seen);
    labels.shift = r->clip - place;
    labels.last = 2 * r->clip;
    return labels;
}

/* Labels first .. end-1 hold every label between queries i .. i+rows-1 and keys 0 .. seen-1. */
static inline void attention_label_range(const struct dgm_attention_block *b,
                                         const struct dgm_attention_relation *r, int64_t i,
                                         int64_t rows, int64_t seen, int64_t *first, int64_t *end)
{
    int64_t place = i + b->m - b->n;

    *first = 0;
    *end = r->count;
    if (r->labels == NULL && seen > 0) {
        *first = attention_clamp(-(place + rows - 1), -r->clip, r->clip) + r->clip;
        *end = attention_clamp(seen - 1 - place, -r->clip, r->clip) + r->clip + 1;
    }
}

/* row[j] += of_label[label of j] for j < seen. */
static inline void attention_spread(dgm_real *restrict row, const dgm_real *restrict of_label,
                                    const struct attention_labels *labels, int64_t seen)
{
    int64_t j;

    if (labels->bytes != NULL) {
        for (j = 0; j < seen; j++)
            row[j] += of_label[labels->bytes[j]];
        return;
    }
    for (j = 0; j < labels->left; j++)
        row[j] += of_label[0];
    for (; j < labels->middle; j++)
        row[j] += of_label[j + labels->shift];
    for (; j < seen; j++)
        row[j] += of_label[labels->last];
}

/* of_label[label of j] += row[j] for j < seen, keys in order. */
static inline void attention_gather(dgm_real *restrict of_label, const dgm_real *restrict row,
                                    const struct attention_labels *labels, int64_t seen)
{
    int64_t j;

    if (labels->bytes != NULL) {
        for (j = 0; j < seen; j++)
            of_label[labels->bytes[j]] += row[j];
        return;
    }
    for (j = 0; j < labels->left; j++)
        of_label[0] += row[j];
    for (; j < labels->middle; j++)
        of_label[j + labels->shift] += row[j];
    for (; j < seen; j++)
        of_label[labels->last] += row[j];
}

#endif
