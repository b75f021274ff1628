/* training_svg.c: panels one above another, in tenths of a pixel. */
#include "draw/training/training_svg.h"

#include <math.h>
#include <string.h>

#include "draw/chart/legend.h"
#include "draw/chart/lines.h"
#include "draw/chart/plot.h"
#include "draw/chart/series_style.h"
#include "draw/ink.h"
#include "draw/svg_parts.h"
#include "draw/text_width.h"
#include "draw/training/notes.h"

enum {
    MARGIN = 160,
    WIDTH = 5600, /* of a plot */
    TITLE_SIZE = 150,
    TITLE = 260,
    NAME_SIZE = 120, /* above a panel */
    NOTE_SIZE = 105,
    ABOVE = 300, /* height of what stands there */
    NUMBERS = 190,
    LABEL = 210,
    RING = 75,
    CROSS = 35,
    MOST_Y = 5,
    MOST_Y_ALONE = 8,
    MARKED = 40 /* points of a curve that all have markers */
};

struct layout {
    int64_t left, height; /* of all plots */
    int64_t width_of_page, height_of_page, legend_top, first_top;
};

static int64_t plot_height(const struct dgm_training *training)
{
    return training->panel_count == 1 ? 2800 : training->panel_count == 2 ? 1900 : 1300;
}

static void set_plot(struct dgm_plot *plot, const struct dgm_training *training, size_t p)
{
    const struct dgm_training_panel *panel = &training->panels[p];

    memset(plot, 0, sizeof *plot);
    plot->width = WIDTH;
    plot->height = plot_height(training);
    dgm_plot_set_x(plot, training->left, training->right);
    dgm_plot_set_y(plot, panel->low, panel->high,
                   training->panel_count == 1 ? MOST_Y_ALONE : MOST_Y);
}

static void lay_out(struct layout *layout, const struct dgm_training *training)
{
    struct dgm_plot plot;
    size_t p;

    memset(layout, 0, sizeof *layout);
    for (p = 0; p < training->panel_count; p++) {
        int64_t margin;
        set_plot(&plot, training, p);
        margin = dgm_plot_left_margin(&plot, NULL);
        layout->left = margin > layout->left ? margin : layout->left;
    }
    layout->left += MARGIN;
    layout->legend_top = MARGIN + (training->title != NULL ? TITLE : 0);
    layout->first_top = layout->legend_top;
    if (training->runs > 1)
        layout->first_top += dgm_legend_draw(NULL, &training->panels[0].shown, 0, 0, WIDTH);
    layout->height = ABOVE + plot_height(training);
    layout->width_of_page = layout->left + WIDTH + 2 * MARGIN;
    layout->height_of_page = layout->first_top + (int64_t)training->panel_count * layout->height +
                             NUMBERS + LABEL + MARGIN;
}

/* ---- curves --------------------------------------------------------------------------------- */

static void add_raw(struct dgm_svg *svg, const struct dgm_plot *plot,
                    const struct dgm_training_panel *panel, size_t run)
{
    dgm_svg_begin(svg, "g");
    dgm_svg_text_attribute(svg, "stroke-opacity", "0.35");
    dgm_svg_lines_begin(svg, dgm_series_ink(run), 8, NULL);
    dgm_plot_curve(svg, plot, panel->raw.series[run].points, panel->raw.series[run].count);
    dgm_svg_group_end(svg);
    dgm_svg_group_end(svg);
}

static void add_curve(struct dgm_svg *svg, const struct dgm_plot *plot,
                      const struct dgm_training_panel *panel, size_t run)
{
    const struct dgm_chart_series *series = &panel->shown.series[run];

    dgm_svg_lines_begin(svg, dgm_series_ink(run), 16, dgm_series_dashes(run));
    dgm_plot_curve(svg, plot, series->points, series->count);
    dgm_svg_group_end(svg);
    if (panel->shown.names.count > 1 || (series->count <= MARKED && !panel->kind.is_schedule))
        dgm_lines_draw_markers(svg, plot, run, series);
}

/* A ring about the best point. */
static void add_best(struct dgm_svg *svg, const struct dgm_plot *plot,
                     const struct dgm_training_panel *panel, size_t run)
{
    const struct dgm_chart_point *best = dgm_training_best(panel, run);

    if (best == NULL)
        return;
    dgm_svg_begin(svg, "circle");
    dgm_svg_attribute(svg, "cx", dgm_plot_x(plot, best->x));
    dgm_svg_attribute(svg, "cy", dgm_plot_y(plot, best->y));
    dgm_svg_attribute(svg, "r", RING);
    dgm_svg_text_attribute(svg, "fill", "none");
    dgm_svg_stroke(svg, DGM_INK_TEXT, 12);
    dgm_svg_end_line(svg, "circle");
}

/* A cross at the bottom where a value is no finite number; one for each pixel. */
static void add_crosses(struct dgm_svg *svg, const struct dgm_plot *plot,
                        const struct dgm_training_panel *panel, size_t run)
{
    const struct dgm_chart_series *series = &panel->raw.series[run];
    int64_t y = plot->top + plot->height - 2 * CROSS, last = -1;
    size_t i;

    dgm_svg_lines_begin(svg, dgm_series_ink(run), 14, NULL);
    for (i = 0; i < series->count; i++) {
        int64_t x = dgm_plot_x(plot, series->points[i].x);
        if (isfinite(series->points[i].y) || x / 10 == last)
            continue;
        last = x / 10;
        dgm_svg_line(svg, x - CROSS, y - CROSS, x + CROSS, y + CROSS);
        dgm_svg_line(svg, x - CROSS, y + CROSS, x + CROSS, y - CROSS);
    }
    dgm_svg_group_end(svg);
}

