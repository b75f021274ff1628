/*
 * gemm_small.cl: the matrix product on GPUs, by tiles of 64 x 64, which a group of 64 (or 128)
 * shares: half the local memory of large ones, and four times as many groups.
 * What a backward pass alone needs is gemm_small_backward.cl.
 */
#include "gemm_tiles.clh"

DEFINE_TILES(gemm_gpu_nn_64, 64, 1, 0)
DEFINE_TILES(gemm_gpu_nt_64, 64, 1, 1)
