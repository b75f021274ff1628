/*
 * int8_list.h: the instruction sets that have products of bytes of their own, weakest first.
 *
 * INT8(name): the table is dgm_int8_<name>, in int8_<name>.c. They are more than those of
 * isa_list.h, for instructions on bytes came later than the vectors that they work on.
 */
INT8(c)
INT8(avx2)
INT8(avxvnni)
INT8(avx512vnni)
INT8(amx)
INT8(neon)
INT8(dotprod)
INT8(i8mm)
