/*
 * int8_tiles.h: a stand-in for AMX, which few processors have.
 */
#ifndef DGM_TEST_INT8_TILES_H
#define DGM_TEST_INT8_TILES_H

#include "kernel/int8.h"

/* The kernels of int8_amx.c with a model of its registers in C; NULL where this build lacks them or
 * this processor the vectors that they need beside. */
const struct dgm_narrow_kernels *int8_tiles(void);

#endif
