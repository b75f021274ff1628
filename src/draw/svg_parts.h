/*
 * svg_parts.h: what pictures are put together from: groups, texts, lines, and the page around them.
 * Lengths are tenths of a pixel.
 */
#ifndef DGM_DRAW_SVG_PARTS_H
#define DGM_DRAW_SVG_PARTS_H

#include "draw/svg.h"

/* Attributes of a line, or of the edge of a shape. */
void dgm_svg_stroke(struct dgm_svg *svg, const char *ink, int64_t width);

/* <g> of texts: "start", "middle" or "end" says where x stands in each. */
void dgm_svg_texts_begin(struct dgm_svg *svg, const char *fill, const char *anchor, int64_t size);
/* <g> of lines; `dashes` as in "5 3", or NULL. */
void dgm_svg_lines_begin(struct dgm_svg *svg, const char *stroke, int64_t width,
                         const char *dashes);
void dgm_svg_group_end(struct dgm_svg *svg);

/* Elements of such groups. */
void dgm_svg_label(struct dgm_svg *svg, int64_t x, int64_t y, const char *text);
void dgm_svg_turned_label(struct dgm_svg *svg, int degrees, int64_t x, int64_t y, const char *text);
void dgm_svg_line(struct dgm_svg *svg, int64_t x1, int64_t y1, int64_t x2, int64_t y2);
/* <rect>, to be followed by attributes of its own and the end. */
void dgm_svg_rect_begin(struct dgm_svg *svg, int64_t x, int64_t y, int64_t width, int64_t height);

/* ---- the page ------------------------------------------------------------------------------- */

struct dgm_svg_page {
    int64_t width, height;
    const char *title, *description; /* for those who do not see the picture */
};

/* Writes the whole file around `body`: the size, the title, the colours of a dark page, the
 * ground. */
dgm_status dgm_svg_page(struct dgm_env *env, struct dgm_buf *out, const struct dgm_svg_page *page,
                        const struct dgm_buf *body);

#endif
