/*
 * learner.h: something to train, as the training loop sees it.
 *
 * The trainer owns the run: batches, updates, schedule, log lines, checkpoints, resume, the end. A
 * learner owns data and model: it builds the graphs of batches, validates, and adds its model to a
 * file. Its functions find their own data at trainee->self. They are called in this order; where a
 * run resumes, `load` replaces `make`, `allocate` and the drawing of parameters:
 *
 *     settle  open  make  allocate  begin  data  join  announce  (share  build  read)...  probe
 *     validate...  save  leave  close
 *
 * A replica (train/step/replicas.h) is the model on a device: what a step needs there, and the
 * nodes of the graph built last, belong to replica->self. Several may be built before the first is
 * read. Batches that a learner makes for itself, to validate or to look ahead, are its own.
 */
#ifndef DGM_TRAIN_LEARNER_H
#define DGM_TRAIN_LEARNER_H

#include "base/option/option.h"
#include "base/real.h"
#include "device/device.h"

struct dgm_batch;
struct dgm_batch_cost;
struct dgm_gguf;
struct dgm_gguf_writer;
struct dgm_health;
struct dgm_judge;
struct dgm_order;
struct dgm_replica;
struct dgm_run;
struct dgm_settings;
struct dgm_trainee;
struct dgm_windows;

struct dgm_learner {
    size_t size; /* bytes at trainee->self, zeroed before `open` */

    /* Options of the run and options of the model, each ended by NULL. A resumed run must agree
     * with both, but for those of the run that are free to change (dgm_train_option_matters);
     * those of the model stand in its file under config_key. */
    const struct dgm_opt *const *run_tables, *const *model_tables;
    const char *config_key;

    /* Completes a copy of the user's settings: values of options that follow from others. */
    dgm_status (*settle)(struct dgm_env *env, struct dgm_settings *own);

    /* Reads and checks its options; sets trainee->has_valid. */
    dgm_status (*open)(struct dgm_run *run, struct dgm_trainee *trainee);

    /* --dry-run: declares the parameters without data, if the options alone allow it, and says so
     * in *done; NULL where they never do. */
    dgm_status (*sketch)(const struct dgm_run *run, struct dgm_trainee *trainee, int *done);

    /* A new model: learns vocabularies, declares parameters; sets trainee->params. */
    dgm_status (*make)(const struct dgm_run *run, struct dgm_trainee *trainee);
    /* Puts the declared parameters on run->device, with gradients. */
    dgm_status (*allocate)(const struct dgm_run *run, struct dgm_trainee *trainee);
    /* The model of a checkpoint instead, values included; sets trainee->params. */
    dgm_status (*load)(const struct dgm_run *run, struct dgm_trainee *trainee,
                       const struct dgm_gguf *file);
    /* Once all values are drawn: puts others in their place, if the run starts from some. Of a
     * resumed run, once its state is there: refuses one that started from others. NULL: runs start
     * from drawn values. */
    dgm_status (*begin)(struct dgm_run *run, struct dgm_trainee *trainee, int is_resumed);
    /* Reads the data for training and validation; sets trainee->corpus, run->state.train_checksum
     * and, with trainee->has_valid, run->state.valid_checksum and trainee->first_valid_checksum;
     * of several training texts also trainee->texts. A text that is larger than memory: `windows`,
     * and run->state.window_bytes. */
    dgm_status (*data)(struct dgm_run *run, struct dgm_trainee *trainee,
                       struct dgm_windows *windows);
    /* Opens what is at replica->self. replica->params are those of the model, which lies on this
     * device; or NULL: makes a copy on replica->device and sets them. */
    size_t replica_size; /* bytes at replica->self, zeroed before `join` */
    dgm_status (*join)(const struct dgm_run *run, struct dgm_trainee *trainee,
                       struct dgm_replica *replica);
    /* Releases it, also where `join` has failed. */
    void (*leave)(const struct dgm_run *run, struct dgm_replica *replica);

    /* Bytes of the text that is in memory, of vocabularies and of what else stays beside the model:
     * at most, by what they hold, so that they are the same in every run. NULL: hardly any. */
    double (*text_bytes)(const struct dgm_trainee *trainee);

    /* Bytes of what a checkpoint has beside values, where they are many. NULL: they are few. */
    double (*table_bytes)(const struct dgm_trainee *trainee);

    /* Logs how many parameters the model has. */
    dgm_status (*announce)(const struct dgm_run *run, const struct dgm_trainee *trainee);

    /* The next update takes batches first..first+count-1 of the order, or those up to its end,
     * after which this is called again for the rest. A learner whose loss is a mean over a whole
     * update looks ahead here. NULL: it has no such loss. */
    dgm_status (*share)(const struct dgm_run *run, struct dgm_trainee *trainee,
                        const struct dgm_order *order, int64_t first, int64_t count);
    /* Stages the batch for update state.updates + 1 and builds its graph up to the loss, in
     * replica->graph; what runs it is not its business. */
    dgm_status (*build)(const struct dgm_run *run, struct dgm_trainee *trainee,
                        const struct dgm_batch *batch, struct dgm_replica *replica);
    /* After the graph has run: the batch's summed loss, its labels, and losses beside it. An
     * update divides the gradients of its batches by their labels, or by their sentences
     * (--cost-type). */
    dgm_status (*read)(const struct dgm_run *run, struct dgm_trainee *trainee,
                       struct dgm_replica *replica, struct dgm_batch_cost *cost);

    /* Measures how well the model is (model/probe/health.h), on a few sentences that are always the
     * same, with a replica; what is trained does not change by it. *done 0: none of its
     * sentences is fit for that. NULL: this learner's model is not measured. */
    dgm_status (*probe)(const struct dgm_run *run, struct dgm_trainee *trainee,
                        struct dgm_replica *replica, struct dgm_health *health, int *done);
    /* Measures the model on the validation data: dgm_judge_score for each metric. May use the
     * replica. Called only with trainee->has_valid. */
    dgm_status (*validate)(const struct dgm_run *run, struct dgm_trainee *trainee,
                           struct dgm_replica *replica, struct dgm_judge *judge);
    /* Bytes that it takes beside the largest step; NULL: hardly any. valid_stays: it keeps them, so
     * that what a checkpoint takes comes on top. */
    dgm_status (*valid_bytes)(const struct dgm_run *run, struct dgm_trainee *trainee,
                              double *bytes);
    int valid_stays;
    /* Adds the model's keys and tensors. `values` receives the host array behind the tensors, or
     * NULL where they are written from their place; the caller releases it after writing. */
    dgm_status (*save)(const struct dgm_run *run, struct dgm_trainee *trainee,
                       struct dgm_gguf_writer *writer, dgm_real **values);

    /* Releases what is at trainee->self, also when only a part of the above was called. */
    void (*close)(const struct dgm_run *run, struct dgm_trainee *trainee);
};

#endif
