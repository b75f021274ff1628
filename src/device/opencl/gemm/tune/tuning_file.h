/*
 * tuning_file.h: measured parameters of the matrix product, kept on disk for each device.
 */
#ifndef DGM_DEVICE_OPENCL_GEMM_TUNE_TUNING_FILE_H
#define DGM_DEVICE_OPENCL_GEMM_TUNE_TUNING_FILE_H

#include "base/buf.h"
#include "base/env.h"
#include "device/opencl/gemm/tune/tuning.h"

/* What is stored for the device, or the defaults: if nothing is, or it is damaged, of another
 * device, driver or version, or has values that are not allowed. */
void dgm_cl_tuning_load(struct dgm_env *env, const struct dgm_cl_traits *traits,
                        struct dgm_cl_tuning *tuning);
/* Whether values could be stored: an error says why not. */
dgm_status dgm_cl_tuning_check(struct dgm_env *env, const struct dgm_cl_traits *traits);
/* Stores the values for the next time; the path is appended to `where`. */
dgm_status dgm_cl_tuning_store(struct dgm_env *env, const struct dgm_cl_traits *traits,
                               const struct dgm_cl_tuning *tuning, struct dgm_buf *where);
/* Removes what is stored, if anything is: the defaults are best. */
void dgm_cl_tuning_forget(struct dgm_env *env, const struct dgm_cl_traits *traits);

#endif
