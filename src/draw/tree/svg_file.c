/* svg_file.c: the frame of an SVG file around its trees: size, title, white ground. */
#include "draw/svg.h"
#include "draw/tree/tree_picture.h"
#include "draw/tree/tree_svg.h"

static const char *const fonts = "system-ui, -apple-system, Segoe UI, Helvetica Neue, Arial, "
                                 "Noto Sans, DejaVu Sans, sans-serif";

static dgm_status add_view_box(struct dgm_env *env, struct dgm_buf *out, int64_t width,
                               int64_t height)
{
    return dgm_buf_add_format(env, out, "0 0 %lld.%lld %lld.%lld", (long long)(width / 10),
                              (long long)(width % 10), (long long)(height / 10),
                              (long long)(height % 10));
}

static void add_frame(struct dgm_svg *svg, const struct dgm_draw *draw, const char *view_box)
{
    dgm_svg_begin(svg, "svg");
    dgm_svg_text_attribute(svg, "xmlns", "http://www.w3.org/2000/svg");
    dgm_svg_attribute(svg, "width", draw->right + 2 * MARGIN);
    dgm_svg_attribute(svg, "height", draw->bottom + 2 * MARGIN);
    dgm_svg_text_attribute(svg, "viewBox", view_box);
    dgm_svg_text_attribute(svg, "role", "img");
    dgm_svg_text_attribute(svg, "font-family", fonts);
    dgm_svg_newline(svg);
    dgm_svg_element(svg, "title",
                    draw->title != NULL ? draw->title
                    : draw->drawn == 1  ? "Dependency tree"
                                        : "Dependency trees");
    dgm_svg_newline(svg);
    dgm_svg_element(svg, "desc",
                    draw->description != NULL
                        ? draw->description
                        : "Arrows point from a head to its dependent; each is labelled with their "
                          "relation.");
    dgm_svg_newline(svg);
    dgm_svg_begin(svg, "rect");
    dgm_svg_text_attribute(svg, "width", "100%");
    dgm_svg_text_attribute(svg, "height", "100%");
    dgm_svg_text_attribute(svg, "fill", "#ffffff");
    dgm_svg_end(svg, "rect");
    dgm_svg_newline(svg);
}

dgm_status dgm_draw_svg_file(struct dgm_env *env, const struct dgm_draw *draw, struct dgm_buf *out,
                             const struct dgm_buf *body)
{
    struct dgm_buf view_box = { NULL, 0, 0, 0 };
    struct dgm_svg svg;
    dgm_status status;
    dgm_svg_start(&svg, env, out);
    DGM_TRY_OUT(add_view_box(env, &view_box, draw->right + 2 * MARGIN, draw->bottom + 2 * MARGIN));
    add_frame(&svg, draw, view_box.data);
    DGM_TRY_OUT(svg.status);
    DGM_TRY_OUT(dgm_buf_add(env, out, body->data, body->size));
    dgm_svg_end(&svg, "svg");
    dgm_svg_newline(&svg);
    status = svg.status;
out:
    dgm_buf_clear(env, &view_box);
    return status;
}
