/*
 * loaded.h: what a model's file holds, the parser inside it included, in memory, to be used by any
 * number of translators in any number of threads.
 *
 * Nothing here changes after it was loaded: each user has a dgm_model, and a dgm_parser, beside it
 * (dgm_model_beside, dgm_parser_beside), on a device of its own of the same instruction set.
 */
#ifndef DGM_MODEL_LOADED_H
#define DGM_MODEL_LOADED_H

#include "model/file/model.h"
#include "model/parser/parser.h"

struct dgm_loaded {
    struct dgm_model model;
    struct dgm_parser parser; /* where model.has_parser says so */
    char name[256];           /* of the file, for messages */
};

/*
 * Loads the model of a container (dgm_gguf_open, dgm_gguf_open_memory), which may be closed
 * afterwards, onto a device; `type`: how its matrices are multiplied. DGM_MODEL says what is wrong
 * with it, and there is nothing to clear then.
 */
dgm_status dgm_loaded_read(struct dgm_env *env, struct dgm_loaded *loaded,
                           const struct dgm_gguf *file, struct dgm_device *device,
                           enum dgm_compute_type type);
void dgm_loaded_clear(struct dgm_env *env, struct dgm_loaded *loaded);

#endif
