/*
 * in_step.h: files that go in step: line n of each text, sentence n of each file of trees.
 *
 * The texts are the arguments of a command; the first is the source, the second the target, and
 * what follows goes along unread. The files of --trees hold one tree for each line: CoNLL-U, a
 * block of lines that a blank line ends, or brackets, one tree a line.
 */
#ifndef DGM_CMD_TEXT_IN_STEP_H
#define DGM_CMD_TEXT_IN_STEP_H

#include "base/lines/lines.h"
#include "cmd/common.h"

/* clang-format off */
/* A row of the tables of these commands. */
#define DGM_CMD_TREES_ALONG                                                                       \
    { .name = "trees", .type = DGM_OPT_FILES, .argument = "FILE...",                              \
      .help = "Files with a tree for each line go along: CoNLL-U, or brackets, one tree a line" }
/* clang-format on */

struct dgm_step_file {
    struct dgm_lines lines;
    struct dgm_buf block; /* of CoNLL-U, the sentence at hand; else empty */
    int is_tree, is_block;
    long number; /* of the line where what is at hand begins */
};

/* Zeroed: nothing is open. */
struct dgm_in_step {
    struct dgm_step_file *files;
    size_t count, opened; /* texts, then trees */
    long number;          /* of the pair at hand, from 1 */
    int is_cut;           /* a line of it was longer than a line may be */
};

/* DGM_USAGE, with `why`, if one of the files is a stream, which cannot be read twice. */
dgm_status dgm_in_step_check_files(struct dgm_cmd *cmd, const char *why);
/* Opens the arguments of the command and the files of --trees. To be closed also after a
 * failure. */
dgm_status dgm_in_step_open(struct dgm_cmd *cmd, struct dgm_in_step *step);
/* Sets *more to 0 at their end. DGM_DATA, with file and line, where some end before others. */
dgm_status dgm_in_step_next(struct dgm_env *env, struct dgm_in_step *step, int *more);
/* DGM_DATA, with file and line, if what is at hand is not whole, as a line was cut. Trees are. */
dgm_status dgm_in_step_check_whole(struct dgm_env *env, const struct dgm_in_step *step);
/* The line of a text; NULL if there is no such text. */
const struct dgm_buf *dgm_in_step_line(const struct dgm_in_step *step, size_t text);
/* Writes what is at hand to one writer for each file. */
dgm_status dgm_in_step_write(struct dgm_env *env, const struct dgm_in_step *step,
                             struct dgm_writer *writers);
void dgm_in_step_close(struct dgm_env *env, struct dgm_in_step *step);

/* DGM_USAGE unless an option that lists outputs names one for each file, or none. */
dgm_status dgm_in_step_check_outputs(struct dgm_cmd *cmd, const char *option);

#endif
