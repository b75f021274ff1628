/*
 * trial_attention.h: what instances of both passes of attention share.
 */
#ifndef DGM_DEVICE_TRIAL_TRIAL_ATTENTION_H
#define DGM_DEVICE_TRIAL_TRIAL_ATTENTION_H

#include "device/trial/trial.h"

enum { DGM_TRIAL_SENTENCES = 4 };

/* Rows, keys and packed squares of some sentences. */
struct dgm_trial_spans {
    int64_t sentences, rows, keys, cells, longest; /* longest: most keys of a sentence */
    int32_t offsets[DGM_TRIAL_SENTENCES + 1], starts[DGM_TRIAL_SENTENCES];
    int32_t counts[DGM_TRIAL_SENTENCES], squares[DGM_TRIAL_SENTENCES];
};

/*
 * n and m of each sentence, m = n unless `uneven`, and then keys lie apart at times. Sentence 0 has
 * six keys or more, and no fewer than queries: where none of these has a choice, all gradients of
 * scores are 0, and what devices find instead is rounding.
 */
void dgm_trial_spans(struct dgm_trial *trial, struct dgm_trial_spans *spans, int uneven);

/* All inputs, and `core` but for ldz. Keys come by an index if key_places > spans->keys. */
void dgm_trial_attention_inputs(struct dgm_trial *trial, const struct dgm_trial_spans *spans,
                                int64_t key_places, struct dgm_attention_inputs *in,
                                struct dgm_attention *core);

#endif
