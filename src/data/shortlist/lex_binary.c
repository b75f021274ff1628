/*
 * lex_binary.c: lexical shortlists in the binary form of Marian. Nothing of a file is believed
 * before it is seen.
 */
#include "data/shortlist/lex_binary.h"

#include <stdlib.h>
#include <string.h>

#include "base/file/file.h"
#include "base/le.h"
#include "base/mem.h"
#include "data/side.h"

static const uint64_t magic = 0xF11A48D5013417F5;

enum { SUM_AT = 8, FIRST_AT = 16, OFFSETS_AT = 32, IDS_AT = 40, HEAD = 48 };

/* Their end and unknown piece, and what they have not of our special entries. */
enum { THEIR_EOS, THEIR_UNK, THEIR_SPECIALS, MISSING = DGM_VOCAB_SPECIALS - THEIR_SPECIALS };

enum { MULTIPLE = 8 };

struct reading {
    const unsigned char *bytes;
    size_t size;
    const char *name;
    size_t types[2]; /* of theirs */
    size_t first, ids;
    int is_joint;
};

static int is_magic(const void *bytes, size_t size)
{
    return size >= sizeof magic && dgm_le64(bytes) == magic;
}

dgm_status dgm_lex_binary_look(struct dgm_env *env, const char *path, int *is)
{
    unsigned char bytes[sizeof magic];
    size_t count = 0;
    int fd;

    *is = 0;
    if (dgm_file_is_stream(env, path))
        return DGM_OK;
    DGM_TRY(dgm_file_open(env, &fd, path, NULL, NULL));
    if (dgm_file_read_at(env, fd, bytes, sizeof bytes, 0, &count) == 0)
        *is = is_magic(bytes, count);
    dgm_file_close(env, fd);
    return DGM_OK;
}

static dgm_status fail(struct dgm_env *env, const struct reading *file, size_t at, const char *what)
{
    return dgm_fail_byte(env, DGM_DATA, file->name, (long long)at,
                         "%s; expected a lexical shortlist of Marian, version 1", what);
}

/* ---- the head -------------------------------------------------------------------------------- */

/* Their sum of 64-bit words, from the first number behind it on; half a word at the end is none. */
static uint64_t sum_of(const struct reading *file)
{
    uint64_t sum = 0;

    for (size_t at = FIRST_AT; at + 8 <= file->size; at += 8)
        sum ^= dgm_le64(file->bytes + at) + 0x9E3779B9 + (sum << 6) + (sum >> 2);
    return sum;
}

static dgm_status read_head(struct dgm_env *env, struct reading *file)
{
    uint64_t first, offsets, ids;

    if (!is_magic(file->bytes, file->size))
        return fail(env, file, 0, "no shortlist");
    if (file->size < HEAD)
        return fail(env, file, file->size, "a shortlist that is cut off");
    first = dgm_le64(file->bytes + FIRST_AT);
    offsets = dgm_le64(file->bytes + OFFSETS_AT);
    ids = dgm_le64(file->bytes + IDS_AT);
    if (offsets > (file->size - HEAD) / 8 || ids > (file->size - HEAD - 8 * offsets) / 4 ||
        HEAD + 8 * offsets + 4 * ids != file->size)
        return fail(env, file, OFFSETS_AT, "another size than its head says");
    if (sum_of(file) != dgm_le64(file->bytes + SUM_AT))
        return fail(env, file, SUM_AT, "damaged: another checksum");
    if (offsets != file->types[DGM_SOURCE] + 1)
        return dgm_fail_byte(env, DGM_MODEL, file->name, OFFSETS_AT,
                             "a shortlist of %llu source pieces, and the model has %zu; expected "
                             "the one that belongs to the model of Marian that was imported",
                             (unsigned long long)(offsets > 0 ? offsets - 1 : 0),
                             file->types[DGM_SOURCE]);
    file->first = first < file->types[DGM_TARGET] ? (size_t)first : file->types[DGM_TARGET];
    file->ids = (size_t)ids;
    return DGM_OK;
}

/* ---- pieces ---------------------------------------------------------------------------------- */

/* Our number of their piece. */
static int32_t type_of(size_t piece)
{
    switch (piece) {
    case THEIR_EOS: return DGM_VOCAB_EOS;
    case THEIR_UNK: return DGM_VOCAB_UNK;
    default: return (int32_t)piece + MISSING;
    }
}

/* Their source piece that is our source type e; SIZE_MAX: they have none. */
static size_t piece_of(int32_t e)
{
    if (e >= DGM_VOCAB_SPECIALS)
        return (size_t)e - MISSING;
    return e == DGM_VOCAB_EOS ? THEIR_EOS : e == DGM_VOCAB_UNK ? THEIR_UNK : SIZE_MAX;
}

static int ascending(const void *a, const void *b)
{
    const int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;

    return x < y ? -1 : x > y;
}

