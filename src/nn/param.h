/*
 * param.h: the parameters of a model: named matrices in one flat device buffer, their gradients
 * in another of the same layout.
 *
 * Life: declare every parameter, allocate once, then initialise or load. For translation, matrices
 * that were declared so may lie outside the flat buffer, in another form (dgm_params_hold). One
 * flat buffer makes the optimiser, the gradient norm, averaging and, later, the exchange between
 * machines a loop over one array. Names are fairseq's where fairseq has the parameter (doc: names
 * and shapes).
 */
#ifndef DGM_NN_PARAM_H
#define DGM_NN_PARAM_H

#include "base/map.h"
#include "graph/graph.h"
#include "tensor/init.h"

struct dgm_param {
    char name[128];
    int64_t rows, cols; /* a vector has rows = 1 */
    int rank;           /* 1 or 2, as it is stored in files */
    enum dgm_init init;
    double scale;
    int64_t blocks; /* gates below one another: of an orthogonal matrix, of a bias */
    double rate;    /* an optimiser's steps are multiplied by it; 1 unless said otherwise */
    int64_t offset; /* first element in the flat buffers */
    int is_below;   /* right behind the parameter before */
    int is_plain;   /* nothing reads it but look-ups and products by its rows as they stand */
    struct dgm_buffer *weights; /* where it lies in another form; NULL: in the flat buffer */
    int64_t weights_row;        /* its first row there: those below one another share a buffer */
};

struct dgm_params {
    struct dgm_param *items;
    size_t count, capacity;
    struct dgm_map index;      /* name -> number */
    int64_t total;             /* elements of the flat buffers, padding included */
    struct dgm_device *device; /* NULL until allocated */
    struct dgm_buffer *values, *grads;
    struct dgm_buffer *room; /* of the matrices that are held in another form */
    enum dgm_weights held;   /* that form; the flat buffer has no place for such matrices */
};

/* A reference to a parameter; -1 where an option makes it superfluous. */
typedef int dgm_param_id;

/* A dense layer, y = x weight^T + bias; bias -1: none. */
struct dgm_dense {
    dgm_param_id weight, bias;
};

/* A matrix (rows, cols) that starts at a multiple of 64 bytes. A duplicate name is an error. */
dgm_status dgm_params_matrix(struct dgm_env *env, struct dgm_params *params, dgm_param_id *id,
                             const char *name, int64_t rows, int64_t cols, enum dgm_init init,
                             double scale);
dgm_status dgm_params_vector(struct dgm_env *env, struct dgm_params *params, dgm_param_id *id,
                             const char *name, int64_t count, enum dgm_init init);
/* Makes a declared matrix that starts orthogonal a stack of `blocks` such matrices, one per gate;
 * its rows are a multiple of `blocks`. */
void dgm_params_blocks(struct dgm_params *params, dgm_param_id id, int64_t blocks);
/* Makes a declared parameter, whose elements are `blocks` gates below one another, start with
 * `value` in the first gate and with zeros in the others. */
void dgm_params_first_block(struct dgm_params *params, dgm_param_id id, int64_t blocks,
                            double value);
/* Makes a declared parameter take steps `rate` times as long as others'. */
void dgm_params_rate(struct dgm_params *params, dgm_param_id id, double rate);
/* Says of a declared matrix that nothing reads it but tasks that can read it in fewer bits
 * (device/weights.h). */
void dgm_params_plain(struct dgm_params *params, dgm_param_id id);
/* The opposite, of one that was declared plain: it is held in reals. */
void dgm_params_real(struct dgm_params *params, dgm_param_id id);
/* "<name>.weight" (rows, cols), Xavier, and, with_bias, "<name>.bias" (rows), zeros. */
dgm_status dgm_params_linear(struct dgm_env *env, struct dgm_params *params, const char *name,
                             int64_t rows, int64_t cols, int with_bias);
/* As _matrix and _vector, but right behind the parameter declared before, without padding: a run
 * of such parameters can be used as one tall matrix (dgm_params_stack). */
dgm_status dgm_params_matrix_below(struct dgm_env *env, struct dgm_params *params, dgm_param_id *id,
                                   const char *name, int64_t rows, int64_t cols, enum dgm_init init,
                                   double scale);
dgm_status dgm_params_vector_below(struct dgm_env *env, struct dgm_params *params, dgm_param_id *id,
                                   const char *name, int64_t count, enum dgm_init init);

/* Parameters without padding: what papers count. */
int64_t dgm_params_count(const struct dgm_params *params);

/* Whether a parameter can be held in another form: a plain matrix of a size that pays. */
int dgm_params_narrows(const struct dgm_param *param, enum dgm_weights weights);
/* To be called before memory is taken: such parameters will be held so, for translation alone, on a
 * device that has such weights. */
void dgm_params_hold(struct dgm_params *params, enum dgm_weights weights);
/* Device memory for values and, if `with_grads`, gradients; both zero. */
dgm_status dgm_params_allocate(struct dgm_env *env, struct dgm_params *params,
                               struct dgm_device *device, int with_grads);
/* Draws all values from the seed. */
dgm_status dgm_params_initialise(struct dgm_env *env, struct dgm_params *params, uint64_t seed);
/* Gradients of zero, before a batch. */
dgm_status dgm_params_zero_grads(struct dgm_env *env, struct dgm_params *params);
void dgm_params_clear(struct dgm_env *env, struct dgm_params *params);

/* Number of a name, or -1. */
dgm_param_id dgm_params_find(const struct dgm_params *params, const char *name);

/* Host copies of one parameter: rows * cols reals. */
dgm_status dgm_params_read(struct dgm_env *env, const struct dgm_params *params, dgm_param_id id,
                           dgm_real *out);
dgm_status dgm_params_read_grad(struct dgm_env *env, const struct dgm_params *params,
                                dgm_param_id id, dgm_real *out);
dgm_status dgm_params_write(struct dgm_env *env, struct dgm_params *params, dgm_param_id id,
                            const dgm_real *values);

/* Rows row .. row + count - 1 of a parameter that lies in another form. */
void dgm_params_write_rows(struct dgm_params *params, dgm_param_id id, int64_t row, int64_t count,
                           const dgm_real *values);

/* Where the values of a parameter are in the memory of the host, for a caller who fills them in;
 * NULL if they have to be written. */
dgm_real *dgm_params_place(const struct dgm_params *params, dgm_param_id id);

/* Where its values lie on the device, in the flat buffer or in fewer bits. */
struct dgm_ref dgm_params_ref(const struct dgm_params *params, dgm_param_id id);

/* The parameter as a leaf of a graph; NULL for id -1. */
struct dgm_node *dgm_params_node(struct dgm_graph *g, const struct dgm_params *params,
                                 dgm_param_id id);
/* `count` parameters, declared below one another from `first` on, as one tall leaf; a run of
 * vectors becomes one long vector (1, sum). */
struct dgm_node *dgm_params_stack(struct dgm_graph *g, const struct dgm_params *params,
                                  dgm_param_id first, int count);
/* Rows first .. first+count-1 of a matrix as a leaf. */
struct dgm_node *dgm_params_rows(struct dgm_graph *g, const struct dgm_params *params,
                                 dgm_param_id id, int64_t first, int64_t count);

#endif
