/*
 * replicas.h: the devices of a training run, each with a copy of the model, and what goes between
 * them.
 *
 * Batch k of an update (from 0) is computed on device k mod D. The first device holds the model
 * that is validated and saved, and makes the updates: the gradients of each batch go there, through
 * the host, and are added in the order of the batches; afterwards the new values go to the others.
 * So D changes no bit of the model. Devices compute at the same time because nothing waits between
 * the start of one batch and that of the next; there are no threads here. (A CPU computes when it
 * is told, so that a list of CPUs is for tests.)
 */
#ifndef DGM_TRAIN_STEP_REPLICAS_H
#define DGM_TRAIN_STEP_REPLICAS_H

#include "graph/graph.h"
#include "train/run.h"
#include "train/step/optimizer.h"
#include "train/trainee.h"

struct dgm_replica {
    struct dgm_device *device;
    struct dgm_graph graph;
    struct dgm_params *params; /* on this device; the first has those of the model */
    void *self;                /* (learner->replica_size) the learner's own */
    int is_stale;              /* the values are those of an update before */
};

struct dgm_replicas {
    struct dgm_replica *items;
    int count;
    dgm_real *host; /* (params->total) values or gradients on their way; NULL: one device */
};

/* How many devices an update has batches for: the others never compute. */
int dgm_replicas_useful(const struct dgm_run *run);

/* On as many devices of the run, in a dry run on one; the learner joins each. */
dgm_status dgm_replicas_init(const struct dgm_run *run, struct dgm_trainee *trainee,
                             struct dgm_replicas *replicas);
void dgm_replicas_clear(const struct dgm_run *run, const struct dgm_trainee *trainee,
                        struct dgm_replicas *replicas);

/* Before the batches of an update: the first device's values are those of all. */
dgm_status dgm_replicas_begin(struct dgm_env *env, struct dgm_replicas *replicas);
/* Before a batch is built on a device: its values are right, its gradients zero. */
dgm_status dgm_replicas_prepare(struct dgm_env *env, const struct dgm_replicas *replicas,
                                struct dgm_replica *replica);
/* After its backward pass: adds its gradients to those of the update. Once for each batch, in their
 * order, after the last _prepare of as many batches as there are devices. */
dgm_status dgm_replicas_collect(const struct dgm_run *run, const struct dgm_replicas *replicas,
                                const struct dgm_replica *replica, struct dgm_optimizer *optimizer,
                                int is_first_batch);

#endif
