/* import_tensors.c: which tensor of another program each of our parameters is, and its numbers. */
#include <math.h>
#include <string.h>

#include "base/mem.h"
#include "model/foreign/import.h"

/* How far numbers of tied matrices may lie apart, and positions from ours, which others compute in
 * single precision. */
static const dgm_real tied_error = 0, position_error = (dgm_real)1e-4;

/* ---- shapes ---------------------------------------------------------------------------------- */

/* Rows and columns as they are in the file; a vector is one row, whatever its rank. */
struct shape {
    size_t rows, cols;
};

static struct shape shape_of(const struct dgm_foreign_tensor *tensor)
{
    const size_t cols = tensor->rank > 0 ? tensor->dims[tensor->rank - 1] : 1;
    const struct shape shape = { tensor->count / cols, cols };

    return shape;
}

/* The vocabulary of a table's rows; a joint one is that of the source. */
static const struct dgm_foreign_vocab *vocab_of(const struct dgm_import *import,
                                                const struct dgm_import_place *place)
{
    return &import->vocab[import->vocab[DGM_TARGET].count > 0 ? place->side : DGM_SOURCE];
}

/* Rows of theirs, or numbers of a vector, that a parameter is, as the others of `parts` are. */
static struct shape expected_shape(const struct dgm_import *import, const struct dgm_param *param,
                                   const struct dgm_import_place *place)
{
    struct shape shape = { (size_t)param->rows, (size_t)param->cols };

    if (place->is_table) {
        const size_t count = vocab_of(import, place)->count;

        *(param->rank == 1 ? &shape.cols : &shape.rows) = count;
    }
    if (place->parts > 1)
        *(param->rank == 1 ? &shape.cols : &shape.rows) *= (size_t)place->parts;
    if (place->is_transposed) {
        const size_t rows = shape.rows;

        shape.rows = shape.cols;
        shape.cols = rows;
    }
    return shape;
}

static dgm_status check_shape(struct dgm_env *env, const struct dgm_import *import,
                              const struct dgm_param *param, const struct dgm_import_place *place,
                              const struct dgm_foreign_tensor *tensor)
{
    const struct shape want = expected_shape(import, param, place), got = shape_of(tensor);
    char found[DGM_FOREIGN_SHAPE];

    if (want.rows == got.rows && want.cols == got.cols)
        return DGM_OK;
    dgm_foreign_shape(found, tensor);
    return dgm_fail_at(env, DGM_MODEL, import->weights.name, 0, 0,
                       "tensor \"%s\" has the shape %s; expected (%zu, %zu)",
                       dgm_foreign_name(&import->weights, tensor), found, want.rows, want.cols);
}

/* ---- places ---------------------------------------------------------------------------------- */

/* The tensor of name i of a place, or NULL. */
static const struct dgm_foreign_tensor *tensor_of(const struct dgm_import *import,
                                                  const struct dgm_import_place *place, int i)
{
    return dgm_foreign_find(&import->weights, place->names[i]);
}

static dgm_status find_place(struct dgm_env *env, const struct dgm_import *import,
                             const struct dgm_param *param, struct dgm_import_place *place,
                             int *first)
{
    memset(place, 0, sizeof *place);
    if (!import->kind->place(import, param->name, place))
        return dgm_fail(env, DGM_FAILURE, "no place is known for the parameter %s", param->name);
    for (*first = 0; *first < place->count && tensor_of(import, place, *first) == NULL; ++*first)
        continue;
    if (*first < place->count || place->is_optional)
        return DGM_OK;
    return dgm_fail_at(env, DGM_MODEL, import->weights.name, 0, 0,
                       "tensor \"%s\" is missing; expected it, as %s of ours", place->names[0],
                       param->name);
}

