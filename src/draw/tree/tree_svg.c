/*
 * tree_svg.c: a tree as SVG: words with their tags, arcs above them with arrowheads at the
 * dependents, and labels in gaps of the arcs. Lengths are tenths of a pixel.
 */

#include "draw/tree/tree_svg.h"

#include "draw/svg.h"
#include "draw/tree/tree_picture.h"

/* What is drawn in one go, with attributes of their own. */
enum pass { LINES, TIPS, LABELS };

static const char *const ink[] = { "#7d90a6", "#c8372d" }; /* of arcs; of differing ones */
static const char *const label_ink[] = { "#2b5783", "#b3271e" };

/* ---- arcs -------------------------------------------------------------------------------- */

/* Of a level's lines, from the arrowheads' tips upwards. */
static int64_t height_of(int32_t level)
{
    return -(int64_t)LEAD - (int64_t)(level - 1) * STEP;
}

/* Up from the head, round the corner, along to the label, and on behind it. */
static void add_bracket(struct dgm_svg *svg, const struct dgm_arcs *arcs, const struct dgm_arc *arc,
                        int joins)
{
    int64_t y = height_of(arc->level), left = arcs->port_x[arc->first];
    int64_t right = arcs->port_x[arc->last];
    int64_t foot = joins ? y + RADIUS : 0;
    int64_t left_foot = arc->head < arc->dependent ? foot : -TIP;
    int64_t right_foot = arc->head < arc->dependent ? -TIP : foot;
    dgm_svg_path(svg, 'M', left, left_foot);
    dgm_svg_path(svg, 'V', y + RADIUS, 0);
    dgm_svg_path(svg, 'Q', left, y);
    dgm_svg_path(svg, ' ', left + RADIUS, y);
    if (arc->label_width > 0) {
        dgm_svg_path(svg, 'H', arc->label_x - PAD, 0);
        dgm_svg_path(svg, 'M', (int64_t)arc->label_x + arc->label_width + PAD, y);
    }
    dgm_svg_path(svg, 'H', right - RADIUS, 0);
    dgm_svg_path(svg, 'Q', right, y);
    dgm_svg_path(svg, ' ', right, y + RADIUS);
    dgm_svg_path(svg, 'V', right_foot, 0);
}

/* Whether a higher arc draws the line down to their head: drawn twice, it would look bolder.
 * Where some arcs differ, each has a line of its own kind. */
static int joins_higher(const struct dgm_draw *draw, const struct dgm_arc *arc)
{
    int32_t port = arc->head < arc->dependent ? arc->first : arc->last;
    return draw->captions.differences == 0 && draw->arcs.top[port] > arc->level;
}

static void add_line(struct dgm_svg *svg, const struct dgm_draw *draw, const struct dgm_arc *arc)
{
    const struct dgm_arcs *arcs = &draw->arcs;
    int differs = draw->captions.differs[arc->dependent];
    dgm_svg_begin(svg, "path");
    if (differs) {
        dgm_svg_text_attribute(svg, "stroke", ink[1]);
        dgm_svg_text_attribute(svg, "stroke-dasharray", "5 3");
    }
    dgm_svg_path_begin(svg);
    if (arc->head < 0) {
        dgm_svg_path(svg, 'M', arcs->port_x[arc->first], height_of(arc->level) + 80);
        dgm_svg_path(svg, 'V', -TIP, 0);
    } else {
        add_bracket(svg, arcs, arc, joins_higher(draw, arc));
    }
    dgm_svg_path_end(svg);
    dgm_svg_end(svg, "path");
}

static void add_tip(struct dgm_svg *svg, const struct dgm_draw *draw, const struct dgm_arc *arc)
{
    int64_t x = draw->arcs.port_x[DGM_PORTS * arc->dependent + DGM_PORT_IN];
    dgm_svg_begin(svg, "path");
    if (draw->captions.differs[arc->dependent])
        dgm_svg_text_attribute(svg, "fill", ink[1]);
    dgm_svg_path_begin(svg);
    dgm_svg_path(svg, 'M', x, 0);
    dgm_svg_path(svg, 'L', x - TIP_SIDE, -TIP);
    dgm_svg_path(svg, 'H', x + TIP_SIDE, 0);
    dgm_svg_path(svg, 'Z', 0, 0);
    dgm_svg_path_end(svg);
    dgm_svg_end(svg, "path");
}

