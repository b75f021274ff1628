/*
 * commands.h: the list of all commands, and finding one by its name.
 *
 * The list points to the structs of the commands, and help and completion read the list: that is
 * how two of the commands come to know all of them.
 */
#ifndef DGM_CMD_COMMANDS_H
#define DGM_CMD_COMMANDS_H

#include "cmd/command.h"

/* Command i of the list, or NULL behind its end. */
const struct dgm_command *dgm_commands_at(size_t i);

/*
 * The command that argv[0], or argv[0] and argv[1], names; *used tells how many words that took.
 * DGM_USAGE with the nearest name if there is none.
 */
dgm_status dgm_commands_find(struct dgm_env *env, const struct dgm_command **command, int *used,
                             int argc, char *const *argv);

#endif
