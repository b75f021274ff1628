/*
 * gemm_tf32.cl: the matrix product on tensor cores, of operands rounded to tf32.
 */
#define TENSOR_BF16 0
#include "gemm_tensor.clh"
#include "gemm_tensor_thin.clh"

DEFINE_PACK(gemm_tf32_pack)
DEFINE_PACK_ALL(gemm_tf32_pack_all)
DEFINE_TENSOR_TILES(gemm_tf32_128, 128)
DEFINE_TENSOR_TILES(gemm_tf32_64, 64)
DEFINE_TENSOR_THIN(gemm_tf32_thin)
