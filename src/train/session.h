/*
 * session.h: everything that is alive during a training run; shared by trainer.c (the loop),
 * setup.c (its beginning) and validate.c.
 */
#ifndef DGM_TRAIN_SESSION_H
#define DGM_TRAIN_SESSION_H

#include "data/corpus.h"
#include "data/order.h"
#include "model/model.h"
#include "train/checkpoint.h"
#include "train/optimizer.h"
#include "train/schedule.h"
#include "train/trainer.h"

/* Intervals and stop rules: a number with a unit (base/option.h). */
struct dgm_length {
    double value;
    char unit;
};

struct dgm_session {
    struct dgm_env *env;
    struct dgm_device *device;
    const struct dgm_settings *settings;
    const struct dgm_train_hooks *hooks;
    struct dgm_model model;
    struct dgm_corpus train, valid;
    int has_valid;
    struct dgm_order_options order_options;
    struct dgm_order order;
    struct dgm_batch batch;
    struct dgm_step step;
    struct dgm_graph graph;
    struct dgm_optimizer optimizer;
    struct dgm_schedule schedule;
    struct dgm_checkpoints checkpoints;
    struct dgm_report report;
    struct dgm_train_state state;
    struct dgm_buf settings_text;   /* what a resumed run must agree with */
    struct dgm_length after, display, save, validate;
    uint32_t seed;
    int64_t accumulate, patience;
    size_t keep;
    int by_bleu;                    /* what decides the best */
    int64_t epochs_before;          /* completed before the latest update */
    dgm_real *losses;               /* (M,2) on the host */
    size_t loss_capacity;
    double started;                 /* clock when state.elapsed was `elapsed_before` */
    double elapsed_before;
};

/* setup.c: from settings to a session ready for its first, or next, update. */
dgm_status dgm_session_init(struct dgm_session *session);
void dgm_session_clear(struct dgm_session *session);

/* Packs the next batch, going on to the next epoch where one ends. */
dgm_status dgm_session_next_batch(struct dgm_session *session);

/* validate.c: mean -log p of a target token over the validation set, without smoothing. */
dgm_status dgm_session_cross_entropy(struct dgm_session *session, double *mean);
/* BLEU of translations of the validation source, over words, as multi-bleu has it. */
dgm_status dgm_session_bleu(struct dgm_session *session, double *bleu);

/* Runs the staged batch forwards and sums its losses: (smoothed, plain) over all target rows. */
dgm_status dgm_session_forward(struct dgm_session *session, int training, double smoothing,
                               double sums[2], int64_t *labels);

#endif
