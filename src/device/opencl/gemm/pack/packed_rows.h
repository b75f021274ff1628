/*
 * packed_rows.h: rows that the kernel which makes them packs, too, for products of narrow numbers
 * (gemm_tensor.h), so that no launch in between has to (opencl/packed.clh).
 *
 * Products find what was packed by where the rows lie. It is forgotten as soon as a task may write
 * to the rows. Nothing of a result depends on it: whoever packs, rounds to the same bits.
 */
#ifndef DGM_DEVICE_OPENCL_GEMM_PACK_PACKED_ROWS_H
#define DGM_DEVICE_OPENCL_GEMM_PACK_PACKED_ROWS_H

#include "device/opencl/core/launch.h"

/* Rows that a kernel is about to make, and where it packs them; to.buffer NULL: nowhere. */
struct dgm_cl_packing {
    struct dgm_ref from, to;
    int64_t rows, columns, depth;
    int place;
};

/* `columns` reals a row, one row behind the other, if `fits` and the kernel can. It comes before
 * dgm_launch_begin. */
struct dgm_cl_packing dgm_cl_packing_begin(struct dgm_env *env, struct dgm_opencl *opencl,
                                           enum dgm_cl_kernel_id id, struct dgm_ref from,
                                           int64_t rows, int64_t columns, int fits);

/* The parameters PACKING of a kernel. */
void dgm_cl_packing_push(struct dgm_launch *launch, const struct dgm_cl_packing *packing);

/*
 * The kernel was launched: products find its rows. On its first time, what it has packed is
 * compared with what the launch that packs makes of the rows; if they differ, a warning says so,
 * and this kernel packs no more.
 */
dgm_status dgm_cl_packing_end(struct dgm_env *env, struct dgm_opencl *opencl,
                              enum dgm_cl_kernel_id id, const struct dgm_cl_packing *packing);

/* Where m rows of k reals are packed; its buffer is NULL: nowhere. */
struct dgm_ref dgm_cl_packed_rows_find(struct dgm_opencl *opencl, struct dgm_ref from, int64_t m,
                                       int64_t k);

/* For who is about to run a task, and to write or release memory. */
void dgm_cl_packed_rows_forget_outputs(struct dgm_opencl *opencl, enum dgm_task_kind kind,
                                       const void *args);
void dgm_cl_packed_rows_forget(struct dgm_opencl *opencl, struct dgm_ref at, size_t bytes);

/* The most bytes that packed rows take. */
size_t dgm_cl_packed_rows_room(const struct dgm_opencl *opencl);

#endif
