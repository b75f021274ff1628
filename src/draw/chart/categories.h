/*
 * categories.h: the names below an axis that has no numbers, level or slanting.
 */
#ifndef DGM_DRAW_CHART_CATEGORIES_H
#define DGM_DRAW_CHART_CATEGORIES_H

#include "draw/chart/plot.h"

struct dgm_categories {
    int slant;      /* names stand slanting: level ones would meet */
    int64_t height; /* that they take below the plot */
    int64_t left;   /* that the first ones stand out on the left of the plot, if any */
};

/* For slots of this width. */
void dgm_categories_measure(struct dgm_categories *names, const struct dgm_chart *chart,
                            int64_t slot);
void dgm_categories_draw(struct dgm_svg *svg, const struct dgm_categories *names,
                         const struct dgm_chart *chart, const struct dgm_plot *plot);

/* The middle of a category's slot. */
int64_t dgm_category_x(const struct dgm_chart *chart, const struct dgm_plot *plot, double category);

#endif
