/* unfinished.h: the temporary files of outputs, for the moment when a signal ends the program. */
#ifndef DGM_CMD_UNFINISHED_H
#define DGM_CMD_UNFINISHED_H

/* Adds a temporary file, to be removed if a signal ends the program; forgets all of them. */
void dgm_unfinished_add(const char *path);
void dgm_unfinished_drop(void);
/* Removes them; for signal handlers. */
void dgm_unfinished_remove(void);

#endif
