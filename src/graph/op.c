/*
 * op.c: the table of all operations.
 */
#include "graph/op.h"

#define OP(name) &dgm_op_##name,
const struct dgm_op *const dgm_ops[] = {
#include "graph/op_list.h"
    NULL
};
#undef OP
