/* svg_parts.c: groups, texts, lines, and the page around them. */
#include "draw/svg_parts.h"

#include "draw/ink.h"

static const char *const fonts = "system-ui, -apple-system, Segoe UI, Helvetica Neue, Arial, "
                                 "Noto Sans, DejaVu Sans, sans-serif";

/* ---- groups --------------------------------------------------------------------------------- */

void dgm_svg_stroke(struct dgm_svg *svg, const char *ink, int64_t width)
{
    dgm_svg_text_attribute(svg, "stroke", ink);
    dgm_svg_attribute(svg, "stroke-width", width);
}

void dgm_svg_texts_begin(struct dgm_svg *svg, const char *fill, const char *anchor, int64_t size)
{
    dgm_svg_begin(svg, "g");
    dgm_svg_text_attribute(svg, "fill", fill);
    dgm_svg_text_attribute(svg, "text-anchor", anchor);
    dgm_svg_attribute(svg, "font-size", size);
    dgm_svg_newline(svg);
}

void dgm_svg_lines_begin(struct dgm_svg *svg, const char *stroke, int64_t width, const char *dashes)
{
    dgm_svg_begin(svg, "g");
    dgm_svg_text_attribute(svg, "fill", "none");
    dgm_svg_stroke(svg, stroke, width);
    dgm_svg_text_attribute(svg, "stroke-linejoin", "round");
    if (dashes != NULL)
        dgm_svg_text_attribute(svg, "stroke-dasharray", dashes);
    dgm_svg_newline(svg);
}

void dgm_svg_group_end(struct dgm_svg *svg)
{
    dgm_svg_end_line(svg, "g");
}

/* ---- elements ------------------------------------------------------------------------------- */

void dgm_svg_label(struct dgm_svg *svg, int64_t x, int64_t y, const char *text)
{
    dgm_svg_turned_label(svg, 0, x, y, text);
}

void dgm_svg_turned_label(struct dgm_svg *svg, int degrees, int64_t x, int64_t y, const char *text)
{
    dgm_svg_begin(svg, "text");
    dgm_svg_attribute(svg, "x", x);
    dgm_svg_attribute(svg, "y", y);
    if (degrees != 0)
        dgm_svg_turn(svg, degrees, x, y);
    dgm_svg_text(svg, text);
    dgm_svg_end_line(svg, "text");
}

void dgm_svg_line(struct dgm_svg *svg, int64_t x1, int64_t y1, int64_t x2, int64_t y2)
{
    dgm_svg_begin(svg, "path");
    dgm_svg_path_begin(svg);
    dgm_svg_path(svg, 'M', x1, y1);
    dgm_svg_path(svg, 'L', x2, y2);
    dgm_svg_path_end(svg);
    dgm_svg_end_line(svg, "path");
}

void dgm_svg_rect_begin(struct dgm_svg *svg, int64_t x, int64_t y, int64_t width, int64_t height)
{
    dgm_svg_begin(svg, "rect");
    dgm_svg_attribute(svg, "x", x);
    dgm_svg_attribute(svg, "y", y);
    dgm_svg_attribute(svg, "width", width);
    dgm_svg_attribute(svg, "height", height);
}

/* ---- the page ------------------------------------------------------------------------------- */

static dgm_status add_view_box(struct dgm_env *env, struct dgm_buf *out, int64_t width,
                               int64_t height)
{
    return dgm_buf_add_format(env, out, "0 0 %lld.%lld %lld.%lld", (long long)(width / 10),
                              (long long)(width % 10), (long long)(height / 10),
                              (long long)(height % 10));
}

static void add_head(struct dgm_svg *svg, const struct dgm_svg_page *page, const char *view_box)
{
    dgm_svg_begin(svg, "svg");
    dgm_svg_text_attribute(svg, "xmlns", "http://www.w3.org/2000/svg");
    dgm_svg_attribute(svg, "width", page->width);
    dgm_svg_attribute(svg, "height", page->height);
    dgm_svg_text_attribute(svg, "viewBox", view_box);
    dgm_svg_text_attribute(svg, "role", "img");
    dgm_svg_text_attribute(svg, "font-family", fonts);
    dgm_svg_newline(svg);
    dgm_svg_element(svg, "title", page->title);
    dgm_svg_newline(svg);
    dgm_svg_element(svg, "desc", page->description);
    dgm_svg_newline(svg);
    dgm_ink_style(svg);
    dgm_svg_begin(svg, "rect");
    dgm_svg_text_attribute(svg, "width", "100%");
    dgm_svg_text_attribute(svg, "height", "100%");
    dgm_svg_text_attribute(svg, "fill", DGM_INK_GROUND);
    dgm_svg_end_line(svg, "rect");
}

dgm_status dgm_svg_page(struct dgm_env *env, struct dgm_buf *out, const struct dgm_svg_page *page,
                        const struct dgm_buf *body)
{
    struct dgm_buf view_box = { .data = NULL };
    struct dgm_svg svg;
    dgm_status status;

    dgm_svg_start(&svg, env, out);
    DGM_TRY_OUT(add_view_box(env, &view_box, page->width, page->height));
    add_head(&svg, page, view_box.data);
    DGM_TRY_OUT(svg.status);
    DGM_TRY_OUT(dgm_buf_add(env, out, body->data, body->size));
    dgm_svg_end_line(&svg, "svg");
    status = svg.status;
out:
    dgm_buf_clear(env, &view_box);
    return status;
}
