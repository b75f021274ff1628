/*
 * config.h: the shape of a network and its switches, as options of the command line and as keys of
 * model files: every choice of section 1 of the specification, and those of recurrent networks.
 */
#ifndef DGM_MODEL_CONFIG_H
#define DGM_MODEL_CONFIG_H

#include "base/option/option.h"
#include "base/option/settings.h"
#include "data/tree/feature.h"
#include "device/task.h"
#include "nn/position.h"
#include "nn/schedule/position_trees.h"

/* tied-embeddings: which of source, target-input and target-output matrices are one. */
enum dgm_tying { DGM_TIED_NONE, DGM_TIED_DECODER, DGM_TIED_ALL };

/* Between the two matrices of a feed-forward layer. */
enum dgm_ffn_activation { DGM_FFN_RELU, DGM_FFN_SWISH, DGM_FFN_GELU };

/* The token that the decoder of a Transformer reads first, of those that all vocabularies have. */
enum dgm_decoder_start { DGM_DECODER_START_EOS, DGM_DECODER_START_BOS, DGM_DECODER_START_PAD };

/* Of recurrent sides (specification, recurrent models). */
struct dgm_recurrent_config {
    int64_t dim;           /* d, of a state */
    int64_t dynamic;       /* k, of what dynamic parameters follow from; 0: static ones */
    int birnn;             /* a bidirectional layer beneath a tree */
    int source_end;        /* the encoder reads the end of the sentence; -1: as its kind likes */
    int attend_level;      /* constituents to attend to: up to that level; 0: all; -1: above 1 */
    int three_gates;       /* tree-cell = tg12: mixing weights are three gates, no softmax */
    int root_lc0;          /* root-td = lc0: the root has a parent, zero; else it is copied */
    int init_states;       /* dec-init = states: the decoder starts from the mean of all states */
    int carry_mean;        /* of a parent and a sibling; else their sum */
    int linear_projection; /* of the bidirectional layer's states; else tanh */
    int own_q;             /* share-q = matrix */
    enum dgm_no_parse no_parse; /* what sentences without a parse become */
};

struct dgm_model_config {
    int encoder, decoder; /* numbers in encoder_list.h and decoder_list.h */
    int64_t dim, heads, ffn;
    int enc_depth, dec_depth;
    int pre_norm, attention_bias;
    enum dgm_ffn_activation ffn_activation;
    enum dgm_decoder_start decoder_start;
    int output_bias; /* of the scores; a recurrent decoder has one in any case */
    int unscaled;    /* embedding-scale = one; else embeddings count sqrt(D) times */
    enum dgm_positions positions;
    enum dgm_tying tying;
    double smoothing;
    enum dgm_smoothing smoothing_form;
    double dropout, attention_dropout, activation_dropout;
    double norm_eps;
    int64_t max_length; /* positions there are encodings for */
    char syntax[1024];
    struct dgm_recurrent_config recurrent;
    int guided_layer; /* of the decoder: its attention learns links of words; 0: the last */
    int stored;       /* read from a model file; no option: see struct dgm_attn_shape */
    /* Names of the features of source words, no option: 0 unless syntax needs them. */
    int64_t features[DGM_WORD_FEATURES];
    char prefix[16]; /* of the parameters' names; "" but for a net inside another model */
};

/* The option tables: part of `train`, and of every model file. */
extern const struct dgm_opt dgm_model_options[];
extern const struct dgm_opt dgm_recurrent_options[];

/* Reads and checks the options: heads divide the width, and so on. DGM_USAGE. */
dgm_status dgm_model_config_read(struct dgm_env *env, struct dgm_model_config *config,
                                 const struct dgm_settings *settings);

#endif
