/*
 * memory.h: the buffers of an OpenCL device, and its memory for partial results.
 *
 * Functions that take a dgm_device have the types of struct dgm_device_ops (device.h).
 */
#ifndef DGM_DEVICE_OPENCL_CORE_MEMORY_H
#define DGM_DEVICE_OPENCL_CORE_MEMORY_H

#include "device/opencl/core/opencl.h"

/* Where there is too little memory, copies that could be made again are given back for it, and it
 * tries once more when the queue is through. */
dgm_status dgm_cl_memory_alloc(struct dgm_env *env, struct dgm_device *device,
                               struct dgm_buffer **out, size_t bytes);
/* Gives nothing back and waits for nothing: for such copies. */
dgm_status dgm_cl_memory_try(struct dgm_env *env, struct dgm_device *device,
                             struct dgm_buffer **out, size_t bytes);
/* NULL: there is none. */
void dgm_cl_memory_release(struct dgm_env *env, struct dgm_device *device,
                           struct dgm_buffer *buffer);
size_t dgm_cl_memory_bytes(const struct dgm_buffer *buffer);
/* Returns before the device has the bytes, where they are few. */
dgm_status dgm_cl_memory_write(struct dgm_env *env, struct dgm_device *device, struct dgm_ref to,
                               const void *from, size_t bytes);
dgm_status dgm_cl_memory_read(struct dgm_env *env, struct dgm_device *device, void *to,
                              struct dgm_ref from, size_t bytes);

/* The queue is through with all that was asked of it so far. */
void dgm_cl_memory_waited(struct dgm_opencl *opencl);

/* Products may keep copies of its matrices (gemm/pack/panels.h); whether they may. */
void dgm_cl_memory_keep(struct dgm_buffer *buffer);
int dgm_cl_memory_keeps(struct dgm_ref ref);

/* The memory object that OpenCL knows a buffer by; NULL for an absent operand. */
cl_mem dgm_cl_memory_of(struct dgm_ref ref);

/* Bytes that are reserved for so many, where there is room. */
size_t dgm_cl_reserved(size_t bytes);
/* Memory for partial results that *place holds, which the caller releases; content arbitrary. */
dgm_status dgm_cl_reserve_in(struct dgm_env *env, struct dgm_opencl *opencl,
                             struct dgm_buffer **place, struct dgm_ref *out, size_t bytes);
/* The same in a place of the device's, used until the next task begins. */
dgm_status dgm_cl_reserve(struct dgm_env *env, struct dgm_opencl *opencl, struct dgm_ref *out,
                          size_t bytes);

#endif
