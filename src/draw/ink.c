/* ink.c: colours, and their partners on a dark page. */
#include "draw/ink.h"

#include <stddef.h>

/* Eight that readers with any kind of colour vision can tell apart, and of different darkness. */
const char *const dgm_ink_series[DGM_INK_SERIES] = { "#0b5cad", "#d2521c", "#177245", "#8b3fae",
                                                     "#a87400", "#0d8296", "#4a5461", "#c0356f" };

/* On white, and on the dark page. */
static const char *const pairs[][2] = {
    { DGM_INK_GROUND, "#0d1117" },
    { DGM_INK_TEXT, "#e6edf3" },
    { DGM_INK_NOTE, "#a3aebb" },
    { DGM_INK_TAG, "#8b97a4" },
    { DGM_INK_AXIS, "#8b97a4" },
    { DGM_INK_GRID, "#2b333d" },
    { DGM_INK_HEAT, "#a5d0ff" },
    { DGM_INK_ARC, "#7d90a6" },
    { DGM_INK_RELATION, "#9cc4f0" },
    { DGM_INK_DIFFERENT_ARC, "#ff7b72" },
    { DGM_INK_DIFFERENT_RELATION, "#ff9e96" },
    { "#0b5cad", "#6cb2f5" },
    { "#d2521c", "#ff9466" },
    { "#177245", "#5ccf95" },
    { "#8b3fae", "#d39be8" },
    { "#a87400", "#e0b64a" },
    { "#0d8296", "#57c8d8" },
    { "#4a5461", "#b8c2cc" },
    { "#c0356f", "#f58bb5" },
};

static void add_rule(struct dgm_svg *svg, const char *property, const char *light, const char *dark)
{
    if (svg->status == DGM_OK)
        svg->status = dgm_buf_add_format(svg->env, svg->out, "[%s=\"%s\"]{%s:%s}", property, light,
                                         property, dark);
}

/* The rules hold no character that XML would read as a mark: <style> takes them as they are. */
void dgm_ink_style(struct dgm_svg *svg)
{
    size_t i;

    dgm_svg_begin(svg, "style");
    dgm_svg_text(svg, "@media (prefers-color-scheme: dark) {\n");
    for (i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
        add_rule(svg, "fill", pairs[i][0], pairs[i][1]);
        add_rule(svg, "stroke", pairs[i][0], pairs[i][1]);
        dgm_svg_newline(svg);
    }
    dgm_svg_text(svg, "}");
    dgm_svg_end_line(svg, "style");
}
