/*
 * line_blocks.h: lines worked on by several threads: read in blocks, each handed to one thread, and
 * given out in their order.
 *
 * While threads work on the blocks of one window, the caller's reads the next window, as far as its
 * lines are there: whoever waits for an answer at the other end of a pipe gets it before more is
 * asked of him. Memory is that of two windows, whatever the length of the files.
 */
#ifndef DGM_BASE_LINES_LINE_BLOCKS_H
#define DGM_BASE_LINES_LINE_BLOCKS_H

#include "base/lines/lines.h"

/* Lines that follow each other; of several files side by side, line by line. */
struct dgm_line_block {
    struct dgm_buf text; /* all of them */
    size_t *ends;        /* (count,files) bytes of `text` up to the end of each line */
    size_t count, files, capacity;
    long first;         /* number of the first line, from 1 */
    struct dgm_buf out; /* what `line` has added for the lines so far */
    dgm_status status;  /* of the line that it stopped at, and why */
    dgm_error error;
};

/* Line i, from 0, of a file; it is not ended by NUL. */
const char *dgm_line_block_at(const struct dgm_line_block *block, size_t i, size_t file,
                              size_t *bytes);

/* What is done with lines. The functions get `user`. */
struct dgm_line_work {
    struct dgm_lines *files;
    size_t file_count;
    int workers; /* threads, the caller's included */
    /* Reads the next line of every file; *more 0: there is none. */
    dgm_status (*next)(struct dgm_env *env, void *user, int *more);
    /* Adds what becomes of line i to block->out. The threads call it at the same time, each with an
     * environment, without log, and a number below `workers` of its own. */
    dgm_status (*line)(struct dgm_env *env, void *user, int worker, struct dgm_line_block *block,
                       size_t i);
    /* Takes the results of a block, by the caller's thread, block after block. */
    dgm_status (*take)(struct dgm_env *env, void *user, const struct dgm_line_block *block);
    void *user;
};

/* Works on all lines. A line that fails ends it: those before it are taken, and env has its error,
 * whatever fails behind it. */
dgm_status dgm_line_blocks_run(struct dgm_env *env, const struct dgm_line_work *work);

#endif
