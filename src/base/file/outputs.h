/*
 * outputs.h: several outputs that belong together: their files take their places in a row, or none.
 */
#ifndef DGM_BASE_FILE_OUTPUTS_H
#define DGM_BASE_FILE_OUTPUTS_H

#include "base/file/writer.h"

/*
 * Two steps in place of dgm_writer_close, after which, and after any failure, all writers are to be
 * abandoned. The first may take long: it writes, syncs and closes everything, and changes no
 * target. What is not open is passed over.
 */
dgm_status dgm_outputs_finish(struct dgm_env *env, struct dgm_writer *writers, size_t count);
/*
 * The second renames one file after the other, and then syncs each folder. If a file cannot take
 * its place, those before it go back to what they were, and the message says which could not. A
 * crash between the renames leaves some new and some old, each of them whole, and a second name
 * of the old content of the new ones: .tmp-PROCESS-NUMBER beside them.
 */
dgm_status dgm_outputs_place(struct dgm_env *env, struct dgm_writer *writers, size_t count);

#endif
