/* tree_text.c: a tree as arcs over a line of words, in characters. */
#include "draw/tree/tree_text.h"

#include <string.h>

#include "base/mem.h"
#include "draw/tree/box_lines.h"
#include "draw/tree/tree_rows.h"

static const struct dgm_arc_metrics columns = { 2, 2, 1, 1 };

/* A line being composed: the directions of its lines, and where texts start. */
struct canvas {
    const struct dgm_tree_picture *picture;
    struct dgm_buf *out;
    unsigned char *lines; /* (width) */
    int32_t *label;       /* (width) word, + 1, whose label starts here; 0: none */
};

/* ---- arcs -------------------------------------------------------------------------------- */

/* Horizontal lines of a level, and its labels. */
static void set_arcs(struct canvas *canvas, int32_t level)
{
    const struct dgm_arcs *arcs = &canvas->picture->arcs;
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
    const struct dgm_arcs *arcs = &canvas->picture->arcs;
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
    const struct dgm_arcs *arcs = &canvas->picture->arcs;
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
    const struct dgm_tree_picture *picture = canvas->picture;
    int32_t x = 0, blanks = 0;
    while (x < picture->arcs.width) {
        int32_t word = canvas->label[x] - 1;
        if (word < 0 && canvas->lines[x] == 0) {
            blanks++;
            x++;
            continue;
        }
        DGM_TRY(dgm_line_blanks(env, canvas->out, blanks));
        blanks = 0;
        DGM_TRY(dgm_buf_add_text(env, canvas->out,
                                 word >= 0
                                     ? dgm_caption(&picture->captions, word, DGM_CAPTION_LABEL)
                                     : dgm_line_glyph(canvas->lines[x], picture->style.ascii)));
        x += word >= 0 ? dgm_caption_columns(&picture->captions, word, DGM_CAPTION_LABEL) : 1;
    }
    return dgm_buf_add_char(env, canvas->out, '\n');
}

static dgm_status write_arcs(struct dgm_env *env, struct canvas *canvas)
{
    const struct dgm_arcs *arcs = &canvas->picture->arcs;
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
    const struct dgm_arcs *arcs = &canvas->picture->arcs;
    int ascii = canvas->picture->style.ascii;
    int32_t port, x = 0;
    for (port = 0; port < DGM_PORTS * arcs->words; port++) {
        if (arcs->top[port] == 0)
            continue;
        DGM_TRY(dgm_line_blanks(env, canvas->out, arcs->port_x[port] - x));
        x = arcs->port_x[port] + 1;
        DGM_TRY(dgm_buf_add_text(env, canvas->out,
                                 port % DGM_PORTS == DGM_PORT_IN
                                     ? dgm_line_arrow_down(ascii)
                                     : dgm_line_glyph(DGM_LINE_UP | DGM_LINE_DOWN, ascii)));
    }
    return dgm_buf_add_char(env, canvas->out, '\n');
}

/* A line of forms or of tags, each in the middle of its cell. */
static dgm_status write_words(struct dgm_env *env, const struct dgm_tree_picture *picture,
                              struct dgm_buf *out, enum dgm_caption kind)
{
    int32_t word, x = 0;
    for (word = 0; word < picture->arcs.words; word++) {
        int32_t width = dgm_caption_columns(&picture->captions, word, kind);
        int32_t at = picture->arcs.word_x[word] + (picture->arcs.cell[word] - width) / 2;
        if (width == 0)
            continue;
        DGM_TRY(dgm_line_blanks(env, out, at - x));
        DGM_TRY(dgm_buf_add_text(env, out, dgm_caption(&picture->captions, word, kind)));
        x = at + width;
    }
    return dgm_buf_add_char(env, out, '\n');
}

dgm_status dgm_tree_text_arcs(struct dgm_env *env, const struct dgm_tree_picture *picture,
                              struct dgm_buf *out)
{
    size_t width = (size_t)picture->arcs.width;
    struct canvas canvas = { .picture = picture, .out = out };
    dgm_status status;

    if (picture->arcs.count == 0)
        return DGM_OK;
    DGM_TRY_OUT(dgm_new(env, &canvas.lines, width, sizeof *canvas.lines));
    DGM_TRY_OUT(dgm_new(env, &canvas.label, width, sizeof *canvas.label));
    DGM_TRY_OUT(write_arcs(env, &canvas));
    DGM_TRY_OUT(write_feet(env, &canvas));
out:
    dgm_release(env, canvas.lines);
    dgm_release(env, canvas.label);
    return status;
}

static dgm_status draw_line(struct dgm_env *env, const struct dgm_tree_picture *picture,
                            struct dgm_buf *out)
{
    DGM_TRY(dgm_tree_text_arcs(env, picture, out));
    DGM_TRY(write_words(env, picture, out, DGM_CAPTION_FORM));
    return picture->style.tags ? write_words(env, picture, out, DGM_CAPTION_TAG) : DGM_OK;
}

/* ---- a sentence -------------------------------------------------------------------------- */

static dgm_status lay_out(struct dgm_env *env, struct dgm_tree_picture *picture,
                          const struct dgm_conllu_sentence *sentence,
                          const struct dgm_conllu_sentence *other)
{
    struct dgm_caption_options texts = { .tags = picture->style.tags, .other = other, .mark = "*" };

    texts.ellipsis = dgm_line_ellipsis(picture->style.ascii);
    return dgm_tree_picture_lay_out(env, picture, sentence, &texts, dgm_caption_columns, &columns);
}

static dgm_status write_heading(struct dgm_env *env, struct dgm_tree_picture *picture,
                                struct dgm_buf *out, const struct dgm_conllu_sentence *sentence,
                                long number)
{
    size_t before = out->size;
    if (picture->drawn > 0)
        DGM_TRY(dgm_buf_add_char(env, out, '\n'));
    if (!picture->style.headings)
        return DGM_OK;
    before = out->size;
    DGM_TRY(dgm_buf_add_format(env, out, "%ld: ", number));
    DGM_TRY(dgm_caption_sentence(env, out, sentence,
                                 picture->style.width - (int32_t)(out->size - before),
                                 dgm_line_ellipsis(picture->style.ascii)));
    return dgm_buf_add_text(env, out, "\n\n");
}

dgm_status dgm_tree_text(struct dgm_env *env, struct dgm_tree_picture *picture, struct dgm_buf *out,
                         const struct dgm_conllu_sentence *sentence,
                         const struct dgm_conllu_sentence *other, long number)
{
    DGM_TRY(lay_out(env, picture, sentence, other));
    DGM_TRY(write_heading(env, picture, out, sentence, number));
    picture->drawn++;
    if (picture->arcs.width <= picture->style.width)
        return draw_line(env, picture, out);
    return dgm_tree_rows(env, picture, out, &sentence->tree);
}
