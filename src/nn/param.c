/*
 * param.c: named parameters in one flat buffer.
 */
#include "nn/param.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "device/reals.h"

enum { ALIGNMENT = 64 / sizeof(dgm_real) };

/* The next parameter's place in the flat buffers. */
static void place(struct dgm_params *params, struct dgm_param *param)
{
    if (!param->is_below)
        params->total = (params->total + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    param->offset = params->total;
    params->total += param->rows * param->cols;
}

static dgm_status declare(struct dgm_env *env, struct dgm_params *params, dgm_param_id *id,
                          const char *name, const struct dgm_param *shape, int below)
{
    struct dgm_map_entry *entry;
    struct dgm_param *param;
    size_t length = strlen(name);
    int is_new;

    if (length >= sizeof param->name)
        return dgm_fail(env, DGM_FAILURE, "parameter name \"%s\" is too long", name);
    DGM_TRY(dgm_grow(env, &params->items, &params->capacity, params->count, sizeof *params->items));
    DGM_TRY(dgm_map_insert(env, &params->index, name, length, &entry, &is_new));
    if (!is_new)
        return dgm_fail(env, DGM_USAGE,
                        "parameter \"%s\" is declared twice; expected "
                        "different names",
                        name);
    entry->value = (int64_t)params->count;
    param = &params->items[params->count];
    *param = *shape;
    memcpy(param->name, name, length + 1);
    param->is_below = below;
    place(params, param);
    *id = (dgm_param_id)params->count++;
    return DGM_OK;
}

static struct dgm_param matrix_shape(int64_t rows, int64_t cols, enum dgm_init init, double scale)
{
    return (struct dgm_param){
        .rows = rows, .cols = cols, .rank = 2, .init = init, .scale = scale, .blocks = 1, .rate = 1
    };
}

static struct dgm_param vector_shape(int64_t count, enum dgm_init init)
{
    struct dgm_param shape = matrix_shape(1, count, init, 1);

    shape.rank = 1;
    return shape;
}

dgm_status dgm_params_matrix(struct dgm_env *env, struct dgm_params *params, dgm_param_id *id,
                             const char *name, int64_t rows, int64_t cols, enum dgm_init init,
                             double scale)
{
    struct dgm_param shape = matrix_shape(rows, cols, init, scale);
    return declare(env, params, id, name, &shape, 0);
}

dgm_status dgm_params_vector(struct dgm_env *env, struct dgm_params *params, dgm_param_id *id,
                             const char *name, int64_t count, enum dgm_init init)
{
    struct dgm_param shape = vector_shape(count, init);
    return declare(env, params, id, name, &shape, 0);
}

void dgm_params_blocks(struct dgm_params *params, dgm_param_id id, int64_t blocks)
{
    params->items[id].blocks = blocks;
}

void dgm_params_first_block(struct dgm_params *params, dgm_param_id id, int64_t blocks,
                            double value)
{
    params->items[id].init = DGM_INIT_FIRST_BLOCK;
    params->items[id].scale = value;
    params->items[id].blocks = blocks;
}

void dgm_params_rate(struct dgm_params *params, dgm_param_id id, double rate)
{
    params->items[id].rate = rate;
}

void dgm_params_plain(struct dgm_params *params, dgm_param_id id)
{
    params->items[id].is_plain = 1;
}

void dgm_params_real(struct dgm_params *params, dgm_param_id id)
{
    params->items[id].is_plain = 0;
}

dgm_status dgm_params_linear(struct dgm_env *env, struct dgm_params *params, const char *name,
                             int64_t rows, int64_t cols, int with_bias)
{
    char full[sizeof params->items->name + 8];
    dgm_param_id id;

    snprintf(full, sizeof full, "%s.weight", name);
    DGM_TRY(dgm_params_matrix(env, params, &id, full, rows, cols, DGM_INIT_XAVIER, 1));
    if (!with_bias)
        return DGM_OK;
    snprintf(full, sizeof full, "%s.bias", name);
    return dgm_params_vector(env, params, &id, full, rows, DGM_INIT_ZERO);
}

dgm_status dgm_params_matrix_below(struct dgm_env *env, struct dgm_params *params, dgm_param_id *id,
                                   const char *name, int64_t rows, int64_t cols, enum dgm_init init,
                                   double scale)
{
    struct dgm_param shape = matrix_shape(rows, cols, init, scale);
    return declare(env, params, id, name, &shape, 1);
}

dgm_status dgm_params_vector_below(struct dgm_env *env, struct dgm_params *params, dgm_param_id *id,
                                   const char *name, int64_t count, enum dgm_init init)
{
    struct dgm_param shape = vector_shape(count, init);
    return declare(env, params, id, name, &shape, 1);
}

int64_t dgm_params_count(const struct dgm_params *params)
{
    int64_t count = 0;
    size_t i;

    for (i = 0; i < params->count; i++)
        count += params->items[i].rows * params->items[i].cols;
    return count;
}

/* ---- weights in another form ----------------------------------------------------------------- */

/* Fewer rows or columns than a panel has are not worth it, and cost as much as one. */
enum { LEAST_SIDE = 16 };

int dgm_params_narrows(const struct dgm_param *param, enum dgm_weights weights)
{
    return weights != DGM_WEIGHTS_REAL && param->is_plain && param->rank == 2 &&
           param->rows >= LEAST_SIDE && param->cols >= LEAST_SIDE &&
           param->cols <= dgm_weights_most_columns(weights);
}

void dgm_params_hold(struct dgm_params *params, enum dgm_weights weights)
{
    params->held = weights;
    params->total = 0;
    for (size_t i = 0; i < params->count; i++)
        if (!dgm_params_narrows(&params->items[i], weights))
            place(params, &params->items[i]);
}

/* Whether a parameter lies in the same matrix as the one before. */
static int continues(const struct dgm_params *params, size_t i)
{
    const struct dgm_param *param = &params->items[i];

    return i > 0 && param->is_below && dgm_params_narrows(param, params->held) &&
           dgm_params_narrows(param - 1, params->held) && param[-1].cols == param->cols;
}

/* Parameters i .. end - 1 stand below one another, in one matrix of `rows` rows; returns end. */
static size_t find_stack(struct dgm_params *params, size_t i, int64_t *rows)
{
    *rows = 0;
    do {
        params->items[i].weights_row = *rows;
        *rows += params->items[i++].rows;
    } while (i < params->count && continues(params, i));
    return i;
}

/* Calls fn for each matrix in another form: parameters i .. end - 1, of `rows` rows. */
static dgm_status for_each_stack(struct dgm_env *env, struct dgm_params *params, size_t *at,
                                 dgm_status (*fn)(struct dgm_env *env, struct dgm_params *params,
                                                  size_t i, size_t end, int64_t rows, size_t *at))
{
    for (size_t i = 0, end; i < params->count; i = end) {
        int64_t rows;

        end = i + 1;
        if (!dgm_params_narrows(&params->items[i], params->held))
            continue;
        end = find_stack(params, i, &rows);
        DGM_TRY(fn(env, params, i, end, rows, at));
    }
    return DGM_OK;
}

static dgm_status add_bytes(struct dgm_env *env, struct dgm_params *params, size_t i, size_t end,
                            int64_t rows, size_t *at)
{
    size_t bytes;

    (void)end;
    DGM_TRY(params->device->ops->weights_bytes(env, params->device, &bytes, params->held, rows,
                                               params->items[i].cols));
    if (!dgm_size_add(at, *at, bytes))
        return dgm_fail(env, DGM_MEMORY, "the model's weights do not fit into memory");
    return DGM_OK;
}

static dgm_status allocate_stack(struct dgm_env *env, struct dgm_params *params, size_t i,
                                 size_t end, int64_t rows, size_t *at)
{
    const struct dgm_ref room = { params->room, *at };
    struct dgm_param *param = &params->items[i];

    DGM_TRY(params->device->ops->alloc_weights(env, params->device, &param->weights, room,
                                               params->held, rows, param->cols));
    for (size_t j = i + 1; j < end; j++)
        params->items[j].weights = param->weights;
    return add_bytes(env, params, i, end, rows, at);
}

/* All of them in one buffer: it may have large pages. */
static dgm_status allocate_weights(struct dgm_env *env, struct dgm_params *params)
{
    size_t bytes = 0, at = 0;

    if (params->held == DGM_WEIGHTS_REAL)
        return DGM_OK;
    DGM_TRY(for_each_stack(env, params, &bytes, add_bytes));
    DGM_TRY(dgm_device_alloc(env, params->device, &params->room, bytes));
    return for_each_stack(env, params, &at, allocate_stack);
}

static void release_weights(struct dgm_env *env, struct dgm_params *params)
{
    for (size_t i = 0; i < params->count; i++)
        if (params->items[i].weights != NULL && params->items[i].weights_row == 0)
            dgm_device_release(env, params->device, params->items[i].weights);
    dgm_device_release(env, params->device, params->room);
}

/* ---- memory and values ----------------------------------------------------------------------- */

dgm_status dgm_params_allocate(struct dgm_env *env, struct dgm_params *params,
                               struct dgm_device *device, int with_grads)
{
    assert(params->held == DGM_WEIGHTS_REAL || !with_grads);
    params->device = device;
    DGM_TRY(dgm_reals_alloc(env, device, &params->values, params->total, 1));
    DGM_TRY(allocate_weights(env, params));
    if (!with_grads && device->ops->keep != NULL)
        device->ops->keep(env, device, params->values);
    if (with_grads)
        DGM_TRY(dgm_reals_alloc(env, device, &params->grads, params->total, 1));
    return DGM_OK;
}

static dgm_status draw(struct dgm_env *env, const struct dgm_param *param, dgm_real *values,
                       uint64_t seed, uint32_t number)
{
    if (param->init == DGM_INIT_ORTHOGONAL)
        return dgm_init_orthogonal(env, values, param->rows, param->cols, param->blocks,
                                   param->scale, seed, number);
    if (param->init == DGM_INIT_FIRST_BLOCK)
        dgm_init_first_block(values, param->rows * param->cols, param->blocks, param->scale);
    else
        dgm_init_fill(values, param->rows, param->cols, param->init, param->scale, seed, number);
    return DGM_OK;
}

dgm_status dgm_params_initialise(struct dgm_env *env, struct dgm_params *params, uint64_t seed)
{
    size_t i;

    for (i = 0; i < params->count; i++) {
        const struct dgm_param *param = &params->items[i];
        dgm_real *values = dgm_alloc(env, (size_t)(param->rows * param->cols), sizeof *values);
        dgm_status status;

        if (values == NULL)
            return DGM_MEMORY;
        status = draw(env, param, values, seed, (uint32_t)i);
        if (status == DGM_OK)
            status = dgm_params_write(env, params, (dgm_param_id)i, values);
        dgm_release(env, values);
        DGM_TRY(status);
    }
    return DGM_OK;
}

dgm_status dgm_params_zero_grads(struct dgm_env *env, struct dgm_params *params)
{
    struct dgm_fill_args fill = { 0 };

    fill.y.buffer = params->grads;
    fill.count = params->total;
    return dgm_device_run(env, params->device, DGM_TASK_fill, &fill);
}

void dgm_params_clear(struct dgm_env *env, struct dgm_params *params)
{
    if (params->device != NULL) {
        release_weights(env, params);
        dgm_device_release(env, params->device, params->grads);
        dgm_device_release(env, params->device, params->values);
    }
    dgm_map_clear(env, &params->index);
    dgm_release(env, params->items);
    memset(params, 0, sizeof *params);
}

dgm_param_id dgm_params_find(const struct dgm_params *params, const char *name)
{
    const struct dgm_map_entry *entry = dgm_map_find(&params->index, name, strlen(name));
    return entry != NULL ? (dgm_param_id)entry->value : -1;
}

static struct dgm_ref element_ref(struct dgm_buffer *buffer, const struct dgm_param *param)
{
    struct dgm_ref ref;

    ref.buffer = buffer;
    ref.offset = (size_t)param->offset * sizeof(dgm_real);
    return ref;
}

/* Its values, wherever they lie. */
static struct dgm_ref value_ref(const struct dgm_params *params, const struct dgm_param *param)
{
    struct dgm_ref ref = { param->weights, 0 };

    if (param->weights == NULL)
        return element_ref(params->values, param);
    ref.offset = (size_t)(param->weights_row * param->cols) * sizeof(dgm_real);
    return ref;
}

static size_t param_bytes(const struct dgm_param *param)
{
    return (size_t)(param->rows * param->cols) * sizeof(dgm_real);
}

dgm_status dgm_params_read(struct dgm_env *env, const struct dgm_params *params, dgm_param_id id,
                           dgm_real *out)
{
    const struct dgm_param *param = &params->items[id];
    assert(param->weights == NULL);
    return dgm_device_read(env, params->device, out, element_ref(params->values, param),
                           param_bytes(param));
}

dgm_status dgm_params_read_grad(struct dgm_env *env, const struct dgm_params *params,
                                dgm_param_id id, dgm_real *out)
{
    const struct dgm_param *param = &params->items[id];
    return dgm_device_read(env, params->device, out, element_ref(params->grads, param),
                           param_bytes(param));
}

void dgm_params_write_rows(struct dgm_params *params, dgm_param_id id, int64_t row, int64_t count,
                           const dgm_real *values)
{
    const struct dgm_param *param = &params->items[id];

    params->device->ops->write_weights(params->device, param->weights, param->weights_row + row,
                                       count, values);
}

dgm_status dgm_params_write(struct dgm_env *env, struct dgm_params *params, dgm_param_id id,
                            const dgm_real *values)
{
    const struct dgm_param *param = &params->items[id];

    if (param->weights != NULL) {
        dgm_params_write_rows(params, id, 0, param->rows, values);
        return DGM_OK;
    }
    return dgm_device_write(env, params->device, element_ref(params->values, param), values,
                            param_bytes(param));
}

dgm_real *dgm_params_place(const struct dgm_params *params, dgm_param_id id)
{
    const struct dgm_device_ops *ops = params->device->ops;
    const struct dgm_param *param = &params->items[id];

    return ops->place != NULL && param->weights == NULL
               ? ops->place(element_ref(params->values, param))
               : NULL;
}

struct dgm_ref dgm_params_ref(const struct dgm_params *params, dgm_param_id id)
{
    return value_ref(params, &params->items[id]);
}

struct dgm_node *dgm_params_node(struct dgm_graph *g, const struct dgm_params *params,
                                 dgm_param_id id)
{
    return id < 0 ? NULL : dgm_params_stack(g, params, id, 1);
}

struct dgm_node *dgm_params_stack(struct dgm_graph *g, const struct dgm_params *params,
                                  dgm_param_id first, int count)
{
    const struct dgm_param *param = &params->items[first];
    struct dgm_ref grad = { NULL, 0 };
    int64_t rows = 0, cols = 0;
    int i;

    for (i = 0; i < count; i++) {
        assert(param->rank == 1 || (param[i].weights == NULL) == (param->weights == NULL));
        rows += param[i].rows;
        cols += param[i].cols;
    }
    if (params->grads != NULL)
        grad = element_ref(params->grads, param);
    if (param->rank == 1)
        return dgm_leaf(g, element_ref(params->values, param), grad, 1, cols);
    return dgm_leaf(g, value_ref(params, param), grad, rows, param->cols);
}

struct dgm_node *dgm_params_rows(struct dgm_graph *g, const struct dgm_params *params,
                                 dgm_param_id id, int64_t first, int64_t count)
{
    const struct dgm_param *param = &params->items[id];
    size_t before = (size_t)(first * param->cols) * sizeof(dgm_real);
    struct dgm_ref grad = { NULL, 0 };

    if (params->grads != NULL)
        grad = dgm_ref_at(element_ref(params->grads, param), before);
    return dgm_leaf(g, dgm_ref_at(value_ref(params, param), before), grad, count, param->cols);
}
