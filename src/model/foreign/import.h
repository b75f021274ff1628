/*
 * import.h: a model of another program becomes one of ours.
 *
 * A kind of model (import_list.h) reads a configuration and says which options of ours it means,
 * where vocabularies are, and which of their tensors each of our parameters is. The rest is shared:
 * finding files, ordering vocabularies, reading tensors, and looking whether each of theirs has a
 * place. What a network of ours cannot compute is refused by the name of the setting.
 */
#ifndef DGM_MODEL_FOREIGN_IMPORT_H
#define DGM_MODEL_FOREIGN_IMPORT_H

#include "model/file/model.h"
#include "model/foreign/foreign_config.h"
#include "model/foreign/foreign_vocab.h"
#include "tensor/foreign/foreign.h"

/* What the user said; NULL, 0: it is looked for beside the model. */
struct dgm_import_request {
    const char *path; /* a folder, or the file of the weights */
    const char *from; /* a kind's family, or "auto" */
    const char *codes;
    const char *spm[2], *vocabs[2];
    size_t spm_count, vocab_count;
    const char *languages[2];
    const char *tokenize;
};

enum { DGM_IMPORT_NAMES = 4, DGM_IMPORT_NAME = 128 };

/* What one of our parameters is in their file. */
struct dgm_import_place {
    char names[DGM_IMPORT_NAMES][DGM_IMPORT_NAME]; /* the first that is there; others that are there
                                                    * must be equal to it */
    int count;
    int is_transposed;
    int parts, part;    /* rows, or numbers of a vector, are one of so many parts; 0: all */
    int is_table;       /* rows, of a vector numbers, are those of a vocabulary */
    enum dgm_side side; /* that one */
    dgm_real missing;   /* of entries of ours that they have not */
    int is_optional;    /* where none is there, the other entries are 0 */
};

struct dgm_import_kind;

struct dgm_import {
    const struct dgm_import_request *request;
    const struct dgm_import_kind *kind;
    char folder[1024], weights_path[1024];
    struct dgm_foreign weights;
    int has_weights;
    struct dgm_foreign_config config;
    struct dgm_settings settings; /* of ours, over dgm_model_tables */
    struct dgm_settings habits;   /* of its search (search_habits.h) */
    struct dgm_foreign_vocab vocab[2];
    struct dgm_pipeline pipeline;
    struct dgm_model model;
    size_t
        tags_from; /* numbers of theirs from here on that are codes (eng_Latn) are tags; 0: none */
    const char *tied_layers; /* of Marian's decoder, "1, 1": whose arrays each has; "": its own */
    int has_links;           /* attention has learned links of words */
    int lacks_bias;          /* their scores have none, though ours have */
    unsigned char *used;     /* by tensor of theirs */
    struct dgm_buf text;     /* scratch: the file that is read */
};

struct dgm_import_kind {
    const char *family; /* of --from */
    const char *format; /* of the weights (tensor/foreign) */
    const char *type;   /* model_type of config.json beside safetensors; else NULL */
    /* import->config is read: sets import->settings, then calls dgm_import_text. */
    dgm_status (*read)(struct dgm_env *env, struct dgm_import *import);
    /* 0 where it knows no such parameter. */
    int (*place)(const struct dgm_import *import, const char *name, struct dgm_import_place *place);
    /* What their names of languages stand between, ">>" and "<<": our tag of ">>de<<" is <de>; or
     * NULL. */
    const char *tag_open, *tag_close;
    int has_target_tags; /* their translations begin with one of these */
    /* Of their tensors those that no network needs, as prefixes, ended by NULL. */
    const char *const *spares;
    const char *spare_end; /* and those whose names end so; or NULL */
    /* The tensor of positions, which must be the ones of our kind; NULL: none. */
    const char *const *positions;
};

extern const struct dgm_import_kind *const dgm_import_kinds[]; /* ended by NULL */

/* ---- for whoever imports --------------------------------------------------------------------- */

/* Finds and reads everything but the numbers: import->model is declared then. Cleared in any case.
 */
dgm_status dgm_import_open(struct dgm_env *env, struct dgm_import *import,
                           const struct dgm_import_request *request);
/* That every parameter has its tensor, of its shape, and every tensor a place; appends a line for
 * each to `report`, unless that is NULL. */
dgm_status dgm_import_check(struct dgm_env *env, struct dgm_import *import, struct dgm_buf *report);
/* Reads all numbers into import->model, on `device`. */
dgm_status dgm_import_load(struct dgm_env *env, struct dgm_import *import,
                           struct dgm_device *device);
