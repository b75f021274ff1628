/*
 * average.c: the mean of the parameters of several model files.
 *
 * Averaging the last checkpoints of one run often beats each of them (Junczys-Dowmunt and others,
 * WMT 2016; Vaswani and others, NIPS 2017). Files are read one after the other and summed in
 * double precision in the order given. A matrix that the model uses in several places stands once
 * in a file and is averaged once.
 */
#include "model/file/average.h"

#include <string.h>

#include "base/mem.h"
#include "model/file/inspect.h"
#include "tensor/gguf/gguf_contents.h"
#include "tensor/gguf/gguf_get.h"
#include "tensor/gguf/gguf_load.h"
#include "tensor/gguf/gguf_write.h"

struct average {
    struct dgm_env *env;
    struct dgm_gguf first, file; /* the first file stays open: the others must match it */
    double **sums;               /* of each tensor of the first file; NULL: not averaged */
    dgm_real **means;            /* of each tensor of the last file */
    size_t mean_count;
    /* The first tensor that a file holds in another type than the first file. */
    const struct dgm_gguf_tensor *unlike; /* of the first file; NULL: there is none */
    enum dgm_gguf_type other;
    const char *other_path;
};

static int is_real(enum dgm_gguf_type type)
{
    return type == DGM_GGUF_F32 || type == DGM_GGUF_F16 || type == DGM_GGUF_BF16 ||
           type == DGM_GGUF_Q8_0 || type == DGM_GGUF_F64;
}

/* Whether a key says how the model was trained, which models of one kind may differ in. */
static int is_history(const char *name)
{
    return strncmp(name, "dragoman.training.", 18) == 0;
}

/* Whether a key says what the model is: its configuration, codes and vocabularies. */
static int is_model_key(const char *name)
{
    return strncmp(name, "dragoman.", 9) == 0 && !dgm_inspect_is_state_key(name) &&
           !is_history(name) && !dgm_gguf_is_checksum(name);
}

/* ---- comparing ---------------------------------------------------------------------------- */

/* Checks that `b` has every model key of `a` with the same value; `named` is the file that the
 * error is about. */
static dgm_status compare_keys(struct dgm_env *env, const struct dgm_gguf *a,
                               const struct dgm_gguf *b, const struct dgm_gguf *named)
{
    const struct dgm_gguf *other = named == a ? b : a;
    for (size_t i = 0; i < a->key_count; i++) {
        const struct dgm_gguf_key *x = &a->keys[i], *y = dgm_gguf_find_key(b, x->name);
        if (!is_model_key(x->name))
            continue;
        if (y == NULL || x->type != y->type || x->is_array != y->is_array || x->bytes != y->bytes ||
            memcmp(a->bytes + x->at, b->bytes + y->at, x->bytes) != 0)
            return dgm_fail_at(env, DGM_MODEL, named->name, 0, 0,
                               "%s is not that of %s; only models of one configuration can be "
                               "averaged",
                               x->name, other->name);
    }
    return DGM_OK;
}

static dgm_status compare_tensor(struct dgm_env *env, const struct dgm_gguf *file,
                                 const struct dgm_gguf *first, const struct dgm_gguf_tensor *tensor)
{
    const struct dgm_gguf_tensor *own = dgm_gguf_find_tensor(file, tensor->name);
    if (own == NULL)
        return dgm_fail_at(env, DGM_MODEL, file->name, 0, 0, "tensor \"%s\" is missing; %s has it",
                           tensor->name, first->name);
    if (own->rank != tensor->rank || memcmp(own->dims, tensor->dims, sizeof own->dims) != 0 ||
        is_real(own->type) != is_real(tensor->type))
        return dgm_fail_at(env, DGM_MODEL, file->name, 0, 0,
                           "tensor \"%s\" has not the shape and kind of that in %s", tensor->name,
                           first->name);
    if (!is_real(own->type) &&
        (own->type != tensor->type ||
         memcmp(dgm_gguf_data(file, own), dgm_gguf_data(first, tensor), own->bytes) != 0))
        return dgm_fail_at(env, DGM_MODEL, file->name, 0, 0,
                           "tensor \"%s\" holds other whole numbers than that of %s, and such "
                           "have no mean",
                           tensor->name, first->name);
    return DGM_OK;
}

/* Types may differ, as numbers of all of them have a mean; it is told at the end. */
static void note_types(struct average *average, const char *path)
{
    const struct dgm_gguf *first = &average->first;
    for (size_t i = 0; i < first->tensor_count && average->unlike == NULL; i++) {
        const struct dgm_gguf_tensor *tensor = &first->tensors[i], *own;
        if (dgm_inspect_is_state(tensor))
            continue;
        own = dgm_gguf_find_tensor(&average->file, tensor->name);
        if (own->type == tensor->type)
            continue;
        average->unlike = tensor;
        average->other = own->type;
        average->other_path = path;
    }
}

static void tell_types(const struct average *average)
{
    if (average->unlike != NULL)
        dgm_log(average->env, DGM_LOG_NOTE,
                "%s is %s in %s and %s in %s; the mean has the types of the last file, %s",
                average->unlike->name, dgm_gguf_type_name(average->unlike->type),
                average->first.name, dgm_gguf_type_name(average->other), average->other_path,
                average->file.name);
}