static dgm_status report_place(struct dgm_env *env, const struct dgm_import *import,
                               const struct dgm_param *param, const struct dgm_import_place *place,
                               int i, struct dgm_buf *report)
{
    const struct dgm_foreign_tensor *tensor = tensor_of(import, place, i);
    char shape[DGM_FOREIGN_SHAPE];

    if (report == NULL)
        return DGM_OK;
    dgm_foreign_shape(shape, tensor);
    DGM_TRY(dgm_buf_add_format(env, report, "%s %s %s -> %s ", place->names[i], tensor->type->name,
                               shape, param->name));
    if (param->rank == 1)
        DGM_TRY(dgm_buf_add_format(env, report, "(%lld)", (long long)param->cols));
    else
        DGM_TRY(dgm_buf_add_format(env, report, "(%lld, %lld)", (long long)param->rows,
                                   (long long)param->cols));
    if (place->parts > 1)
        DGM_TRY(dgm_buf_add_format(env, report, ", part %d of %d", place->part + 1, place->parts));
    return dgm_buf_add_format(env, report, "%s%s\n", place->is_transposed ? ", transposed" : "",
                              place->is_table ? ", in the order of our vocabulary" : "");
}

static dgm_status check_param(struct dgm_env *env, struct dgm_import *import,
                              const struct dgm_param *param, struct dgm_buf *report)
{
    struct dgm_import_place place;
    int first;

    DGM_TRY(find_place(env, import, param, &place, &first));
    if (first == place.count && report != NULL)
        DGM_TRY(dgm_buf_add_format(env, report, "nothing -> %s\n", param->name));
    for (int i = first; i < place.count; i++) {
        const struct dgm_foreign_tensor *tensor = tensor_of(import, &place, i);

        if (tensor == NULL)
            continue;
        DGM_TRY(check_shape(env, import, param, &place, tensor));
        import->used[tensor - import->weights.tensors] = 1;
        DGM_TRY(report_place(env, import, param, &place, i, report));
    }
    return DGM_OK;
}

static int begins_with_one(const char *name, const char *const *prefixes)
{
    for (; prefixes != NULL && *prefixes != NULL; prefixes++)
        if (strncmp(name, *prefixes, strlen(*prefixes)) == 0)
            return 1;
    return 0;
}

static dgm_status check_rest(struct dgm_env *env, const struct dgm_import *import,
                             struct dgm_buf *report)
{
    for (size_t i = 0; i < import->weights.count; i++) {
        const char *name = dgm_foreign_name(&import->weights, &import->weights.tensors[i]);
        char shape[DGM_FOREIGN_SHAPE];

        if (import->used[i] || import->weights.tensors[i].is_scale)
            continue;
        dgm_foreign_shape(shape, &import->weights.tensors[i]);
        if (!begins_with_one(name, import->kind->spares) &&
            !(import->kind->spare_end != NULL && dgm_import_ends(name, import->kind->spare_end)) &&
            !begins_with_one(name, import->kind->positions))
            return dgm_fail_at(env, DGM_MODEL, import->weights.name, 0, 0,
                               "tensor \"%s\" %s has no place in such a network; expected none of "
                               "that name",
                               name, shape);
        if (report != NULL)
            DGM_TRY(dgm_buf_add_format(env, report, "%s %s -> nothing\n", name, shape));
    }
    return DGM_OK;
}

dgm_status dgm_import_check(struct dgm_env *env, struct dgm_import *import, struct dgm_buf *report)
{
    const struct dgm_params *params = &import->model.net.params;

    for (size_t i = 0; i < params->count; i++)
        DGM_TRY(check_param(env, import, &params->items[i], report));
    return check_rest(env, import, report);
}

/* ---- numbers --------------------------------------------------------------------------------- */

/* Numbers on their way to a parameter, or to be compared with it. */
struct transfer {
    dgm_real *out;
    size_t cols, out_cols;  /* of their rows, and of ours */
    const int32_t *entries; /* of a table: our row of each of theirs; NULL: the same one */
    size_t first, count;    /* of their numbers, those that are ours */
    int is_transposed, is_vector, compares;
    double apart; /* the largest difference */
};

static size_t target_of(const struct transfer *transfer, size_t row, size_t col)
{
    if (transfer->is_vector)
        return transfer->entries != NULL ? (size_t)transfer->entries[col] : col;
    if (transfer->is_transposed) {
        const size_t ours = transfer->entries != NULL ? (size_t)transfer->entries[col] : col;

        return ours * transfer->out_cols + row;
    }
    return (transfer->entries != NULL ? (size_t)transfer->entries[row] : row) * transfer->out_cols +
           col;
}

