/*
 * ticks.h: the numbers of an axis: multiples of 1, 2 or 5 times a power of ten.
 */
#ifndef DGM_DRAW_CHART_TICKS_H
#define DGM_DRAW_CHART_TICKS_H

#include <stddef.h>
#include <stdint.h>

/* Values of a chart are within -this..this, so that no sum or product of them overflows. */
#define DGM_TICKS_LIMIT 1e100

struct dgm_ticks {
    int64_t first, last; /* multiples of the step */
    int mantissa;        /* the step is mantissa * 10^power: 1, 2 or 5 */
    int power;
};

/* Chooses the least step that has at most `most` (2 or more) multiples within low..high. A range
 * without extent is widened first, in *low and *high. */
void dgm_ticks_make(struct dgm_ticks *ticks, double *low, double *high, int most);

/* No step below 1: an axis of counts, such as layers, has no halves. */
void dgm_ticks_whole(struct dgm_ticks *ticks, double low, double high);

/* Widens low..high to multiples of the step. */
void dgm_ticks_widen(struct dgm_ticks *ticks, double *low, double *high);

double dgm_ticks_value(const struct dgm_ticks *ticks, int64_t multiple);

/* "0.25", "20,000", "1.5M", "5e-5": all of an axis alike; returns the length. */
enum { DGM_TICKS_SIZE = 48 };
size_t dgm_ticks_print(char out[DGM_TICKS_SIZE], const struct dgm_ticks *ticks, int64_t multiple);

#endif
