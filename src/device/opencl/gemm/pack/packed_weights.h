/*
 * packed_weights.h: matrices of parameters that stay packed, for products of narrow numbers
 * (gemm_tensor.h), from one product to the next.
 *
 * Which buffer has the parameters shows when an optimiser first writes to it. From then on a matrix
 * that a product reads is packed into memory of its own. After an update, the first product that
 * needs one has all of them packed again, by one launch.
 */
#ifndef DGM_DEVICE_OPENCL_GEMM_PACK_PACKED_WEIGHTS_H
#define DGM_DEVICE_OPENCL_GEMM_PACK_PACKED_WEIGHTS_H

#include "device/opencl/core/launch.h"

struct dgm_cl_operand;

/* Whether the operand is packed, or will be, in memory of its own: then *at. *is_new: the caller
 * packs it there now. */
dgm_status dgm_cl_packed_weights_find(struct dgm_env *env, struct dgm_opencl *opencl,
                                      const struct dgm_cl_operand *operand, struct dgm_ref *at,
                                      int *is_new);

/* For who has run a task, and who is about to write or release memory. */
void dgm_cl_packed_weights_note(struct dgm_env *env, struct dgm_opencl *opencl,
                                enum dgm_task_kind kind, const void *args);
void dgm_cl_packed_weights_written(struct dgm_opencl *opencl, struct dgm_buffer *buffer);
void dgm_cl_packed_weights_released(struct dgm_env *env, struct dgm_opencl *opencl,
                                    const struct dgm_buffer *buffer);

/* The most bytes that they take for so many bytes of parameters. */
size_t dgm_cl_packed_weights_room(const struct dgm_opencl *opencl, size_t parameters);

#endif
