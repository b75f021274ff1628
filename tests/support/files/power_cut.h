/*
 * power_cut.h: the folders that a power cut may leave after any of the recorded calls, one after
 * the other, each written to a scratch folder and handed to a function that judges it.
 */
#ifndef DGM_POWER_CUT_H
#define DGM_POWER_CUT_H

#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/hash.h"
#include "base/philox.h"
#include "recorded_files.h"

/* What became of bytes that were written and not synced. */
enum cut_mode { CUT_LOST, CUT_KEPT, CUT_ZERO, CUT_TORN, CUT_MODES };

enum { CUT_PENDING = 32, CUT_EXHAUSTIVE = 6, CUT_DRAWN = 40 };

struct power_cut {
    const struct recorded_files *all;
    size_t calls;                     /* the power fails after so many records */
    int no_file_sync, no_folder_sync; /* the mutants: such syncs have no effect */
    enum cut_mode mode;
    size_t pending[CUT_PENDING]; /* records of names that may be missing */
    int pending_count;
    uint64_t chosen; /* bit i: pending[i] did reach the disk */
    struct record_name names[RECORD_NAMES];
    size_t name_count;
    uint64_t *seen; /* keys of the states so far, open addressing */
    size_t seen_size, states;
};

/* ---- what a file holds ----------------------------------------------------------------------- */

static inline size_t cut_last_sync(const struct power_cut *cut, int file)
{
    size_t i, last = 0;

    for (i = 0; i < cut->calls && !cut->no_file_sync; i++)
        if (cut->all->records[i].kind == RECORD_SYNC && cut->all->records[i].file == file)
            last = i + 1;
    return last;
}

/* Bytes of all unsynced writes to a file. */
static inline size_t cut_unsynced(const struct power_cut *cut, int file, size_t from)
{
    size_t i, bytes = 0;

    for (i = from; i < cut->calls; i++)
        if (cut->all->records[i].file == file && cut->all->records[i].kind == RECORD_WRITE)
            bytes += cut->all->records[i].count;
    return bytes;
}

static inline void cut_write(FILE *out, const struct record *record, size_t count, int zeros)
{
    size_t i;

    fseek(out, (long)record->offset, SEEK_SET);
    if (!zeros)
        fwrite(record->bytes, 1, count, out);
    for (i = 0; zeros && i < count; i++)
        putc(0, out);
}

static inline int cut_apply(FILE *out, const struct record *record, size_t count, int zeros)
{
    if (record->kind == RECORD_WRITE)
        cut_write(out, record, count, zeros);
    else if (record->kind == RECORD_TRUNCATE)
        return fflush(out) == 0 && ftruncate(fileno(out), (off_t)record->offset) == 0;
    return 1;
}

/* Writes what the disk has of a file. */
static inline int cut_write_file(const struct power_cut *cut, int file, const char *path)
{
    size_t i, synced = cut_last_sync(cut, file);
    size_t left = cut_unsynced(cut, file, synced) / 2 / 512 * 512;
    FILE *out = fopen(path, "wb");

    for (i = 0; i < cut->calls && out != NULL; i++) {
        const struct record *record = &cut->all->records[i];
        size_t count = record->count;
        if (record->file != file || (i >= synced && cut->mode == CUT_LOST))
            continue;
        if (i >= synced && cut->mode == CUT_TORN) {
            count = count < left ? count : left;
            left -= count;
        }
        if (!cut_apply(out, record, count, i >= synced && cut->mode == CUT_ZERO))
            break;
    }
    return out != NULL && fclose(out) == 0;
}

/* ---- which names there are ------------------------------------------------------------------- */

static inline int is_name_record(const struct record *record)
{
    return record->kind == RECORD_NAME || record->kind == RECORD_RENAME ||
           record->kind == RECORD_REMOVE;
}

static inline int is_in_folder(const struct record *record, const char *folder)
{
    const char *path = record->to[0] != '\0' ? record->to : record->from;
    const char *slash = strrchr(path, '/');
    size_t length = slash != NULL ? (size_t)(slash - path) : 0;

    return strlen(folder) == length && strncmp(path, folder, length) == 0;
}

/* Whether the folder of a record was synced after it. */
static inline int is_durable(const struct power_cut *cut, size_t number)
{
    size_t i;

    for (i = number + 1; i < cut->calls && !cut->no_folder_sync; i++)
        if (cut->all->records[i].kind == RECORD_SYNC_FOLDER &&
            is_in_folder(&cut->all->records[number], cut->all->records[i].to))
            return 1;
    return 0;
}

static inline void cut_find_pending(struct power_cut *cut)
{
    size_t i;

    cut->pending_count = 0;
    for (i = 0; i < cut->calls; i++)
        if (is_name_record(&cut->all->records[i]) && !is_durable(cut, i)) {
            if (cut->pending_count == CUT_PENDING) /* the oldest has reached the disk */
                memmove(cut->pending, cut->pending + 1,
                        (size_t)--cut->pending_count * sizeof cut->pending[0]);
            cut->pending[cut->pending_count++] = i;
        }
}

