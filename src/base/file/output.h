/*
 * output.h: what may be written: a path that a user names is a file to make, a file to replace, or
 * a stream.
 */
#ifndef DGM_BASE_FILE_OUTPUT_H
#define DGM_BASE_FILE_OUTPUT_H

#include "base/env.h"
#include "base/file/vfs.h"

enum dgm_output_kind {
    DGM_OUTPUT_NEW,     /* there is nothing at the path */
    DGM_OUTPUT_REPLACE, /* a regular file */
    DGM_OUTPUT_STREAM   /* a device, a pipe, or what standard output or error is */
};

struct dgm_output {
    enum dgm_output_kind kind;
    char path[1024];           /* where the file lies or will lie: symbolic links are followed */
    int fd;                    /* of a stream: 1 or 2 if it is that one, else -1 */
    struct dgm_file_info info; /* of what is there, unless DGM_OUTPUT_NEW */
};

/* Looks at a path and changes nothing. DGM_USAGE: a folder, links in a circle, an empty name. */
dgm_status dgm_output_find(struct dgm_env *env, struct dgm_output *output, const char *path);

/* The same for a file that cannot be a stream, such as a model: DGM_USAGE unless the path is a
 * regular file or nothing yet. "-" is refused. */
dgm_status dgm_output_find_file(struct dgm_env *env, struct dgm_output *output, const char *path);

/*
 * Who names a file in which something else stands does not mean to lose that. DGM_USAGE where a
 * file to replace is not empty and does not begin with `kind`; `what`: "cache of training text".
 */
dgm_status dgm_output_keep_others(struct dgm_env *env, const struct dgm_output *output,
                                  const char *kind, const char *what);
/* DGM_USAGE where a file to replace is a model: nothing but a model takes its place. */
dgm_status dgm_output_keep_model(struct dgm_env *env, const struct dgm_output *output);

#endif
