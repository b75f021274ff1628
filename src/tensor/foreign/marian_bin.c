/*
 * marian_bin.c: the binary files of Marian, version 1, as marian-conv and the models of browsers
 * have them: a version and the number of items; for each the length of its name, its type, its rank
 * and the bytes of its data; all names; all shapes; a gap; and the data, one behind the other,
 * padded. (src/common/binary.cpp of marian-dev and of browsermt/marian-dev.)
 *
 * intgemm8: whole numbers, and behind the last one the real number by which all are divided. A
 * matrix of them lies there turned, output by input, whatever its shape says, but not a table of
 * embeddings.
 */
#include <string.h>

#include "base/le.h"
#include "tensor/foreign/foreign.h"

enum { VERSION = 1, HEAD = 32, NAME = 256, MOST_GAP = 1 << 20 };
enum { FLOAT32 = 0x0404, INT8 = 0x0101, INTGEMM8 = 0x4101 };

static const struct dgm_foreign_type types[] = {
    { "float32", DGM_FOREIGN_F32, 4 },
    { "int8", DGM_FOREIGN_INT, 1 },
    { "intgemm8", DGM_FOREIGN_INT, 1 },
};

/* The file while it is listed: where the next of its four tables begins. */
struct listing {
    struct dgm_env *env;
    struct dgm_foreign *file;
    uint64_t count, head, name, shape, data;
};

/* What stands of an item in the table of heads. */
struct head {
    uint64_t name, type, rank, bytes;
};

static dgm_status fail(const struct listing *listing, uint64_t at, const char *what)
{
    return dgm_fail_byte(listing->env, DGM_MODEL, listing->file->name, (long long)at, "%s", what);
}

static dgm_status read_head(struct listing *listing, uint64_t i, struct head *head)
{
    const uint64_t at = listing->head + i * HEAD;
    unsigned char bytes[HEAD];

    DGM_TRY(dgm_foreign_bytes_at(listing->env, listing->file, bytes, at, sizeof bytes));
    head->name = dgm_le64(bytes);
    head->type = dgm_le64(bytes + 8);
    head->rank = dgm_le64(bytes + 16);
    head->bytes = dgm_le64(bytes + 24);
    if (head->name < 2 || head->name > NAME)
        return fail(listing, at, "a name that is empty or too long; expected 1 to 255 bytes");
    if (head->rank > DGM_FOREIGN_RANK)
        return fail(listing, at, "an item of more than 8 dimensions");
    if (head->bytes > listing->file->size)
        return fail(listing, at, "an item of more bytes than the file has");
    return DGM_OK;
}

/* Where names end and shapes end, and behind the gap the data. */
static dgm_status find_tables(struct listing *listing)
{
    unsigned char bytes[8];
    struct head head;
    uint64_t gap;

    listing->head = 16;
    listing->name = listing->shape = listing->head + listing->count * HEAD;
    for (uint64_t i = 0; i < listing->count; i++) {
        DGM_TRY(read_head(listing, i, &head));
        listing->shape += head.name;
    }
    listing->data = listing->shape;
    for (uint64_t i = 0; i < listing->count; i++) {
        DGM_TRY(read_head(listing, i, &head));
        listing->data += 4 * head.rank;
    }
    DGM_TRY(dgm_foreign_bytes_at(listing->env, listing->file, bytes, listing->data, sizeof bytes));
    gap = dgm_le64(bytes);
    if (gap > MOST_GAP)
        return fail(listing, listing->data, "a gap before the data of more than a megabyte");
    listing->data += 8 + gap;
    return DGM_OK;
}

/* ---- items ----------------------------------------------------------------------------------- */

static dgm_status read_shape(const struct listing *listing, const struct head *head,
                             struct dgm_foreign_tensor *tensor)
{
    unsigned char bytes[4 * DGM_FOREIGN_RANK];

    DGM_TRY(dgm_foreign_bytes_at(listing->env, listing->file, bytes, listing->shape,
                                 4 * (size_t)head->rank));
    tensor->rank = (int)head->rank;
    for (int i = 0; i < DGM_FOREIGN_RANK; i++)
        tensor->dims[i] = i < tensor->rank ? dgm_le32(bytes + 4 * i) : 1;
    return DGM_OK;
}

static dgm_status read_type(const struct listing *listing, const struct head *head,
                            const char *name, struct dgm_foreign_tensor *tensor)
{
    tensor->type = head->type == FLOAT32 ? &types[0] : head->type == INT8 ? &types[1] : &types[2];
    if (head->type == INTGEMM8) {
        tensor->scaling = DGM_FOREIGN_SCALED_BEHIND;
        tensor->is_turned = strstr(name, "Wemb") == NULL;
        return DGM_OK;
    }
    if (head->type == FLOAT32 || head->type == INT8)
        return DGM_OK;
    return dgm_fail_at(listing->env, DGM_MODEL, listing->file->name, 0, 0,
                       "item \"%s\" has the type 0x%llx; expected float32, int8 or intgemm8 "
                       "(0x404, 0x101, 0x4101)",
                       name, (unsigned long long)head->type);
}

static dgm_status add_item(struct listing *listing, const struct head *head)
{
    struct dgm_foreign *file = listing->file;
    struct dgm_foreign_tensor tensor = { 0 };
    char name[NAME];
    uint64_t needed;

    DGM_TRY(dgm_foreign_bytes_at(listing->env, file, name, listing->name, (size_t)head->name));
    if (memchr(name, '\0', (size_t)head->name) != name + head->name - 1)
        return fail(listing, listing->name, "a name without its end; expected NUL there");
    DGM_TRY(read_shape(listing, head, &tensor));
    DGM_TRY(read_type(listing, head, name, &tensor));
    tensor.at = listing->data;
    tensor.stored = head->bytes;
    DGM_TRY(dgm_foreign_add(listing->env, file, &tensor, name, (size_t)head->name - 1));
    needed = (uint64_t)file->tensors[file->count - 1].bytes + (head->type == INTGEMM8 ? 4 : 0);
    if (head->bytes < needed || listing->data > file->size ||
        head->bytes > file->size - listing->data)
        return fail(listing, listing->data, "fewer bytes than the shape of an item takes");
    return DGM_OK;
}

dgm_status dgm_marian_bin_list(struct dgm_env *env, struct dgm_foreign *file)
{
    struct listing listing = { .env = env, .file = file };
    unsigned char bytes[16];
    struct head head;

    file->format = "marian";
    DGM_TRY(dgm_foreign_bytes_at(env, file, bytes, 0, sizeof bytes));
    listing.count = dgm_le64(bytes + 8);
    if (dgm_le64(bytes) != VERSION || listing.count > DGM_FOREIGN_COUNT)
        return fail(&listing, 0,
                    "not version 1 of Marian's binary files, or more than 65536 items");
    DGM_TRY(find_tables(&listing));
    for (uint64_t i = 0; i < listing.count; i++) {
        DGM_TRY(read_head(&listing, i, &head));
        DGM_TRY(add_item(&listing, &head));
        listing.name += head.name;
        listing.shape += 4 * head.rank;
        listing.data += head.bytes;
    }
    return listing.data == file->size
               ? DGM_OK
               : fail(&listing, listing.data, "bytes behind the last item; expected the end");
}