static void add_words(struct dgm_svg *svg, int64_t x, int64_t y, const char *text)
{
    dgm_svg_begin(svg, "text");
    dgm_svg_attribute(svg, "x", x);
    dgm_svg_attribute(svg, "y", y);
    dgm_svg_text(svg, text);
    dgm_svg_end(svg, "text");
}

/* The middle of small letters is about a third of their size above the base line. */
static void add_label(struct dgm_svg *svg, const struct dgm_draw *draw, const struct dgm_arc *arc)
{
    const char *label = dgm_caption(&draw->captions, arc->dependent, DGM_CAPTION_LABEL);
    if (arc->label_width == 0)
        return;
    dgm_svg_begin(svg, "text");
    dgm_svg_attribute(svg, "x", (int64_t)arc->label_x + arc->label_width / 2);
    dgm_svg_attribute(svg, "y", height_of(arc->level) + LABEL_SIZE / 3);
    if (draw->captions.differs[arc->dependent])
        dgm_svg_text_attribute(svg, "fill", label_ink[1]);
    dgm_svg_text(svg, label);
    dgm_svg_end(svg, "text");
}

static void add_arcs(struct dgm_svg *svg, const struct dgm_draw *draw, enum pass pass)
{
    size_t i;
    for (i = 0; i < draw->arcs.count; i++) {
        const struct dgm_arc *arc = &draw->arcs.arcs[i];
        if (pass == LINES)
            add_line(svg, draw, arc);
        else if (pass == TIPS)
            add_tip(svg, draw, arc);
        else
            add_label(svg, draw, arc);
        dgm_svg_newline(svg);
    }
}

static void begin_group(struct dgm_svg *svg, const char *fill, int32_t size)
{
    dgm_svg_begin(svg, "g");
    dgm_svg_text_attribute(svg, "fill", fill);
    if (size > 0)
        dgm_svg_attribute(svg, "font-size", size);
}

static void end_group(struct dgm_svg *svg)
{
    dgm_svg_end(svg, "g");
    dgm_svg_newline(svg);
}

void dgm_draw_svg_arcs(struct dgm_svg *svg, const struct dgm_draw *draw)
{
    begin_group(svg, "none", 0);
    dgm_svg_text_attribute(svg, "stroke", ink[0]);
    dgm_svg_attribute(svg, "stroke-width", 13);
    dgm_svg_newline(svg);
    add_arcs(svg, draw, LINES);
    end_group(svg);
    begin_group(svg, ink[0], 0);
    dgm_svg_newline(svg);
    add_arcs(svg, draw, TIPS);
    end_group(svg);
    begin_group(svg, label_ink[0], LABEL_SIZE);
    dgm_svg_newline(svg);
    add_arcs(svg, draw, LABELS);
    end_group(svg);
}

/* ---- a sentence -------------------------------------------------------------------------- */

static void add_captions(struct dgm_svg *svg, const struct dgm_draw *draw, enum dgm_caption kind,
                         int64_t y)
{
    const struct dgm_arcs *arcs = &draw->arcs;
    int32_t word;
    for (word = 0; word < arcs->words; word++) {
        const char *text = dgm_caption(&draw->captions, word, kind);
        if (text[0] == '\0')
            continue;
        add_words(svg, arcs->word_x[word] + arcs->cell[word] / 2, y, text);
        dgm_svg_newline(svg);
    }
}