static inline int is_missing(const struct power_cut *cut, size_t number)
{
    int i;

    for (i = 0; i < cut->pending_count; i++)
        if (cut->pending[i] == number)
            return (cut->chosen >> i & 1) == 0;
    return 0;
}

static inline void cut_find_names(struct power_cut *cut)
{
    size_t i;

    cut->name_count = 0;
    for (i = 0; i < cut->calls; i++) {
        const struct record *record = &cut->all->records[i];
        if (!is_name_record(record) || is_missing(cut, i))
            continue;
        if (record->from[0] != '\0')
            record_unset(cut->names, &cut->name_count, record->from);
        if (record->to[0] != '\0')
            record_set(cut->names, &cut->name_count, record->to, record->file);
    }
}

/* ---- states ---------------------------------------------------------------------------------- */

/* A number that is the same for the same names with the same contents. */
static inline uint64_t cut_key(const struct power_cut *cut)
{
    uint64_t key = 1;
    size_t i, k;

    for (i = 0; i < cut->name_count; i++) {
        int file = cut->names[i].file;
        size_t last = 0, synced = cut_last_sync(cut, file);
        char text[160];
        for (k = 0; k < cut->calls; k++)
            if (cut->all->records[k].file == file && (cut->all->records[k].kind == RECORD_WRITE ||
                                                      cut->all->records[k].kind == RECORD_TRUNCATE))
                last = k + 1;
        snprintf(text, sizeof text, "%s %d %zu %d", cut->names[i].path, file,
                 last > synced ? last : (size_t)0, last > synced ? (int)cut->mode : -1);
        key += dgm_hash_bytes(text, strlen(text));
    }
    return key != 0 ? key : 1;
}

/* Whether this state is a new one; notes it. */
static inline int cut_is_new(struct power_cut *cut)
{
    uint64_t key = cut_key(cut);
    size_t at = (size_t)(key % cut->seen_size);

    while (cut->seen[at] != 0) {
        if (cut->seen[at] == key)
            return 0;
        at = (at + 1) % cut->seen_size;
    }
    if (2 * ++cut->states > cut->seen_size)
        abort();
    cut->seen[at] = key;
    return 1;
}

/* Whether the folder that a file stands in has a name: what it holds is lost otherwise. */
static inline int cut_has_folder(const struct power_cut *cut, const char *path)
{
    const char *slash = strrchr(path, '/');
    size_t i;

    for (i = 0; slash != NULL && i < cut->name_count; i++)
        if (cut->names[i].file == RECORD_FOLDER &&
            strlen(cut->names[i].path) == (size_t)(slash - path) &&
            strncmp(cut->names[i].path, path, (size_t)(slash - path)) == 0)
            return 1;
    return slash == NULL;
}

/* Writes the state below `root`, an empty folder: first folders, then files. */
static inline int cut_write_state(const struct power_cut *cut, const char *root)
{
    char path[1400];
    size_t i;
    int pass;

    for (pass = 0; pass < 2; pass++)
        for (i = 0; i < cut->name_count; i++) {
            const struct record_name *name = &cut->names[i];
            snprintf(path, sizeof path, "%s/%s", root, name->path);
            if (!cut_has_folder(cut, name->path) || (name->file == RECORD_FOLDER) != (pass == 0))
                continue;
            if (pass == 0 ? mkdir(path, 0777) != 0 : !cut_write_file(cut, name->file, path))
                return 0;
        }
    return 1;
}

/* The `number`-th choice of which pending names reached the disk; 0 when there are no more: all of
 * them where they are few, else what came first, all but one, and some drawn at random. */
static inline int cut_choose(struct power_cut *cut, int number)
{
    int n = cut->pending_count;
    uint64_t all = n > 0 ? ~(uint64_t)0 >> (64 - n) : 0;
    struct dgm_random random;

    if (n <= CUT_EXHAUSTIVE) {
        cut->chosen = (uint64_t)number;
        return number < 1 << n;
    }
    if (number <= n)
        cut->chosen = number == 0 ? 0 : all >> (n - number);
    else if (number <= 2 * n)
        cut->chosen = all & ~((uint64_t)1 << (number - n - 1));
    else {
        dgm_random_init(&random, 7, (uint32_t)number, (uint32_t)cut->calls, 0);
        cut->chosen = all & (((uint64_t)dgm_random_below(&random, 1u << 31) << 31) |
                             dgm_random_below(&random, 1u << 31));
    }
    return number <= 2 * n + CUT_DRAWN;
}

static inline void cut_begin(struct power_cut *cut, const struct recorded_files *all)
{
    memset(cut, 0, sizeof *cut);
    cut->all = all;
    cut->seen_size = 1 << 18;
    cut->seen = calloc(cut->seen_size, sizeof *cut->seen);
    if (cut->seen == NULL)
        abort();
}

static inline void cut_end(struct power_cut *cut)
{
    free(cut->seen);
}

#endif
