/*
 * shortlist_file.c: a shortlist to bytes and back. Nothing of a file is believed before it is seen.
 */
#include "data/shortlist/shortlist_file.h"

#include <string.h>

#include "base/file/file.h"
#include "base/hash.h"
#include "base/le.h"
#include "base/mem.h"
#include "data/side.h"

static const char magic[8] = { 'D', 'G', 'M', 'S', 'H', 'O', 'R', 'T' };

enum { PLAIN = 1, FILLED = 2, VERSION_AT = 8, TYPES_AT = 12, ALWAYS_AT = 20, SIGNATURES_AT = 24 };
enum { WORDS_AT = 40, HEAD = 48, FILL = 12, SUM = 8, MOST_MULTIPLE = 1024 };

/* ---- writing --------------------------------------------------------------------------------- */

static dgm_status add_u32(struct dgm_env *env, struct dgm_buf *out, uint32_t value)
{
    unsigned char bytes[4];

    dgm_le32_put(bytes, value);
    return dgm_buf_add(env, out, bytes, sizeof bytes);
}

static dgm_status add_u64(struct dgm_env *env, struct dgm_buf *out, uint64_t value)
{
    unsigned char bytes[8];

    dgm_le64_put(bytes, value);
    return dgm_buf_add(env, out, bytes, sizeof bytes);
}

static dgm_status add_types(struct dgm_env *env, struct dgm_buf *out, const int32_t *types,
                            size_t count)
{
    for (size_t i = 0; i < count; i++)
        DGM_TRY(add_u32(env, out, (uint32_t)types[i]));
    return DGM_OK;
}

static dgm_status add_head(struct dgm_env *env, struct dgm_buf *out,
                           const struct dgm_shortlist *shortlist)
{
    const int32_t *types = shortlist->types;

    DGM_TRY(dgm_buf_add(env, out, magic, sizeof magic));
    DGM_TRY(add_u32(env, out, shortlist->multiple > 0 ? FILLED : PLAIN));
    DGM_TRY(add_u32(env, out, (uint32_t)types[DGM_SOURCE]));
    DGM_TRY(add_u32(env, out, (uint32_t)types[DGM_TARGET]));
    DGM_TRY(add_u32(env, out, (uint32_t)shortlist->always_count));
    DGM_TRY(add_u64(env, out, shortlist->signature[DGM_SOURCE]));
    DGM_TRY(add_u64(env, out, shortlist->signature[DGM_TARGET]));
    DGM_TRY(add_u64(env, out, shortlist->starts[types[DGM_SOURCE]]));
    if (shortlist->multiple == 0)
        return DGM_OK;
    DGM_TRY(add_u32(env, out, (uint32_t)shortlist->multiple));
    DGM_TRY(add_u32(env, out, (uint32_t)shortlist->rest));
    return add_u32(env, out, (uint32_t)shortlist->fill_from);
}

dgm_status dgm_shortlist_print(struct dgm_env *env, struct dgm_buf *out,
                               const struct dgm_shortlist *shortlist)
{
    const int32_t count = shortlist->types[DGM_SOURCE];
    const size_t *starts = shortlist->starts, begin = out->size;

    DGM_TRY(add_head(env, out, shortlist));
    DGM_TRY(add_types(env, out, shortlist->always, (size_t)shortlist->always_count));
    for (int32_t e = 0; e < count; e++)
        DGM_TRY(add_u32(env, out, (uint32_t)(starts[e + 1] - starts[e])));
    DGM_TRY(add_types(env, out, shortlist->words, starts[count]));
    return add_u64(env, out, dgm_hash_bytes(out->data + begin, out->size - begin));
}

dgm_status dgm_shortlist_write(struct dgm_env *env, const struct dgm_shortlist *shortlist,
                               struct dgm_writer *writer)
{
    struct dgm_buf bytes = { 0 };
    dgm_status status = dgm_shortlist_print(env, &bytes, shortlist);

    if (status == DGM_OK)
        status = dgm_writer_add(env, writer, bytes.data, bytes.size);
    dgm_buf_clear(env, &bytes);
    return status;
}

