/*
 * zip.c: the directory at the end of a zip archive, and the members it names.
 *
 * The directory is believed only as far as the members' own headers agree with it, and members must
 * follow one another: programs that write models do so, and no byte is then read twice.
 */
#include "tensor/foreign/zip.h"

#include <string.h>

#include "base/le.h"
#include "base/mem.h"

/* Records as in APPNOTE.TXT of PKWARE, 4.3.7 to 4.3.16; numbers are little-endian. */
enum {
    END_BYTES = 22,     /* of the record at the end, without its comment */
    END64_BYTES = 56,   /* of that with sizes of 64 bits */
    LOCATOR_BYTES = 20, /* which says where it is */
    ENTRY_BYTES = 46,   /* of a member in the directory, without name and extras */
    HEADER_BYTES = 30,  /* of a member in front of its data, the same */
    COMMENT_MOST = 65535
};

#define END_MARK 0x06054b50U
#define END64_MARK 0x06064b50U
#define LOCATOR_MARK 0x07064b50U
#define ENTRY_MARK 0x02014b50U
#define HEADER_MARK 0x04034b50U
#define IS_64 0xFFFFFFFFU /* the number stands elsewhere, in 64 bits */

struct directory {
    uint64_t at, bytes, count;
};

static dgm_status fail(struct dgm_env *env, const struct dgm_foreign *file, uint64_t at,
                       const char *what)
{
    return dgm_fail_byte(env, DGM_MODEL, file->name, (long long)at,
                         "damaged or unusual archive: %s", what);
}

/* ---- the end --------------------------------------------------------------------------------- */

static dgm_status read_end64(struct dgm_env *env, const struct dgm_foreign *file, uint64_t end,
                             struct directory *directory)
{
    unsigned char locator[LOCATOR_BYTES], record[END64_BYTES];
    uint64_t at;

    if (end < LOCATOR_BYTES)
        return fail(env, file, end, "no directory");
    DGM_TRY(dgm_foreign_bytes_at(env, file, locator, end - LOCATOR_BYTES, LOCATOR_BYTES));
    at = dgm_le64(locator + 8);
    if (dgm_le32(locator) != LOCATOR_MARK || dgm_le32(locator + 4) != 0 ||
        dgm_le32(locator + 16) > 1 || at > end)
        return fail(env, file, end - LOCATOR_BYTES, "no directory with sizes of 64 bits here");
    DGM_TRY(dgm_foreign_bytes_at(env, file, record, at, END64_BYTES));
    if (dgm_le32(record) != END64_MARK || dgm_le32(record + 16) != 0 ||
        dgm_le32(record + 20) != 0 || dgm_le64(record + 24) != dgm_le64(record + 32))
        return fail(env, file, at, "no directory with sizes of 64 bits here");
    directory->count = dgm_le64(record + 32);
    directory->bytes = dgm_le64(record + 40);
    directory->at = dgm_le64(record + 48);
    return DGM_OK;
}

static dgm_status read_end(struct dgm_env *env, const struct dgm_foreign *file,
                           const unsigned char *record, uint64_t at, struct directory *directory)
{
    if (dgm_le16(record + 4) != 0 || dgm_le16(record + 6) != 0 ||
        dgm_le16(record + 8) != dgm_le16(record + 10))
        return fail(env, file, at, "it has several parts");
    directory->count = dgm_le16(record + 10);
    directory->bytes = dgm_le32(record + 12);
    directory->at = dgm_le32(record + 16);
    if (directory->count == 0xFFFF || directory->bytes == IS_64 || directory->at == IS_64)
        DGM_TRY(read_end64(env, file, at, directory));
    if (directory->at > at || directory->bytes > at - directory->at)
        return fail(env, file, at, "its directory is not in front of here");
    return DGM_OK;
}

/* The record is the last one whose comment reaches to the end of the file. */
static dgm_status find_end(struct dgm_env *env, const struct dgm_foreign *file,
                           struct directory *directory)
{
    const size_t most = END_BYTES + COMMENT_MOST;
    const size_t count = file->size < most ? (size_t)file->size : most;
    unsigned char *tail = dgm_resize(env, NULL, count + 1, 1);
    dgm_status status;

    if (tail == NULL)
        return DGM_MEMORY;
    DGM_TRY_OUT(dgm_foreign_bytes_at(env, file, tail, file->size - count, count));
    for (size_t left = END_BYTES; left <= count; left++) {
        const unsigned char *record = tail + count - left;

        if (dgm_le32(record) != END_MARK || dgm_le16(record + 20) != left - END_BYTES)
            continue;
        status = read_end(env, file, record, file->size - left, directory);
        goto out;
    }
    status = fail(env, file, file->size, "no directory at its end (truncated?)");
out:
    dgm_release(env, tail);
    return status;
}

/* ---- members --------------------------------------------------------------------------------- */

/* Sizes that do not fit 32 bits stand in extra field 1, those alone, in this order. */
static dgm_status read_extra(struct dgm_env *env, const struct dgm_foreign *file,
                             struct dgm_zip_member *member, const unsigned char *extra,
                             size_t bytes)
{
    uint64_t *const values[] = { &member->plain, &member->stored, &member->at };

    while (bytes >= 4) {
        const size_t size = dgm_le16(extra + 2);
        size_t at = 4;

        if (size > bytes - 4)
            break;
        for (int i = 0; i < 3 && dgm_le16(extra) == 1; i++)
            if (*values[i] == IS_64 && at + 8 <= 4 + size) {
                *values[i] = dgm_le64(extra + at);
                at += 8;
            }
        extra += 4 + size;
        bytes -= 4 + size;
    }
    return bytes == 0 ? DGM_OK : fail(env, file, member->at, "a member with bad extra fields");
}

