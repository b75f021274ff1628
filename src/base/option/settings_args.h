/*
 * settings_args.h: settings from the command line and from the environment.
 */
#ifndef DGM_BASE_OPTION_SETTINGS_ARGS_H
#define DGM_BASE_OPTION_SETTINGS_ARGS_H

#include "base/option/settings_file.h"

/*
 * argv[0..argc-1] are the arguments after the command's name. Options may be `--name value`,
 * `--name=value`, `-x value`, `-xvalue`; `--` ends them. What is no option goes to `rest` (room
 * for argc pointers), in order, *rest_count of them.
 *
 * The files of `--config` are loaded first, in order; then the options count, wherever they stand:
 * they win over files. Of two files, and of an option given twice, the later wins; but an open list
 * of files or words ("FILE...") that is given twice on the command line is one list, and takes the
 * place of a file's.
 */
dgm_status dgm_settings_args_read(struct dgm_env *env, struct dgm_settings *settings, int argc,
                                  char *const *argv, char **rest, int *rest_count);

/* Environment variables DRAGOMAN_<NAME> (upper case, _ for -), weaker than the command line.
 * DGM_USAGE for DRAGOMAN_NO_<NAME> of a flag: DRAGOMAN_<NAME>=false says it. The file of
 * DRAGOMAN_CONFIG is for all commands: what only others take is passed over; NULL: there are none.
 */
dgm_status dgm_settings_args_environment(struct dgm_env *env, struct dgm_settings *settings,
                                         dgm_settings_elsewhere_fn *elsewhere);

#endif
