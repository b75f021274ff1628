/*
 * config.h: the shape of a Transformer and its switches: every choice of section 1 of the
 * specification, as options of the command line and as keys of model files.
 */
#ifndef DGM_MODEL_CONFIG_H
#define DGM_MODEL_CONFIG_H

#include "base/option.h"
#include "device/task.h"
#include "nn/position.h"

/* tied-embeddings: which of source, target-input and target-output matrices are one. */
enum dgm_tying { DGM_TIED_NONE, DGM_TIED_DECODER, DGM_TIED_ALL };

struct dgm_model_config {
    int encoder, decoder;    /* numbers in encoder_list.h and decoder_list.h */
    int64_t dim, heads, ffn;
    int enc_depth, dec_depth;
    int pre_norm, attention_bias;
    enum dgm_positions positions;
    enum dgm_tying tying;
    double smoothing;
    enum dgm_smoothing smoothing_form;
    double dropout, attention_dropout, activation_dropout;
    double norm_eps;
    int64_t max_length;      /* positions there are encodings for */
    char syntax[1024];
    int64_t tags;            /* types of source tags, no option: 0 unless syntax needs them */
    char prefix[16];         /* of the parameters' names; "" but for a net inside another model */
};

/* The option table: part of `train`, and of every model file. */
extern const struct dgm_opt dgm_model_options[];

/* Reads and checks the options: heads divide the width, and so on. DGM_USAGE. */
dgm_status dgm_model_config_read(struct dgm_env *env, struct dgm_model_config *config,
                                 const struct dgm_settings *settings);

#endif