/* Sorts and leaves one of equal numbers; how many are left. */
static size_t put_in_order(int32_t *types, size_t count)
{
    size_t left = 0;

    if (count > 0)
        qsort(types, count, sizeof *types, ascending);
    for (size_t i = 0; i < count; i++)
        if (left == 0 || types[left - 1] != types[i])
            types[left++] = types[i];
    return left;
}

/* ---- lists ----------------------------------------------------------------------------------- */

static dgm_status list_always(struct dgm_env *env, const struct reading *file,
                              struct dgm_shortlist *shortlist)
{
    size_t count = DGM_VOCAB_SPECIALS;

    DGM_TRY(dgm_new(env, &shortlist->always, DGM_VOCAB_SPECIALS + file->first,
                    sizeof *shortlist->always));
    for (int32_t type = 0; type < DGM_VOCAB_SPECIALS; type++)
        shortlist->always[type] = type;
    for (size_t piece = 0; piece < file->first; piece++)
        shortlist->always[count++] = type_of(piece);
    shortlist->always_count = (int32_t)put_in_order(shortlist->always, count);
    return DGM_OK;
}

/* Where the list of a piece begins; the piece behind the last: where all end. */
static size_t start_at(const struct reading *file, size_t piece)
{
    const uint64_t start = dgm_le64(file->bytes + HEAD + 8 * piece);

    return start <= file->ids ? (size_t)start : SIZE_MAX;
}

/* The list of source type e, behind `count` types of those before. */
static dgm_status list_type(struct dgm_env *env, const struct reading *file,
                            struct dgm_shortlist *shortlist, int32_t e, size_t *count)
{
    const size_t piece = piece_of(e), ids = HEAD + 8 * (file->types[DGM_SOURCE] + 1);
    const size_t begin = *count;
    size_t at, end;

    if (piece == SIZE_MAX)
        return DGM_OK;
    at = start_at(file, piece);
    end = start_at(file, piece + 1);
    if (at == SIZE_MAX || end == SIZE_MAX || end < at)
        return fail(env, file, HEAD + 8 * piece, "lists that do not follow each other");
    for (; at < end; at++) {
        const size_t id = dgm_le32(file->bytes + ids + 4 * at);

        if (id >= file->types[DGM_TARGET])
            return fail(env, file, ids + 4 * at, "a piece that the model has not");
        shortlist->words[(*count)++] = type_of(id);
    }
    if (file->is_joint)
        shortlist->words[(*count)++] = e;
    *count = begin + put_in_order(shortlist->words + begin, *count - begin);
    return DGM_OK;
}

static dgm_status list_all(struct dgm_env *env, const struct reading *file,
                           struct dgm_shortlist *shortlist)
{
    const size_t types = (size_t)shortlist->types[DGM_SOURCE];
    size_t count = 0;

    if (start_at(file, 0) != 0 || start_at(file, file->types[DGM_SOURCE]) != file->ids)
        return fail(env, file, HEAD, "lists that are not all of the pieces");
    DGM_TRY(dgm_new(env, &shortlist->starts, types + 1, sizeof *shortlist->starts));
    DGM_TRY(dgm_new(env, &shortlist->words, file->ids + types, sizeof *shortlist->words));
    for (int32_t e = 0; e < shortlist->types[DGM_SOURCE]; e++) {
        DGM_TRY(list_type(env, file, shortlist, e, &count));
        shortlist->starts[e + 1] = count;
    }
    return DGM_OK;
}

static dgm_status build(struct dgm_env *env, struct reading *file, struct dgm_shortlist *shortlist)
{
    DGM_TRY(read_head(env, file));
    DGM_TRY(list_always(env, file, shortlist));
    shortlist->multiple = MULTIPLE;
    shortlist->rest = MISSING;
    shortlist->fill_from = type_of(file->first);
    return list_all(env, file, shortlist);
}

dgm_status dgm_lex_binary_build(struct dgm_env *env, struct dgm_shortlist *shortlist,
                                const void *bytes, size_t size, const char *name,
                                const struct dgm_vocab *source, const struct dgm_vocab *target)
{
    const struct dgm_vocab *const vocabs[2] = { source, target };
    struct reading file = { .bytes = bytes, .size = size, .name = name };
    dgm_status status;

    memset(shortlist, 0, sizeof *shortlist);
    for (int side = DGM_SOURCE; side <= DGM_TARGET; side++) {
        shortlist->types[side] = (int32_t)dgm_vocab_size(vocabs[side]);
        shortlist->signature[side] = dgm_vocab_signature(vocabs[side]);
        file.types[side] = dgm_vocab_size(vocabs[side]) - MISSING;
    }
    file.is_joint = shortlist->signature[DGM_SOURCE] == shortlist->signature[DGM_TARGET];
    status = build(env, &file, shortlist);
    if (status != DGM_OK)
        dgm_shortlist_clear(env, shortlist);
    return status;
}