static dgm_status compare(struct average *average)
{
    const struct dgm_gguf *first = &average->first, *file = &average->file;
    DGM_TRY(compare_keys(average->env, first, file, file));
    DGM_TRY(compare_keys(average->env, file, first, file));
    for (size_t i = 0; i < first->tensor_count; i++)
        if (!dgm_inspect_is_state(&first->tensors[i]))
            DGM_TRY(compare_tensor(average->env, file, first, &first->tensors[i]));
    for (size_t i = 0; i < file->tensor_count; i++) {
        const struct dgm_gguf_tensor *tensor = &file->tensors[i];
        if (!dgm_inspect_is_state(tensor) && !dgm_gguf_find_tensor(first, tensor->name))
            return dgm_fail_at(average->env, DGM_MODEL, file->name, 0, 0,
                               "tensor \"%s\" is not in %s", tensor->name, first->name);
    }
    return DGM_OK;
}

/* ---- summing ------------------------------------------------------------------------------ */

static dgm_status add_tensor(struct average *average, double *sum,
                             const struct dgm_gguf_tensor *tensor)
{
    struct dgm_env *env = average->env;
    const struct dgm_gguf_tensor *own = dgm_gguf_find_tensor(&average->file, tensor->name);
    dgm_real *values;
    dgm_status status;
    DGM_TRY(dgm_new(env, &values, tensor->count, sizeof *values));
    status = dgm_gguf_read_finite(env, &average->file, own, values, own->count);
    for (size_t i = 0; i < tensor->count && status == DGM_OK; i++)
        sum[i] += (double)values[i];
    dgm_release(env, values);
    return status;
}

static dgm_status prepare(struct average *average)
{
    const struct dgm_gguf *first = &average->first;
    DGM_TRY(dgm_new(average->env, &average->sums, first->tensor_count, sizeof *average->sums));
    for (size_t i = 0; i < first->tensor_count; i++) {
        const struct dgm_gguf_tensor *tensor = &first->tensors[i];
        if (dgm_inspect_is_state(tensor) || !is_real(tensor->type))
            continue;
        DGM_TRY(dgm_new(average->env, &average->sums[i], tensor->count, sizeof(double)));
    }
    return DGM_OK;
}

/* Reads one file, which must match the first, and adds it to the sums. */
static dgm_status add_file(struct average *average, const char *path)
{
    dgm_gguf_clear(average->env, &average->file);
    DGM_TRY(dgm_gguf_load(average->env, &average->file, path));
    DGM_TRY(dgm_gguf_verify(average->env, &average->file, NULL));
    DGM_TRY(compare(average));
    note_types(average, path);
    for (size_t i = 0; i < average->first.tensor_count; i++)
        if (average->sums[i] != NULL)
            DGM_TRY(add_tensor(average, average->sums[i], &average->first.tensors[i]));
    return DGM_OK;
}

/* ---- writing ------------------------------------------------------------------------------ */

/* Writes one tensor of the last file, with the mean in place of its values if there is one. */
static dgm_status add_mean(struct average *average, struct dgm_gguf_writer *writer,
                           const struct dgm_gguf_tensor *tensor, size_t count)
{
    struct dgm_env *env = average->env;
    const struct dgm_gguf_tensor *match = dgm_gguf_find_tensor(&average->first, tensor->name);
    const double *sum = average->sums[match - average->first.tensors];
    dgm_real *mean;
    if (sum == NULL)
        return dgm_gguf_add_raw(env, writer, tensor->name, tensor->type, tensor->rank, tensor->dims,
                                dgm_gguf_data(&average->file, tensor));
    DGM_TRY(dgm_new(env, &mean, tensor->count, sizeof *mean));
    average->means[average->mean_count++] = mean;
    for (size_t i = 0; i < tensor->count; i++)
        mean[i] = (dgm_real)(sum[i] / (double)count);
    return dgm_gguf_add_reals(env, writer, tensor->name, tensor->type, tensor->rank, tensor->dims,
                              mean);
}

static dgm_status write_mean(struct average *average, size_t count, const char *out)
{
    const struct dgm_gguf *file = &average->file;
    struct dgm_env *env = average->env;
    struct dgm_gguf_writer writer = { 0 };
    dgm_status status = DGM_OK;
    writer.name_limit = DGM_GGUF_NAME;
    DGM_TRY(dgm_new(env, &average->means, file->tensor_count, sizeof *average->means));
    for (size_t i = 0; i < file->key_count; i++)
        if (!dgm_inspect_is_state_key(file->keys[i].name))
            DGM_TRY_OUT(dgm_gguf_add_key(env, &writer, file, &file->keys[i]));
    for (size_t i = 0; i < file->tensor_count; i++)
        if (!dgm_inspect_is_state(&file->tensors[i]))
            DGM_TRY_OUT(add_mean(average, &writer, &file->tensors[i], count));
    DGM_TRY_OUT(dgm_gguf_write(env, &writer, out));
    tell_types(average);
out:
    dgm_gguf_writer_clear(env, &writer);
    return status;
}

static void clear(struct average *average)
{
    struct dgm_env *env = average->env;
    for (size_t i = 0; average->sums != NULL && i < average->first.tensor_count; i++)
        dgm_release(env, average->sums[i]);
    dgm_release(env, average->sums);
    for (size_t i = 0; i < average->mean_count; i++)
        dgm_release(env, average->means[i]);
    dgm_release(env, average->means);
    dgm_gguf_clear(env, &average->file);
    dgm_gguf_clear(env, &average->first);
}

dgm_status dgm_average_files(struct dgm_env *env, const char *const *paths, size_t count,
                             const char *out)
{
    struct average average = { .env = env };
    dgm_status status;

    DGM_TRY_OUT(dgm_gguf_load(env, &average.first, paths[0]));
    DGM_TRY_OUT(prepare(&average));
    for (size_t i = 0; i < count; i++) {
        DGM_TRY_OUT(add_file(&average, paths[i]));
        DGM_TRY_OUT(dgm_poll_saying(env, "stopped; nothing was written"));
    }
    status = write_mean(&average, count, out);
out:
    clear(&average);
    return status;
}
