/*
 * parameters.h: declaring parameters by the tail of their names, so that declarations read as
 * lists.
 */
#ifndef DGM_MODEL_PARAMETERS_H
#define DGM_MODEL_PARAMETERS_H

#include "model/net.h"

/* Where declarations go. */
struct dgm_scope {
    struct dgm_env *env;
    struct dgm_net *net;
    char prefix[64]; /* "encoder.layers.0." */
};

enum { DGM_NAME_SIZE = 160 };

/* The full name of a parameter, in name[DGM_NAME_SIZE]. */
void dgm_declare_name(const struct dgm_scope *scope, char *name, const char *tail);

/* Xavier with a gain; `below`: right under the parameter declared before (param.h). */
dgm_status dgm_declare_matrix(const struct dgm_scope *scope, dgm_param_id *id, const char *tail,
                              int64_t rows, int64_t cols, double gain, int below);
dgm_status dgm_declare_vector(const struct dgm_scope *scope, dgm_param_id *id, const char *tail,
                              int64_t count, enum dgm_init init, int below);

/* The embeddings of both sides and the output matrix: one, two or three, as tied-embeddings
 * says. */
dgm_status dgm_declare_embeddings(struct dgm_env *env, struct dgm_net *net);

#endif
