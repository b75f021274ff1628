/*
 * safetensors.c: the header of a safetensors file (github.com/huggingface/safetensors): its length
 * in eight bytes, then JSON that says type, shape and place of every tensor; then their bytes,
 * without gaps.
 */
#include <stdlib.h>
#include <string.h>

#include "base/le.h"
#include "base/mem.h"
#include "tensor/foreign/foreign.h"
#include "text/json.h"

#define MOST_HEADER ((uint64_t)100 << 20) /* as the original reader has it */

static const struct dgm_foreign_type types[] = {
    { "F32", DGM_FOREIGN_F32, 4 },  { "F16", DGM_FOREIGN_F16, 2 }, { "BF16", DGM_FOREIGN_BF16, 2 },
    { "F64", DGM_FOREIGN_F64, 8 },  { "I8", DGM_FOREIGN_INT, 1 },  { "U8", DGM_FOREIGN_INT, 1 },
    { "BOOL", DGM_FOREIGN_INT, 1 }, { "I16", DGM_FOREIGN_INT, 2 }, { "U16", DGM_FOREIGN_INT, 2 },
    { "I32", DGM_FOREIGN_INT, 4 },  { "U32", DGM_FOREIGN_INT, 4 }, { "I64", DGM_FOREIGN_INT, 8 },
    { "U64", DGM_FOREIGN_INT, 8 },
};

struct listing {
    struct dgm_env *env;
    struct dgm_foreign *file;
    struct dgm_json json;
    struct dgm_buf name, word;
    uint64_t data; /* where the first tensor begins */
};

static dgm_status read_type(struct listing *listing, struct dgm_foreign_tensor *tensor)
{
    char quoted[DGM_QUOTE_SIZE];

    DGM_TRY(dgm_json_string(&listing->json, &listing->word));
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++)
        if (strcmp(types[i].name, listing->word.data) == 0)
            tensor->type = &types[i];
    dgm_quote(quoted, sizeof quoted, listing->name.data, listing->name.size);
    return tensor->type != NULL ? DGM_OK
                                : dgm_foreign_fail_type(listing->env, listing->file, quoted,
                                                        listing->word.data, listing->word.size);
}

static dgm_status read_shape(struct listing *listing, struct dgm_foreign_tensor *tensor)
{
    size_t count = 0;
    int more = 1;

    DGM_TRY(dgm_json_mark(&listing->json, '['));
    for (;;) {
        int64_t size;

        DGM_TRY(dgm_json_item(&listing->json, ']', &count, &more));
        if (!more)
            break;
        DGM_TRY(dgm_json_int(&listing->json, 1, INT32_MAX, &size));
        if (tensor->rank == DGM_FOREIGN_RANK)
            return dgm_json_fail(&listing->json, "at most 8 dimensions");
        tensor->dims[tensor->rank++] = (size_t)size;
    }
    for (int i = tensor->rank; i < DGM_FOREIGN_RANK; i++)
        tensor->dims[i] = 1;
    return DGM_OK;
}

static dgm_status read_place(struct listing *listing, struct dgm_foreign_tensor *tensor)
{
    const int64_t most = (int64_t)(listing->file->size - listing->data);
    int64_t begin, end;

    DGM_TRY(dgm_json_mark(&listing->json, '['));
    DGM_TRY(dgm_json_int(&listing->json, 0, most, &begin));
    DGM_TRY(dgm_json_mark(&listing->json, ','));
    DGM_TRY(dgm_json_int(&listing->json, begin, most, &end));
    DGM_TRY(dgm_json_mark(&listing->json, ']'));
    tensor->at = listing->data + (uint64_t)begin;
    tensor->stored = (uint64_t)(end - begin);
    return DGM_OK;
}

static dgm_status read_member(struct listing *listing, struct dgm_foreign_tensor *tensor,
                              unsigned *seen)
{
    static const char *const keys[] = { "dtype", "shape", "data_offsets" };
    unsigned key = 0;

    DGM_TRY(dgm_json_name(&listing->json, &listing->word));
    while (key < 3 && strcmp(keys[key], listing->word.data) != 0)
        key++;
    if (key == 3 || (*seen >> key & 1) != 0)
        return dgm_json_fail(&listing->json, "dtype, shape and data_offsets, each once");
    *seen |= 1U << key;
    return key == 0   ? read_type(listing, tensor)
           : key == 1 ? read_shape(listing, tensor)
                      : read_place(listing, tensor);
}

static dgm_status read_tensor(struct listing *listing)
{
    struct dgm_foreign_tensor tensor = { 0 };
    unsigned seen = 0;
    size_t count = 0;
    int more = 1;

    DGM_TRY(dgm_json_mark(&listing->json, '{'));
    for (;;) {
        DGM_TRY(dgm_json_item(&listing->json, '}', &count, &more));
        if (!more)
            break;
        DGM_TRY(read_member(listing, &tensor, &seen));
    }
    if (seen != 7)
        return dgm_json_fail(&listing->json, "dtype, shape and data_offsets, each once");
    DGM_TRY(dgm_foreign_add(listing->env, listing->file, &tensor, listing->name.data,
                            listing->name.size));
    if (listing->file->tensors[listing->file->count - 1].bytes != tensor.stored)
        return dgm_json_fail(&listing->json, "as many bytes as the shape in front of here takes");
    return DGM_OK;
}

