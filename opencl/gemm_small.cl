/*
 * gemm_small.cl: the matrix product on GPUs, by tiles of 64 x 64, which a group of 64 (or 128)
 * shares: half the local memory of large ones, and four times as many groups.
 */
#include "gemm_pair.clh"

DEFINE_TILES(gemm_gpu_nn_64, 64, 1, 0)
DEFINE_TILES(gemm_gpu_nt_64, 64, 1, 1)
DEFINE_TILES(gemm_gpu_tn_64, 64, 0, 0)
DEFINE_PAIR(gemm_gpu_pair_64, 64)
