/*
 * ctranslate2.c: model.bin of CTranslate2, binary versions 2 to 6: a version; the name and the
 * revision of what the network is; the variables, each with its name, its shape, its type and its
 * bytes; and, from version 3 on, names of variables that are others. Names have their length with a
 * NUL in 16 bits; other whole numbers have 32, but ranks and types 8.
 * (python/ctranslate2/specs/model_spec.py and src/models/model.cc of CTranslate2 4.8.)
 *
 * Whole numbers that are called .../weight are to be divided by .../weight_scale, one for each row
 * or one for all.
 */
#include <stdio.h>
#include <string.h>

#include "base/le.h"
#include "tensor/foreign/foreign.h"

enum { OLDEST = 2, NEWEST = 6, NAME = 512 };

/* By the number of the type; up to version 3 the bytes of a number tell. */
static const struct dgm_foreign_type types[] = {
    { "float32", DGM_FOREIGN_F32, 4 }, { "int8", DGM_FOREIGN_INT, 1 },
    { "int16", DGM_FOREIGN_INT, 2 },   { "int32", DGM_FOREIGN_INT, 4 },
    { "float16", DGM_FOREIGN_F16, 2 }, { "bfloat16", DGM_FOREIGN_BF16, 2 },
};
static const struct dgm_foreign_type *const types_by_bytes[] = { NULL, &types[1], &types[2], NULL,
                                                                 &types[0] };

/* The file while it is listed. */
struct listing {
    struct dgm_env *env;
    struct dgm_foreign *file;
    uint64_t at;
    uint32_t version;
    char name[NAME]; /* the last one, ended by NUL */
};

static dgm_status fail(const struct listing *listing, uint64_t at, const char *what)
{
    return dgm_fail_byte(listing->env, DGM_MODEL, listing->file->name, (long long)at, "%s", what);
}

static dgm_status take(struct listing *listing, unsigned bytes, uint32_t *value)
{
    unsigned char data[4] = { 0 };

    DGM_TRY(dgm_foreign_bytes_at(listing->env, listing->file, data, listing->at, bytes));
    listing->at += bytes;
    *value = dgm_le32(data);
    return DGM_OK;
}

static dgm_status take_name(struct listing *listing)
{
    const uint64_t start = listing->at;
    uint32_t length;

    DGM_TRY(take(listing, 2, &length));
    if (length == 0 || length > NAME)
        return fail(listing, start, "a name that is empty or too long; expected 1 to 511 bytes");
    DGM_TRY(dgm_foreign_bytes_at(listing->env, listing->file, listing->name, listing->at, length));
    listing->at += length;
    if (memchr(listing->name, '\0', length) != listing->name + length - 1)
        return fail(listing, start, "a name without its end; expected NUL there and nowhere else");
    return DGM_OK;
}

/* ---- variables ------------------------------------------------------------------------------- */

static dgm_status take_shape(struct listing *listing, struct dgm_foreign_tensor *tensor)
{
    const uint64_t start = listing->at;
    uint32_t rank, size;

    DGM_TRY(take(listing, 1, &rank));
    if (rank > DGM_FOREIGN_RANK)
        return fail(listing, start, "a variable of more than 8 dimensions");
    tensor->rank = (int)rank;
    for (int i = 0; i < DGM_FOREIGN_RANK; i++) {
        tensor->dims[i] = 1;
        if (i >= tensor->rank)
            continue;
        DGM_TRY(take(listing, 4, &size));
        tensor->dims[i] = size;
    }
    return DGM_OK;
}

static dgm_status take_type(struct listing *listing, struct dgm_foreign_tensor *tensor)
{
    const uint64_t start = listing->at;
    const size_t known = listing->version > 3 ? sizeof types / sizeof *types
                                              : sizeof types_by_bytes / sizeof *types_by_bytes;
    uint32_t type, count;

    DGM_TRY(take(listing, 1, &type));
    DGM_TRY(take(listing, 4, &count));
    if (type < known)
        tensor->type = listing->version > 3 ? &types[type] : types_by_bytes[type];
    if (tensor->type == NULL)
        return fail(listing, start,
                    "a variable of an unknown type; expected float32, float16, bfloat16, int8, "
                    "int16 or int32");
    tensor->stored = listing->version > 3 ? count : (uint64_t)count * type;
    tensor->at = listing->at;
    return DGM_OK;
}

static dgm_status take_variable(struct listing *listing)
{
    struct dgm_foreign_tensor tensor = { 0 };
    struct dgm_foreign *file = listing->file;
    const uint64_t start = listing->at;

    DGM_TRY(take_name(listing));
    DGM_TRY(take_shape(listing, &tensor));
    DGM_TRY(take_type(listing, &tensor));
    DGM_TRY(dgm_foreign_add(listing->env, file, &tensor, listing->name, strlen(listing->name)));
    if (file->tensors[file->count - 1].bytes != tensor.stored)
        return fail(listing, start, "a variable of more or fewer bytes than its shape takes");
    if (tensor.stored > file->size - listing->at)
        return fail(listing, file->size, "the file ends here; expected the rest of a variable");
    listing->at += tensor.stored;
    return DGM_OK;
}

