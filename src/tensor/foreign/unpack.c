/*
 * unpack.c: inflating parts of an archive with zlib, or a message where configure found none.
 */
#include "tensor/foreign/unpack.h"

#include "base/mem.h"
#include "config.h"

#ifdef DGM_HAVE_ZLIB

#include <limits.h>
#include <zlib.h>

enum { INPUT = 64 << 10 };

struct dgm_unpack {
    z_stream stream;
    struct dgm_env *env; /* of the call that runs: zlib asks it for memory */
    const struct dgm_foreign *file;
    uint64_t at, left; /* of the packed bytes */
    unsigned char input[INPUT];
};

static voidpf ask(voidpf user, uInt count, uInt size)
{
    struct dgm_unpack *unpack = user;
    return dgm_alloc(unpack->env, count, size);
}

static void give_back(voidpf user, voidpf block)
{
    struct dgm_unpack *unpack = user;
    dgm_release(unpack->env, block);
}

dgm_status dgm_unpack_open(struct dgm_env *env, struct dgm_unpack **unpack,
                           const struct dgm_foreign *file, uint64_t at, uint64_t stored)
{
    struct dgm_unpack *made = dgm_alloc(env, 1, sizeof *made);

    if (made == NULL)
        return DGM_MEMORY;
    made->env = env;
    made->file = file;
    made->at = at;
    made->left = stored;
    made->stream.zalloc = ask;
    made->stream.zfree = give_back;
    made->stream.opaque = made;
    if (inflateInit2(&made->stream, -MAX_WBITS) != Z_OK) { /* bare, without a header */
        dgm_release(env, made);
        return dgm_fail(env, DGM_FAILURE, "zlib cannot begin; expected version %s", ZLIB_VERSION);
    }
    *unpack = made;
    return DGM_OK;
}

static dgm_status refill(struct dgm_env *env, struct dgm_unpack *unpack)
{
    size_t count = unpack->left < INPUT ? (size_t)unpack->left : INPUT;

    if (unpack->stream.avail_in > 0 || count == 0)
        return DGM_OK;
    DGM_TRY(dgm_foreign_bytes_at(env, unpack->file, unpack->input, unpack->at, count));
    unpack->at += count;
    unpack->left -= count;
    unpack->stream.next_in = unpack->input;
    unpack->stream.avail_in = (uInt)count;
    return DGM_OK;
}

static dgm_status fail_damaged(struct dgm_env *env, const struct dgm_unpack *unpack)
{
    const char *reason = unpack->stream.msg;

    return dgm_fail_byte(env, DGM_MODEL, unpack->file->name, (long long)unpack->at,
                         "damaged deflated data before here (%s); expected an intact archive",
                         reason != NULL ? reason : "they end too early");
}

dgm_status dgm_unpack_read(struct dgm_env *env, struct dgm_unpack *unpack, void *out, size_t count)
{
    unsigned char *to = out;

    unpack->env = env;
    while (count > 0) {
        const uInt piece = count < UINT_MAX ? (uInt)count : UINT_MAX;
        int result;

        DGM_TRY(refill(env, unpack));
        unpack->stream.next_out = to;
        unpack->stream.avail_out = piece;
        result = inflate(&unpack->stream, Z_NO_FLUSH);
        if (result == Z_MEM_ERROR)
            return dgm_fail(env, DGM_MEMORY, "zlib is out of memory");
        /* Z_BUF_ERROR among them: the input is at its end. */
        if ((result != Z_OK && result != Z_STREAM_END) ||
            (result == Z_STREAM_END && piece - unpack->stream.avail_out < count))
            return fail_damaged(env, unpack);
        to += piece - unpack->stream.avail_out;
        count -= piece - unpack->stream.avail_out;
    }
    return DGM_OK;
}

/* Behind the last byte is a mark of the end, which may stand in bytes that are not read yet. */
dgm_status dgm_unpack_end(struct dgm_env *env, struct dgm_unpack *unpack)
{
    unsigned char more;
    int result;

    unpack->env = env;
    unpack->stream.next_out = &more;
    unpack->stream.avail_out = 1;
    do {
        DGM_TRY(refill(env, unpack));
        result = inflate(&unpack->stream, Z_NO_FLUSH);
    } while (result == Z_OK && unpack->stream.avail_out == 1);
    if (result == Z_OK || (result == Z_STREAM_END && unpack->stream.avail_out == 0) ||
        (result == Z_STREAM_END && unpack->stream.avail_in + unpack->left > 0))
        return dgm_fail_byte(env, DGM_MODEL, unpack->file->name, (long long)unpack->at,
                             "more deflated data before here than their tensor has; expected an "
                             "intact archive");
    return result == Z_STREAM_END ? DGM_OK : fail_damaged(env, unpack);
}

void dgm_unpack_close(struct dgm_env *env, struct dgm_unpack *unpack)
{
    if (unpack == NULL)
        return;
    unpack->env = env;
    inflateEnd(&unpack->stream);
    dgm_release(env, unpack);
}

#else /* no zlib */

dgm_status dgm_unpack_open(struct dgm_env *env, struct dgm_unpack **unpack,
                           const struct dgm_foreign *file, uint64_t at, uint64_t stored)
{
    (void)unpack;
    (void)stored;
    return dgm_fail_byte(env, DGM_MODEL, file->name, (long long)at,
                         "deflated data; expected stored ones (built without zlib: write the "
                         "archive with numpy.savez, not savez_compressed)");
}

dgm_status dgm_unpack_read(struct dgm_env *env, struct dgm_unpack *unpack, void *out, size_t count)
{
    (void)unpack;
    (void)out;
    (void)count;
    return dgm_fail(env, DGM_FAILURE, "built without zlib");
}

dgm_status dgm_unpack_end(struct dgm_env *env, struct dgm_unpack *unpack)
{
    (void)unpack;
    return dgm_fail(env, DGM_FAILURE, "built without zlib");
}

void dgm_unpack_close(struct dgm_env *env, struct dgm_unpack *unpack)
{
    (void)env;
    (void)unpack;
}

#endif
