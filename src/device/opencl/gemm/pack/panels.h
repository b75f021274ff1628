/*
 * panels.h: panels of weights that are kept from one product to the next (gemm_cpu.c).
 *
 * A translation multiplies by the same matrices at each step of its search. Those of a buffer that
 * was announced (device.h, keep) are copied into panels by the first product that reads them, and
 * read from there by all later ones, until the buffer is written or released, or another buffer
 * finds no memory beside them.
 */
#ifndef DGM_DEVICE_OPENCL_GEMM_PACK_PANELS_H
#define DGM_DEVICE_OPENCL_GEMM_PACK_PANELS_H

#include "device/opencl/core/opencl.h"

/*
 * Where the panels of args->b are; *is_new: they are still to be made there. panels->buffer is NULL
 * where none are kept: of other buffers, of batches, beyond DGM_CL_KEPT_BYTES or without memory.
 */
enum { DGM_CL_KEPT_BYTES = 512 << 20 };
void dgm_cl_panels_find(struct dgm_env *env, struct dgm_opencl *opencl,
                        const struct dgm_gemm_args *args, struct dgm_ref *panels, int *is_new);

/* Makes room for panels of the buffer's matrices, or does nothing. */
void dgm_cl_panels_keep(struct dgm_env *env, struct dgm_device *device, struct dgm_buffer *buffer);

/* Releases all panels. */
void dgm_cl_panels_clear(struct dgm_env *env, struct dgm_opencl *opencl);

#endif