/* ---- reading --------------------------------------------------------------------------------- */

struct reading {
    const unsigned char *bytes;
    size_t size, at;
    size_t head; /* bytes before the lists */
    const char *name;
    uint64_t words;
};

static dgm_status fail(struct dgm_env *env, const struct reading *file, size_t at, const char *what)
{
    return dgm_fail_byte(env, DGM_DATA, file->name, (long long)at,
                         "%s; expected a file that `dragoman shortlist` has written", what);
}

/* Behind the rest of the head, in a file that has it. */
static dgm_status read_fill(struct dgm_env *env, struct reading *file,
                            struct dgm_shortlist *shortlist)
{
    const unsigned char *bytes = file->bytes;
    uint32_t multiple, rest, from;

    file->head = HEAD;
    if (dgm_le32(bytes + VERSION_AT) == PLAIN)
        return DGM_OK;
    file->head += FILL;
    if (file->size < file->head + SUM)
        return fail(env, file, file->size, "a shortlist that is cut off");
    multiple = dgm_le32(bytes + HEAD);
    rest = dgm_le32(bytes + HEAD + 4);
    from = dgm_le32(bytes + HEAD + 8);
    if (multiple < 1 || multiple > MOST_MULTIPLE || rest >= multiple ||
        from > (uint32_t)shortlist->types[DGM_TARGET])
        return fail(env, file, HEAD, "lists that are filled up to an impossible number");
    shortlist->multiple = (int32_t)multiple;
    shortlist->rest = (int32_t)rest;
    shortlist->fill_from = (int32_t)from;
    return DGM_OK;
}

static dgm_status read_head(struct dgm_env *env, struct reading *file,
                            struct dgm_shortlist *shortlist)
{
    const unsigned char *bytes = file->bytes;
    uint32_t types[2], always;

    if (file->size < sizeof magic || memcmp(bytes, magic, sizeof magic) != 0)
        return fail(env, file, 0, "no shortlist");
    if (file->size < HEAD + SUM)
        return fail(env, file, file->size, "a shortlist that is cut off");
    if (dgm_le32(bytes + VERSION_AT) != PLAIN && dgm_le32(bytes + VERSION_AT) != FILLED)
        return dgm_fail_byte(env, DGM_DATA, file->name, VERSION_AT,
                             "a shortlist of version %lu; this program reads versions %d and %d",
                             (unsigned long)dgm_le32(bytes + VERSION_AT), (int)PLAIN, (int)FILLED);
    types[DGM_SOURCE] = dgm_le32(bytes + TYPES_AT);
    types[DGM_TARGET] = dgm_le32(bytes + TYPES_AT + 4);
    always = dgm_le32(bytes + ALWAYS_AT);
    for (int side = DGM_SOURCE; side <= DGM_TARGET; side++)
        if (types[side] < DGM_VOCAB_SPECIALS || types[side] > DGM_VOCAB_LIMIT)
            return fail(env, file, TYPES_AT, "a vocabulary of an impossible size");
    if (always < DGM_VOCAB_SPECIALS || always > types[DGM_TARGET])
        return fail(env, file, ALWAYS_AT, "an impossible number of types that are always allowed");
    for (int side = DGM_SOURCE; side <= DGM_TARGET; side++) {
        shortlist->types[side] = (int32_t)types[side];
        shortlist->signature[side] = dgm_le64(bytes + SIGNATURES_AT + 8 * side);
    }
    shortlist->always_count = (int32_t)always;
    file->words = dgm_le64(bytes + WORDS_AT);
    return read_fill(env, file, shortlist);
}

/* The size must be what the head says, and the checksum right. */
static dgm_status check_whole(struct dgm_env *env, const struct reading *file,
                              const struct dgm_shortlist *shortlist)
{
    const uint64_t numbers =
        (uint64_t)shortlist->always_count + (uint64_t)shortlist->types[DGM_SOURCE];
    const uint64_t rest = (uint64_t)(file->size - file->head - SUM);

    if (rest % 4 != 0 || rest / 4 < numbers || rest / 4 - numbers != file->words)
        return fail(env, file, WORDS_AT, "another size than its head says");
    if (dgm_hash_bytes(file->bytes, file->size - SUM) != dgm_le64(file->bytes + file->size - SUM))
        return fail(env, file, file->size - SUM, "damaged: another checksum");
    return DGM_OK;
}

