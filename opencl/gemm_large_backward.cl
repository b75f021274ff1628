/*
 * gemm_large_backward.cl: matrix products on GPUs that a backward pass alone has, by the tiles of
 * gemm_large.cl: a translation compiles none of them.
 */
#include "gemm_pair.clh"

DEFINE_TILES(gemm_gpu_tn_128, 128, 0, 0)
DEFINE_PAIR(gemm_gpu_pair_128, 128)
