/*
 * loader.h: OpenCL, opened at run time, so that one program runs where there is none.
 *
 * We look first for the installable client driver loader (libOpenCL), then for the vendors' own
 * libraries, which have the same entry points.
 */
#ifndef DGM_DEVICE_OPENCL_SYSTEM_LOADER_H
#define DGM_DEVICE_OPENCL_SYSTEM_LOADER_H

#include <opencl/opencl.h>

#include "base/env.h"

/* The entry points by their names in the specification without "cl": cl->Finish(queue). */
struct dgm_cl {
    void *library;
#define CL_ENTRY(result, name, parameters) result(CL_CALL *name) parameters;
    CL_ENTRY_LIST(CL_ENTRY)
#undef CL_ENTRY
};

/*
 * Opens the library. DGM_UNSUPPORTED, with the reason and what to install, where there is none; or
 * in a process that was forked from one that has opened it. It stays open until the process ends:
 * drivers leave threads and exit handlers behind.
 */
dgm_status dgm_cl_load(struct dgm_env *env, struct dgm_cl *cl);

/* Sets *entry, a pointer to a function, to the library's function `name`; 0 if it has none. */
int dgm_cl_find(void *library, const char *name, void *entry);

/* "OUT_OF_RESOURCES", or "error -9999" in `room`. */
enum { DGM_CL_ERROR_SIZE = 40 };
const char *dgm_cl_error(cl_int error, char room[DGM_CL_ERROR_SIZE]);

/*
 * Records the error that the OpenCL call `name` returned for `device`. Missing memory and a lost
 * device are DGM_MEMORY, everything else is DGM_FAILURE.
 */
dgm_status dgm_cl_fail(struct dgm_env *env, const char *device, const char *name, cl_int error);

#endif
