/*
 * loader.c: finds libOpenCL and its entry points, and puts the errors of its calls into words.
 */
#include "device/opencl/system/loader.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/flag.h"

/* The loader under its names, then libraries of vendors that can be called without one. */
static const char *const libraries[] = {
    "libOpenCL.so.1", "libOpenCL.so", "libnvidia-opencl.so.1",
    "libamdocl64.so", "libpocl.so.2", "/System/Library/Frameworks/OpenCL.framework/OpenCL",
};

enum { REASON_SIZE = 400 };

/* ISO C has no conversion of a data pointer to a function pointer, but POSIX does (dlsym). */
int dgm_cl_find(void *library, const char *name, void *entry)
{
    void *symbol = dlsym(library, name);

    memcpy(entry, &symbol, sizeof symbol);
    return symbol != NULL;
}

/* Whether the library has every entry point; *missing names the first that it lacks. */
static int take_entries(struct dgm_cl *cl, const char **missing)
{
#define CL_ENTRY(result, name, parameters)              \
    *missing = "cl" #name;                              \
    if (!dgm_cl_find(cl->library, *missing, &cl->name)) \
        return 0;
    CL_ENTRY_LIST(CL_ENTRY)
#undef CL_ENTRY
    return 1;
}

/* Keeps why a library that is there cannot be opened, such as one that it needs. One that is not
 * there is nothing to tell: its own name stands in front of the system's words for that. */
static void keep_reason(char reason[REASON_SIZE], const char *library)
{
    const char *text = dlerror();

    if (reason[0] != '\0' || text == NULL ||
        (strstr(text, library) != NULL && strstr(text, "No such file") != NULL))
        return;
    snprintf(reason, REASON_SIZE, "%s cannot be opened: %s", library, text);
}

static dgm_status open_library(struct dgm_env *env, struct dgm_cl *cl)
{
    const char *incomplete = NULL, *missing = NULL;
    char reason[REASON_SIZE] = "";

    for (size_t i = 0; i < sizeof libraries / sizeof libraries[0]; i++) {
        cl->library = dlopen(libraries[i], RTLD_NOW | RTLD_LOCAL);
        if (cl->library == NULL && incomplete == NULL)
            keep_reason(reason, libraries[i]);
        if (cl->library == NULL)
            continue;
        if (take_entries(cl, &missing))
            return DGM_OK;
        incomplete = libraries[i];
    }
    if (reason[0] != '\0')
        return dgm_fail(env, DGM_UNSUPPORTED, "%s", reason);
    if (incomplete != NULL)
        return dgm_fail(env, DGM_UNSUPPORTED, "%s has no %s; OpenCL 1.2 or newer is needed",
                        incomplete, missing);
    return dgm_fail(env, DGM_UNSUPPORTED,
                    "no OpenCL here: libOpenCL.so.1 is missing; install a "
                    "loader (Debian: ocl-icd-libopencl1) and the driver of the device");
}

/* The process that opened it first, 0: none has. Its drivers have threads that no child has, and a
 * child's first call may wait for them for ever (PoCL's does). */
static dgm_flag opened_by;

dgm_status dgm_cl_load(struct dgm_env *env, struct dgm_cl *cl)
{
    const int process = dgm_flag_value(&opened_by);

    if (process != 0 && process != (int)getpid())
        return dgm_fail(env, DGM_UNSUPPORTED,
                        "OpenCL was opened by process %d, from which this one was forked, and "
                        "drivers do not work on in a forked process; expected --devices cpu there",
                        process);
    DGM_TRY(open_library(env, cl));
    dgm_flag_set(&opened_by, (int)getpid());
    return DGM_OK;
}

const char *dgm_cl_error(cl_int error, char room[DGM_CL_ERROR_SIZE])
{
    static const struct {
        cl_int number;
        const char *name;
    } errors[] = {
#define CL_ERROR(number, name) { number, #name },
        CL_ERROR_LIST(CL_ERROR)
#undef CL_ERROR
    };

    for (size_t i = 0; i < sizeof errors / sizeof errors[0]; i++)
        if (errors[i].number == error)
            return errors[i].name;
    snprintf(room, DGM_CL_ERROR_SIZE, "error %d", error);
    return room;
}

dgm_status dgm_cl_fail(struct dgm_env *env, const char *device, const char *name, cl_int error)
{
    char room[DGM_CL_ERROR_SIZE];
    const char *text = dgm_cl_error(error, room);

    switch (error) {
    case CL_MEM_OBJECT_ALLOCATION_FAILURE:
    case CL_OUT_OF_HOST_MEMORY:
    case CL_INVALID_BUFFER_SIZE:
        return dgm_fail(env, DGM_MEMORY,
                        "%s: %s: %s: the device's memory is too small; use a "
                        "smaller batch, or --devices cpu",
                        device, name, text);
    case CL_OUT_OF_RESOURCES:
    case CL_DEVICE_NOT_AVAILABLE:
        return dgm_fail(env, DGM_MEMORY,
                        "%s: %s: %s: the device was lost or its memory is full; "
                        "use a smaller batch, or --devices cpu",
                        device, name, text);
    default:
        return dgm_fail(env, DGM_FAILURE, "%s: %s: %s; --devices cpu works without it", device,
                        name, text);
    }
}
