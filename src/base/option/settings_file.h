/*
 * settings_file.h: config files, read and written.
 */
#ifndef DGM_BASE_OPTION_SETTINGS_FILE_H
#define DGM_BASE_OPTION_SETTINGS_FILE_H

#include "base/option/settings.h"

/*
 * A config file: `key = value` or `key: value` lines, # comments, values optionally in double
 * quotes. Errors name file and line: unknown key (with suggestion), duplicate key, bad value.
 * A name without a slash that is no file here means an installed recipe, "multi30k-tiny".
 */
dgm_status dgm_settings_file_load(struct dgm_env *env, struct dgm_settings *settings,
                                  const char *path);
/* Whether settings elsewhere have an option of this name, and take the value for it; value NULL:
 * whichever. */
typedef dgm_status dgm_settings_elsewhere_fn(struct dgm_env *env, const char *name, size_t length,
                                             const char *value, int *takes);
/* The same of a file for several programs: what is set elsewhere, and not here, is passed over. */
dgm_status dgm_settings_file_load_ours(struct dgm_env *env, struct dgm_settings *settings,
                                       const char *path, dgm_settings_elsewhere_fn *elsewhere);
/* The same from memory; `name` is used in messages. Unknown keys are errors. */
dgm_status dgm_settings_file_parse(struct dgm_env *env, struct dgm_settings *settings,
                                   const char *text, size_t bytes, const char *name);

/* `key = value  # origin` lines of every setting that has a value. */
dgm_status dgm_settings_file_dump(struct dgm_env *env, const struct dgm_settings *settings,
                                  struct dgm_buf *out, int with_origin);

#endif
