/*
 * zstd.c: Zstandard data (RFC 8878) unpacked on the fly with libzstd, or a message where configure
 * found none.
 */
#include "base/file/file.h"
#include "base/lines/compression.h"
#include "base/mem.h"
#include "config.h"

#ifdef DGM_HAVE_ZSTD

#include <string.h>
#include <zstd.h>

/* Its memory comes from malloc: the functions that take an allocator are no part of what libzstd
 * promises. It is 8 MiB for what `zstd` packs by default, and 128 MiB at most: the library refuses
 * data that ask for more. */
struct zstd {
    ZSTD_DStream *stream;
    const char *path;
    int fd;
    int at_end;     /* of the packed file */
    int is_between; /* a frame has ended: another or the end may follow */
    ZSTD_inBuffer in;
    unsigned char input[DGM_COMPRESSION_INPUT];
};

static dgm_status zstd_open(struct dgm_env *env, void **state, int fd, const char *path,
                            const void *bytes, size_t count)
{
    struct zstd *zstd;

    DGM_TRY(dgm_new(env, &zstd, 1, sizeof *zstd));
    zstd->stream = ZSTD_createDStream();
    if (zstd->stream == NULL) {
        dgm_release(env, zstd);
        return dgm_fail(env, DGM_MEMORY, "zstd is out of memory");
    }
    memcpy(zstd->input, bytes, count);
    zstd->in.src = zstd->input;
    zstd->in.size = count;
    zstd->path = path;
    zstd->fd = fd;
    *state = zstd;
    return DGM_OK;
}

static void zstd_close(struct dgm_env *env, void *state)
{
    struct zstd *zstd = state;

    ZSTD_freeDStream(zstd->stream);
    dgm_release(env, zstd);
}

/* Reads packed bytes where none are left. */
static dgm_status refill(struct dgm_env *env, struct zstd *zstd)
{
    size_t got = 0;

    if (zstd->in.pos < zstd->in.size || zstd->at_end)
        return DGM_OK;
    DGM_TRY(dgm_file_read_some(env, &got, zstd->fd, zstd->path, zstd->input, sizeof zstd->input));
    zstd->in.size = got;
    zstd->in.pos = 0;
    zstd->at_end = got == 0;
    return DGM_OK;
}

/* One call of libzstd. */
static dgm_status unpack_some(struct dgm_env *env, struct zstd *zstd, ZSTD_outBuffer *out)
{
    const size_t before = out->pos;
    const size_t result = ZSTD_decompressStream(zstd->stream, out, &zstd->in);

    if (ZSTD_isError(result))
        return dgm_fail_at(env, DGM_DATA, zstd->path, 0, 0,
                           "damaged zstd data (%s); expected an intact file",
                           ZSTD_getErrorName(result));
    zstd->is_between = result == 0;
    if (zstd->at_end && !zstd->is_between && out->pos == before)
        return dgm_fail_at(env, DGM_DATA, zstd->path, 0, 0,
                           "zstd data breaks off; expected its end (file truncated?)");
    return DGM_OK;
}

static dgm_status zstd_read(struct dgm_env *env, void *state, size_t *got, void *data, size_t count)
{
    struct zstd *zstd = state;
    ZSTD_outBuffer out = { data, count, 0 };

    while (out.pos == 0 && count > 0) {
        DGM_TRY(refill(env, zstd));
        if (zstd->at_end && zstd->is_between)
            break;
        DGM_TRY(unpack_some(env, zstd, &out));
    }
    *got = out.pos;
    return DGM_OK;
}

const struct dgm_compression dgm_compression_zstd = { .name = "zstd",
                                                      .suffix = ".zst",
                                                      .kind = "a zstd file",
                                                      .open = zstd_open,
                                                      .read = zstd_read,
                                                      .close = zstd_close };

#else /* no libzstd */

const struct dgm_compression dgm_compression_zstd = {
    .name = "zstd",
    .suffix = ".zst",
    .kind = "a zstd file",
    .lacks = "libzstd",
};

#endif
