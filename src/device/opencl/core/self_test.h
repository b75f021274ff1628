/*
 * self_test.h: whether the kernels of a task compute on this device what the CPU computes.
 *
 * Drivers have compilers, and compilers have bugs. Before a task runs on a device for the first
 * time, a few random instances of it (device/trial) run there and on the CPU. Where the two
 * disagree, or a kernel does not build, the task runs on the CPU from then on, and one line of the
 * log says so. The names of tasks that agree are kept on disk beside the programs (cache.h), for
 * this device, driver, set of programs and build options; what is missing or damaged is tried
 * again.
 */
#ifndef DGM_DEVICE_OPENCL_CORE_SELF_TEST_H
#define DGM_DEVICE_OPENCL_CORE_SELF_TEST_H

#include "device/opencl/core/opencl.h"

/* The verdict on a task, which its first use finds out. */
enum dgm_cl_self_test {
    DGM_CL_UNTRIED,
    DGM_CL_ON_TRIAL, /* it runs on the device: its results are being compared */
    DGM_CL_TRUSTED,
    DGM_CL_DISTRUSTED
};

/* Reads from disk which tasks agree. With DGM_CL_TRUST=0 in the environment, all count as agreeing
 * without a trial. */
void dgm_cl_self_test_load(struct dgm_env *env, struct dgm_opencl *opencl);
/* Stores the names of tasks that agree, if there are new ones. */
void dgm_cl_self_test_store(struct dgm_env *env, struct dgm_opencl *opencl);

/* Whether the task agrees with the CPU; tries it first if that is not known. */
int dgm_cl_self_test_task(struct dgm_env *env, struct dgm_opencl *opencl, enum dgm_task_kind kind);

/* The same, with the reason in words instead of the log: the `explain` of struct dgm_device_ops. */
int dgm_cl_self_test_explain(struct dgm_env *env, struct dgm_opencl *opencl,
                             enum dgm_task_kind kind, char words[DGM_EXPLAIN_SIZE]);

#endif
