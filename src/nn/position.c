/*
 * position.c: sinusoidal position encodings (specification 1.3, readings B12).
 */
#include "nn/position.h"

#include <math.h>

enum { FAIRSEQ_FIRST_ROW = 2 };

static void vaswani_row(dgm_real *row, int64_t position, int64_t dim)
{
    int64_t i;

    for (i = 0; i < dim; i++) {
        double angle = (double)position * pow(10000.0, -(double)(i - i % 2) / (double)dim);
        row[i] = (dgm_real)(i % 2 == 0 ? sin(angle) : cos(angle));
    }
}

/* All sines, then all cosines, of wavelengths whose logarithms are evenly spaced, both ends
 * included. */
static void spaced_row(dgm_real *row, int64_t position, int64_t dim)
{
    int64_t half = dim / 2, i;

    for (i = 0; i < half; i++) {
        double angle = (double)position * pow(10000.0, -(double)i / (double)(half - 1));
        row[i] = (dgm_real)sin(angle);
        row[half + i] = (dgm_real)cos(angle);
    }
    if (dim % 2 != 0)
        row[dim - 1] = 0;
}

/*
 * MarianSinusoidalPositionalEmbedding of transformers 5 (models/marian/modeling_marian.py):
 * sines of the even columns' angles, then cosines of the odd ones'. The converter of CTranslate2 4
 * makes the same table for Marian's files (converters/marian.py).
 */
static void marian_row(dgm_real *row, int64_t position, int64_t dim)
{
    int64_t half = (dim + 1) / 2, i;

    for (i = 0; i < dim; i++) {
        int64_t pair = i < half ? i : i - half;
        double angle = (double)position * pow(10000.0, -(double)(2 * pair) / (double)dim);
        row[i] = (dgm_real)(i < half ? sin(angle) : cos(angle));
    }
}

int64_t dgm_position_width(enum dgm_positions kind)
{
    return kind == DGM_POSITIONS_FAIRSEQ || kind == DGM_POSITIONS_TENSOR2TENSOR ||
                   kind == DGM_POSITIONS_OPENNMT_TF
               ? 4
               : 1;
}

void dgm_position_table(dgm_real *table, int64_t count, int64_t dim, enum dgm_positions kind)
{
    int64_t t;

    for (t = 0; t < count; t++) {
        if (kind == DGM_POSITIONS_VASWANI)
            vaswani_row(table + t * dim, t, dim);
        else if (kind == DGM_POSITIONS_FAIRSEQ)
            spaced_row(table + t * dim, t + FAIRSEQ_FIRST_ROW, dim);
        else if (kind == DGM_POSITIONS_TENSOR2TENSOR)
            spaced_row(table + t * dim, t, dim);
        else if (kind == DGM_POSITIONS_OPENNMT_TF)
            spaced_row(table + t * dim, t + 1, dim);
        else if (kind == DGM_POSITIONS_MARIAN)
            marian_row(table + t * dim, t, dim);
    }
}
