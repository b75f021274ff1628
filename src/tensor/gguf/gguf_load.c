/*
 * gguf_load.c: a GGUF file from the disk, and its checksums.
 *
 * The first bytes are looked at before memory is taken for the rest, so that five
 * gigabytes of something else cost nothing.
 */
#include "tensor/gguf/gguf_load.h"

#include <fcntl.h>
#include <string.h>

#include "base/file/file.h"
#include "base/file/vfs.h"
#include "base/hash.h"
#include "base/le.h"
#include "base/mem.h"
#include "tensor/gguf/gguf_contents.h"
#include "tensor/gguf/gguf_get.h"

enum { FIRST_PIECE = 1 << 20 };

/* Exactly `left` bytes of the file, from byte `from` on; a file that shrinks meanwhile is an
 * error. */
static dgm_status read_range(struct dgm_env *env, int fd, unsigned char *to, size_t from,
                             size_t left, const char *path)
{
    size_t got;

    if (dgm_file_read_at(env, fd, to, left, (long long)from, &got) != 0)
        return dgm_file_fail(env, DGM_MODEL, path, NULL);
    return got == left ? DGM_OK
                       : dgm_fail_byte(env, DGM_MODEL, path, (long long)(from + got),
                                       "the file became shorter while it was read");
}

/* Looks at the first bytes of a file: is the rest worth reading? */
static dgm_status check_head(struct dgm_env *env, const unsigned char *head, size_t count,
                             const char *path)
{
    struct dgm_gguf none;

    if (count >= DGM_GGUF_HEADER && dgm_le32(head) == DGM_GGUF_MAGIC &&
        dgm_le32(head + 4) == DGM_GGUF_VERSION)
        return DGM_OK;
    /* Fails, and says what is wrong with it. */
    return dgm_gguf_parse(env, &none, head, count, path);
}

/* Reads the first *read bytes anew as `count` of them. */
static dgm_status read_on(struct dgm_env *env, int fd, unsigned char **bytes, size_t *read,
                          size_t count, const char *path)
{
    unsigned char *longer = dgm_resize(env, *bytes, count, 1);

    if (!longer)
        return DGM_MEMORY;
    *bytes = longer;
    if (count > *read)
        DGM_TRY(read_range(env, fd, longer + *read, *read, count - *read, path));
    *read = count;
    return DGM_OK;
}

/* The head alone, from as much of the file as it takes: *read of its `total` bytes. A head that
 * does not fit the file is refused here. */
static dgm_status read_head(struct dgm_env *env, int fd, struct dgm_gguf *head,
                            unsigned char **bytes, size_t *read, size_t total, const char *path)
{
    size_t count = FIRST_PIECE;
    int is_short = 1;
    dgm_status status;

    /* Heads are mostly far below a megabyte; one with a large vocabulary may need a second round,
     * which parses from the start again. */
    for (;; count = count < total / 4 ? count * 4 : total) {
        count = count < total ? count : total;
        DGM_TRY(read_on(env, fd, bytes, read, count, path));
        status = dgm_gguf_parse_head(env, head, *bytes, count, total, path, &is_short);
        if (status == DGM_OK || status == DGM_MEMORY || !is_short || count == total)
            return status;
        dgm_env_clear_error(env);
    }
}

static dgm_status read_size(struct dgm_env *env, int fd, size_t *size, const char *path)
{
    long long total = 0;
    int is_regular = 0;

    if (env->vfs->size(env->vfs->user, fd, &total, &is_regular) != 0)
        return dgm_file_fail(env, DGM_MODEL, path, NULL);
    if (!is_regular || total < 0)
        return dgm_fail_byte(env, DGM_MODEL, path, -1, "not a regular file");
    if ((unsigned long long)total > SIZE_MAX / 2)
        return dgm_fail(env, DGM_MEMORY, "%s: %lld bytes do not fit in memory", path, total);
    *size = (size_t)total;
    return DGM_OK;
}

/* Refuses a file that is no GGUF file at all, from its first bytes. */
static dgm_status read_start(struct dgm_env *env, int fd, size_t size, const char *path)
{
    unsigned char head[32];
    size_t count = size < sizeof head ? size : sizeof head;

    DGM_TRY(read_range(env, fd, head, 0, count, path));
    return check_head(env, head, count, path);
}

