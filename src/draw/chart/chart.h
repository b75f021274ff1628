/*
 * chart.h: the data of a chart: series of values over numbers or over categories.
 */
#ifndef DGM_DRAW_CHART_CHART_H
#define DGM_DRAW_CHART_CHART_H

#include "base/buf.h"
#include "base/map.h"

enum dgm_chart_type { DGM_CHART_BARS, DGM_CHART_LINES };

/* What a chart has room for. */
#define DGM_CHART_MOST_CATEGORIES 500
#define DGM_CHART_MOST_SERIES 40
#define DGM_CHART_MOST_POINTS 2000000

struct dgm_chart_point {
    double x; /* or the number of the category */
    double y;
    double error;   /* half of the whisker's length; 0: none */
    size_t written; /* y as it was given: an offset in dgm_chart.written */
    long line;      /* of the file, for messages */
};

struct dgm_chart_series {
    struct dgm_chart_point *points; /* in the order of x */
    size_t count, capacity;
};

/* Zero-initialise, set what is not derived, add points, finish, draw, clear. */
struct dgm_chart {
    enum dgm_chart_type type;
    const char *title, *x_label, *y_label;
    int has_from;
    double from;               /* where the value axis begins */
    struct dgm_map categories; /* x as texts */
    struct dgm_map names;      /* of series */
    struct dgm_chart_series *series;
    size_t series_capacity, points;
    struct dgm_buf written; /* texts, each ended by NUL */
    /* derived by dgm_chart_finish */
    struct dgm_buf texts; /* names and categories as a picture shows them */
    int is_numeric;       /* x are numbers ... */
    int is_whole;         /* ... without a fraction */
    int has_errors;       /* some point has a whisker */
    double low, high;     /* of the values with their whiskers */
    double left, right;   /* of the numbers x */
};

/* Adds one value. DGM_DATA beyond the limits above. */
dgm_status dgm_chart_add(struct dgm_env *env, struct dgm_chart *chart, const char *name,
                         const char *x, const struct dgm_chart_point *point, const char *written);

/* Sorts the points and finds the extents. DGM_DATA at `path` where a series has two values at one
 * x, and where a value lies below `from`. */
dgm_status dgm_chart_finish(struct dgm_env *env, struct dgm_chart *chart, const char *path);
void dgm_chart_clear(struct dgm_env *env, struct dgm_chart *chart);

/* Texts as a picture shows them: without controls, and cut. */
static inline const char *dgm_chart_name(const struct dgm_chart *chart, size_t series)
{
    return chart->texts.data + chart->names.entries[series].value;
}

static inline const char *dgm_chart_category(const struct dgm_chart *chart, size_t category)
{
    return chart->texts.data + chart->categories.entries[category].value;
}

static inline const char *dgm_chart_written(const struct dgm_chart *chart,
                                            const struct dgm_chart_point *point)
{
    return chart->written.data + point->written;
}

#endif
