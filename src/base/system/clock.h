/* clock.h: how much time has passed. */
#ifndef DGM_BASE_SYSTEM_CLOCK_H
#define DGM_BASE_SYSTEM_CLOCK_H

/* Seconds of a clock that never runs backwards. */
double dgm_clock(void);

/* "0:02:03", "31:00:00": hours have no end. */
void dgm_clock_print(char out[32], double seconds);

#endif
