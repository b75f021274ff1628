/*
 * translation.h: a translation model in training; shared by translation.c, translation_data.c,
 * translation_parses.c, translation_trees.c and translation_valid.c.
 */
#ifndef DGM_TRAIN_TRANSLATION_TRANSLATION_H
#define DGM_TRAIN_TRANSLATION_TRANSLATION_H

#include "data/multitask.h"
#include "data/order.h"
#include "model/model.h"
#include "model/parser/parser.h"
#include "train/session.h"

/* What replica->self is. */
struct dgm_translation_replica {
    const struct dgm_net *net;
    struct dgm_net copy; /* that, on all devices but the first */
    struct dgm_step step;
    struct dgm_node *loss;                /* (M,2) of the graph built last */
    struct dgm_parse_losses parse_losses; /* of the same, in training */
};

/* What session->self is. */
struct dgm_translation {
    struct dgm_model model;
    struct dgm_parser parser; /* of --parser, or of the checkpoint; stays as it is */
    int has_parser;
    dgm_real *parser_values; /* its parameters on the host, behind the file being written */
    struct dgm_corpus train, valid;
    struct dgm_parses parses; /* of a multi-task model, until the corpus holds them */
    struct dgm_order_options order_options;
    struct dgm_order order;
    struct dgm_batch batch;
    struct dgm_loss_shares shares; /* of an update of several batches */
    struct dgm_batch ahead;        /* for looking at them */
    dgm_real *losses;              /* of a graph, on the host */
    size_t loss_capacity;
};

extern const struct dgm_learner dgm_translation_learner;

/* Stages the packed batch and builds its graph up to the loss. */
dgm_status dgm_translation_build(struct dgm_session *session, struct dgm_replica *replica,
                                 int training, double smoothing);
/* After its run: the losses (smoothed, plain) summed over all target rows. */
dgm_status dgm_translation_read(struct dgm_session *session, struct dgm_replica *replica,
                                double sums[2], int64_t *labels);

/* translation_data.c: the files that the options name. */
dgm_status dgm_translation_check_files(struct dgm_session *session);
/* Completes a pipeline from the training text. */
dgm_status dgm_translation_learn(struct dgm_session *session, struct dgm_pipeline *pipeline);
/* Encodes training and validation text. */
dgm_status dgm_translation_load(struct dgm_session *session);

/* translation_trees.c: the parser that goes into the model, from --parser or from a checkpoint;
 * where both are there they must be the same. checkpoint: NULL for a new run. */
dgm_status dgm_translation_take_parser(struct dgm_session *session,
                                       const struct dgm_gguf *checkpoint);
/* The file that an option names for trees, or NULL: no option, or "none", which *none tells apart. */
const char *dgm_translation_trees_of(const struct dgm_session *session, const char *option,
                                     int *none);
/* DGM_USAGE unless the trees that the model needs are there, of training and of validation text: from
 * a file or from the parser; or somebody means to have none. */
dgm_status dgm_translation_check_trees(struct dgm_session *session);
/* Completes a pipeline with the tags that its source will have, if the model's syntax needs any:
 * labels of the parser and relations of --train-trees. */
dgm_status dgm_translation_learn_relations(struct dgm_session *session,
                                           struct dgm_pipeline *pipeline);
/* Whether so many words wait that they are parsed now; DGM_INTERRUPTED: the run is to stop. */
dgm_status dgm_translation_parse_is_due(const struct dgm_session *session, int64_t waiting,
                                        int *is_due);
/* A text and its trees: those of a file or, where that is NULL, those that the parser makes if the
 * model uses any. `name` is for the log. */
struct dgm_translation_text {
    const char *name;
    struct dgm_corpus_files files;
    int parse; /* by the parser, where there is no file of the source's trees */
    int32_t longest;
    enum dgm_bad_line on_bad;
};
dgm_status dgm_translation_read_text(struct dgm_session *session, struct dgm_corpus *corpus,
                                     const struct dgm_translation_text *text);

/* translation_parses.c: of a multi-task model, the parses of all lines of the training text, into
 * self->parses; nothing if they are there. The words of the text are those of `pipeline`. */
dgm_status dgm_translation_parses(struct dgm_session *session, struct dgm_pipeline *pipeline);
/* Adds the parse pairs to the training corpus. */
dgm_status dgm_translation_add_parses(struct dgm_session *session);

/* translation_valid.c: cross-entropy and, if it decides, BLEU. */
dgm_status dgm_translation_validate(struct dgm_session *session);
/* What the search for these translations takes. */
dgm_status dgm_translation_valid_bytes(struct dgm_session *session, double *bytes);

#endif
