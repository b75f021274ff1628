/*
 * inputs_apart.h: no file that a command reads is one that it writes.
 */
#ifndef DGM_BASE_OPTION_INPUTS_APART_H
#define DGM_BASE_OPTION_INPUTS_APART_H

#include "base/env.h"
#include "base/option/settings.h"

/*
 * DGM_USAGE where an output of these settings (DGM_OPT_OUTPUT, DGM_OPT_OUTPUTS) is also one of
 * their inputs (DGM_OPT_FILE, DGM_OPT_FILES), one of the `count` other files that are read, or
 * another output.
 * Regular files are told apart by device and inode, not by name; "-" is the standard stream.
 */
dgm_status dgm_inputs_apart_check(struct dgm_env *env, const struct dgm_settings *settings,
                                  const char *const *others, size_t count);

/* The same of one output and a list of inputs. */
dgm_status dgm_inputs_apart_check_one(struct dgm_env *env, const char *output,
                                      const char *const *inputs, size_t count);

#endif
