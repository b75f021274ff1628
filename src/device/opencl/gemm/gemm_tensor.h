/*
 * gemm_tensor.h: matrix products on tensor cores, of operands rounded to bf16 or tf32, for those
 * who ask for it (--precision).
 *
 * OpenCL knows no tensor cores: the instruction stands in the program as PTX, the assembly of
 * NVIDIA's compiler, or as a function that the compiler of AMD or Intel has (core/tensor_way.h).
 * Whether a device has one shows when the program is built. An element is the same sum in the same
 * order whatever the shape of the product around it.
 */
#ifndef DGM_DEVICE_OPENCL_GEMM_GEMM_TENSOR_H
#define DGM_DEVICE_OPENCL_GEMM_GEMM_TENSOR_H

#include "device/opencl/core/opencl.h"

/*
 * Takes the word of struct dgm_device_options and, unless it is "f32", builds the program:
 * DGM_UNSUPPORTED, and why, if the device does not take it. DGM_USAGE: another word, or CLBlast is
 * chosen too, which computes in f32.
 */
dgm_status dgm_cl_tensor_choose(struct dgm_env *env, struct dgm_opencl *opencl,
                                const char *precision);

/* By which instruction products are made, for those who ask. */
void dgm_cl_tensor_explain(const struct dgm_opencl *opencl, char *words, size_t size);

/* Whether the device computes its products this way: then all of them. */
int dgm_cl_tensor_serves(const struct dgm_opencl *opencl);
/* Whether products of so few rows, which would leave tiles mostly empty, have a kernel. */
int dgm_cl_tensor_is_thin(struct dgm_env *env, struct dgm_opencl *opencl,
                          const struct dgm_gemm_args *args);
/* m, n and batch are positive; its mask is served. */
dgm_status dgm_cl_tensor_gemm(struct dgm_env *env, struct dgm_opencl *opencl,
                              const struct dgm_gemm_args *args);

/* Steps of a block of a sum that may be split (opencl/gemm_tensor.clh). */
enum { DGM_NARROW_STEPS = 512 };
struct dgm_cl_pair_job;
/* For gemm_pair.c: whether there are tiles of this side; and the launches of a job, `sums` of which
 * are left to the caller. */
int dgm_cl_tensor_fits(struct dgm_env *env, struct dgm_opencl *opencl, int side);
dgm_status dgm_cl_tensor_launch(struct dgm_env *env, struct dgm_opencl *opencl,
                                const struct dgm_cl_pair_job *job);

#endif
