/*
 * gzip.c: inflating on the fly with zlib, or a message where configure found none.
 *
 * Several gzip files one after the other are one, and zeros may follow. zlib's memory comes from
 * the environment.
 */
#include "base/file/file.h"
#include "base/lines/compression.h"
#include "base/mem.h"
#include "config.h"

#ifdef DGM_HAVE_ZLIB

#include <limits.h>
#include <string.h>
#include <zlib.h>

/* zlib's windowBits: 16 more means a gzip header, and no bare zlib data. */
enum { GZIP_ONLY = 16 + MAX_WBITS };

struct gzip {
    z_stream stream;
    struct dgm_env *env; /* of the call that runs: zlib asks it for memory */
    const char *path;
    int fd;
    int at_end;     /* of the packed file */
    int is_between; /* one gzip file has ended: another, zeros or the end may follow */
    unsigned char input[DGM_COMPRESSION_INPUT];
};

static voidpf ask(voidpf user, uInt count, uInt size)
{
    struct gzip *gzip = user;
    return dgm_alloc(gzip->env, count, size);
}

static void give_back(voidpf user, voidpf block)
{
    struct gzip *gzip = user;
    dgm_release(gzip->env, block);
}

static dgm_status fail_damaged(struct dgm_env *env, const struct gzip *gzip)
{
    const char *reason = gzip->stream.msg;
    return dgm_fail_at(env, DGM_DATA, gzip->path, 0, 0,
                       "damaged gzip data (%s); expected an intact file",
                       reason != NULL ? reason : "not what gzip writes");
}

static dgm_status gzip_open(struct dgm_env *env, void **state, int fd, const char *path,
                            const void *bytes, size_t count)
{
    struct gzip *gzip;
    DGM_TRY(dgm_new(env, &gzip, 1, sizeof *gzip));
    memcpy(gzip->input, bytes, count);
    gzip->env = env;
    gzip->path = path;
    gzip->fd = fd;
    gzip->stream.zalloc = ask;
    gzip->stream.zfree = give_back;
    gzip->stream.opaque = gzip;
    gzip->stream.next_in = gzip->input;
    gzip->stream.avail_in = (uInt)count;
    if (inflateInit2(&gzip->stream, GZIP_ONLY) != Z_OK) {
        dgm_release(env, gzip);
        /* Memory: recorded already. */
        return dgm_fail(env, DGM_FAILURE, "zlib cannot begin; expected version %s", ZLIB_VERSION);
    }
    *state = gzip;
    return DGM_OK;
}

static void gzip_close(struct dgm_env *env, void *state)
{
    struct gzip *gzip = state;
    gzip->env = env;
    inflateEnd(&gzip->stream);
    dgm_release(env, gzip);
}

/* Reads packed bytes where none are left. */
static dgm_status refill(struct dgm_env *env, struct gzip *gzip)
{
    size_t got = 0;
    if (gzip->stream.avail_in > 0 || gzip->at_end)
        return DGM_OK;
    DGM_TRY(dgm_file_read_some(env, &got, gzip->fd, gzip->path, gzip->input, sizeof gzip->input));
    gzip->stream.next_in = gzip->input;
    gzip->stream.avail_in = (uInt)got;
    gzip->at_end = got == 0;
    return DGM_OK;
}

/* Between two gzip files: skips zeros; *more tells whether another file begins. */
static dgm_status begin_member(struct dgm_env *env, struct gzip *gzip, int *more)
{
    for (;;) {
        DGM_TRY(refill(env, gzip));
        if (gzip->at_end || *gzip->stream.next_in != 0)
            break;
        gzip->stream.next_in++;
        gzip->stream.avail_in--;
    }
    *more = !gzip->at_end;
    if (!*more)
        return DGM_OK;
    gzip->is_between = 0;
    return inflateReset(&gzip->stream) == Z_OK ? DGM_OK : fail_damaged(env, gzip);
}

/* One call of zlib; what it gives goes to where stream.next_out points. */
static dgm_status inflate_some(struct dgm_env *env, struct gzip *gzip)
{
    uInt room = gzip->stream.avail_out;
    int result;
    DGM_TRY(refill(env, gzip));
    result = inflate(&gzip->stream, Z_NO_FLUSH);
    gzip->is_between = result == Z_STREAM_END;
    if (result == Z_MEM_ERROR)
        return dgm_fail(env, DGM_MEMORY, "zlib is out of memory");
    if (result != Z_OK && result != Z_STREAM_END && result != Z_BUF_ERROR)
        return fail_damaged(env, gzip);
    /* Z_BUF_ERROR only says that nothing could be done; with no input left it is the end of a file
     * that was cut. */
    if (gzip->at_end && !gzip->is_between && gzip->stream.avail_out == room)
        return dgm_fail_at(env, DGM_DATA, gzip->path, 0, 0,
                           "gzip data breaks off; expected its end (file truncated?)");
    return DGM_OK;
}

static dgm_status gzip_read(struct dgm_env *env, void *state, size_t *got, void *data, size_t count)
{
    struct gzip *gzip = state;
    int more = 1;
    if (count > UINT_MAX)
        count = UINT_MAX;
    gzip->env = env;
    gzip->stream.next_out = data;
    gzip->stream.avail_out = (uInt)count;
    while (gzip->stream.avail_out == (uInt)count && count > 0) {
        if (gzip->is_between)
            DGM_TRY(begin_member(env, gzip, &more));
        if (!more)
            break;
        DGM_TRY(inflate_some(env, gzip));
    }
    *got = count - gzip->stream.avail_out;
    return DGM_OK;
}

const struct dgm_compression dgm_compression_gzip = { .name = "gzip",
                                                      .suffix = ".gz",
                                                      .kind = "a gzip file",
                                                      .open = gzip_open,
                                                      .read = gzip_read,
                                                      .close = gzip_close };

#else /* no zlib */

const struct dgm_compression dgm_compression_gzip = {
    .name = "gzip",
    .suffix = ".gz",
    .kind = "a gzip file",
    .lacks = "zlib",
};

#endif
