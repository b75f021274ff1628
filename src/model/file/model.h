/*
 * model.h: everything that one model file holds: configuration, text pipeline, Transformer.
 *
 * The container is GGUF v3. Keys: general.architecture = "dragoman"; dragoman.config: the options
 * of model and pipeline as `key = value` lines; dragoman.bpe.codes, or, with tokenize = spm,
 * dragoman.spm.source and dragoman.spm.target, the bytes of SentencePiece models (one for both
 * sides if the vocabulary is joint and there is no second one);
 * dragoman.vocab.source and, unless the vocabulary is joint, dragoman.vocab.target: arrays of
 * tokens, specials included,
 * with their counts beside them; dragoman.vocab.tags, .lemma, .upos, .xpos: what words have of
 * features (data/tree/feature.h) where the configuration's syntax needs them. Tensors are the
 * parameters under fairseq's names. dragoman.search says how a model of another program is searched
 * there (search_habits.h). A parser may stand beside them (model/parser/parser.h).
 * Checkpoints add keys under dragoman.state and tensors under state.
 * (train/store/checkpoint.h).
 */
#ifndef DGM_MODEL_MODEL_H
#define DGM_MODEL_MODEL_H

#include "data/text/pipeline.h"
#include "model/file/compute_type.h"
#include "model/net.h"

struct dgm_gguf;
struct dgm_gguf_writer;

/* Keys that others look at, too; the last one is 1 where targets begin with a tag. */
#define DGM_MODEL_CONFIG "dragoman.config"
#define DGM_MODEL_TAGS "dragoman.tags"
#define DGM_MODEL_TARGET_TAGS "dragoman.tags.target"

struct dgm_model {
    struct dgm_settings settings; /* over dgm_model_tables */
    struct dgm_pipeline pipeline;
    struct dgm_net net;
    int has_parser;      /* the file it was read from holds one too: model/parser/parser.h */
    int has_links;       /* its attention has learned links of words: model/guided.h */
    int64_t mean_source; /* tokens of a source of its training text, rounded up; 0: not known */
    int are_singles; /* sources of its training text are single sentences, nine of ten and more */
    struct dgm_settings habits; /* of its search: model/file/search_habits.h */
};

/* The tables of the settings that a model file holds, ended by NULL. */
extern const struct dgm_opt *const dgm_model_tables[];

/* DGM_USAGE where no model can have such settings, whatever its vocabularies: before any text is
 * read. */
dgm_status dgm_model_check(struct dgm_env *env, const struct dgm_settings *settings);
/* DGM_USAGE where an option was typed that the encoder and the decoder of `net` do not have. */
dgm_status dgm_model_check_typed(struct dgm_env *env, const struct dgm_settings *settings,
                                 const struct dgm_net *net);
/*
 * A new model from settings (any set that includes dgm_model_tables) and a pipeline that has its
 * vocabularies; the pipeline is taken over, also on failure. Parameters are declared, not yet
 * allocated: dgm_net_allocate(&model->net), then dgm_params_initialise.
 */
dgm_status dgm_model_make(struct dgm_env *env, struct dgm_model *model,
                          const struct dgm_settings *settings, struct dgm_pipeline *pipeline);

/* Sets an option of settings over dgm_model_tables to what a new model's file says of it: --syntax
 * names every option whose default was another one in older versions. */
dgm_status dgm_model_set(struct dgm_env *env, struct dgm_settings *settings, const char *name,
                         const char *value);

/* A pipeline that fits the settings; its codes and vocabularies are still to be filled in. */
dgm_status dgm_model_pipeline(struct dgm_env *env, struct dgm_pipeline *pipeline,
                              const struct dgm_settings *settings);

/* Reads a model or checkpoint file onto a device. DGM_MODEL says what is wrong with it. `type`: how
 * a translation shall compute, its matrices may be held in fewer bits; NULL: the model serves other
 * ends, too. */
dgm_status dgm_model_load(struct dgm_env *env, struct dgm_model *model, const char *path,
                          struct dgm_device *device, int with_grads,
                          const enum dgm_compute_type *type);
/* The same from a container that is open already. */
dgm_status dgm_model_from_gguf(struct dgm_env *env, struct dgm_model *model,
                               const struct dgm_gguf *file, struct dgm_device *device,
                               int with_grads, const enum dgm_compute_type *type);
/* What a file's configuration and vocabularies declare, without values; the file has a tensor of
 * the right shape for every parameter. */
dgm_status dgm_model_declare(struct dgm_env *env, struct dgm_model *model,
                             const struct dgm_gguf *file);

/*
 * Adds keys and tensors to a writer. `values` receives the host array behind the tensors, or
 * NULL where they are written from their place; the caller releases it after writing.
 */
dgm_status dgm_model_save(struct dgm_env *env, const struct dgm_model *model,
                          struct dgm_gguf_writer *writer, dgm_real **values);

/* The settings as `key = value` lines: what dragoman.config holds. */
dgm_status dgm_model_config_text(struct dgm_env *env, const struct dgm_model *model,
                                 struct dgm_buf *out);

void dgm_model_clear(struct dgm_env *env, struct dgm_model *model);

/* The same model for another user, who computes on `device` and may change its pipeline's tag and
 * its configuration: it shares all else with `of`, which must outlive it and stay as it is.
 * Operands of one device are those of both. */
void dgm_model_beside(struct dgm_model *model, const struct dgm_model *of,
                      struct dgm_device *device);
void dgm_model_clear_beside(struct dgm_env *env, struct dgm_model *model);

#endif