static dgm_status read_file(struct dgm_env *env, int fd, unsigned char **bytes, size_t *size,
                            const char *path)
{
    struct dgm_gguf head = { 0 };
    size_t read = 0;

    DGM_TRY(read_size(env, fd, size, path));
    DGM_TRY(read_start(env, fd, *size, path));
    if (*size > FIRST_PIECE) {
        DGM_TRY(read_head(env, fd, &head, bytes, &read, *size, path));
        dgm_gguf_clear(env, &head);
    }
    return read_on(env, fd, bytes, &read, *size, path);
}

static dgm_status open_file(struct dgm_env *env, const char *path, int *fd)
{
    /* Without O_NONBLOCK a pipe would wait for its writer before it could be refused. */
    *fd = dgm_file_open_as(env, path, O_RDONLY | O_NONBLOCK, 0);
    return *fd >= 0 ? DGM_OK : dgm_file_fail(env, DGM_MODEL, path, "expected a GGUF file");
}

dgm_status dgm_gguf_load(struct dgm_env *env, struct dgm_gguf *file, const char *path)
{
    unsigned char *bytes = NULL;
    size_t size = 0;
    dgm_status status;
    int fd;

    DGM_TRY(open_file(env, path, &fd));
    status = read_file(env, fd, &bytes, &size, path);
    env->vfs->close(env->vfs->user, fd);
    DGM_TRY_OUT(status);
    DGM_TRY_OUT(dgm_gguf_parse(env, file, bytes, size, path));
    file->owned = bytes;
    return DGM_OK;
out:
    dgm_release(env, bytes);
    return status;
}

/* The head, up to where the data begin. */
static dgm_status read_whole_head(struct dgm_env *env, int fd, struct dgm_gguf *file,
                                  unsigned char **bytes, const char *path)
{
    size_t size, read = 0;

    DGM_TRY(read_size(env, fd, &size, path));
    DGM_TRY(read_start(env, fd, size, path));
    DGM_TRY(read_head(env, fd, file, bytes, &read, size, path));
    if (read < file->data)
        DGM_TRY(read_on(env, fd, bytes, &read, file->data, path));
    file->bytes = *bytes;
    return dgm_gguf_check_padding(env, file, *bytes + file->head, file->head,
                                  file->data - file->head);
}

dgm_status dgm_gguf_open(struct dgm_env *env, struct dgm_gguf *file, const char *path)
{
    struct dgm_gguf made = { 0 };
    unsigned char *bytes = NULL;
    dgm_status status;
    int fd;

    DGM_TRY(open_file(env, path, &fd));
    DGM_TRY_OUT(read_whole_head(env, fd, &made, &bytes, path));
    made.owned = bytes;
    made.is_open = 1;
    made.fd = fd;
    *file = made;
    return DGM_OK;
out:
    dgm_gguf_clear(env, &made);
    dgm_release(env, bytes);
    env->vfs->close(env->vfs->user, fd);
    return status;
}

dgm_status dgm_gguf_open_memory(struct dgm_env *env, struct dgm_gguf *file, const void *bytes,
                                size_t size, const char *name)
{
    DGM_TRY(dgm_gguf_parse(env, file, bytes, size, name));
    file->is_open = 1;
    file->fd = -1;
    return DGM_OK;
}

dgm_status dgm_gguf_read_range(struct dgm_env *env, const struct dgm_gguf *file,
                               unsigned char *bytes, size_t from, size_t count)
{
    if (file->fd < 0) {
        memcpy(bytes, file->bytes + from, count);
        return DGM_OK;
    }
    return read_range(env, file->fd, bytes, from, count, file->name);
}

static dgm_status look_at_head(struct dgm_env *env, int fd, const char *path,
                               const char *architecture, int *is)
{
    struct dgm_gguf head = { 0 };
    unsigned char *bytes = NULL;
    size_t size = 0, read = 0, length = 0;
    const char *text;
    dgm_status status;

    DGM_TRY_OUT(read_size(env, fd, &size, path));
    DGM_TRY_OUT(read_start(env, fd, size, path));
    DGM_TRY_OUT(read_head(env, fd, &head, &bytes, &read, size, path));
    if (architecture == NULL) {
        *is = 1;
    } else {
        text = dgm_gguf_text(&head, "general.architecture", &length);
        *is = text != NULL && length == strlen(architecture) &&
              memcmp(text, architecture, length) == 0;
    }
out:
    dgm_gguf_clear(env, &head);
    dgm_release(env, bytes);
    return status;
}

