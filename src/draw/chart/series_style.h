/*
 * series_style.h: how series are told apart: by colour, and in black and white by dashes and
 * markers of lines, by hatches of bars. Lengths are tenths of a pixel.
 */
#ifndef DGM_DRAW_CHART_SERIES_STYLE_H
#define DGM_DRAW_CHART_SERIES_STYLE_H

#include "draw/svg.h"

const char *dgm_series_ink(size_t series);
const char *dgm_series_dashes(size_t series); /* NULL: a solid line */

/* A marker about the point, in the colour of the series. */
void dgm_series_marker(struct dgm_svg *svg, size_t series, int64_t x, int64_t y);

/* <defs> of the hatches of `count` series. */
void dgm_series_hatches(struct dgm_svg *svg, size_t count);
/* A bar of the series; the first one is solid. */
void dgm_series_bar(struct dgm_svg *svg, size_t series, int64_t x, int64_t y, int64_t width,
                    int64_t height);

/* A piece of line with its marker, for legends. */
enum { DGM_SERIES_SAMPLE = 300 };
void dgm_series_line_sample(struct dgm_svg *svg, size_t series, int64_t x, int64_t y);

#endif
