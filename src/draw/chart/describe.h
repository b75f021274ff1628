/*
 * describe.h: a chart in words, for those who do not see it.
 */
#ifndef DGM_DRAW_CHART_DESCRIBE_H
#define DGM_DRAW_CHART_DESCRIBE_H

#include "draw/chart/chart.h"

/* Appends "Bars: BLEU by system. valid: plain 32.4, relative 33.1." A long line is described by its
 * first, least, greatest and last value. */
dgm_status dgm_chart_describe(struct dgm_env *env, struct dgm_buf *out,
                              const struct dgm_chart *chart);

/* Appends x of a point as text. */
dgm_status dgm_chart_add_x(struct dgm_env *env, struct dgm_buf *out, const struct dgm_chart *chart,
                           const struct dgm_chart_point *point);

#endif
