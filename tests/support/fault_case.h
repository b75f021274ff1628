/*
 * fault_case.h: an OpenCL device behind the layer that makes calls fail (cl_fault.c), with a cache
 * of its own in test_dir().
 */
#ifndef DGM_FAULT_CASE_H
#define DGM_FAULT_CASE_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "config.h"
#include "device/task.h"
#include "tiny.h"

#ifdef DGM_HAVE_OPENCL
#include <dlfcn.h>
#endif

static struct {
    void (*arm)(const char *rule);
    long (*hits)(void);
    char log[8192]; /* what the library said since fault_arm */
} fault;

static inline void fault_log(void *user, dgm_level level, const char *text)
{
    const size_t at = strlen(fault.log);

    (void)user;
    (void)level;
    snprintf(fault.log + at, sizeof fault.log - at, "%s\n", text);
}

/* "CreateBuffer:3:-4" (cl_fault.c); NULL: no call fails. */
static inline void fault_arm(const char *rule)
{
    fault.log[0] = '\0';
    fault.arm(rule);
}

/* Whether the log has the text exactly once. */
static inline int fault_said_once(const char *text)
{
    const char *first = strstr(fault.log, text);

    return first != NULL && strstr(first + 1, text) == NULL;
}

static inline dgm_status fault_open(struct dgm_device **device)
{
    return open_device(test_env(), device, 1);
}

/* y = 2 x + 3 y on the device, x and y being 1 to 5; the sum of y. */
enum { FAULT_COUNT = 5, FAULT_SUM = 75 };

static inline dgm_status fault_compute(struct dgm_device *device, double *sum)
{
    const dgm_real x[FAULT_COUNT] = { 1, 2, 3, 4, 5 };
    struct dgm_buffer *buffers[2] = { NULL, NULL };
    struct dgm_axpby_args args;
    dgm_real y[FAULT_COUNT];
    dgm_status status;

    memset(&args, 0, sizeof args);
    DGM_TRY_OUT(dgm_device_alloc(test_env(), device, &buffers[0], sizeof x));
    DGM_TRY_OUT(dgm_device_alloc(test_env(), device, &buffers[1], sizeof x));
    args.y.buffer = buffers[0];
    args.x.buffer = buffers[1];
    args.count = FAULT_COUNT;
    args.a = 2;
    args.b = 3;
    DGM_TRY_OUT(dgm_device_write(test_env(), device, args.y, x, sizeof x));
    DGM_TRY_OUT(dgm_device_write(test_env(), device, args.x, x, sizeof x));
    DGM_TRY_OUT(dgm_device_run(test_env(), device, DGM_TASK_axpby, &args));
    DGM_TRY_OUT(dgm_device_read(test_env(), device, y, args.y, sizeof y));
    for (int i = 0; i < FAULT_COUNT; i++)
        *sum += (double)y[i];
out:
    dgm_device_release(test_env(), device, buffers[0]);
    dgm_device_release(test_env(), device, buffers[1]);
    return status;
}

/* Opens the layer. NULL, or why that cannot be. */
static inline const char *fault_find_layer(char path[1200])
{
#ifdef DGM_HAVE_OPENCL
    void *layer, *symbol;

    if (getcwd(path, 1100) == NULL)
        return "no current folder";
    strcat(path, "/out/tests/support/cl_fault.so");
    layer = access(path, R_OK) == 0 ? dlopen(path, RTLD_NOW) : NULL;
    if (layer == NULL)
        return "out/tests/support/cl_fault.so was not built";
    symbol = dlsym(layer, "cl_fault_arm");
    memcpy(&fault.arm, &symbol, sizeof symbol);
    symbol = dlsym(layer, "cl_fault_hits");
    memcpy(&fault.hits, &symbol, sizeof symbol);
    return NULL;
#else
    (void)path;
    return "this build has no OpenCL";
#endif
}

/* NULL, or why there can be no faults here. */
static inline const char *fault_begin(void)
{
    struct dgm_device *device = NULL;
    char path[1200];
    const char *reason = fault_find_layer(path);

    if (reason != NULL)
        return reason;
    setenv("OPENCL_LAYERS", path, 1);
    setenv("XDG_CACHE_HOME", test_dir(), 1);
    setenv("DGM_CL_CACHE", "1", 1); /* PoCL's programs, too */
    setenv("TEST_DEVICE", "opencl", 1);
    setenv("DGM_CL_TRUST", "0", 1);
    test_env()->log = fault_log;
    test_env()->log_level = DGM_LOG_DEBUG;
    if (fault_open(&device) != DGM_OK)
        return test_env()->error.message;
    dgm_device_close(test_env(), device);
    fault_arm("GetPlatformIDs:1+:-1001");
    if (fault_open(&device) == DGM_OK)
        dgm_device_close(test_env(), device);
    if (fault.hits() == 0)
        return "the loader of OpenCL knows no layers";
    fault_arm(NULL);
    dgm_env_clear_error(test_env());
    return NULL;
}

#define FAULT_BEGIN()                        \
    do {                                     \
        const char *reason_ = fault_begin(); \
        if (reason_ != NULL)                 \
            TEST_SKIP(reason_);              \
    } while (0)

#endif
