/*
 * svg.h: writes SVG that is well-formed whatever text goes in, and never a script.
 *
 * Lengths are whole tenths of a pixel, so that the same picture is the same bytes everywhere.
 * The first failure sticks in `status`, as it does in the environment; later calls do nothing.
 */
#ifndef DGM_DRAW_SVG_H
#define DGM_DRAW_SVG_H

#include "base/buf.h"
#include "base/env.h"

struct dgm_svg {
    struct dgm_env *env;
    struct dgm_buf *out; /* appended to */
    dgm_status status;
    int tag_open; /* attributes may follow */
};

void dgm_svg_start(struct dgm_svg *svg, struct dgm_env *env, struct dgm_buf *out);

/* <name, to be followed by attributes, content and the end. */
void dgm_svg_begin(struct dgm_svg *svg, const char *name);
void dgm_svg_end(struct dgm_svg *svg, const char *name);
/* The end of what has a line of its own. */
void dgm_svg_end_line(struct dgm_svg *svg, const char *name);

void dgm_svg_text_attribute(struct dgm_svg *svg, const char *name, const char *value);
void dgm_svg_attribute(struct dgm_svg *svg, const char *name, int64_t tenths);
/* transform="translate(x,y)" */
void dgm_svg_move(struct dgm_svg *svg, int64_t x, int64_t y);
/* transform="rotate(degrees,x,y)": about a point, clockwise. */
void dgm_svg_turn(struct dgm_svg *svg, int degrees, int64_t x, int64_t y);

/* d="...": begins, takes commands with their points ('Z' has none; 'H' and 'V' have one number,
 * given as x), and ends. */
void dgm_svg_path_begin(struct dgm_svg *svg);
void dgm_svg_path(struct dgm_svg *svg, char command, int64_t x, int64_t y);
void dgm_svg_path_end(struct dgm_svg *svg);

/* Character data. What XML does not allow becomes U+FFFD. */
void dgm_svg_text(struct dgm_svg *svg, const char *text);
/* <name>text</name> */
void dgm_svg_element(struct dgm_svg *svg, const char *name, const char *text);
void dgm_svg_newline(struct dgm_svg *svg);

#endif
