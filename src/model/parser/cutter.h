/*
 * cutter.h: the network that finds where tokens and sentences of running text end.
 *
 * Rows are characters (data/tree/characters.h). A row is the sum of the vectors of its character
 * and of its kind; DGM_CUTTER_LAYERS layers of dilated convolution (Strubell et al., "Fast and
 * accurate entity recognition with iterated dilated convolutions", EMNLP 2017) widen what it sees:
 *
 *     x_i  +=  relu(W [x_{i-d} x_i x_{i+d}] + b)        d = 1, 2, 4, 8, 16
 *
 * and the labels of data/tree/text_bank.h are scored from it. So the scores of a row depend on
 * DGM_CUTTER_REACH rows on each side of it and on nothing else: a text may be cut into windows
 * anywhere, as long as each window has so many rows beside those that are asked for. Beyond the
 * ends of a paragraph x is 0.
 */
#ifndef DGM_MODEL_PARSER_CUTTER_H
#define DGM_MODEL_PARSER_CUTTER_H

#include "data/tree/text_bank.h"
#include "graph/ops.h"
#include "nn/feed.h"
#include "nn/param.h"

enum { DGM_CUTTER_LAYERS = 5, DGM_CUTTER_REACH = (1 << DGM_CUTTER_LAYERS) - 1 };

struct dgm_cutter {
    int64_t width; /* 0: there is none */
    dgm_param_id characters, kinds;
    struct dgm_dense layers[DGM_CUTTER_LAYERS], output;
};

/* Declares the parameters of a cutter of this width for so many characters. */
dgm_status dgm_cutter_declare(struct dgm_env *env, struct dgm_cutter *cutter,
                              struct dgm_params *params, int64_t width, int64_t characters);

/* The chance that a character is unknown, in training: a function of seed, update and row. Where
 * it is staged, rows of the text have places, too, for dropout. */
struct dgm_cutter_noise {
    double rate; /* 0: none */
    uint32_t key[2];
};

/* One step: the rows of windows with their neighbours, packed, and those whose labels are asked
 * for. */
struct dgm_cutter_step {
    dgm_slot ids, kinds, places, left[DGM_CUTTER_LAYERS], right[DGM_CUTTER_LAYERS], asked, targets;
    int64_t rows, asked_count;
};

/*
 * Stages windows of a text. Asked for are, without labels, all rows of each span in turn; with
 * labels (of all rows of the text), those that are no blanks, and their labels are targets.
 */
dgm_status dgm_cutter_stage(struct dgm_env *env, struct dgm_feed *feed,
                            struct dgm_cutter_step *step, const struct dgm_characters *text,
                            const struct dgm_text_span *spans, size_t count, const int32_t *labels,
                            const struct dgm_cutter_noise *noise);

/* Scores (asked_count, DGM_CUT_LABELS), once the feed is sent. */
struct dgm_node *dgm_cutter_scores(struct dgm_graph *g, const struct dgm_cutter *cutter,
                                   const struct dgm_params *params, const struct dgm_feed *feed,
                                   const struct dgm_cutter_step *step);
/* The loss (asked_count, 2) of what was staged with labels and noise. `dropout` is that of the sum
 * of a row's vectors and of what each layer adds to it. */
struct dgm_node *dgm_cutter_loss(struct dgm_graph *g, const struct dgm_cutter *cutter,
                                 const struct dgm_params *params, const struct dgm_feed *feed,
                                 const struct dgm_cutter_step *step, double dropout);

#endif
