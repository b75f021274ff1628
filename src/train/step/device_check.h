/*
 * device_check.h: --check-device: whether a device computes the losses that the CPU computes.
 *
 * Each kernel has been tried alone, on small input, before its first use
 * (device/opencl/core/self_test.h). This looks at whole batches while a run goes on: memory that
 * fails, a driver that was exchanged, a kernel that is wrong for large sizes only. The device runs
 * the batch as ever; then the CPU runs it from copies of the device's parameters and data. The
 * device's memory is only read, so that the bytes of the model are those of a run without checks.
 */
#ifndef DGM_TRAIN_STEP_DEVICE_CHECK_H
#define DGM_TRAIN_STEP_DEVICE_CHECK_H

#include "train/run.h"
#include "train/step/replicas.h"

struct dgm_device_check {
    double share;    /* of updates; 0: none */
    int64_t updates; /* checked by this call */
    int64_t last;    /* the latest of them; 0: none yet */
    double worst;    /* largest relative difference of two losses */
};

/* Reads the option. Logs a note where there is nothing to compare with. */
void dgm_device_check_begin(const struct dgm_run *run, const struct dgm_replicas *replicas,
                            struct dgm_device_check *check);

/*
 * After a replica's graph has run forwards: compares its loss if this update is one to be checked,
 * which follows from (seed, update) alone. DGM_FAILURE if the two differ.
 */
dgm_status dgm_device_check_batch(const struct dgm_run *run, struct dgm_trainee *trainee,
                                  struct dgm_replica *replica, struct dgm_device_check *check);

/* A note on what was checked. */
void dgm_device_check_end(struct dgm_env *env, const struct dgm_device_check *check);

#endif
