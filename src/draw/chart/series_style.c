/* series_style.c: colours, dashes, markers and hatches of series. */
#include "draw/chart/series_style.h"

#include "draw/ink.h"
#include "draw/svg_parts.h"

enum { KINDS = DGM_INK_SERIES, MARKER = 40 /* half of its extent */ };

const char *dgm_series_ink(size_t series)
{
    return dgm_ink_series[series % KINDS];
}

/* Behind the eighth series colours come back, with other dashes and markers. */
static size_t kind_of(size_t series)
{
    return (series + 3 * (series / KINDS)) % KINDS;
}

const char *dgm_series_dashes(size_t series)
{
    static const char *const dashes[KINDS] = { NULL,  "7 3",      "2 2.5",       "9 3 2 3",
                                               "4 2", "12 3 4 3", "9 3 2 3 2 3", "1.5 4" };

    return dashes[kind_of(series)];
}

/* ---- markers -------------------------------------------------------------------------------- */

/* Corners of shapes, in hundredths of MARKER; the first is a circle and has none. */
static const struct {
    int count;
    int corners[8][2];
} shapes[KINDS] = {
    { 0, { { 0, 0 } } },
    { 4, { { -90, -90 }, { 90, -90 }, { 90, 90 }, { -90, 90 } } },
    { 3, { { 0, -120 }, { 115, 85 }, { -115, 85 } } },
    { 4, { { 0, -130 }, { 130, 0 }, { 0, 130 }, { -130, 0 } } },
    { 3, { { 0, 120 }, { 115, -85 }, { -115, -85 } } },
    { 4, { { -130, -45 }, { 130, -45 }, { 130, 45 }, { -130, 45 } } },
    { 4, { { -45, -130 }, { 45, -130 }, { 45, 130 }, { -45, 130 } } },
    { 6, { { -60, -105 }, { 60, -105 }, { 120, 0 }, { 60, 105 }, { -60, 105 }, { -120, 0 } } },
};

static void add_shape(struct dgm_svg *svg, size_t kind, int64_t x, int64_t y)
{
    int i;

    dgm_svg_begin(svg, "path");
    dgm_svg_path_begin(svg);
    for (i = 0; i < shapes[kind].count; i++)
        dgm_svg_path(svg, i == 0 ? 'M' : 'L', x + shapes[kind].corners[i][0] * MARKER / 100,
                     y + shapes[kind].corners[i][1] * MARKER / 100);
    dgm_svg_path(svg, 'Z', 0, 0);
    dgm_svg_path_end(svg);
}

void dgm_series_marker(struct dgm_svg *svg, size_t series, int64_t x, int64_t y)
{
    size_t kind = kind_of(series);
    const char *element = shapes[kind].count == 0 ? "circle" : "path";

    if (shapes[kind].count == 0) {
        dgm_svg_begin(svg, "circle");
        dgm_svg_attribute(svg, "cx", x);
        dgm_svg_attribute(svg, "cy", y);
        dgm_svg_attribute(svg, "r", MARKER);
    } else {
        add_shape(svg, kind, x, y);
    }
    dgm_svg_text_attribute(svg, "fill", dgm_series_ink(series));
    dgm_svg_stroke(svg, DGM_INK_GROUND, 7);
    dgm_svg_end_line(svg, element);
}

void dgm_series_line_sample(struct dgm_svg *svg, size_t series, int64_t x, int64_t y)
{
    dgm_svg_lines_begin(svg, dgm_series_ink(series), 18, dgm_series_dashes(series));
    dgm_svg_line(svg, x, y, x + DGM_SERIES_SAMPLE, y);
    dgm_svg_group_end(svg);
    dgm_series_marker(svg, series, x + DGM_SERIES_SAMPLE / 2, y);
}

/* ---- hatches -------------------------------------------------------------------------------- */

enum { TILE = 80 };

/* Strokes across a tile of 8 pixels, beginning outside of it where corners would show gaps. */
static const char *const hatches[KINDS] = {
    "",       "M-1 1L1 -1M0 8L8 0M7 9L9 7", "M0 4H8",       "M-1 7L1 9M0 0L8 8M7 -1L9 1",
    "M4 0V8", "M0 8L8 0M0 0L8 8",           "M0 4H8M4 0V8", "M3 4H5",
};

static void hatch_name(char name[16], size_t kind, const char *before, const char *after)
{
    char *at = name;

    while (*before != '\0')
        *at++ = *before++;
    *at++ = (char)('0' + kind);
    while (*after != '\0')
        *at++ = *after++;
    *at = '\0';
}

static void add_hatch(struct dgm_svg *svg, size_t kind)
{
    char name[16];

    hatch_name(name, kind, "hatch-", "");
    dgm_svg_begin(svg, "pattern");
    dgm_svg_text_attribute(svg, "id", name);
    dgm_svg_text_attribute(svg, "patternUnits", "userSpaceOnUse");
    dgm_svg_attribute(svg, "width", TILE);
    dgm_svg_attribute(svg, "height", TILE);
    dgm_svg_begin(svg, "path");
    dgm_svg_text_attribute(svg, "d", hatches[kind]);
    dgm_svg_text_attribute(svg, "fill", "none");
    dgm_svg_stroke(svg, DGM_INK_GROUND, 12);
    dgm_svg_end(svg, "path");
    dgm_svg_end_line(svg, "pattern");
}

void dgm_series_hatches(struct dgm_svg *svg, size_t count)
{
    size_t kind;

    if (count < 2)
        return;
    dgm_svg_begin(svg, "defs");
    dgm_svg_newline(svg);
    for (kind = 1; kind < KINDS && kind < count; kind++)
        add_hatch(svg, kind);
    dgm_svg_end_line(svg, "defs");
}

void dgm_series_bar(struct dgm_svg *svg, size_t series, int64_t x, int64_t y, int64_t width,
                    int64_t height)
{
    size_t kind = kind_of(series);
    char name[16];

    dgm_svg_rect_begin(svg, x, y, width, height);
    dgm_svg_text_attribute(svg, "fill", dgm_series_ink(series));
    dgm_svg_end(svg, "rect");
    if (kind > 0) {
        hatch_name(name, kind, "url(#hatch-", ")");
        dgm_svg_rect_begin(svg, x, y, width, height);
        dgm_svg_text_attribute(svg, "fill", name);
        dgm_svg_end(svg, "rect");
    }
    dgm_svg_newline(svg);
}
