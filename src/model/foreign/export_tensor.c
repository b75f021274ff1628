/*
 * export_tensor.c: tensors of a model as f32 in files of other programs.
 */
#include <stdio.h>
#include <string.h>

#include "base/le.h"
#include "base/mem.h"
#include "model/foreign/export.h"
#include "nn/position.h"
#include "tensor/gguf/gguf_get.h"

enum { CHUNK = 4096 };

/* ---- lists ----------------------------------------------------------------------------------- */

static dgm_status add_item(const struct dgm_export *job, struct dgm_export_list *list,
                           struct dgm_export_tensor **item, const char *name)
{
    DGM_TRY(
        dgm_reserve(job->env, &list->items, &list->capacity, list->count + 1, sizeof *list->items));
    *item = &list->items[list->count++];
    memset(*item, 0, sizeof **item);
    snprintf((*item)->name, sizeof(*item)->name, "%s", name);
    return DGM_OK;
}

dgm_status dgm_export_add(const struct dgm_export *job, struct dgm_export_list *list,
                          const char *name, const char *first, const char *second,
                          const char *third)
{
    const char *const names[DGM_EXPORT_PARTS] = { first, second, third };
    struct dgm_export_tensor *item;

    DGM_TRY(add_item(job, list, &item, name));
    for (int i = 0; i < DGM_EXPORT_PARTS && names[i] != NULL; i++) {
        const struct dgm_gguf_tensor *part = dgm_gguf_find_tensor(&job->file, names[i]);

        if (part == NULL)
            return dgm_fail_at(job->env, DGM_MODEL, job->file.name, 0, 0,
                               "tensor \"%s\" is missing", names[i]);
        item->parts[i] = part;
        item->rank = part->rank;
        item->dims[0] += (int64_t)part->dims[0];
        item->dims[1] = part->rank > 1 ? (int64_t)part->dims[1] : 1;
    }
    return DGM_OK;
}

int64_t dgm_export_positions(const struct dgm_export *job)
{
    const int64_t own = job->model.net.config.max_length + 1, least = 1024;

    return own > least ? own : least;
}

dgm_status dgm_export_add_positions(const struct dgm_export *job, struct dgm_export_list *list,
                                    const char *name)
{
    struct dgm_export_tensor *item;

    DGM_TRY(add_item(job, list, &item, name));
    item->is_positions = job->model.net.config.positions != DGM_POSITIONS_NONE;
    item->is_zero = !item->is_positions;
    item->rank = 2;
    item->dims[0] = dgm_export_positions(job);
    item->dims[1] = job->model.net.config.dim;
    return DGM_OK;
}

dgm_status dgm_export_add_zeros(const struct dgm_export *job, struct dgm_export_list *list,
                                const char *name, int64_t count)
{
    struct dgm_export_tensor *item;

    DGM_TRY(add_item(job, list, &item, name));
    item->is_zero = 1;
    item->rank = 2;
    item->dims[0] = 1;
    item->dims[1] = count;
    return DGM_OK;
}

dgm_status dgm_export_add_number(const struct dgm_export *job, struct dgm_export_list *list,
                                 const char *name, int number, int bytes)
{
    struct dgm_export_tensor *item;

    DGM_TRY(add_item(job, list, &item, name));
    item->number = number;
    item->number_bytes = bytes;
    return DGM_OK;
}

int64_t dgm_export_count(const struct dgm_export_tensor *tensor)
{
    return tensor->rank == 0 ? 1 : tensor->dims[0] * (tensor->rank > 1 ? tensor->dims[1] : 1);
}

/* ---- numbers --------------------------------------------------------------------------------- */

static dgm_status write_reals(const struct dgm_export *job, struct dgm_writer *writer,
                              const dgm_real *values, int64_t count)
{
    unsigned char bytes[4 * CHUNK];

    for (int64_t at = 0; at < count; at += CHUNK) {
        const int64_t n = count - at < CHUNK ? count - at : CHUNK;

        for (int64_t i = 0; i < n; i++) {
            float value = (float)values[at + i];
            uint32_t bits;

            memcpy(&bits, &value, sizeof bits);
            dgm_le32_put(bytes + 4 * i, bits);
        }
        DGM_TRY(dgm_writer_add(job->env, writer, bytes, (size_t)(4 * n)));
    }
    return DGM_OK;
}

static dgm_status write_part(const struct dgm_export *job, struct dgm_writer *writer,
                             const struct dgm_gguf_tensor *part)
{
    dgm_real *values = dgm_alloc(job->env, part->count, sizeof *values);
    dgm_status status;

    if (values == NULL)
        return DGM_MEMORY;
    DGM_TRY_OUT(dgm_gguf_read_finite(job->env, &job->file, part, values, part->count));
    DGM_TRY_OUT(write_reals(job, writer, values, (int64_t)part->count));
out:
    dgm_release(job->env, values);
    return status;
}

static dgm_status write_made(const struct dgm_export *job, struct dgm_writer *writer,
                             const struct dgm_export_tensor *tensor)
{
    const int64_t count = dgm_export_count(tensor);
    dgm_real *values = dgm_alloc(job->env, (size_t)count, sizeof *values);
    dgm_status status;

    if (values == NULL)
        return DGM_MEMORY;
    if (tensor->is_positions)
        dgm_position_table(values, tensor->dims[0], tensor->dims[1],
                           job->model.net.config.positions);
    status = write_reals(job, writer, values, count);
    dgm_release(job->env, values);
    return status;
}

dgm_status dgm_export_write_tensor(const struct dgm_export *job, struct dgm_writer *writer,
                                   const struct dgm_export_tensor *tensor)
{
    unsigned char number[2];

    if (tensor->rank == 0) {
        dgm_le16_put(number, (uint16_t)tensor->number);
        return dgm_writer_add(job->env, writer, number, (size_t)tensor->number_bytes);
    }
    if (tensor->is_positions || tensor->is_zero)
        return write_made(job, writer, tensor);
    for (int i = 0; i < DGM_EXPORT_PARTS && tensor->parts[i] != NULL; i++)
        DGM_TRY(write_part(job, writer, tensor->parts[i]));
    return DGM_OK;
}
