/*
 * real.h: the number type of every tensor.
 *
 * float in every build that users see. `make check-grad` compiles the same sources with
 * -DDGM_REAL_IS_DOUBLE, so that gradients can be compared with finite differences; the SIMD
 * kernels are left out of that build, and the plain C kernels, written in dgm_real, serve alone.
 */
#ifndef DGM_BASE_REAL_H
#define DGM_BASE_REAL_H

#ifdef DGM_REAL_IS_DOUBLE
typedef double dgm_real;
#else
typedef float dgm_real;
#endif

#endif
