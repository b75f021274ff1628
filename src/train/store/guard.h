/*
 * guard.h: refuses runs that would destroy files of somebody else.
 */
#ifndef DGM_TRAIN_STORE_GUARD_H
#define DGM_TRAIN_STORE_GUARD_H

#include "base/option/settings.h"

/*
 * DGM_USAGE, before anything is read or written, where --model is a file that the run reads, a
 * stream, or (but for --overwrite) a file that no run with checkpoints beside it has written; or
 * where an input lies in the folder of checkpoints.
 */
dgm_status dgm_guard_check(struct dgm_env *env, const struct dgm_settings *settings);

#endif
