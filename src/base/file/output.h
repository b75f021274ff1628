/*
 * output.h: what may be written: a path that a user names is a file to make, a file to replace, or
 * a stream; and it is none of the files that the same command reads.
 */
#ifndef DGM_BASE_FILE_OUTPUT_H
#define DGM_BASE_FILE_OUTPUT_H

#include "base/file/file.h"
#include "base/option/option.h"

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

/* The same for what is no stream of text, such as a model: DGM_USAGE unless it is a regular file,
 * or nothing yet. "-" is refused. */
dgm_status dgm_output_find_file(struct dgm_env *env, struct dgm_output *output, const char *path);

/*
 * DGM_USAGE where an output of these settings (DGM_OPT_OUTPUT) is also one of their inputs
 * (DGM_OPT_FILE, DGM_OPT_FILES), one of the `count` other files that are read, or another output.
 * Regular files are told apart by device and inode, not by name; "-" is the standard stream.
 */
dgm_status dgm_outputs_keep_apart(struct dgm_env *env, const struct dgm_settings *settings,
                                  const char *const *others, size_t count);

/* The same of one output and a list of inputs. */
dgm_status dgm_output_keep_apart(struct dgm_env *env, const char *output, const char *const *inputs,
                                 size_t count);

#endif