/* "news -amod-> Economic; ...", for those who do not see the picture. */
static void describe(struct dgm_svg *svg, const struct dgm_draw *draw, const struct dgm_tree *tree)
{
    const struct dgm_captions *captions = &draw->captions;
    int32_t word;
    dgm_svg_begin(svg, "desc");
    dgm_svg_text(svg, tree->has_parse ? "" : "no parse");
    for (word = 0; word < tree->count && tree->has_parse; word++) {
        int32_t head = tree->head[word];
        if (head != word)
            dgm_svg_text(svg, dgm_caption(captions, head, DGM_CAPTION_FORM));
        dgm_svg_text(svg, head != word ? " -" : "-");
        dgm_svg_text(svg, dgm_caption(captions, word, DGM_CAPTION_LABEL));
        dgm_svg_text(svg, "-> ");
        dgm_svg_text(svg, dgm_caption(captions, word, DGM_CAPTION_FORM));
        if (word + 1 < tree->count)
            dgm_svg_text(svg, "; ");
    }
    dgm_svg_end(svg, "desc");
    dgm_svg_newline(svg);
}

int64_t dgm_draw_svg_rise(const struct dgm_arcs *arcs)
{
    return arcs->count > 0 ? LABEL_SIZE - height_of(arcs->levels + 1) : 0;
}

/* The tree with its origin at the left end of the tips. */
static void add_tree(struct dgm_svg *svg, const struct dgm_draw *draw, const struct dgm_tree *tree,
                     int64_t y)
{
    dgm_svg_begin(svg, "g");
    dgm_svg_move(svg, MARGIN, y);
    dgm_svg_text_attribute(svg, "text-anchor", "middle");
    dgm_svg_newline(svg);
    describe(svg, draw, tree);
    if (draw->arcs.count > 0)
        dgm_draw_svg_arcs(svg, draw);
    begin_group(svg, "#17212b", WORD_SIZE);
    dgm_svg_newline(svg);
    add_captions(svg, draw, DGM_CAPTION_FORM, WORD_SIZE + 20);
    end_group(svg);
    if (draw->style.tags) {
        begin_group(svg, "#8a949f", TAG_SIZE);
        dgm_svg_newline(svg);
        add_captions(svg, draw, DGM_CAPTION_TAG, WORD_SIZE + TAG_SIZE + 95);
        end_group(svg);
    }
    end_group(svg);
}

static void add_heading(struct dgm_svg *svg, struct dgm_draw *draw, const char *text)
{
    int64_t right = dgm_draw_svg_width(text, HEADING_SIZE);
    if (right > draw->right)
        draw->right = right;
    begin_group(svg, "#5b6672", HEADING_SIZE);
    add_words(svg, MARGIN, MARGIN + draw->bottom + HEADING_SIZE, text);
    end_group(svg);
    draw->bottom += HEADING;
}

static dgm_status heading_text(struct dgm_env *env, struct dgm_buf *out,
                               const struct dgm_conllu_sentence *sentence, long number)
{
    DGM_TRY(dgm_buf_add_format(env, out, "%ld   ", number));
    return dgm_caption_sentence(env, out, sentence, HEADING_COLUMNS, "…");
}

dgm_status dgm_draw_svg(struct dgm_env *env, struct dgm_draw *draw, struct dgm_buf *out,
                        const struct dgm_conllu_sentence *sentence,
                        const struct dgm_conllu_sentence *other, long number)
{
    struct dgm_buf heading = { NULL, 0, 0, 0 };
    struct dgm_svg svg;
    dgm_status status;
    DGM_TRY(dgm_draw_svg_layout(env, draw, sentence, other));
    DGM_TRY_OUT(heading_text(env, &heading, sentence, number));
    dgm_svg_start(&svg, env, out);
    draw->bottom += draw->drawn++ > 0 ? BETWEEN : 0;
    if (draw->style.headings)
        add_heading(&svg, draw, heading.data);
    draw->bottom += dgm_draw_svg_rise(&draw->arcs);
    add_tree(&svg, draw, &sentence->tree, draw->bottom + MARGIN);
    draw->bottom += WORD_SIZE + 50 + (draw->style.tags ? TAG_SIZE + 65 : 0);
    if (draw->arcs.width > draw->right)
        draw->right = draw->arcs.width;
    status = svg.status;
out:
    dgm_buf_clear(env, &heading);
    return status;
}
