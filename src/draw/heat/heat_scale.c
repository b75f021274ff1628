/* heat_scale.c: the darkness of weights. */
#include "draw/heat/heat_scale.h"

#include "base/number/number.h"
#include "draw/ink.h"
#include "draw/svg_parts.h"
#include "draw/tree/tree_svg.h"

enum { WIDTH = 2000, HEIGHT = 120, STEPS = 20, NUMBERS = 5, SIZE = 105, TEXT = 620 };

void dgm_heat_opacity(struct dgm_svg *svg, float weight)
{
    char text[40];

    text[dgm_number_print_fixed(text, weight > 1 ? 1.0 : (double)weight, 2)] = '\0';
    dgm_svg_text_attribute(svg, "fill-opacity", text);
}

void dgm_heat_fill(struct dgm_svg *svg, float weight)
{
    dgm_svg_text_attribute(svg, "fill", DGM_INK_HEAT);
    dgm_heat_opacity(svg, weight);
}

static void add_steps(struct dgm_svg *svg, int64_t x, int64_t y)
{
    int i;

    for (i = 0; i < STEPS; i++) {
        dgm_svg_rect_begin(svg, x + i * WIDTH / STEPS, y, WIDTH / STEPS, HEIGHT);
        dgm_heat_fill(svg, ((float)i + (float)0.5) / (float)STEPS);
        dgm_svg_end_line(svg, "rect");
    }
    dgm_svg_rect_begin(svg, x, y, WIDTH, HEIGHT);
    dgm_svg_text_attribute(svg, "fill", "none");
    dgm_svg_stroke(svg, DGM_INK_AXIS, 6);
    dgm_svg_end_line(svg, "rect");
}

dgm_status dgm_heat_scale(struct dgm_env *env, struct dgm_tree_picture *picture,
                          struct dgm_buf *out)
{
    static const char *const numbers[NUMBERS] = { "0", "0.25", "0.5", "0.75", "1" };
    int64_t x = DGM_SVG_MARGIN + TEXT, y = DGM_SVG_MARGIN + picture->bottom + 240;
    struct dgm_svg svg;
    int i;

    dgm_svg_start(&svg, env, out);
    add_steps(&svg, x, y);
    dgm_svg_texts_begin(&svg, DGM_INK_NOTE, "start", SIZE);
    dgm_svg_label(&svg, DGM_SVG_MARGIN, y + HEIGHT - 20, "weight");
    dgm_svg_group_end(&svg);
    dgm_svg_texts_begin(&svg, DGM_INK_NOTE, "middle", SIZE);
    for (i = 0; i < NUMBERS; i++)
        dgm_svg_label(&svg, x + i * WIDTH / (NUMBERS - 1), y + HEIGHT + SIZE + 40, numbers[i]);
    dgm_svg_group_end(&svg);
    picture->bottom += 240 + HEIGHT + SIZE + 60;
    dgm_tree_svg_widen(picture, TEXT + WIDTH + 60);
    return svg.status;
}