static void take(void *user, size_t first, size_t count, const dgm_real *values)
{
    struct transfer *transfer = user;
    const size_t end = transfer->first + transfer->count;
    size_t at = first < transfer->first ? transfer->first : first, row, col;

    if (first + count <= transfer->first)
        return;
    values += at - first;
    count = first + count < end ? first + count : end;
    row = (at - transfer->first) / transfer->cols;
    col = (at - transfer->first) % transfer->cols;
    for (size_t i = 0; at + i < count; i++) {
        dgm_real *to = &transfer->out[target_of(transfer, row, col)];

        if (!transfer->compares)
            *to = values[i];
        else if (fabs((double)(*to - values[i])) > transfer->apart)
            transfer->apart = fabs((double)(*to - values[i]));
        if (++col == transfer->cols) {
            col = 0;
            row++;
        }
    }
}

static struct transfer transfer_of(const struct dgm_import *import, const struct dgm_param *param,
                                   const struct dgm_import_place *place, dgm_real *out,
                                   const struct dgm_foreign_tensor *tensor)
{
    const size_t parts = place->parts > 1 ? (size_t)place->parts : 1;
    struct transfer transfer = { .out = out, .cols = shape_of(tensor).cols };

    transfer.count = tensor->count / parts;
    transfer.first = transfer.count * (size_t)place->part;
    if (tensor->is_turned)
        transfer.cols = shape_of(tensor).rows;
    transfer.out_cols = (size_t)param->cols;
    transfer.entries = place->is_table ? vocab_of(import, place)->entries : NULL;
    transfer.is_transposed = place->is_transposed != tensor->is_turned;
    transfer.is_vector = param->rank == 1;
    return transfer;
}

static dgm_status compare(struct dgm_env *env, const struct dgm_import *import,
                          const struct dgm_import_place *place, int first, int i,
                          struct transfer *transfer)
{
    transfer->compares = 1;
    DGM_TRY(dgm_foreign_read(env, &import->weights, tensor_of(import, place, i), take, transfer));
    if (transfer->apart <= (double)tied_error)
        return DGM_OK;
    return dgm_fail_at(env, DGM_MODEL, import->weights.name, 0, 0,
                       "tensors \"%s\" and \"%s\" are to be one, and differ; expected a "
                       "configuration that does not tie them",
                       place->names[first], place->names[i]);
}

static dgm_status load_into(struct dgm_env *env, const struct dgm_import *import,
                            const struct dgm_param *param, dgm_real *out)
{
    const size_t count = (size_t)(param->rows * param->cols);
    struct dgm_import_place place;
    int first;

    DGM_TRY(find_place(env, import, param, &place, &first));
    for (size_t i = 0; i < count; i++)
        out[i] = place.missing;
    if (first == place.count && place.is_table)
        for (size_t i = 0; i < vocab_of(import, &place)->count; i++)
            out[vocab_of(import, &place)->entries[i]] = 0;
    /* The first that is there gives the numbers; what is tied to it must have the same. */
    for (int i = first; i < place.count; i++) {
        const struct dgm_foreign_tensor *tensor = tensor_of(import, &place, i);
        struct transfer transfer;

        if (tensor == NULL)
            continue;
        transfer = transfer_of(import, param, &place, out, tensor);
        if (i > first)
            DGM_TRY(compare(env, import, &place, first, i, &transfer));
        else
            DGM_TRY(dgm_foreign_read(env, &import->weights, tensor, take, &transfer));
    }
    return DGM_OK;
}

static dgm_status load_param(struct dgm_env *env, const struct dgm_import *import,
                             struct dgm_params *params, dgm_param_id id)
{
    const struct dgm_param *param = &params->items[id];
    dgm_real *place = dgm_params_place(params, id), *values;
    dgm_status status;

    if (place != NULL)
        return load_into(env, import, param, place);
    values = dgm_resize(env, NULL, (size_t)(param->rows * param->cols), sizeof *values);
    if (values == NULL)
        return DGM_MEMORY;
    status = load_into(env, import, param, values);
    if (status == DGM_OK)
        status = dgm_params_write(env, params, id, values);
    dgm_release(env, values);
    return status;
}

/* ---- positions ------------------------------------------------------------------------------- */

/* The values of --positions. */
static const char *const layouts[] = {
    [DGM_POSITIONS_VASWANI] = "vaswani",       [DGM_POSITIONS_FAIRSEQ] = "fairseq",
    [DGM_POSITIONS_MARIAN] = "marian",         [DGM_POSITIONS_TENSOR2TENSOR] = "tensor2tensor",
    [DGM_POSITIONS_OPENNMT_TF] = "opennmt-tf",
};