/* Texts that say what the writer liked. */
static dgm_status skip_metadata(struct listing *listing)
{
    size_t count = 0;
    int more = 1;

    DGM_TRY(dgm_json_mark(&listing->json, '{'));
    for (;;) {
        DGM_TRY(dgm_json_item(&listing->json, '}', &count, &more));
        if (!more)
            return DGM_OK;
        DGM_TRY(dgm_json_name(&listing->json, &listing->word));
        DGM_TRY(dgm_json_string(&listing->json, &listing->word));
    }
}

static dgm_status read_tensors(struct listing *listing)
{
    size_t count = 0;
    int more = 1;

    DGM_TRY(dgm_json_mark(&listing->json, '{'));
    for (;;) {
        DGM_TRY(dgm_json_item(&listing->json, '}', &count, &more));
        if (!more)
            return dgm_json_end(&listing->json);
        DGM_TRY(dgm_json_name(&listing->json, &listing->name));
        DGM_TRY(strcmp(listing->name.data, "__metadata__") == 0 ? skip_metadata(listing)
                                                                : read_tensor(listing));
    }
}

/* ---- places ---------------------------------------------------------------------------------- */

static int by_place(const void *a, const void *b)
{
    const struct dgm_foreign_tensor *const *x = a, *const *y = b;

    return (*x)->at < (*y)->at ? -1 : (*x)->at > (*y)->at;
}

/* Every byte belongs to one tensor. */
static dgm_status check_places(const struct listing *listing)
{
    const struct dgm_foreign *file = listing->file;
    const struct dgm_foreign_tensor **sorted =
        dgm_alloc(listing->env, file->count + 1, sizeof *sorted);
    uint64_t at = listing->data;
    dgm_status status = DGM_OK;
    size_t i;

    if (sorted == NULL)
        return DGM_MEMORY;
    for (i = 0; i < file->count; i++)
        sorted[i] = &file->tensors[i];
    qsort(sorted, file->count, sizeof *sorted, by_place);
    for (i = 0; i < file->count && sorted[i]->at == at; i++)
        at += sorted[i]->stored;
    if (i < file->count)
        status =
            dgm_fail_byte(listing->env, DGM_MODEL, file->name, (long long)at,
                          "tensor \"%s\" begins at byte %llu; expected here, without gaps or "
                          "overlaps",
                          dgm_foreign_name(file, sorted[i]), (unsigned long long)sorted[i]->at);
    else if (at != file->size)
        status = dgm_fail_byte(listing->env, DGM_MODEL, file->name, (long long)at,
                               "the last tensor ends here, of %llu bytes; expected the end of the "
                               "file",
                               (unsigned long long)file->size);
    dgm_release(listing->env, sorted);
    return status;
}

/* What the reader of JSON says is about a model. */
static dgm_status as_model(struct dgm_env *env, dgm_status status)
{
    if (status == DGM_DATA)
        status = env->error.status = DGM_MODEL;
    return status;
}

static dgm_status list_header(struct listing *listing, uint64_t length)
{
    char *header = dgm_resize(listing->env, NULL, (size_t)length + 1, 1);
    dgm_status status;

    if (header == NULL)
        return DGM_MEMORY;
    DGM_TRY_OUT(dgm_foreign_bytes_at(listing->env, listing->file, header, 8, (size_t)length));
    dgm_json_start(&listing->json, listing->env, listing->file->name, 1, header, (size_t)length);
    DGM_TRY_OUT(as_model(listing->env, read_tensors(listing)));
    status = check_places(listing);
out:
    dgm_release(listing->env, header);
    return status;
}

dgm_status dgm_safetensors_list(struct dgm_env *env, struct dgm_foreign *file)
{
    struct listing listing = { .env = env, .file = file };
    unsigned char bytes[8];
    uint64_t length;
    dgm_status status;

    file->format = "safetensors";
    DGM_TRY(dgm_foreign_bytes_at(env, file, bytes, 0, sizeof bytes));
    length = dgm_le64(bytes);
    if (length > MOST_HEADER || length > file->size - sizeof bytes)
        return dgm_fail_byte(env, DGM_MODEL, file->name, 0,
                             "a header of %llu bytes in a file of %llu; expected it to fit, and at "
                             "most %llu",
                             (unsigned long long)length, (unsigned long long)file->size,
                             (unsigned long long)MOST_HEADER);
    listing.data = sizeof bytes + length;
    status = list_header(&listing, length);
    dgm_buf_clear(env, &listing.name);
    dgm_buf_clear(env, &listing.word);
    return status;
}
