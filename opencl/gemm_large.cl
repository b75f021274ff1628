/*
 * gemm_large.cl: the matrix product on GPUs, by tiles of 128 x 128, which a group of 256 (or 512)
 * shares.
 * What a backward pass alone needs is gemm_large_backward.cl.
 */
#include "gemm_tiles.clh"

DEFINE_TILES(gemm_gpu_nn_128, 128, 1, 0)
DEFINE_TILES(gemm_gpu_nt_128, 128, 1, 1)