static dgm_status check_kind(struct dgm_env *env, const struct dgm_foreign *file,
                             const unsigned char *entry, uint64_t at)
{
    if ((dgm_le16(entry + 8) & 1) != 0)
        return fail(env, file, at, "an encrypted member");
    if (dgm_le16(entry + 10) != 0 && dgm_le16(entry + 10) != 8)
        return fail(env, file, at, "a member that is neither stored nor deflated");
    if (dgm_le16(entry + 34) != 0)
        return fail(env, file, at, "a member in another part");
    return DGM_OK;
}

/* From where its header stands to where its data do; both names must be one. */
static dgm_status find_data(struct dgm_env *env, const struct dgm_foreign *file,
                            struct dgm_zip_member *member)
{
    unsigned char header[HEADER_BYTES], piece[256];
    const uint64_t at = member->at;

    DGM_TRY(dgm_foreign_bytes_at(env, file, header, at, HEADER_BYTES));
    if (dgm_le32(header) != HEADER_MARK || dgm_le16(header + 26) != member->name_bytes)
        return fail(env, file, at, "no header of the member that its directory has here");
    for (size_t i = 0, count; i < member->name_bytes; i += count) {
        count = member->name_bytes - i < sizeof piece ? member->name_bytes - i : sizeof piece;
        DGM_TRY(dgm_foreign_bytes_at(env, file, piece, at + HEADER_BYTES + i, count));
        if (memcmp(piece, member->name + i, count) != 0)
            return fail(env, file, at, "a member has two names");
    }
    member->at = at + HEADER_BYTES + member->name_bytes + dgm_le16(header + 28);
    return DGM_OK;
}

/* *bytes: of the entry; *end: of the members before, then of this one. */
static dgm_status read_entry(struct dgm_env *env, const struct dgm_foreign *file,
                             const struct directory *directory, struct dgm_zip_member *member,
                             const unsigned char *entry, size_t *bytes, uint64_t *end)
{
    const uint64_t at = directory->at + (directory->bytes - *bytes);
    size_t size = ENTRY_BYTES;

    if (*bytes < size || dgm_le32(entry) != ENTRY_MARK)
        return fail(env, file, at, "its directory has no member here");
    size += (size_t)dgm_le16(entry + 28) + dgm_le16(entry + 30) + dgm_le16(entry + 32);
    if (*bytes < size)
        return fail(env, file, at, "its directory ends in a member");
    DGM_TRY(check_kind(env, file, entry, at));
    member->is_packed = dgm_le16(entry + 10) == 8;
    member->crc = dgm_le32(entry + 16);
    member->stored = dgm_le32(entry + 20);
    member->plain = dgm_le32(entry + 24);
    member->at = dgm_le32(entry + 42);
    member->name = (const char *)entry + ENTRY_BYTES;
    member->name_bytes = dgm_le16(entry + 28);
    DGM_TRY(read_extra(env, file, member, entry + ENTRY_BYTES + member->name_bytes,
                       dgm_le16(entry + 30)));
    if (member->at < *end || member->at > directory->at)
        return fail(env, file, at, "members overlap or stand in another order");
    DGM_TRY(find_data(env, file, member));
    if (member->at > directory->at || member->stored > directory->at - member->at)
        return fail(env, file, member->at, "a member runs into the directory");
    if (!member->is_packed && member->stored != member->plain)
        return fail(env, file, member->at, "a stored member with two sizes");
    *end = member->at + member->stored;
    *bytes = size;
    return DGM_OK;
}

static dgm_status list_entries(struct dgm_env *env, struct dgm_foreign *file,
                               const struct directory *directory, const unsigned char *entries,
                               dgm_zip_fn *fn)
{
    size_t left = (size_t)directory->bytes, size;
    uint64_t end = 0;

    for (uint64_t i = 0; i < directory->count; i++) {
        struct dgm_zip_member member;

        size = left;
        DGM_TRY(read_entry(env, file, directory, &member, entries, &size, &end));
        DGM_TRY(fn(env, file, &member));
        entries += size;
        left -= size;
    }
    return left == 0 ? DGM_OK
                     : fail(env, file, directory->at + directory->bytes - left,
                            "its directory has more than it counts");
}

dgm_status dgm_zip_list(struct dgm_env *env, struct dgm_foreign *file, dgm_zip_fn *fn)
{
    struct directory directory = { 0, 0, 0 };
    unsigned char *entries;
    dgm_status status;

    DGM_TRY(find_end(env, file, &directory));
    if (directory.count > DGM_FOREIGN_COUNT || directory.bytes > SIZE_MAX / 2)
        return fail(env, file, directory.at, "too many members");
    entries = dgm_resize(env, NULL, (size_t)directory.bytes + 1, 1);
    if (entries == NULL)
        return DGM_MEMORY;
    DGM_TRY_OUT(dgm_foreign_bytes_at(env, file, entries, directory.at, (size_t)directory.bytes));
    status = list_entries(env, file, &directory, entries, fn);
out:
    dgm_release(env, entries);
    return status;
}