dgm_status dgm_gguf_is(struct dgm_env *env, const char *path, const char *architecture, int *is)
{
    int fd = env->vfs->open(env->vfs->user, path, O_RDONLY | O_NONBLOCK, 0);
    dgm_status status;

    *is = 0;
    if (fd < 0)
        return dgm_file_fail(env, DGM_FAILURE, path, "expected a regular file");
    status = look_at_head(env, fd, path, architecture, is);
    env->vfs->close(env->vfs->user, fd);
    if (status != DGM_MODEL)
        return status;
    dgm_env_clear_error(env);
    return DGM_OK;
}

/* ---- checksums --------------------------------------------------------------------- */

/* Of a file whose head has other bytes than it was written with. */
static dgm_status check_contents(struct dgm_env *env, const struct dgm_gguf *file)
{
    uint64_t expected;

    if (dgm_gguf_find_key(file, DGM_GGUF_KEY_CONTENTS) == NULL)
        return dgm_fail_byte(env, DGM_MODEL, file->name, 0,
                             "metadata: checksum mismatch (file damaged, or changed by another "
                             "program; give that a file which this version has written)");
    if (!dgm_gguf_uint(file, DGM_GGUF_KEY_CONTENTS, &expected) ||
        expected != dgm_gguf_contents(file))
        return dgm_fail_byte(env, DGM_MODEL, file->name, 0,
                             "metadata: checksum mismatch (file damaged)");
    dgm_log(env, DGM_LOG_NOTE,
            "%s: another program has changed it, but nothing that Dragoman computes with",
            file->name);
    return DGM_OK;
}

static dgm_status verify_meta(struct dgm_env *env, const struct dgm_gguf *file,
                              const struct dgm_gguf_key *key)
{
    static const unsigned char zeros[8];
    struct dgm_hash hash;
    size_t behind;

    if (key->is_array || key->type != DGM_GGUF_VALUE_U64)
        return dgm_fail_byte(env, DGM_MODEL, file->name, (long long)key->at,
                             "%s is not of type u64 (file damaged)", key->name);
    behind = key->at + sizeof zeros;
    dgm_hash_init(&hash, 0);
    dgm_hash_add(&hash, file->bytes, key->at);
    dgm_hash_add(&hash, zeros, sizeof zeros);
    dgm_hash_add(&hash, file->bytes + behind, file->data - behind);
    return dgm_hash_value(&hash) == dgm_le64(file->bytes + key->at) ? DGM_OK
                                                                    : check_contents(env, file);
}

dgm_status dgm_gguf_fail_sum(struct dgm_env *env, const struct dgm_gguf *file,
                             const struct dgm_gguf_tensor *tensor)
{
    return dgm_fail_byte(env, DGM_MODEL, file->name, (long long)tensor->at,
                         "tensor '%s': checksum mismatch (file damaged)", tensor->name);
}

static dgm_status verify_tensors(struct dgm_env *env, const struct dgm_gguf *file,
                                 const struct dgm_gguf_key *key)
{
    if (!key->is_array || key->type != DGM_GGUF_VALUE_U64 || key->count != file->tensor_count)
        return dgm_fail_byte(env, DGM_MODEL, file->name, (long long)key->at,
                             "%s is no array of %zu values of type u64 (file damaged)", key->name,
                             file->tensor_count);
    for (size_t i = 0; i < file->tensor_count && !file->is_open; i++) {
        const struct dgm_gguf_tensor *tensor = &file->tensors[i];
        uint64_t expected = dgm_le64(file->bytes + key->first + 8 * i);
        if (dgm_hash_bytes(file->bytes + tensor->at, tensor->bytes) != expected)
            return dgm_gguf_fail_sum(env, file, tensor);
    }
    return DGM_OK;
}

dgm_status dgm_gguf_verify(struct dgm_env *env, const struct dgm_gguf *file, int *has_checksums)
{
    const struct dgm_gguf_key *meta = dgm_gguf_find_key(file, DGM_GGUF_KEY_META);
    const struct dgm_gguf_key *tensors = dgm_gguf_find_key(file, DGM_GGUF_KEY_TENSORS);

    if (!meta != !tensors)
        return dgm_fail_byte(env, DGM_MODEL, file->name, 0,
                             "one of %s and %s is missing (file damaged)", DGM_GGUF_KEY_META,
                             DGM_GGUF_KEY_TENSORS);
    if (meta) {
        DGM_TRY(verify_meta(env, file, meta));
        DGM_TRY(verify_tensors(env, file, tensors));
    }
    if (has_checksums)
        *has_checksums = meta != NULL;
    return DGM_OK;
}
