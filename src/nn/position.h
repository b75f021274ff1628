/*
 * position.h: sinusoidal position encodings (specification 1.3).
 */
#ifndef DGM_NN_POSITION_H
#define DGM_NN_POSITION_H

#include <stdint.h>

#include "base/real.h"

enum dgm_positions {
    DGM_POSITIONS_NONE,
    DGM_POSITIONS_VASWANI,
    DGM_POSITIONS_FAIRSEQ,
    DGM_POSITIONS_MARIAN,
    DGM_POSITIONS_TENSOR2TENSOR,
    DGM_POSITIONS_OPENNMT_TF
};

/*
 * table (count, dim): row t encodes the token at position t. Vaswani: sine and cosine alternate;
 * fairseq: all sines, then all cosines, of row t + 2 (two rows are taken by its padding index),
 * an odd last column is zero; there dim must be at least 4. Marian: the columns of Vaswani, but all
 * sines, then all cosines, as transformers and CTranslate2 read Marian's models; tensor2tensor: as
 * fairseq, but from row 0 on, as that program and Marian itself compute them; OpenNMT-tf: from row
 * 1 on, as it and CTranslate2, where a model brings no positions, compute them.
 */
/* The least width that a layout is defined for. */
int64_t dgm_position_width(enum dgm_positions kind);
void dgm_position_table(dgm_real *table, int64_t count, int64_t dim, enum dgm_positions kind);

#endif