/* Numbers of at most 1, rounded to 11 bits or 8 (IEEE 754 half, bfloat16), may lie so far off. */
static double error_of(const struct dgm_foreign_tensor *tensor)
{
    const double rounding = tensor->type->form == DGM_FOREIGN_F16    ? ldexp(1, -11)
                            : tensor->type->form == DGM_FOREIGN_BF16 ? ldexp(1, -8)
                                                                     : 0;

    return (double)position_error + rounding;
}

/* Whether a tensor holds the sinusoids of a layout, which are made in `table`. */
static dgm_status compare_positions(struct dgm_env *env, const struct dgm_import *import,
                                    const struct dgm_foreign_tensor *tensor,
                                    enum dgm_positions layout, dgm_real *table, int *is_same)
{
    const struct shape shape = shape_of(tensor);
    struct transfer transfer = { .out = table, .cols = shape.cols, .count = tensor->count };

    transfer.compares = 1;
    transfer.out_cols = shape.cols;
    dgm_position_table(table, (int64_t)shape.rows, (int64_t)shape.cols, layout);
    DGM_TRY(dgm_foreign_read(env, &import->weights, tensor, take, &transfer));
    *is_same = transfer.apart <= error_of(tensor);
    return DGM_OK;
}

/* Another layout of ours, which export --to huggingface writes, becomes that of the model. */
static dgm_status take_layout(struct dgm_env *env, struct dgm_import *import,
                              const struct dgm_foreign_tensor *tensor, dgm_real *table)
{
    int is_same = 0;

    for (int i = DGM_POSITIONS_VASWANI; i <= DGM_POSITIONS_OPENNMT_TF; i++) {
        if ((int64_t)shape_of(tensor).cols < dgm_position_width((enum dgm_positions)i))
            continue;
        DGM_TRY(compare_positions(env, import, tensor, (enum dgm_positions)i, table, &is_same));
        if (is_same) {
            import->model.net.config.positions = (enum dgm_positions)i;
            return dgm_model_set(env, &import->model.settings, "positions", layouts[i]);
        }
    }
    return dgm_fail_at(env, DGM_MODEL, import->weights.name, 0, 0,
                       "tensor \"%s\" holds other positions than sinusoids; expected those in "
                       "the layout %s",
                       dgm_foreign_name(&import->weights, tensor),
                       layouts[import->model.net.config.positions]);
}

/* Their table against ours: what was trained with others would translate worse, unnoticed. */
static dgm_status check_positions(struct dgm_env *env, struct dgm_import *import,
                                  const struct dgm_foreign_tensor *tensor)
{
    const struct dgm_model_config *config = &import->model.net.config;
    int is_same = 0;
    dgm_real *table;
    dgm_status status;

    if (shape_of(tensor).cols != (size_t)config->dim)
        return dgm_fail_at(env, DGM_MODEL, import->weights.name, 0, 0,
                           "tensor \"%s\" has %zu columns; expected %lld",
                           dgm_foreign_name(&import->weights, tensor), shape_of(tensor).cols,
                           (long long)config->dim);
    DGM_TRY(dgm_new(env, &table, tensor->count, sizeof *table));
    status = compare_positions(env, import, tensor, config->positions, table, &is_same);
    if (status == DGM_OK && !is_same)
        status = take_layout(env, import, tensor, table);
    dgm_release(env, table);
    return status;
}

dgm_status dgm_import_load(struct dgm_env *env, struct dgm_import *import,
                           struct dgm_device *device)
{
    struct dgm_params *params = &import->model.net.params;

    for (const char *const *name = import->kind->positions; name != NULL && *name != NULL; name++) {
        const struct dgm_foreign_tensor *tensor = dgm_foreign_find(&import->weights, *name);

        if (tensor != NULL)
            DGM_TRY(check_positions(env, import, tensor));
    }
    DGM_TRY(dgm_net_allocate(env, &import->model.net, device, 0));
    for (size_t i = 0; i < params->count; i++)
        DGM_TRY(load_param(env, import, params, (dgm_param_id)i));
    return DGM_OK;
}
