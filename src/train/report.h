/*
 * report.h: what a training run says: log lines in Marian's order, the same as JSON lines in
 * FILE.ckpt/metrics.jsonl, and progress for a terminal.
 */
#ifndef DGM_TRAIN_REPORT_H
#define DGM_TRAIN_REPORT_H

#include "base/file.h"
#include "train/state.h"

struct dgm_report {
    int fd;               /* of metrics.jsonl, or -1 */
    char path[1200];
    double shown_at;      /* seconds at the last log line */
    double shown_labels;  /* state->labels then, or when the run was resumed */
    double last_norm, last_rate;
    double parse_cost, parse_rows; /* of heads that parse, since the last log line */
    struct dgm_buf line;
};

/* Opens the metrics file and cuts it to `bytes`, so that a resumed run doubles no line. */
dgm_status dgm_report_open(struct dgm_env *env, struct dgm_report *report, const char *folder,
                           int64_t bytes);
void dgm_report_close(struct dgm_env *env, struct dgm_report *report);

/* Seconds of a clock that never runs backwards. */
double dgm_report_clock(void);

/*
 * "Ep. 2 : Up. 5400 : Sen. 14,270 : Cost 3.6916 * 890,340 : Time 28.4s : 31317.39 words/s :
 * gNorm 0.7312 : L.r. 2.5e-04", and " : Parse 0.9041", the mean -log p of a head, where parses
 * are learnt too; resets the costs. `now`: seconds of dgm_report_clock.
 */
dgm_status dgm_report_update(struct dgm_env *env, struct dgm_report *report,
                             struct dgm_train_state *state, double now);

/* "[valid] Ep. 2 : Up. 5400 : bleu : 41.28 : stalled 1 times (last best: 41.46)" or ": new best". */
dgm_status dgm_report_valid(struct dgm_env *env, struct dgm_report *report,
                            struct dgm_train_state *state, const char *metric, double value,
                            int decides, int is_best);

#endif
