/*
 * repeats.h: sentences that come again are searched once, within a run and from run to run.
 *
 * A search depends on its sentence alone (decode/translate.h), so the results are those that it
 * would find again, to the bit. Sentences with trees or features are searched each time.
 */
#ifndef DGM_DECODE_REPEATS_H
#define DGM_DECODE_REPEATS_H

#include "base/map.h"
#include "decode/translate.h"

/* What results and their sentences may take from one run to the next. */
enum { DGM_REPEATS_BYTES = 32 << 20 };

/* Zeroed: none yet. */
struct dgm_repeats {
    int is_off;
    struct dgm_map sentences; /* ids and words of each, to the number of its entry */
    struct dgm_result *found; /* (sentences.count) */
    size_t capacity;
    double bytes; /* of `found` */
    long again;   /* sentences that were not searched */

    /* Of a run. */
    struct dgm_packed fresh; /* sentences that are not known yet, each once */
    struct dgm_buf key;
};

/* As dgm_translate_all, with a watch that is told of all sentences. */
dgm_status dgm_repeats_translate(struct dgm_env *env, struct dgm_repeats *repeats,
                                 struct dgm_workers *workers, const struct dgm_packed *source,
                                 int64_t batch_tokens, struct dgm_result *results,
                                 const struct dgm_translate_watch *watch);
void dgm_repeats_clear(struct dgm_env *env, struct dgm_repeats *repeats);

#endif
