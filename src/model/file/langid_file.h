/*
 * langid_file.h: a model of languages to and from a file.
 *
 * The container is GGUF v3. Keys: general.architecture = "dragoman"; dragoman.langid.version = 1,
 * of the n-grams (text/langid/langid_reader.h); dragoman.langid.languages, their codes;
 * dragoman.langid.scale. Tensors: langid.keys (grams) i32, ascending as numbers without a sign;
 * langid.weights (grams,languages) i8.
 */
#ifndef DGM_MODEL_FILE_LANGID_FILE_H
#define DGM_MODEL_FILE_LANGID_FILE_H

#include "text/langid/langid_model.h"

#define DGM_LANGID_CODES_KEY "dragoman.langid.languages"

struct dgm_gguf;

/* Whether the file holds a model of languages. */
int dgm_langid_is_in(const struct dgm_gguf *file);
/* Reads and checks a whole file; DGM_MODEL says what is wrong with it. */
dgm_status dgm_langid_read(struct dgm_env *env, struct dgm_langid_model *model, const char *path);
/* The same of a container that is in memory. */
dgm_status dgm_langid_take(struct dgm_env *env, struct dgm_langid_model *model,
                           const struct dgm_gguf *file);
dgm_status dgm_langid_write(struct dgm_env *env, const struct dgm_langid_model *model,
                            const char *path);

#endif
