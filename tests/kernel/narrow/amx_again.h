/*
 * amx_again.h: stand-ins for AMX, which few processors have: the kernels of int8_amx.c, bf16_amx.c
 * and matrix_amx.c over a model of the registers in C; NULL where this build lacks them, or this
 * processor the vectors that they need beside.
 */
#ifndef DGM_TEST_AMX_AGAIN_H
#define DGM_TEST_AMX_AGAIN_H

#include "kernel/narrow/bf16.h"
#include "kernel/narrow/int8.h"
#include "kernel/narrow/matrix.h"

const struct dgm_narrow_kernels *int8_amx_again(void);
const struct dgm_narrow_kernels *bf16_amx_again(void);
const struct dgm_matrix_kernels *matrix_amx_again(void);

#endif
