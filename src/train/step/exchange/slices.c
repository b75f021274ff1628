/* slices.c: a flat buffer, cut into one slice for each rank. */
#include "train/step/exchange/slices.h"

static int64_t bound(int64_t total, int64_t block, int ranks, int rank)
{
    const int64_t blocks = (total + block - 1) / block;
    const int64_t share = blocks / ranks, more = blocks % ranks;
    const int64_t end = (share * rank + (rank < more ? rank : more)) * block;

    return end < total ? end : total;
}

struct dgm_slice dgm_slice_of(int64_t total, int64_t block, int ranks, int rank)
{
    struct dgm_slice slice;

    slice.first = bound(total, block, ranks, rank);
    slice.count = bound(total, block, ranks, rank + 1) - slice.first;
    return slice;
}
