/* unfinished.h: the temporary files of outputs, for the moment when a signal ends the program. */
#ifndef DGM_CMD_UNFINISHED_H
#define DGM_CMD_UNFINISHED_H

/* Adds a temporary file, to be removed if a signal ends the program; forgets all of them. */
void dgm_unfinished_add(const char *path);
void dgm_unfinished_drop(void);
/* Removes them; for signal handlers. */
void dgm_unfinished_remove(void);

/* For signal handlers that end the program: whether that must wait. If so, the signal comes again
 * once it need not. */
int dgm_unfinished_waits(int signal);
/* From the first on a signal waits, until the second. */
void dgm_unfinished_hold(void);
void dgm_unfinished_let_go(void);

#endif
