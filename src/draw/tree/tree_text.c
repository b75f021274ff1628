/* tree_text.c: a tree as arcs over a line of words, in characters. */
#include <string.h>

#include "base/mem.h"
#include "draw/tree/box_lines.h"
#include "draw/tree/tree_picture.h"

static const struct dgm_arc_metrics columns = { 2, 2, 1, 1 };

/* A line being composed: the directions of its lines, and where texts start. */
struct canvas {
    const struct dgm_draw *draw;
    struct dgm_buf *out;
    unsigned char *lines; /* (width) */
    int32_t *label;       /* (width) word, + 1, whose label starts here; 0: none */
};

dgm_status dgm_draw_blanks(struct dgm_env *env, struct dgm_buf *out, int32_t count)
{
    for (; count > 0; count--)
        DGM_TRY(dgm_buf_add_char(env, out, ' '));
    return DGM_OK;
}

void dgm_draw_clear(struct dgm_env *env, struct dgm_draw *draw)
{
    dgm_captions_clear(env, &draw->captions);
    dgm_arcs_clear(env, &draw->arcs);
    dgm_release(env, draw->widths);
    memset(draw, 0, sizeof *draw);
}

/* ---- arcs -------------------------------------------------------------------------------- */

/* Horizontal lines of a level, and its labels. */
static void set_arcs(struct canvas *canvas, int32_t level)
{
    const struct dgm_arcs *arcs = &canvas->draw->arcs;
    size_t i;
    for (i = 0; i < arcs->count; i++) {
        const struct dgm_arc *arc = &arcs->arcs[i];
        int32_t x, end = arcs->port_x[arc->last];
        if (arc->level != level)
            continue;
        for (x = arcs->port_x[arc->first] + 1; x < end; x++)
            canvas->lines[x] = DGM_LINE_LEFT | DGM_LINE_RIGHT;
        if (arc->label_width > 0)
            canvas->label[arc->label_x] = arc->dependent + 1;
    }
}

/* Vertical lines; where one comes down through an arc, the arc passes behind it. */
static void set_ports(struct canvas *canvas, int32_t level)
{
    const struct dgm_arcs *arcs = &canvas->draw->arcs;
    int32_t port;
    for (port = 0; port < DGM_PORTS * arcs->words; port++) {
        if (arcs->top[port] > level)
            canvas->lines[arcs->port_x[port]] = DGM_LINE_UP | DGM_LINE_DOWN;
        else if (arcs->top[port] == level && level <= arcs->levels)
            canvas->lines[arcs->port_x[port]] = DGM_LINE_DOWN;
    }
}

static void set_corners(struct canvas *canvas, int32_t level)
{
    const struct dgm_arcs *arcs = &canvas->draw->arcs;
    size_t i;
    for (i = 0; i < arcs->count; i++) {
        const struct dgm_arc *arc = &arcs->arcs[i];
        if (arc->level != level || arc->head < 0)
            continue;
        canvas->lines[arcs->port_x[arc->first]] |= DGM_LINE_RIGHT;
        canvas->lines[arcs->port_x[arc->last]] |= DGM_LINE_LEFT;
    }
}

static dgm_status write_level(struct dgm_env *env, struct canvas *canvas)
{
    const struct dgm_draw *draw = canvas->draw;
    int32_t x = 0, blanks = 0;
    while (x < draw->arcs.width) {
        int32_t word = canvas->label[x] - 1;
        if (word < 0 && canvas->lines[x] == 0) {
            blanks++;
            x++;
            continue;
        }
        DGM_TRY(dgm_draw_blanks(env, canvas->out, blanks));
        blanks = 0;
        DGM_TRY(dgm_buf_add_text(env, canvas->out,
                                 word >= 0 ? dgm_caption(&draw->captions, word, DGM_CAPTION_LABEL)
                                           : dgm_line_glyph(canvas->lines[x], draw->style.ascii)));
        x += word >= 0 ? dgm_caption_columns(&draw->captions, word, DGM_CAPTION_LABEL) : 1;
    }
    return dgm_buf_add_char(env, canvas->out, '\n');
}

static dgm_status write_arcs(struct dgm_env *env, struct canvas *canvas)
{
    const struct dgm_arcs *arcs = &canvas->draw->arcs;
    int32_t level;
    for (level = arcs->levels + 1; level > 0; level--) {
        memset(canvas->lines, 0, (size_t)arcs->width);
        memset(canvas->label, 0, (size_t)arcs->width * sizeof *canvas->label);
        set_arcs(canvas, level);
        set_ports(canvas, level);
        set_corners(canvas, level);
        DGM_TRY(write_level(env, canvas));
    }
    return DGM_OK;
}

/* ---- words ------------------------------------------------------------------------------- */

/* Arrowheads at words that have a head, and the feet of the lines to their dependents. */
static dgm_status write_feet(struct dgm_env *env, struct canvas *canvas)
{
    const struct dgm_arcs *arcs = &canvas->draw->arcs;
    int ascii = canvas->draw->style.ascii;
    int32_t port, x = 0;
    for (port = 0; port < DGM_PORTS * arcs->words; port++) {
        if (arcs->top[port] == 0)
            continue;
        DGM_TRY(dgm_draw_blanks(env, canvas->out, arcs->port_x[port] - x));
        x = arcs->port_x[port] + 1;
        DGM_TRY(dgm_buf_add_text(env, canvas->out,
                                 port % DGM_PORTS == DGM_PORT_IN
                                     ? dgm_line_arrow_down(ascii)
                                     : dgm_line_glyph(DGM_LINE_UP | DGM_LINE_DOWN, ascii)));
    }
    return dgm_buf_add_char(env, canvas->out, '\n');
}

