/* launcher.h: whether something has started several processes to work together. */
#ifndef DGM_BASE_RANKS_LAUNCHER_H
#define DGM_BASE_RANKS_LAUNCHER_H

/* How many it has started, this one included; 1: nothing has. */
int dgm_launcher_ranks(void);

#endif
