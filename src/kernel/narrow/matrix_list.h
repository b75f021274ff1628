/*
 * matrix_list.h: the instruction sets that have matrix products of operands in bf16, weakest first.
 *
 * MATRIX(name): the table is dgm_matrix_<name>, in matrix_<name>.c.
 */
MATRIX(c)
MATRIX(amx)