void dgm_import_clear(struct dgm_env *env, struct dgm_import *import);

/* ---- for kinds ------------------------------------------------------------------------------- */

/* The path of a file in the folder, if it is there: 1. */
int dgm_import_find(struct dgm_env *env, const struct dgm_import *import, const char *name,
                    char path[1024]);
int dgm_import_ends(const char *name, const char *end);
/* The path of the file in the folder whose name ends in one of these, if it is the only one; *count
 * of them are there. */
dgm_status dgm_import_find_end(struct dgm_env *env, const struct dgm_import *import,
                               const char *const *ends, char path[1024], int *count);
/* Sets an option of ours. */
dgm_status dgm_import_set(struct dgm_env *env, struct dgm_import *import, const char *name,
                          const char *value);
/* Says how its program searches, in the names of search_habits.h; `origin`: the file that said so.
 */
dgm_status dgm_import_habit(struct dgm_env *env, struct dgm_import *import, const char *name,
                            const char *value, const char *origin);
dgm_status dgm_import_set_int(struct dgm_env *env, struct dgm_import *import, const char *name,
                              int64_t value);
/* A whole number of theirs, in their configuration under one name or, where a network of ours has
 * it once, two, and our option of it. */
struct dgm_import_size {
    const char *theirs, *also; /* also: or NULL */
    const char *ours;
    int64_t low, high;
    int64_t fallback; /* where there is none; 0: there must be one */
};
/* Sets the options of sizes up to one without a name. */
dgm_status dgm_import_sizes(struct dgm_env *env, struct dgm_import *import,
                            const struct dgm_import_size *sizes);
/* Sets tied-embeddings. */
dgm_status dgm_import_tie(struct dgm_env *env, struct dgm_import *import, int all, int decoder);
/* Rows of the first tensor of these names that is there; DGM_MODEL for none. */
dgm_status dgm_import_rows(struct dgm_env *env, const struct dgm_import *import,
                           const char *const *names, size_t *rows);
int dgm_import_has(const struct dgm_import *import, const char *name);
/* Adds a name to a place. */
void dgm_import_name(struct dgm_import_place *place, const char *format, ...) DGM_FORMAT(2, 3);
/* Splits "encoder.layers.3.fc1.weight" into side, layer and "fc1.weight"; 0 for other names. */
int dgm_import_split(const char *name, enum dgm_side *side, int *layer, const char **tail);

/* ---- texts (import_text.c) ------------------------------------------------------------------- */

/* Fills import->vocab[side] from a file: .json, .yml, .spm, .model, or a token on a line. */
dgm_status dgm_import_vocab(struct dgm_env *env, struct dgm_import *import, int side,
                            const char *path);
/* DGM_MODEL unless the vocabulary has all four special entries: a model without a bias of its
 * scores cannot leave one out of a sum of probabilities. */
dgm_status dgm_import_need_specials(struct dgm_env *env, const struct dgm_import *import, int side,
                                    const struct dgm_foreign_specials *specials);
/* ---- SentencePiece models (import_spm.c) ----------------------------------------------------- */

/* The files of these names, one for both sides or two, that lie beside the model: spm[] points to
 * paths[] or is NULL. DGM_MODEL for one of two, unless the user said what cuts text. */
dgm_status dgm_import_find_spm(struct dgm_env *env, const struct dgm_import *import,
                               const char *const names[2], char paths[2][1024], const char *spm[2]);
/* Whether the user named nothing that cuts text. */
int dgm_import_needs_spm(const struct dgm_import *import);
/* Of the models that lie there, spm[], and the user's those that cut text; after the vocabularies.
 * DGM_USAGE where the user asks for words or codes beside models that lie there. */
dgm_status dgm_import_choose_spm(struct dgm_env *env, const struct dgm_import *import,
                                 const char *spm[2]);
/* All of it for a program without names of its own for such files: what lies there counts where the
 * vocabularies consist of its pieces. */
dgm_status dgm_import_guess_spm(struct dgm_env *env, const struct dgm_import *import,
                                char paths[2][1024], const char *spm[2]);

/* ---- all of a text (import_text.c) ----------------------------------------------------------- */

/*
 * The vocabularies in our order, SentencePiece models or codes, tags. spm: the paths of both
 * sides' models, or NULL. `rows`: of the embeddings of each side.
 */
dgm_status dgm_import_text(struct dgm_env *env, struct dgm_import *import,
                           const struct dgm_foreign_specials specials[2], const size_t rows[2],
                           const char *const spm[2]);

#endif
