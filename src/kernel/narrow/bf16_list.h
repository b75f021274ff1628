/*
 * bf16_list.h: the instruction sets that have products in bfloat16 of their own, weakest first.
 *
 * BF16(name): the table is dgm_bf16_<name>, in bf16_<name>.c.
 */
BF16(c)
BF16(avx2)
BF16(avx512)
BF16(avx512bf16)
BF16(amx)
BF16(neon)
