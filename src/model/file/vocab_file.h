/*
 * vocab_file.h: vocabularies, of words and of their features, to and from the keys of a model
 * file: arrays of tokens, specials included.
 */
#ifndef DGM_MODEL_VOCAB_FILE_H
#define DGM_MODEL_VOCAB_FILE_H

#include "data/tree/feature.h"
#include "text/bpe/vocab.h"

struct dgm_gguf;
struct dgm_gguf_writer;

/* DGM_MODEL if the key is missing or no vocabulary. */
dgm_status dgm_vocab_from_gguf(struct dgm_env *env, struct dgm_vocab *vocab,
                               const struct dgm_gguf *file, const char *key);
dgm_status dgm_vocab_to_gguf(struct dgm_env *env, const struct dgm_vocab *vocab,
                             struct dgm_gguf_writer *writer, const char *key);

dgm_status dgm_feature_from_gguf(struct dgm_env *env, struct dgm_feature *feature,
                                 const struct dgm_gguf *file, const char *key);
dgm_status dgm_feature_to_gguf(struct dgm_env *env, const struct dgm_feature *feature,
                               struct dgm_gguf_writer *writer, const char *key);

#endif
