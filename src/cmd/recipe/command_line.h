/* command_line.h: command lines of this program: made, written for a shell, run in this process. */
#ifndef DGM_CMD_RECIPE_COMMAND_LINE_H
#define DGM_CMD_RECIPE_COMMAND_LINE_H

#include "cmd/command.h"

/* The words behind "dragoman", each ended by a NUL. Zero-initialise. */
struct dgm_command_line {
    struct dgm_buf words;
    size_t count;
};

dgm_status dgm_command_line_add(struct dgm_env *env, struct dgm_command_line *line,
                                const char *word);
/* Adds an option that is set, as the command line gives it. */
dgm_status dgm_command_line_add_setting(struct dgm_env *env, struct dgm_command_line *line,
                                        const struct dgm_setting *setting);
/* Appends it as a shell reads it, "dragoman" first, without an end of the line. */
dgm_status dgm_command_line_print(struct dgm_env *env, const struct dgm_command_line *line,
                                  struct dgm_buf *out);
/* Runs it on the context of `cmd`, with its threads, and as loud as it is. */
dgm_status dgm_command_line_run(struct dgm_cmd *cmd, const struct dgm_command_line *line);
void dgm_command_line_clear(struct dgm_env *env, struct dgm_command_line *line);

#endif
