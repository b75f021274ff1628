/* test_chart.c: values put into series, and curves thinned to what a screen shows. */
#include "draw/chart/chart.h"

#include <math.h>
#include <string.h>

#include "draw/chart/plot.h"
#include "test.h"

static dgm_status add(struct dgm_chart *chart, const char *name, const char *x, double y, long line)
{
    struct dgm_chart_point point;

    memset(&point, 0, sizeof point);
    point.y = y;
    point.line = line;
    return dgm_chart_add(test_env(), chart, name, x, &point, "written");
}

static void begin(struct dgm_chart *chart, enum dgm_chart_type type)
{
    memset(chart, 0, sizeof *chart);
    chart->type = type;
}

TEST(chart_lines_run_over_numbers_in_their_order)
{
    struct dgm_chart chart;

    begin(&chart, DGM_CHART_LINES);
    CHECK_STATUS(add(&chart, "a", "10", 3, 2), DGM_OK);
    CHECK_STATUS(add(&chart, "a", "-2.5", 4, 3), DGM_OK);
    CHECK_STATUS(add(&chart, "b", "10.0", 5, 4), DGM_OK);
    CHECK_STATUS(dgm_chart_finish(test_env(), &chart, "file"), DGM_OK);
    CHECK_INT(chart.is_numeric, 1);
    CHECK_INT(chart.names.count, 2);
    CHECK_NEAR(chart.series[0].points[0].x, -2.5, 0);
    CHECK_NEAR(chart.series[0].points[1].x, 10, 0);
    CHECK_NEAR(chart.left, -2.5, 0);
    CHECK_NEAR(chart.right, 10, 0);
    CHECK_NEAR(chart.high, 5, 0);
    CHECK_STR(dgm_chart_name(&chart, 1), "b");
    dgm_chart_clear(test_env(), &chart);
}

TEST(chart_one_text_makes_categories_of_all_numbers)
{
    struct dgm_chart chart;

    begin(&chart, DGM_CHART_LINES);
    CHECK_STATUS(add(&chart, "a", "10", 3, 2), DGM_OK);
    CHECK_STATUS(add(&chart, "a", "> 10", 4, 3), DGM_OK);
    CHECK_STATUS(dgm_chart_finish(test_env(), &chart, "file"), DGM_OK);
    CHECK_INT(chart.is_numeric, 0);
    CHECK_STR(dgm_chart_category(&chart, 1), "> 10");
    CHECK_NEAR(chart.series[0].points[1].x, 1, 0);
    dgm_chart_clear(test_env(), &chart);
}

/* "1" and "1.0" are two categories and one number. */
TEST(chart_two_values_at_one_place_are_refused)
{
    struct dgm_chart chart;

    begin(&chart, DGM_CHART_BARS);
    CHECK_STATUS(add(&chart, "a", "1", 3, 2), DGM_OK);
    CHECK_STATUS(add(&chart, "a", "1.0", 4, 3), DGM_OK);
    CHECK_STATUS(dgm_chart_finish(test_env(), &chart, "file"), DGM_OK);
    dgm_chart_clear(test_env(), &chart);
    begin(&chart, DGM_CHART_LINES);
    CHECK_STATUS(add(&chart, "a", "1", 3, 2), DGM_OK);
    CHECK_STATUS(add(&chart, "a", "1.0", 4, 3), DGM_OK);
    CHECK_STATUS(dgm_chart_finish(test_env(), &chart, "file"), DGM_DATA);
    CHECK_INT(test_env()->error.line, 3);
    dgm_env_clear_error(test_env());
    dgm_chart_clear(test_env(), &chart);
}

/* ---- curves --------------------------------------------------------------------------------- */

/* How often a command stands in the path of a curve. */
static int commands(const struct dgm_chart_point *points, size_t count, char command)
{
    struct dgm_plot plot;
    struct dgm_buf out = { NULL, 0, 0, 0 };
    struct dgm_svg svg;
    const char *at;
    int found = 0;

    memset(&plot, 0, sizeof plot);
    plot.width = 1000;
    plot.height = 1000;
    dgm_plot_set_x(&plot, 0, 100);
    dgm_plot_set_y(&plot, 0, 100, 5);
    dgm_svg_start(&svg, test_env(), &out);
    dgm_plot_curve(&svg, &plot, points, count);
    for (at = out.data; at != NULL && *at != '\0'; at++)
        found += *at == command;
    dgm_buf_clear(test_env(), &out);
    return svg.status == DGM_OK ? found : -1;
}

TEST(plot_a_pixel_shows_four_points_of_a_curve)
{
    static struct dgm_chart_point points[1000];
    size_t i;

    memset(points, 0, sizeof points);
    for (i = 0; i < 1000; i++) {
        points[i].x = (double)i / 10;
        points[i].y = (double)(i * 37 % 100);
    }
    CHECK_INT(commands(points, 1000, 'M'), 1);
    CHECK(commands(points, 1000, 'L') <= 4 * 101);
    CHECK(commands(points, 1000, 'L') > 2 * 99);
    CHECK_INT(commands(points, 1, 'M'), 1);
    CHECK_INT(commands(points, 0, 'M'), 0);
}

TEST(plot_what_is_no_number_leaves_a_gap)
{
    struct dgm_chart_point points[6];
    size_t i;

    memset(points, 0, sizeof points);
    for (i = 0; i < 6; i++) {
        points[i].x = 10 * (double)i;
        points[i].y = i == 2 || i == 3 ? (double)NAN : 50;
    }
    CHECK_INT(commands(points, 6, 'M'), 2);
    CHECK_INT(commands(points, 6, 'L'), 2);
    for (i = 0; i < 6; i++)
        points[i].y = (double)NAN;
    CHECK_INT(commands(points, 6, 'M'), 0);
}
