/*
 * param_file.h: parameters to and from the tensors of a GGUF file.
 */
#ifndef DGM_NN_PARAM_FILE_H
#define DGM_NN_PARAM_FILE_H

#include "nn/param.h"
#include "tensor/gguf/gguf_rules.h"

struct dgm_gguf;
struct dgm_gguf_writer;

/*
 * Whether the file has a tensor for every parameter. A missing tensor, an unknown one and a wrong
 * shape are DGM_MODEL; tensors whose names begin with one of `others` (ended by NULL; may be NULL)
 * belong to somebody else. To be asked before memory is taken for what a configuration declares.
 */
dgm_status dgm_params_check(struct dgm_env *env, const struct dgm_params *params,
                            const struct dgm_gguf *file, const char *const *others);

/* The same, then reads every parameter from the tensor of its name. From a file that is open only
 * (dgm_gguf_open) all threads of the device read, and every tensor is compared with its
 * checksum. */
dgm_status dgm_params_load(struct dgm_env *env, struct dgm_params *params,
                           const struct dgm_gguf *file, const char *const *others);

/* The same from an open file whose tensors were compared with their checksums just before, by
 * another who loaded from it: those that belong to no parameter are not read again. */
dgm_status dgm_params_load_own(struct dgm_env *env, struct dgm_params *params,
                               const struct dgm_gguf *file, const char *const *others);

/*
 * Adds every parameter to a writer as `type`. `values` receives one host array that holds them
 * all, or NULL where they are written from their place; the caller frees it after writing.
 */
dgm_status dgm_params_save(struct dgm_env *env, const struct dgm_params *params,
                           struct dgm_gguf_writer *writer, enum dgm_gguf_type type,
                           dgm_real **values);

#endif
