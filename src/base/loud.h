/* loud.h: messages that --quiet does not hide. */
#ifndef DGM_BASE_LOUD_H
#define DGM_BASE_LOUD_H

#include "base/env.h"

/* A copy whose log takes warnings, whatever its level: of what is lost, or where it is. --quiet
 * hides what a run did, and not that. */
static inline struct dgm_env dgm_env_loud(const struct dgm_env *env)
{
    struct dgm_env copy = *env;

    if (copy.log_level < DGM_LOG_WARNING)
        copy.log_level = DGM_LOG_WARNING;
    return copy;
}

#endif
