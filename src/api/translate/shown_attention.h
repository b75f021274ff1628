/*
 * shown_attention.h: which attention weights a translator shows, and the line of JSON that shows
 * them.
 */
#ifndef DGM_API_TRANSLATE_SHOWN_ATTENTION_H
#define DGM_API_TRANSLATE_SHOWN_ATTENTION_H

#include "decode/attention_reader.h"
#include "decode/copying.h"

enum { DGM_SHOWN_HEADS = 256 };

/* The weights of every kind, layer and head that was named, in all combinations. */
struct dgm_shown_attention_choice {
    uint64_t layers[DGM_ATTENTION_KINDS]; /* bit l - 1; 0: not this kind */
    int mean;                             /* the mean over heads instead of single heads */
    unsigned char heads[DGM_SHOWN_HEADS];
};

/* The weights of one model. Zero-initialise it; it is cleared in any case. */
struct dgm_shown_attention {
    const struct dgm_pipeline *pipeline; /* of the model; NULL: not open */
    struct dgm_shown_attention_choice choice;
    struct dgm_attention_reader reader;
    struct dgm_buf json; /* the line written last */
};

/*
 * kinds: names with blanks or commas between, or "all"; layers: "last", "all" or "1-3 5"; heads:
 * "mean", "all" or "0-3 5". NULL: cross, last, mean. DGM_USAGE for what the model has not, and for
 * several models.
 */
dgm_status dgm_shown_attention_open(struct dgm_env *env, struct dgm_shown_attention *view,
                                    const struct dgm_ensemble *ensemble, struct dgm_device *device,
                                    const char *kinds, const char *layers, const char *heads);
/* A part of a line: its place in the queue, which keeps its words, and the n tokens of its
 * translation; n = 0: none. */
struct dgm_shown_part {
    size_t place;
    const int32_t *tokens;
    int32_t n;
};

/* Writes view->json for a line of `count` parts, 1 or more: places are those of the whole line, and
 * no part gives weight to another. copying: NULL, or what finds the words that stand in place of
 * unknown marks. */
dgm_status dgm_shown_attention_write(struct dgm_env *env, struct dgm_shown_attention *view,
                                     const struct dgm_source_queue *queue,
                                     const struct dgm_shown_part *parts, size_t count,
                                     struct dgm_copying *copying);
void dgm_shown_attention_clear(struct dgm_env *env, struct dgm_shown_attention *view);

#endif
