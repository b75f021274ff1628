/*
 * writer.h: buffered output whose every error is kept and reported by flush and close.
 *
 * A regular file is made or replaced as a whole (replacement.h): what is written goes to a file
 * beside it, which close puts in its place. A stream, which may be a device, a pipe or standard
 * output, is written as it is.
 */
#ifndef DGM_BASE_FILE_WRITER_H
#define DGM_BASE_FILE_WRITER_H

#include "base/buf.h"
#include "base/env.h"
#include "base/file/replacement.h"

struct dgm_writer {
    char path[1024];                    /* for messages */
    struct dgm_replacement replacement; /* of a file; unused for a stream and a sink */
    int fd, is_open;
    int failed; /* a write failed: the output is incomplete whatever follows */
    struct dgm_buf pending;
    long long written; /* bytes handed to the system so far */
    dgm_write_fn sink; /* NULL, or what takes the bytes instead of a file */
    void *sink_user;
};

/* Opens a path that a user names (output.h); "-" is standard output. A model stays: DGM_USAGE. */
dgm_status dgm_writer_open(struct dgm_env *env, struct dgm_writer *writer, const char *path);
/* The same for output that takes long to compute: it stands in FILE.part until it is whole. If an
 * earlier run did not end, its FILE.part becomes FILE.part.old, unless there is a longer one. */
dgm_status dgm_writer_open_part(struct dgm_env *env, struct dgm_writer *writer, const char *path);
/* For a file that no user has named: a symbolic link at `path` is replaced, not followed, and
 * whatever is neither that nor a regular file is refused. */
dgm_status dgm_writer_open_own(struct dgm_env *env, struct dgm_writer *writer, const char *path);
/* For a function in place of a file: it receives whole buffers. */
void dgm_writer_open_sink(struct dgm_writer *writer, dgm_write_fn sink, void *user);
dgm_status dgm_writer_add(struct dgm_env *env, struct dgm_writer *writer, const void *bytes,
                          size_t count);
dgm_status dgm_writer_add_text(struct dgm_env *env, struct dgm_writer *writer, const char *text);
dgm_status dgm_writer_flush(struct dgm_env *env, struct dgm_writer *writer);
/* Ends the output as a whole one; never leaves the descriptor open, nor, after a failure, a
 * temporary file. */
dgm_status dgm_writer_close(struct dgm_env *env, struct dgm_writer *writer);
/* The first half of it (outputs.h): all is written, a stream is closed, and of a file it lacks
 * only that it takes its place. To be abandoned then, or after a failure. */
dgm_status dgm_writer_finish(struct dgm_env *env, struct dgm_writer *writer);
/* Ends it after a failure elsewhere: what was there before stays, a stream gets what is pending.
 * Does nothing after a close. */
void dgm_writer_abandon(struct dgm_env *env, struct dgm_writer *writer);

#endif
