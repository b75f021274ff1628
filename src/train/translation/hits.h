/*
 * hits.h: how many target tokens a model finds the most probable ones, when it has read
 * all those before them (teacher forcing).
 */
#ifndef DGM_TRAIN_TRANSLATION_LEARNER_HITS_H
#define DGM_TRAIN_TRANSLATION_LEARNER_HITS_H

#include "train/translation/learner.h"

/* Zeroed: nothing counted yet. */
struct dgm_hits {
    int64_t right, tokens;  /* of `tokens`, the end of each sentence included */
    int64_t rows;           /* of the batch that is expected */
    struct dgm_buffer *top; /* on the device: the (rows) ids */
    size_t top_bytes;
    int32_t *ids; /* the same on the host */
    size_t id_capacity;
};

/* Before the graph of a batch runs: the loss tells which tokens are the most probable ones. */
dgm_status dgm_hits_expect(const struct dgm_run *run, struct dgm_hits *hits, struct dgm_node *loss);
/* When it has run: counts the batch with this target. */
dgm_status dgm_hits_add(const struct dgm_run *run, struct dgm_hits *hits,
                        const struct dgm_packed *target);
/* Percent; 0 of nothing. */
double dgm_hits_percent(const struct dgm_hits *hits);
void dgm_hits_clear(const struct dgm_run *run, struct dgm_hits *hits);

#endif