/* A line of forms or of tags, each in the middle of its cell. */
static dgm_status write_words(struct dgm_env *env, const struct dgm_draw *draw, struct dgm_buf *out,
                              enum dgm_caption kind)
{
    int32_t word, x = 0;
    for (word = 0; word < draw->arcs.words; word++) {
        int32_t width = dgm_caption_columns(&draw->captions, word, kind);
        int32_t at = draw->arcs.word_x[word] + (draw->arcs.cell[word] - width) / 2;
        if (width == 0)
            continue;
        DGM_TRY(dgm_draw_blanks(env, out, at - x));
        DGM_TRY(dgm_buf_add_text(env, out, dgm_caption(&draw->captions, word, kind)));
        x = at + width;
    }
    return dgm_buf_add_char(env, out, '\n');
}

dgm_status dgm_draw_text_arcs(struct dgm_env *env, const struct dgm_draw *draw, struct dgm_buf *out)
{
    size_t width = (size_t)draw->arcs.width;
    struct canvas canvas = { NULL, NULL, NULL, NULL };
    dgm_status status = DGM_MEMORY;
    if (draw->arcs.count == 0)
        return DGM_OK;
    canvas.draw = draw;
    canvas.out = out;
    canvas.lines = dgm_alloc(env, width, sizeof *canvas.lines);
    canvas.label = dgm_alloc(env, width, sizeof *canvas.label);
    if (canvas.lines != NULL && canvas.label != NULL)
        status = write_arcs(env, &canvas);
    if (status == DGM_OK)
        status = write_feet(env, &canvas);
    dgm_release(env, canvas.lines);
    dgm_release(env, canvas.label);
    return status;
}

static dgm_status draw_line(struct dgm_env *env, const struct dgm_draw *draw, struct dgm_buf *out)
{
    DGM_TRY(dgm_draw_text_arcs(env, draw, out));
    DGM_TRY(write_words(env, draw, out, DGM_CAPTION_FORM));
    return draw->style.tags ? write_words(env, draw, out, DGM_CAPTION_TAG) : DGM_OK;
}

/* ---- a sentence -------------------------------------------------------------------------- */

static dgm_status lay_out(struct dgm_env *env, struct dgm_draw *draw,
                          const struct dgm_conllu_sentence *sentence,
                          const struct dgm_conllu_sentence *other)
{
    struct dgm_caption_options texts = { 0, NULL, "*", NULL };
    const struct dgm_captions *captions = &draw->captions;
    int32_t word;
    size_t i;
    texts.tags = draw->style.tags;
    texts.other = other;
    texts.ellipsis = dgm_line_ellipsis(draw->style.ascii);
    DGM_TRY(dgm_captions_fill(env, &draw->captions, sentence, &texts));
    DGM_TRY(dgm_arcs_make(env, &draw->arcs, &sentence->tree));
    DGM_TRY(dgm_reserve(env, &draw->widths, &draw->width_capacity, (size_t)captions->count,
                        sizeof *draw->widths));
    for (word = 0; word < captions->count; word++) {
        int32_t form = dgm_caption_columns(captions, word, DGM_CAPTION_FORM);
        int32_t tag = dgm_caption_columns(captions, word, DGM_CAPTION_TAG);
        draw->widths[word] = form > tag ? form : tag;
    }
    for (i = 0; i < draw->arcs.count; i++) {
        struct dgm_arc *arc = &draw->arcs.arcs[i];
        arc->label_width = dgm_caption_columns(captions, arc->dependent, DGM_CAPTION_LABEL);
    }
    dgm_arcs_place(&draw->arcs, draw->widths, &columns);
    return DGM_OK;
}

static dgm_status write_heading(struct dgm_env *env, struct dgm_draw *draw, struct dgm_buf *out,
                                const struct dgm_conllu_sentence *sentence, long number)
{
    size_t before = out->size;
    if (draw->drawn > 0)
        DGM_TRY(dgm_buf_add_char(env, out, '\n'));
    if (!draw->style.headings)
        return DGM_OK;
    before = out->size;
    DGM_TRY(dgm_buf_add_format(env, out, "%ld: ", number));
    DGM_TRY(dgm_caption_sentence(env, out, sentence,
                                 draw->style.width - (int32_t)(out->size - before),
                                 dgm_line_ellipsis(draw->style.ascii)));
    return dgm_buf_add_text(env, out, "\n\n");
}

dgm_status dgm_draw_text(struct dgm_env *env, struct dgm_draw *draw, struct dgm_buf *out,
                         const struct dgm_conllu_sentence *sentence,
                         const struct dgm_conllu_sentence *other, long number)
{
    DGM_TRY(lay_out(env, draw, sentence, other));
    DGM_TRY(write_heading(env, draw, out, sentence, number));
    draw->drawn++;
    if (draw->arcs.width <= draw->style.width)
        return draw_line(env, draw, out);
    return dgm_draw_rows(env, draw, out, &sentence->tree);
}
