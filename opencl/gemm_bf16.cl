/*
 * gemm_bf16.cl: the matrix product on tensor cores, of operands rounded to bf16.
 */
#define TENSOR_BF16 1
#include "gemm_tensor.clh"
#include "gemm_tensor_thin.clh"

DEFINE_PACK(gemm_bf16_pack)
DEFINE_PACK_ALL(gemm_bf16_pack_all)
DEFINE_TENSOR_TILES(gemm_bf16_128, 128)
DEFINE_TENSOR_TILES(gemm_bf16_64, 64)
DEFINE_TENSOR_THIN(gemm_bf16_thin)
