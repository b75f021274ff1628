/*
 * environment.h: the variables of the environment that change what the OpenCL device does. Nothing
 * else in the device reads the environment; doc/devices.md lists them.
 */
#ifndef DGM_DEVICE_OPENCL_SYSTEM_ENVIRONMENT_H
#define DGM_DEVICE_OPENCL_SYSTEM_ENVIRONMENT_H

#include <stddef.h>

/* DGM_CL_SHAPE=1x64, VEC x LANES of opencl/common.cl: 1, or 0 if there is none to go by. */
int dgm_cl_wants_shape(int *vec, int *lanes);

/* DGM_CL_DOUBLE=0: a device is used as if it had no doubles. */
int dgm_cl_wants_doubles(void);

/* DGM_CL_TENSOR=emulated: a matrix instruction is emulated, for tests (tensor_way.h); or NULL. */
const char *dgm_cl_wants_tensor(void);

/* DGM_CL_TRUST=0: tasks are used untried. */
int dgm_cl_wants_trials(void);

/* DGM_CL_CACHE: whether built programs are kept on disk: 0, 1, or `fallback` if it is not set. */
int dgm_cl_wants_cache(int fallback);

/* DGM_CL_COMPILE_LIMIT: the seconds that the driver has for a program: 300 without it; 0: any. */
int dgm_cl_compile_limit(void);

/* OCL_ICD_VENDORS: the folder, or the file, that tells loaders of drivers; without it the
 * system's. */
const char *dgm_cl_vendors(void);

/*
 * The folder that caches stand in, $XDG_CACHE_HOME or $HOME/.cache, without a final slash: 1, or 0
 * where there is none, its path is relative, or `size` too small.
 */
int dgm_cl_cache_home(char *path, size_t size);

#endif
