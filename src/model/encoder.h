/*
 * encoder.h: what an encoder is: a row of encoder_list.h and a file encoder_<name>.c.
 *
 * Its parameters are declared behind the embeddings and before those of the decoder. Its functions
 * find their own parameters at net->own[DGM_SOURCE], and what they stage at
 * step->plan[DGM_SOURCE]. An encoder and a decoder of one architecture may point to one family:
 * then a network keeps one state for both.
 */
#ifndef DGM_MODEL_ENCODER_H
#define DGM_MODEL_ENCODER_H

#include "model/net.h"

/* What a step's random masks depend on. */
struct dgm_mask_key {
    int training;
    uint32_t seed, update;
};

/* What an encoder and a decoder of one architecture share in a network. */
struct dgm_family {
    size_t own_bytes; /* of the state, zeroed at first: net->own of each side of the family */
    /* Reads the options into the state, before any parameter is declared. */
    dgm_status (*open)(struct dgm_env *env, const struct dgm_net *net, void *own);
    /* Frees what the state owns, not the state. */
    void (*clear)(struct dgm_env *env, void *own);
    /* Makes what lies on the device beside the parameters, net->constants of each side of the
     * family; none: *constants stays NULL. A failure may leave a buffer there. */
    dgm_status (*send)(struct dgm_env *env, const struct dgm_net *net, struct dgm_device *device,
                       struct dgm_buffer **constants);
    /* As dgm_net_parser_head, of a side of the family; NULL: no head is a parser. */
    int (*parser_head)(const struct dgm_net *net, enum dgm_side side, int *layer,
                       struct dgm_attn_parser *which);
};

struct dgm_encoder_kind {
    const char *name; /* as --encoder has it */
    const char *help, *cite;
    const char *options; /* of `train` that shape it, separated by blanks */
    /* What the tests over all encoders try, ended by NULL: at least one. Each is some of these
     * options as "name=value,name=value", on top of 8 columns (dim-emb), 6 in states (dim-rnn), two
     * layers and two heads; "": none. */
    const char *const *samples;
    unsigned needs;   /* DGM_NEEDS_*, but for those of its options */
    int attends;      /* to itself, in --enc-depth layers that can be watched; else no --syntax */
    double deviation; /* of its embeddings at first; 0: 1 / sqrt(D) */
    const struct dgm_family *family; /* NULL: none */
    size_t own_bytes;                /* of its parameters' numbers, without a family */
    size_t plan_bytes;
    /* Options that do not fit together: DGM_USAGE. NULL: all do. */
    dgm_status (*check)(struct dgm_env *env, const struct dgm_model_config *config);
    int64_t (*width)(const struct dgm_model_config *config); /* A, of a row */
    /* m, of the summary; NULL: as wide as a row. */
    int64_t (*summary)(const struct dgm_model_config *config);
    /* DGM_NEEDS_* of its options; NULL: none. */
    unsigned (*option_needs)(const struct dgm_net *net);
    /* Columns of the source's table of embeddings; NULL: D. DGM_USAGE where tables that are tied
     * would differ. */
    dgm_status (*table_columns)(struct dgm_env *env, const struct dgm_net *net, int64_t *columns);
    /* Of the rows of a sentence of so many positions, those that are its first positions, in order;
     * other rows follow them. NULL: all rows are. */
    int64_t (*positions)(const struct dgm_model_config *config, int64_t positions);
    dgm_status (*declare)(struct dgm_env *env, struct dgm_net *net);
    /* Index arrays of the batch's source, whose ids are staged already; sets step->memory. */
    dgm_status (*stage)(struct dgm_env *env, const struct dgm_net *net, struct dgm_step *step,
                        const struct dgm_batch *batch, const struct dgm_mask_key *draw);
    struct dgm_encoding (*encode)(struct dgm_graph *g, const struct dgm_net *net,
                                  const struct dgm_step *step, struct dgm_parse_losses *losses);
    /* Frees what a plan owns, not the plan; NULL: nothing. */
    void (*clear)(struct dgm_env *env, void *plan);
};

/* The kind of that number, name in the list: as the option's choices. */
const struct dgm_encoder_kind *dgm_encoder_entry(int i);
int dgm_encoder_count(void);

/* The memory is what the source is, row for row. */
dgm_status dgm_memory_is_source(struct dgm_env *env, struct dgm_step *step,
                                const struct dgm_packed *source);
/* The memory has rows starts[s] .. starts[s+1]-1 for sentence s; starts (S+1). */
dgm_status dgm_memory_stage(struct dgm_env *env, struct dgm_step *step, const int32_t *starts,
                            int32_t sentences);

#endif
