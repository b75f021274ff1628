/*
 * open_device.h: the device that tests of operations and models run on.
 *
 * The environment variable TEST_DEVICE names it: "cpu" (the default), or "opencl", any device that
 * OpenCL finds. A test of the CPU device itself opens "cpu" and needs none of this.
 */
#ifndef DGM_OPEN_DEVICE_H
#define DGM_OPEN_DEVICE_H

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "device/device.h"

/* DGM_CPU chooses the CPU's kernels, as in the program. Ranks that are threads open one after the
 * other: PoCL crashes where several threads are the first to ask for its devices. */
static inline dgm_status open_device(struct dgm_env *env, struct dgm_device **device, int threads)
{
    const char *name = getenv("TEST_DEVICE"), *isa = getenv("DGM_CPU");
    static pthread_mutex_t opening = PTHREAD_MUTEX_INITIALIZER;
    struct dgm_device_options options = { 0, NULL, "all", NULL, NULL };
    dgm_status status;

    options.threads = threads;
    options.isa = isa != NULL && isa[0] != '\0' ? isa : NULL;
    pthread_mutex_lock(&opening);
    status = dgm_device_open(env, device, name != NULL && name[0] != '\0' ? name : "cpu", &options);
    pthread_mutex_unlock(&opening);
    return status;
}

/* For what is about the threads, the copies or the memory of the CPU device, in a test that opens
 * its device by way of helpers. */
#define FOR_THE_CPU()                                                               \
    do {                                                                            \
        const char *name_ = getenv("TEST_DEVICE");                                  \
        if (name_ != NULL && name_[0] != '\0' && strcmp(name_, "cpu") != 0)         \
            TEST_SKIP("it is about the CPU device, and TEST_DEVICE names another"); \
    } while (0)

#endif
