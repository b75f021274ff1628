/* chart_drawing.h: a chart of the columns of a CSV file. */
#ifndef DGM_DRAW_CHART_CHART_DRAWING_H
#define DGM_DRAW_CHART_CHART_DRAWING_H

#include "base/map.h"
#include "draw/chart/chart.h"
#include "draw/picture.h"
#include "text/csv.h"

/* Zero-initialise, but for what is wanted, of the chart too. */
struct dgm_chart_drawing {
    struct dgm_picture picture;
    dgm_draw_chart_options wishes; /* the columns and texts in them */
    struct dgm_csv csv;
    struct dgm_chart chart;
    size_t x, series; /* columns */
    size_t y[DGM_CHART_MOST_SERIES], error[DGM_CHART_MOST_SERIES];
    size_t y_count, error_count;
    struct dgm_map columns;
    struct dgm_buf name, texts; /* of a series; the title and the texts of the axes */
    long left_out;
};

/* Draws a file, and clears all. */
dgm_status dgm_chart_drawing_run(struct dgm_chart_drawing *drawing, const char *path);

#endif