/* Another name of a variable: a tensor at the same place. */
static dgm_status take_alias(struct listing *listing)
{
    const uint64_t start = listing->at;
    const struct dgm_foreign_tensor *found;
    struct dgm_foreign_tensor tensor;
    char alias[NAME];

    DGM_TRY(take_name(listing));
    memcpy(alias, listing->name, sizeof alias);
    DGM_TRY(take_name(listing));
    found = dgm_foreign_find(listing->file, listing->name);
    if (found == NULL)
        return fail(listing, start, "another name of a variable that is not there");
    tensor = *found;
    return dgm_foreign_add(listing->env, listing->file, &tensor, alias, strlen(alias));
}

static dgm_status take_all(struct listing *listing, dgm_status (*take_one)(struct listing *))
{
    const uint64_t start = listing->at;
    uint32_t count;

    DGM_TRY(take(listing, 4, &count));
    if (count > DGM_FOREIGN_COUNT)
        return fail(listing, start, "more than 65536 variables");
    for (uint32_t i = 0; i < count; i++)
        DGM_TRY(take_one(listing));
    return DGM_OK;
}

/* ---- scales ---------------------------------------------------------------------------------- */

static int is_weight(const char *name)
{
    const size_t length = strlen(name);

    return length >= 6 && strcmp(name + length - 6, "weight") == 0;
}

/* The scale that is called after a weight, or after another name of it; NULL: none. */
static const struct dgm_foreign_tensor *find_scale(struct listing *listing,
                                                   const struct dgm_foreign_tensor *weight)
{
    const struct dgm_foreign *file = listing->file;
    const struct dgm_foreign_tensor *scale = NULL;

    for (size_t i = 0; i < file->count && scale == NULL; i++) {
        const struct dgm_foreign_tensor *other = &file->tensors[i];

        if (other->at != weight->at)
            continue;
        snprintf(listing->name, sizeof listing->name, "%s_scale", dgm_foreign_name(file, other));
        scale = dgm_foreign_find(file, listing->name);
    }
    return scale;
}

/* Old files of int16 have none: it is 1000. */
static dgm_status link_scale(struct listing *listing, struct dgm_foreign_tensor *weight)
{
    struct dgm_foreign *file = listing->file;
    const struct dgm_foreign_tensor *scale = find_scale(listing, weight);

    weight->scaling = DGM_FOREIGN_SCALED_1000;
    if (scale == NULL && weight->type->bytes == 2)
        return DGM_OK;
    if (scale == NULL || scale->type->form == DGM_FOREIGN_INT ||
        (scale->count != 1 && scale->count != weight->dims[0]))
        return dgm_fail_at(listing->env, DGM_MODEL, file->name, 0, 0,
                           "variable \"%s\" of %s has no \"%s\" of a number for each of its %zu "
                           "rows; expected one",
                           dgm_foreign_name(file, weight), weight->type->name, listing->name,
                           weight->dims[0]);
    weight->scaling = DGM_FOREIGN_SCALED;
    weight->scale = (size_t)(scale - file->tensors);
    file->tensors[weight->scale].is_scale = 1;
    return DGM_OK;
}

/* All of them: those of other names of a weight, which nobody reads, too. */
static dgm_status link_scales(struct listing *listing)
{
    struct dgm_foreign *file = listing->file;

    for (size_t i = 0; i < file->count; i++) {
        struct dgm_foreign_tensor *tensor = &file->tensors[i];

        if (tensor->type->form == DGM_FOREIGN_INT && tensor->type->bytes <= 2 &&
            is_weight(dgm_foreign_name(file, tensor)))
            DGM_TRY(link_scale(listing, tensor));
    }
    for (size_t i = 0; i < file->count; i++)
        for (size_t w = 0; w < file->count && !file->tensors[i].is_scale; w++)
            file->tensors[i].is_scale =
                file->tensors[w].scaling == DGM_FOREIGN_SCALED &&
                file->tensors[i].at == file->tensors[file->tensors[w].scale].at;
    return DGM_OK;
}

/* ---------------------------------------------------------------------------------------------- */

dgm_status dgm_ctranslate2_list(struct dgm_env *env, struct dgm_foreign *file)
{
    struct listing listing = { .env = env, .file = file };

    file->format = "ctranslate2";
    DGM_TRY(take(&listing, 4, &listing.version));
    if (listing.version < OLDEST || listing.version > NEWEST)
        return dgm_fail_byte(env, DGM_MODEL, file->name, 0,
                             "version %u of CTranslate2's model.bin; expected 2 to 6",
                             (unsigned)listing.version);
    DGM_TRY(take_name(&listing));
    if (strlen(listing.name) >= sizeof file->network)
        return fail(&listing, 4, "a long name of the network; expected at most 63 bytes");
    strcpy(file->network, listing.name);
    DGM_TRY(take(&listing, 4, &file->revision));
    DGM_TRY(take_all(&listing, take_variable));
    if (listing.version > 2)
        DGM_TRY(take_all(&listing, take_alias));
    if (listing.at != file->size)
        return fail(&listing, listing.at, "bytes behind the last variable; expected the end");
    return link_scales(&listing);
}
