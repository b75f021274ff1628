/*
 * attention.h: which attention weights a translator shows, and its line of JSON for each input.
 */
#ifndef DGM_API_ATTENTION_H
#define DGM_API_ATTENTION_H

#include "base/env.h"
#include "model/watch.h"

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

#endif
