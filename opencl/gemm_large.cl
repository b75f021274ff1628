/*
 * gemm_large.cl: the matrix product on GPUs, by tiles of 128 x 128, which a group of 256 (or 512)
 * shares.
 */
#include "gemm_pair.clh"

DEFINE_TILES(gemm_gpu_nn_128, 128, 1, 0)
DEFINE_TILES(gemm_gpu_nt_128, 128, 1, 1)
DEFINE_TILES(gemm_gpu_tn_128, 128, 0, 0)
DEFINE_PAIR(gemm_gpu_pair_128, 128)