/* `count` target types, each larger than the one before. */
static dgm_status read_types(struct dgm_env *env, struct reading *file, int32_t *to, size_t count,
                             int32_t types)
{
    for (size_t i = 0; i < count; i++, file->at += 4) {
        const uint32_t type = dgm_le32(file->bytes + file->at);

        if (type >= (uint32_t)types || (i > 0 && type <= (uint32_t)to[i - 1]))
            return fail(env, file, file->at, "a list that does not ascend within the vocabulary");
        to[i] = (int32_t)type;
    }
    return DGM_OK;
}

static dgm_status read_counts(struct dgm_env *env, struct reading *file,
                              struct dgm_shortlist *shortlist)
{
    const int32_t count = shortlist->types[DGM_SOURCE];
    uint64_t sum = 0;

    for (int32_t e = 0; e < count; e++, file->at += 4) {
        sum += dgm_le32(file->bytes + file->at);
        if (sum > file->words)
            return fail(env, file, file->at, "lists longer than their sum");
        shortlist->starts[e + 1] = (size_t)sum;
    }
    if (sum != file->words)
        return fail(env, file, WORDS_AT, "lists shorter than their sum");
    return DGM_OK;
}

static dgm_status allocate(struct dgm_env *env, struct dgm_shortlist *shortlist, size_t words)
{
    const size_t always = (size_t)shortlist->always_count;
    const size_t starts = (size_t)shortlist->types[DGM_SOURCE] + 1;

    DGM_TRY(dgm_new(env, &shortlist->always, always, sizeof *shortlist->always));
    DGM_TRY(dgm_new(env, &shortlist->starts, starts, sizeof *shortlist->starts));
    return dgm_new(env, &shortlist->words, words, sizeof *shortlist->words);
}

static dgm_status read_all(struct dgm_env *env, struct reading *file,
                           struct dgm_shortlist *shortlist)
{
    const int32_t types = shortlist->types[DGM_TARGET];

    file->at = file->head;
    DGM_TRY(read_types(env, file, shortlist->always, (size_t)shortlist->always_count, types));
    if (shortlist->always[DGM_VOCAB_SPECIALS - 1] != DGM_VOCAB_SPECIALS - 1)
        return fail(env, file, file->head, "a list without the special types");
    DGM_TRY(read_counts(env, file, shortlist));
    for (int32_t e = 0; e < shortlist->types[DGM_SOURCE]; e++)
        DGM_TRY(read_types(env, file, shortlist->words + shortlist->starts[e],
                           shortlist->starts[e + 1] - shortlist->starts[e], types));
    return DGM_OK;
}

dgm_status dgm_shortlist_parse(struct dgm_env *env, struct dgm_shortlist *shortlist,
                               const void *bytes, size_t size, const char *name)
{
    struct reading file = { .bytes = bytes, .size = size, .name = name };
    dgm_status status;

    memset(shortlist, 0, sizeof *shortlist);
    DGM_TRY_OUT(read_head(env, &file, shortlist));
    DGM_TRY_OUT(check_whole(env, &file, shortlist));
    DGM_TRY_OUT(allocate(env, shortlist, (size_t)file.words));
    status = read_all(env, &file, shortlist);
out:
    if (status != DGM_OK)
        dgm_shortlist_clear(env, shortlist);
    return status;
}

dgm_status dgm_shortlist_load(struct dgm_env *env, struct dgm_shortlist *shortlist,
                              const char *path)
{
    struct dgm_buf bytes = { 0 };
    dgm_status status = dgm_file_read(env, &bytes, path);

    if (status == DGM_OK)
        status = dgm_shortlist_parse(env, shortlist, bytes.data, bytes.size, path);
    dgm_buf_clear(env, &bytes);
    return status;
}
