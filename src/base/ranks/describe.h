/*
 * describe.h: what a rank was told, in lines that ranks compare.
 */
#ifndef DGM_BASE_RANKS_DESCRIBE_H
#define DGM_BASE_RANKS_DESCRIBE_H

#include "base/buf.h"
#include "base/option/settings.h"

/*
 * Appends a line for each setting that must be the same on all ranks (struct dgm_opt, `ranks`): its
 * value, or that it is not set. Of a file that is read it is the checksum, since the same file may
 * have another path on another machine; of one that is read again and again (`reread`), and of one
 * that is written, that there is one: whoever reads it compares what it holds.
 * may_lack: one that is not there is no failure; a training that goes on may not need it any more.
 */
dgm_status dgm_ranks_describe(struct dgm_env *env, const struct dgm_settings *settings,
                              struct dgm_buf *text, int may_lack);

#endif