static void add_curves(struct dgm_svg *svg, const struct dgm_plot *plot,
                       const struct dgm_training_panel *panel, size_t runs)
{
    size_t run;

    for (run = 0; run < runs && panel->is_smoothed; run++)
        add_raw(svg, plot, panel, run);
    for (run = 0; run < runs; run++)
        add_curve(svg, plot, panel, run);
    for (run = 0; run < runs; run++) {
        add_best(svg, plot, panel, run);
        if (panel->not_finite > 0)
            add_crosses(svg, plot, panel, run);
    }
}

/* ---- the page ------------------------------------------------------------------------------- */

/* What is said beside the name of a panel; in short, where the best of all runs do not fit
 * there. */
static dgm_status make_notes(struct dgm_env *env, struct dgm_buf *notes,
                             const struct dgm_plot *plot, const struct dgm_training *training,
                             const struct dgm_training_panel *panel)
{
    long beyond = dgm_training_beyond(panel, plot->y_low, plot->y_high);
    int64_t room = plot->width - dgm_text_width(panel->kind.text, NAME_SIZE) - NOTE_SIZE;

    DGM_TRY(dgm_buf_add(env, notes, "", 0));
    DGM_TRY(dgm_training_notes(env, notes, training, panel, beyond, 0));
    if (dgm_text_width(notes->data, NOTE_SIZE) <= room)
        return DGM_OK;
    dgm_buf_reset(notes);
    return dgm_training_notes(env, notes, training, panel, beyond, 1);
}

static dgm_status add_texts(struct dgm_svg *svg, const struct dgm_plot *plot,
                            const struct dgm_training *training,
                            const struct dgm_training_panel *panel)
{
    struct dgm_buf notes = { .data = NULL };
    dgm_status status;

    DGM_TRY_OUT(make_notes(svg->env, &notes, plot, training, panel));
    dgm_svg_texts_begin(svg, DGM_INK_TEXT, "start", NAME_SIZE);
    dgm_svg_label(svg, plot->left, plot->top - 90, panel->kind.text);
    dgm_svg_group_end(svg);
    dgm_svg_texts_begin(svg, DGM_INK_NOTE, "end", NOTE_SIZE);
    dgm_svg_label(svg, plot->left + plot->width, plot->top - 90, notes.data);
    dgm_svg_group_end(svg);
out:
    dgm_buf_clear(svg->env, &notes);
    return status;
}

static dgm_status add_panel(struct dgm_svg *svg, const struct layout *layout,
                            const struct dgm_training *training, size_t p)
{
    const struct dgm_training_panel *panel = &training->panels[p];
    struct dgm_plot plot;

    set_plot(&plot, training, p);
    plot.left = layout->left;
    plot.top = layout->first_top + (int64_t)p * layout->height + ABOVE;
    dgm_plot_draw_y(svg, &plot, NULL);
    dgm_plot_draw_x(svg, &plot, p + 1 == training->panel_count);
    add_curves(svg, &plot, panel, training->runs);
    return add_texts(svg, &plot, training, panel);
}

static void add_page_texts(struct dgm_svg *svg, const struct layout *layout,
                           const struct dgm_training *training)
{
    if (training->title != NULL) {
        dgm_svg_texts_begin(svg, DGM_INK_TEXT, "start", TITLE_SIZE);
        dgm_svg_label(svg, MARGIN, MARGIN + TITLE_SIZE, training->title);
        dgm_svg_group_end(svg);
    }
    if (training->runs > 1)
        dgm_legend_draw(svg, &training->panels[0].shown, layout->left, layout->legend_top, WIDTH);
    dgm_svg_texts_begin(svg, DGM_INK_TEXT, "middle", DGM_PLOT_LABEL_SIZE);
    dgm_svg_label(svg, layout->left + WIDTH / 2, layout->height_of_page - MARGIN,
                  dgm_training_axis_texts[training->axis]);
    dgm_svg_group_end(svg);
}

static dgm_status add_all(struct dgm_svg *svg, const struct layout *layout,
                          const struct dgm_training *training)
{
    size_t p;

    add_page_texts(svg, layout, training);
    for (p = 0; p < training->panel_count; p++)
        DGM_TRY(add_panel(svg, layout, training, p));
    return svg->status;
}

dgm_status dgm_training_svg(struct dgm_env *env, struct dgm_buf *out,
                            const struct dgm_training *training)
{
    struct dgm_buf body = { .data = NULL }, description = { .data = NULL };
    struct dgm_svg_page page;
    struct layout layout;
    struct dgm_svg svg;
    dgm_status status;

    lay_out(&layout, training);
    dgm_svg_start(&svg, env, &body);
    DGM_TRY_OUT(add_all(&svg, &layout, training));
    DGM_TRY_OUT(dgm_training_describe(env, &description, training));
    page.width = layout.width_of_page;
    page.height = layout.height_of_page;
    page.title = training->title != NULL ? training->title : "Curves of training";
    page.description = description.data;
    status = dgm_svg_page(env, out, &page, &body);
out:
    dgm_buf_clear(env, &body);
    dgm_buf_clear(env, &description);
    return status;
}
