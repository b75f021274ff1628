/* clock.h: how much time has passed. */
#ifndef DGM_BASE_SYSTEM_CLOCK_H
#define DGM_BASE_SYSTEM_CLOCK_H

/* Seconds of a clock that never runs backwards. */
double dgm_clock(void);

#endif
