/*
 * golden_file.h: a golden file as numbers: those that it expects, and those that the program
 * computes for its model and its batch.
 */
#ifndef DGM_GOLDEN_FILE_H
#define DGM_GOLDEN_FILE_H

#include "device/device.h"
#include "golden/numbers.h"

/*
 * Fills both lists, which the caller clears, also after an error: DGM_MODEL for a file that is
 * not a golden file, DGM_USAGE for a configuration that this version does not know.
 */
dgm_status golden_file_run(struct dgm_env *env, struct dgm_device *device, const char *path,
                           struct numbers_list *want, struct numbers_list *got);

#endif
