/*
 * int8_evex.h: a stand-in for kernels that few processors run.
 */
#ifndef DGM_TEST_INT8_EVEX_H
#define DGM_TEST_INT8_EVEX_H

#include "kernel/narrow/int8.h"

/* The kernels of int8_avxvnni.c with the form of its one instruction that AVX-512 VNNI has, which
 * does the same; NULL where this build or this processor lacks that, too. */
const struct dgm_narrow_kernels *int8_evex(void);

#endif
