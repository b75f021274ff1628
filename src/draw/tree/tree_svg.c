/*
 * tree_svg.c: a tree as SVG: words with their tags, arcs above them with arrowheads at the
 * dependents, and labels in gaps of the arcs. Lengths are tenths of a pixel.
 */
#include "draw/tree/tree_svg.h"

#include <string.h>

#include "base/mem.h"
#include "draw/text_width.h"
#include "text/unicode/utf8.h"
#include "text/unicode/width.h"

enum {
    TAG_SIZE = 105,
    LABEL_SIZE = 115,
    STEP = 240,  /* from one level of arcs to the next */
    LEAD = 320,  /* from the words to the first level */
    RADIUS = 90, /* of the corners of an arc */
    PAD = 35,    /* between a label and the ends of its line */
    HEADING_COLUMNS = 120,
    TIP = 75, /* length of an arrowhead, and half of its width */
    TIP_SIDE = 34
};

static const struct dgm_arc_metrics paper = { 180, 90, 0, RADIUS + PAD };

/* What is drawn in one go, with attributes of their own. */
enum pass { LINES, TIPS, LABELS };

static const char *const ink[] = { "#7d90a6", "#c8372d" }; /* of arcs; of differing ones */
static const char *const label_ink[] = { "#2b5783", "#b3271e" };

/* ---- layout ------------------------------------------------------------------------------ */

static int32_t caption_width(const struct dgm_captions *captions, int32_t word,
                             enum dgm_caption kind)
{
    int32_t size = kind == DGM_CAPTION_FORM  ? DGM_SVG_WORD_SIZE
                   : kind == DGM_CAPTION_TAG ? TAG_SIZE
                                             : LABEL_SIZE;

    return dgm_text_width(dgm_caption(captions, word, kind), size);
}

dgm_status dgm_tree_svg_layout(struct dgm_env *env, struct dgm_tree_picture *picture,
                               const struct dgm_conllu_sentence *sentence,
                               const struct dgm_conllu_sentence *other)
{
    struct dgm_caption_options texts = {
        .tags = picture->style.tags, .other = other, .mark = "", .ellipsis = "…"
    };

    return dgm_tree_picture_lay_out(env, picture, sentence, &texts, caption_width, &paper);
}

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
static int joins_higher(const struct dgm_tree_picture *picture, const struct dgm_arc *arc)
{
    int32_t port = arc->head < arc->dependent ? arc->first : arc->last;
    return picture->captions.differences == 0 && picture->arcs.top[port] > arc->level;
}

static void add_line(struct dgm_svg *svg, const struct dgm_tree_picture *picture,
                     const struct dgm_arc *arc)
{
    const struct dgm_arcs *arcs = &picture->arcs;
    int differs = picture->captions.differs[arc->dependent];
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
        add_bracket(svg, arcs, arc, joins_higher(picture, arc));
    }
    dgm_svg_path_end(svg);
    dgm_svg_end(svg, "path");
}

