/*
 * second_name.h: a second name for a file.
 */
#ifndef DGM_BASE_FILE_SECOND_NAME_H
#define DGM_BASE_FILE_SECOND_NAME_H

#include "base/env.h"

/* `to` becomes a second name of the file `from`, or a copy where the file system knows no second
 * names, as a whole and durably; what it was before stays until then. */
dgm_status dgm_second_name_make(struct dgm_env *env, const char *from, const char *to);

#endif
