/*
 * choose.h: the OpenCL devices of this machine, what each is like, and which of them is used.
 */
#ifndef DGM_DEVICE_OPENCL_SYSTEM_CHOOSE_H
#define DGM_DEVICE_OPENCL_SYSTEM_CHOOSE_H

#include "device/opencl/system/loader.h"

/* What a device is like; the shape of work-items follows from it (choose.c). */
struct dgm_cl_traits {
    char name[128], vendor[64], driver[64], version[64], platform[64];
    cl_bitfield type; /* CL_DEVICE_TYPE_* */
    cl_uint vendor_id;
    cl_uint native_vector;    /* floats in a vector register; 0 if it does not say */
    cl_uint units;            /* compute units */
    size_t group_limit;       /* work-items in a group */
    cl_ulong memory, largest; /* bytes in all, of one buffer */
    cl_ulong local_bytes;     /* of local memory for a group */
    int has_double;
    int subgroup;   /* work-items in a thread of an Intel device, at least; 0 elsewhere */
    int tensor;     /* its matrix instruction, once it is known (tensor_way.h) */
    int is_cpu;     /* kernels are those for processors */
    int vec, lanes; /* VEC and LANES of common.cl */
};

/*
 * Calls `found` for every device of every platform, in the order of the platforms. reason: NULL, or
 * why the device cannot be used. *more (1 before the call) set to 0 ends the walk.
 */
typedef dgm_status dgm_cl_found_fn(struct dgm_env *env, void *user, cl_device_id id,
                                   const struct dgm_cl_traits *traits, const char *reason,
                                   int *more);
dgm_status dgm_cl_each_device(struct dgm_env *env, const struct dgm_cl *cl, dgm_cl_found_fn *found,
                              void *user);

/* Whether it counts as a GPU: any device but a processor. */
int dgm_cl_is_gpu(const struct dgm_cl_traits *traits);
/* DGM_UNSUPPORTED: there is no device at all. */
dgm_status dgm_cl_fail_empty(struct dgm_env *env);

/*
 * The device that `which` asks for: "gpu" (or NULL: a GPU if there is one, else any), "all" (any),
 * a number in the order of dgm_cl_each_device, or part of the name of a device or platform,
 * whatever its case. DGM_UNSUPPORTED if there is none.
 */
dgm_status dgm_cl_choose(struct dgm_env *env, const struct dgm_cl *cl, const char *which,
                         cl_device_id *id, struct dgm_cl_traits *traits);

#endif
