/*
 * piece.h: pieces of a device's memory, and whether two of them overlap.
 */
#ifndef DGM_DEVICE_OPENCL_CORE_PIECE_H
#define DGM_DEVICE_OPENCL_CORE_PIECE_H

#include "device/task.h"

/* Absent without a buffer. */
struct dgm_cl_piece {
    struct dgm_ref at;
    size_t bytes;
};

static inline struct dgm_cl_piece dgm_cl_piece_of(struct dgm_ref at, int64_t reals)
{
    const struct dgm_cl_piece piece = { at, (size_t)reals * sizeof(dgm_real) };

    return piece;
}

static inline int dgm_cl_pieces_overlap(struct dgm_cl_piece a, struct dgm_cl_piece b)
{
    return a.at.buffer != NULL && a.at.buffer == b.at.buffer &&
           a.at.offset < b.at.offset + b.bytes && b.at.offset < a.at.offset + a.bytes;
}

#endif
