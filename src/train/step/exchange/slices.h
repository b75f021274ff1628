/*
 * slices.h: which elements of a model's flat buffers each rank steps and keeps moments of.
 */
#ifndef DGM_TRAIN_STEP_EXCHANGE_SLICES_H
#define DGM_TRAIN_STEP_EXCHANGE_SLICES_H

#include <stdint.h>

struct dgm_slice {
    int64_t first, count;
};

/* Slice `rank` of `ranks`: whole blocks of `block` elements, shared as evenly as blocks can be; the
 * last block may be shorter. A slice is empty where there are fewer blocks than ranks. */
struct dgm_slice dgm_slice_of(int64_t total, int64_t block, int ranks, int rank);

#endif
