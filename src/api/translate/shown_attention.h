/*
 * attention.h: which attention weights a translator shows, and its line of JSON for each input.
 */
#ifndef DGM_API_TRANSLATE_SHOWN_ATTENTION_H
#define DGM_API_TRANSLATE_SHOWN_ATTENTION_H

#include "decode/attention_reader.h"
#include "decode/source_queue.h"

enum { DGM_ATTENTION_HEADS = 256 };

/* Every kind, layer and head that is named, in all combinations. */
struct dgm_attention_choice {
    uint64_t layers[DGM_ATTENTION_KINDS]; /* bit l - 1; 0: not this kind */
    int mean;                             /* the mean over heads instead of single heads */
    unsigned char heads[DGM_ATTENTION_HEADS];
};

/* "encoder", "decoder", "cross". */
extern const char *const dgm_attention_kind_names[DGM_ATTENTION_KINDS];

/*
 * kinds: names with blanks or commas between, or "all"; layers: "last", "all" or "1-3 5"; heads:
 * "mean", "all" or "0-3 5". NULL: cross, last, mean. DGM_USAGE for what the model has not.
 */
dgm_status dgm_attention_choose(struct dgm_env *env, struct dgm_attention_choice *choice,
                                const struct dgm_net *net, const char *kinds, const char *layers,
                                const char *heads);

/* shown_attention_json.c: the weights of one model. Zero-initialise; cleared in any case. */
struct dgm_attention_view {
    const struct dgm_pipeline *pipeline; /* of the model; NULL: not open */
    struct dgm_attention_choice choice;
    struct dgm_attention_reader reader;
    struct dgm_buf json; /* what was written last */
};

/* The rest as dgm_attention_choose has it. DGM_USAGE for several models. */
dgm_status dgm_attention_open(struct dgm_env *env, struct dgm_attention_view *view,
                              const struct dgm_ensemble *ensemble, struct dgm_device *device,
                              const char *kinds, const char *layers, const char *heads);
/* A queued line, which keeps its words, with the n tokens of its translation; n = 0: none. */
dgm_status dgm_attention_write(struct dgm_env *env, struct dgm_attention_view *view,
                               const struct dgm_source_queue *queue, size_t line,
                               const int32_t *tokens, int32_t n);
void dgm_attention_clear(struct dgm_env *env, struct dgm_attention_view *view);

#endif
