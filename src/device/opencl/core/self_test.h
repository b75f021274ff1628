/*
 * self_test.h: whether the kernels of a task compute on this device what the CPU computes.
 *
 * Drivers have compilers, and compilers have bugs. Before a form of a task (run/form_list.h) runs
 * on a device for the first time, a few random instances of it (device/trial) run there and on the
 * CPU. Where the two disagree, or a kernel does not build, this form runs on the CPU from then on,
 * and one line of the log says so. The names of forms that agree are kept on disk beside the
 * programs (cache.h), for this device, driver, set of programs and build options; what is missing
 * or damaged is tried again. Forms that no call asks for are neither tried nor compiled.
 */
#ifndef DGM_DEVICE_OPENCL_CORE_SELF_TEST_H
#define DGM_DEVICE_OPENCL_CORE_SELF_TEST_H

#include "device/opencl/core/opencl.h"

/* The verdict on a form, which its first use finds out. */
enum dgm_cl_self_test { DGM_CL_UNTRIED, DGM_CL_TRUSTED, DGM_CL_DISTRUSTED };

/* Reads from disk which forms agree. With DGM_CL_TRUST=0 in the environment, all count as agreeing
 * without a trial. */
void dgm_cl_self_test_load(struct dgm_env *env, struct dgm_opencl *opencl);
/* Stores the names of forms that agree, if there are new ones. */
void dgm_cl_self_test_store(struct dgm_env *env, struct dgm_opencl *opencl);

/* Whether a form (run/form.h) agrees with the CPU; tries it first if that is not known. While its
 * task is on trial the answer is yes. */
int dgm_cl_self_test_form(struct dgm_env *env, struct dgm_opencl *opencl, int form);

/* The same of all forms of a task, with the reason in words instead of the log: the `explain` of
 * struct dgm_device_ops. */
int dgm_cl_self_test_explain(struct dgm_env *env, struct dgm_opencl *opencl,
                             enum dgm_task_kind kind, char words[DGM_EXPLAIN_SIZE]);

/* Whether two products in a launch agree; else `words` says why not. For a device whose products
 * are on trial. */
int dgm_cl_self_test_pairs(struct dgm_env *env, struct dgm_opencl *opencl,
                           char words[DGM_EXPLAIN_SIZE]);

#endif
