/*
 * report.h: what a training run says: log lines in Marian's order, the same as JSON lines in
 * FILE.ckpt/metrics.jsonl, and progress for a terminal.
 */
#ifndef DGM_TRAIN_WATCH_REPORT_H
#define DGM_TRAIN_WATCH_REPORT_H

#include "model/probe/health.h"
#include "train/state.h"
#include "train/step/figures.h"
#include "train/step/gradient_groups.h"

struct dgm_report {
    int fd; /* of metrics.jsonl, or -1 */
    char path[1200];
    double shown_at;              /* seconds at the last log line */
    double shown_labels;          /* state->labels then, or when the run was resumed */
    double last_cost, last_speed; /* of the last log line */
    struct dgm_buf line;
};

/*
 * Opens the metrics file and cuts it to state->log_bytes, so that a resumed run doubles no line.
 * Where it is missing or shorter, what is there of whole lines stays, a warning says how much is
 * missing, and state->log_bytes is what is left.
 */
dgm_status dgm_report_open(struct dgm_env *env, struct dgm_report *report, const char *folder,
                           struct dgm_train_state *state);
/* Makes its lines durable: before a checkpoint that counts on them. */
dgm_status dgm_report_sync(struct dgm_env *env, const struct dgm_report *report);
void dgm_report_close(struct dgm_env *env, struct dgm_report *report);

/*
 * "Ep. 2 : Up. 5400 : Sen. 14,270 : Cost 3.6916 * 890,340 : Time 28.4s : 31317.39 words/s :
 * gNorm 0.7312 : L.r. 2.5e-04", and " : Parse 0.9041", the mean -log p of a head, where parses
 * are learnt too, and " : Wait 2 11 %", of the time of each rank, or " : Wait 2-11 %" of more than
 * 8 of them; resets the costs, those of `latest`, too. `now`: seconds of dgm_clock.
 */
dgm_status dgm_report_update(struct dgm_env *env, struct dgm_report *report,
                             struct dgm_train_state *state, struct dgm_figures *latest, double now);

/* "status: Ep. 2 : Up. 5400 : Cost 3.691641 : 31317.39 words/s : checkpoint m.ckpt/update-..." */
void dgm_report_status(struct dgm_env *env, const struct dgm_report *report,
                       const struct dgm_train_state *state, const char *checkpoint);

/* "epoch 2, cost 3.691, 31317 words/s, 1:02:03 left", for a bar. */
enum { DGM_PROGRESS_SIZE = 128 };
void dgm_report_progress(char text[DGM_PROGRESS_SIZE], const struct dgm_report *report,
                         const struct dgm_train_state *state, double seconds_left);

/* The figures of a health that were measured, and the gradient's norms; no log line. */
dgm_status dgm_report_health(struct dgm_env *env, struct dgm_report *report,
                             struct dgm_train_state *state, const struct dgm_health *health,
                             const struct dgm_gradient_norms *norms);

/* What a validation has measured. */
struct dgm_valid_score {
    const char *set, *metric; /* set: the name of the text; NULL: it has none */
    double value;
    int decides, is_best;
};

/* "[valid] Ep. 2 : Up. 5400 : bleu : 41.28 : stalled 1 times (last best: 41.46)" or ": new
 * best"; "news bleu" where the text has a name. */
dgm_status dgm_report_valid(struct dgm_env *env, struct dgm_report *report,
                            struct dgm_train_state *state, const struct dgm_valid_score *score);

#endif
