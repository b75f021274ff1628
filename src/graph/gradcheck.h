/*
 * gradcheck.h: the backward pass of any operation that can sample itself, against differences.
 */
#ifndef DGM_GRAPH_GRADCHECK_H
#define DGM_GRAPH_GRADCHECK_H

#include "graph/op.h"

/*
 * Compares the backward pass of one op on random instances with central differences of
 * L = sum(c .* y) for random c (of the loss itself for losses). *worst: largest relative error.
 * Meaningful in the double-precision build.
 */
dgm_status dgm_gradcheck_op(struct dgm_env *env, struct dgm_device *device, const struct dgm_op *op,
                            uint64_t seed, double *worst);

#endif
