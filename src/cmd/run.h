/* run.h: running a command: options, checks, the command itself. */
#ifndef DGM_CMD_RUN_H
#define DGM_CMD_RUN_H

#include "cmd/command.h"

/* Reads the options in argv[0..argc-1] and runs the command, or writes its help. */
dgm_status dgm_run_command(dgm_context *context, const struct dgm_command *command, int argc,
                           char *const *argv, int progress);

#endif