static void add_tip(struct dgm_svg *svg, const struct dgm_tree_picture *picture,
                    const struct dgm_arc *arc)
{
    int64_t x = picture->arcs.port_x[DGM_PORTS * arc->dependent + DGM_PORT_IN];
    dgm_svg_begin(svg, "path");
    if (picture->captions.differs[arc->dependent])
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
static void add_label(struct dgm_svg *svg, const struct dgm_tree_picture *picture,
                      const struct dgm_arc *arc)
{
    const char *label = dgm_caption(&picture->captions, arc->dependent, DGM_CAPTION_LABEL);
    if (arc->label_width == 0)
        return;
    dgm_svg_begin(svg, "text");
    dgm_svg_attribute(svg, "x", (int64_t)arc->label_x + arc->label_width / 2);
    dgm_svg_attribute(svg, "y", height_of(arc->level) + LABEL_SIZE / 3);
    if (picture->captions.differs[arc->dependent])
        dgm_svg_text_attribute(svg, "fill", label_ink[1]);
    dgm_svg_text(svg, label);
    dgm_svg_end(svg, "text");
}

static void add_arcs(struct dgm_svg *svg, const struct dgm_tree_picture *picture, enum pass pass)
{
    size_t i;
    for (i = 0; i < picture->arcs.count; i++) {
        const struct dgm_arc *arc = &picture->arcs.arcs[i];
        if (pass == LINES)
            add_line(svg, picture, arc);
        else if (pass == TIPS)
            add_tip(svg, picture, arc);
        else
            add_label(svg, picture, arc);
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

void dgm_tree_svg_arcs(struct dgm_svg *svg, const struct dgm_tree_picture *picture)
{
    begin_group(svg, "none", 0);
    dgm_svg_text_attribute(svg, "stroke", ink[0]);
    dgm_svg_attribute(svg, "stroke-width", 13);
    dgm_svg_newline(svg);
    add_arcs(svg, picture, LINES);
    end_group(svg);
    begin_group(svg, ink[0], 0);
    dgm_svg_newline(svg);
    add_arcs(svg, picture, TIPS);
    end_group(svg);
    begin_group(svg, label_ink[0], LABEL_SIZE);
    dgm_svg_newline(svg);
    add_arcs(svg, picture, LABELS);
    end_group(svg);
}

/* ---- a sentence -------------------------------------------------------------------------- */

static void add_captions(struct dgm_svg *svg, const struct dgm_tree_picture *picture,
                         enum dgm_caption kind, int64_t y)
{
    const struct dgm_arcs *arcs = &picture->arcs;
    int32_t word;
    for (word = 0; word < arcs->words; word++) {
        const char *text = dgm_caption(&picture->captions, word, kind);
        if (text[0] == '\0')
            continue;
        add_words(svg, arcs->word_x[word] + arcs->cell[word] / 2, y, text);
        dgm_svg_newline(svg);
    }
}

/* "news -amod-> Economic; ...", for those who do not see the picture. */
static void describe(struct dgm_svg *svg, const struct dgm_tree_picture *picture,
                     const struct dgm_tree *tree)
{
    const struct dgm_captions *captions = &picture->captions;
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

int64_t dgm_tree_svg_rise(const struct dgm_arcs *arcs)
{
    return arcs->count > 0 ? LABEL_SIZE - height_of(arcs->levels + 1) : 0;
}

/* The tree with its origin at the left end of the tips. */
static void add_tree(struct dgm_svg *svg, const struct dgm_tree_picture *picture,
                     const struct dgm_tree *tree, int64_t y)
{
    dgm_svg_begin(svg, "g");
    dgm_svg_move(svg, DGM_SVG_MARGIN, y);
    dgm_svg_text_attribute(svg, "text-anchor", "middle");
    dgm_svg_newline(svg);
    describe(svg, picture, tree);
    if (picture->arcs.count > 0)
        dgm_tree_svg_arcs(svg, picture);
    begin_group(svg, "#17212b", DGM_SVG_WORD_SIZE);
    dgm_svg_newline(svg);
    add_captions(svg, picture, DGM_CAPTION_FORM, DGM_SVG_WORD_SIZE + 20);
    end_group(svg);
    if (picture->style.tags) {
        begin_group(svg, "#8a949f", TAG_SIZE);
        dgm_svg_newline(svg);
        add_captions(svg, picture, DGM_CAPTION_TAG, DGM_SVG_WORD_SIZE + TAG_SIZE + 95);
        end_group(svg);
    }
    end_group(svg);
}

static void add_heading(struct dgm_svg *svg, struct dgm_tree_picture *picture, const char *text)
{
    int64_t right = dgm_text_width(text, DGM_SVG_HEADING_SIZE);
    if (right > picture->right)
        picture->right = right;
    begin_group(svg, "#5b6672", DGM_SVG_HEADING_SIZE);
    add_words(svg, DGM_SVG_MARGIN, DGM_SVG_MARGIN + picture->bottom + DGM_SVG_HEADING_SIZE, text);
    end_group(svg);
    picture->bottom += DGM_SVG_HEADING;
}

static dgm_status heading_text(struct dgm_env *env, struct dgm_buf *out,
                               const struct dgm_conllu_sentence *sentence, long number)
{
    DGM_TRY(dgm_buf_add_format(env, out, "%ld   ", number));
    return dgm_caption_sentence(env, out, sentence, HEADING_COLUMNS, "…");
}

dgm_status dgm_tree_svg(struct dgm_env *env, struct dgm_tree_picture *picture, struct dgm_buf *out,
                        const struct dgm_conllu_sentence *sentence,
                        const struct dgm_conllu_sentence *other, long number)
{
    struct dgm_buf heading = { .data = NULL };
    struct dgm_svg svg;
    dgm_status status;
    DGM_TRY(dgm_tree_svg_layout(env, picture, sentence, other));
    DGM_TRY_OUT(heading_text(env, &heading, sentence, number));
    dgm_svg_start(&svg, env, out);
    picture->bottom += picture->drawn++ > 0 ? DGM_SVG_BETWEEN : 0;
    if (picture->style.headings)
        add_heading(&svg, picture, heading.data);
    picture->bottom += dgm_tree_svg_rise(&picture->arcs);
    add_tree(&svg, picture, &sentence->tree, picture->bottom + DGM_SVG_MARGIN);
    picture->bottom += DGM_SVG_WORD_SIZE + 50 + (picture->style.tags ? TAG_SIZE + 65 : 0);
    if (picture->arcs.width > picture->right)
        picture->right = picture->arcs.width;
    status = svg.status;
out:
    dgm_buf_clear(env, &heading);
    return status;
}

/* ---- the file: size, title, white ground --------------------------------------------------- */

static const char *const fonts = "system-ui, -apple-system, Segoe UI, Helvetica Neue, Arial, "
                                 "Noto Sans, DejaVu Sans, sans-serif";

static dgm_status add_view_box(struct dgm_env *env, struct dgm_buf *out, int64_t width,
                               int64_t height)
{
    return dgm_buf_add_format(env, out, "0 0 %lld.%lld %lld.%lld", (long long)(width / 10),
                              (long long)(width % 10), (long long)(height / 10),
                              (long long)(height % 10));
}

static void add_frame(struct dgm_svg *svg, const struct dgm_tree_picture *picture,
                      const char *view_box)
{
    dgm_svg_begin(svg, "svg");
    dgm_svg_text_attribute(svg, "xmlns", "http://www.w3.org/2000/svg");
    dgm_svg_attribute(svg, "width", picture->right + 2 * DGM_SVG_MARGIN);
    dgm_svg_attribute(svg, "height", picture->bottom + 2 * DGM_SVG_MARGIN);
    dgm_svg_text_attribute(svg, "viewBox", view_box);
    dgm_svg_text_attribute(svg, "role", "img");
    dgm_svg_text_attribute(svg, "font-family", fonts);
    dgm_svg_newline(svg);
    dgm_svg_element(svg, "title",
                    picture->title != NULL ? picture->title
                    : picture->drawn == 1  ? "Dependency tree"
                                           : "Dependency trees");
    dgm_svg_newline(svg);
    dgm_svg_element(svg, "desc",
                    picture->description != NULL
                        ? picture->description
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

dgm_status dgm_tree_svg_file(struct dgm_env *env, const struct dgm_tree_picture *picture,
                             struct dgm_buf *out, const struct dgm_buf *body)
{
    struct dgm_buf view_box = { .data = NULL };
    struct dgm_svg svg;
    dgm_status status;
    dgm_svg_start(&svg, env, out);
    DGM_TRY_OUT(add_view_box(env, &view_box, picture->right + 2 * DGM_SVG_MARGIN,
                             picture->bottom + 2 * DGM_SVG_MARGIN));
    add_frame(&svg, picture, view_box.data);
    DGM_TRY_OUT(svg.status);
    DGM_TRY_OUT(dgm_buf_add(env, out, body->data, body->size));
    dgm_svg_end(&svg, "svg");
    dgm_svg_newline(&svg);
    status = svg.status;
out:
    dgm_buf_clear(env, &view_box);
    return status;
}
