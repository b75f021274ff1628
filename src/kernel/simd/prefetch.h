/*
 * prefetch.h: cache lines that will be needed soon: to be written to, or from the second cache on.
 */
#ifndef DGM_KERNEL_SIMD_PREFETCH_H
#define DGM_KERNEL_SIMD_PREFETCH_H

/* Reals in a cache line of the usual 64 bytes. */
#define DGM_PREFETCH_REALS 16

#ifdef __GNUC__
#define DGM_PREFETCH(p) __builtin_prefetch(p, 0, 2)
#define DGM_PREFETCH_WRITE(p) __builtin_prefetch(p, 1, 3)
#else
#define DGM_PREFETCH(p) (void)(p)
#define DGM_PREFETCH_WRITE(p) (void)(p)
#endif

#endif
