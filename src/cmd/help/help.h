/* help.h: the pages of help, made from the tables of options, variants and kinds. */
#ifndef DGM_CMD_HELP_HELP_H
#define DGM_CMD_HELP_HELP_H

#include "base/buf.h"
#include "cmd/command.h"

/* "dragoman NAME: what it does". */
dgm_status dgm_help_title(struct dgm_env *env, struct dgm_buf *out,
                          const struct dgm_command *command);
/* The help of one command; the list of all. is_short: of a command with a first group of options
 * this group, and the names of its sections. */
dgm_status dgm_help_command(struct dgm_env *env, struct dgm_buf *out,
                            const struct dgm_command *command, int is_short);
dgm_status dgm_help_overview(struct dgm_env *env, struct dgm_buf *out);
/* Lines `command TAB --option TAB -x TAB kind TAB choices TAB needs TAB excludes TAB resume` of
 * every table, for scripts; the last is there where a resumed run may have another value. */
dgm_status dgm_help_all_options(struct dgm_env *env, struct dgm_buf *out);
dgm_status dgm_help_exit_codes(struct dgm_env *env, struct dgm_buf *out);
/* The kinds of --encoder and --decoder with their options. */
dgm_status dgm_help_encoders(struct dgm_env *env, struct dgm_buf *out);
/* The variants of --syntax with their options. */
dgm_status dgm_help_syntax(struct dgm_env *env, struct dgm_buf *out);

#endif
