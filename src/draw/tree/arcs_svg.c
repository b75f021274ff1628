/*
 * arcs_svg.c: arcs above words as SVG, with arrowheads at the dependents and labels in gaps of the
 * lines; all of them, or those of a row of words. Lengths are tenths of a pixel.
 */
#include "draw/tree/arcs_svg.h"

#include <string.h>

#include "draw/ink.h"
#include "draw/svg_parts.h"
#include "draw/text_width.h"
#include "draw/tree/tree_svg.h"

enum {
    STEP = 240, /* from one level of arcs to the next */
    LEAD = 320, /* from the words to the first level */
    RADIUS = DGM_ARCS_RADIUS,
    PAD = DGM_ARCS_PAD,
    TIP = 75, /* length of an arrowhead, and half of its width */
    TIP_SIDE = 34,
    EDGE = 60 /* how far an arc runs on beyond the row in which it does not end */
};

#define GOES_ON "…"

/* What is drawn in one go, with attributes of their own. */
enum pass { LINES, TIPS, LABELS };

static const char *const ink[] = { DGM_INK_ARC, DGM_INK_DIFFERENT_ARC };
static const char *const label_ink[] = { DGM_INK_RELATION, DGM_INK_DIFFERENT_RELATION };

/* ---- which part of an arc lies in a row ----------------------------------------------------- */

struct part {
    int64_t left, right, y;  /* of the horizontal line */
    int has_left, has_right; /* the ends that are feet; others are where the row ends */
    int has_label;           /* the place of its label lies in the row */
};

/* Of a level's lines, from the arrowheads' tips upwards. */
static int64_t height_of(int32_t level)
{
    return -(int64_t)LEAD - (int64_t)(level - 1) * STEP;
}

/* 0: nothing of the arc. */
static int find_part(struct part *part, const struct dgm_arcs *arcs, const struct dgm_arc *arc,
                     const struct dgm_arcs_row *row)
{
    int64_t left = arcs->port_x[arc->first], right = arcs->port_x[arc->last];

    if (right < row->left || left >= row->right)
        return 0;
    part->y = height_of(row->rank != NULL ? row->rank[arc->level] : arc->level);
    part->has_left = left >= row->left;
    part->has_right = right < row->right;
    part->left = part->has_left ? left : row->left - EDGE;
    part->right = part->has_right ? right : row->right + EDGE;
    part->has_label = arc->label_width > 0 && arc->label_x - PAD >= row->left &&
                      (int64_t)arc->label_x + arc->label_width + PAD <= row->right;
    return 1;
}

int64_t dgm_arcs_svg_rise(const struct dgm_arcs *arcs, const struct dgm_arcs_row *row)
{
    struct part part;
    int64_t top = 0;
    size_t i;

    for (i = 0; i < arcs->count; i++)
        if (find_part(&part, arcs, &arcs->arcs[i], row) && part.y < top)
            top = part.y;
    return top < 0 ? DGM_ARCS_LABEL_SIZE - top : 0;
}

void dgm_arcs_svg_close_up(struct dgm_arcs_row *row, const struct dgm_arcs *arcs, int32_t *rank)
{
    int32_t level, used = 0;
    struct part part;
    size_t i;

    row->rank = NULL;
    memset(rank, 0, ((size_t)arcs->levels + 2) * sizeof *rank);
    for (i = 0; i < arcs->count; i++)
        if (find_part(&part, arcs, &arcs->arcs[i], row))
            rank[arcs->arcs[i].level] = 1;
    for (level = 1; level <= arcs->levels + 1; level++)
        rank[level] = rank[level] > 0 ? ++used : 0;
    row->rank = rank;
}

int64_t dgm_arcs_svg_margin(const struct dgm_arcs *arcs)
{
    int64_t widest = 0;
    size_t i;

    for (i = 0; i < arcs->count; i++)
        if (arcs->arcs[i].label_width > widest)
            widest = arcs->arcs[i].label_width;
    return widest + EDGE + 2 * PAD + dgm_text_width(" " GOES_ON, DGM_ARCS_LABEL_SIZE);
}

/* ---- arcs ----------------------------------------------------------------------------------- */

/* Up from the head, round the corner, along to the label, and on behind it; without a foot where
 * the arc goes on in another row. */
static void add_bracket(struct dgm_svg *svg, const struct dgm_arc *arc, const struct part *part,
                        int joins)
{
    int64_t y = part->y, foot = joins ? y + RADIUS : 0;
    int is_rightwards = arc->head < arc->dependent;

    if (part->has_left) {
        dgm_svg_path(svg, 'M', part->left, is_rightwards ? foot : -TIP);
        dgm_svg_path(svg, 'V', y + RADIUS, 0);
        dgm_svg_path(svg, 'Q', part->left, y);
        dgm_svg_path(svg, ' ', part->left + RADIUS, y);
    } else {
        dgm_svg_path(svg, 'M', part->left, y);
    }
    if (part->has_label) {
        dgm_svg_path(svg, 'H', arc->label_x - PAD, 0);
        dgm_svg_path(svg, 'M', (int64_t)arc->label_x + arc->label_width + PAD, y);
    }
    if (!part->has_right) {
        dgm_svg_path(svg, 'H', part->right, 0);
        return;
    }
    dgm_svg_path(svg, 'H', part->right - RADIUS, 0);
    dgm_svg_path(svg, 'Q', part->right, y);
    dgm_svg_path(svg, ' ', part->right, y + RADIUS);
    dgm_svg_path(svg, 'V', is_rightwards ? -TIP : foot, 0);
}

/* Whether a higher arc draws the line down to their head: drawn twice, it would look bolder.
 * Where some arcs differ, each has a line of its own kind. */
static int joins_higher(const struct dgm_tree_picture *picture, const struct dgm_arc *arc)
{
    int32_t port = arc->head < arc->dependent ? arc->first : arc->last;
    return picture->captions.differences == 0 && picture->arcs.top[port] > arc->level;
}

static void add_line(struct dgm_svg *svg, const struct dgm_tree_picture *picture,
                     const struct dgm_arc *arc, const struct part *part)
{
    dgm_svg_begin(svg, "path");
    if (picture->captions.differs[arc->dependent]) {
        dgm_svg_text_attribute(svg, "stroke", ink[1]);
        dgm_svg_text_attribute(svg, "stroke-dasharray", "5 3");
    }
    dgm_svg_path_begin(svg);
    if (arc->head < 0) {
        dgm_svg_path(svg, 'M', part->left, part->y + 80);
        dgm_svg_path(svg, 'V', -TIP, 0);
    } else {
        add_bracket(svg, arc, part, joins_higher(picture, arc));
    }
    dgm_svg_path_end(svg);
    dgm_svg_end_line(svg, "path");
}

static void add_tip(struct dgm_svg *svg, const struct dgm_tree_picture *picture,
                    const struct dgm_arc *arc, const struct part *part)
{
    int64_t x = picture->arcs.port_x[DGM_PORTS * arc->dependent + DGM_PORT_IN];

    if (!(arc->dependent < arc->head || arc->head < 0 ? part->has_left : part->has_right))
        return;
    dgm_svg_begin(svg, "path");
    if (picture->captions.differs[arc->dependent])
        dgm_svg_text_attribute(svg, "fill", ink[1]);
    dgm_svg_path_begin(svg);
    dgm_svg_path(svg, 'M', x, 0);
    dgm_svg_path(svg, 'L', x - TIP_SIDE, -TIP);
    dgm_svg_path(svg, 'H', x + TIP_SIDE, 0);
    dgm_svg_path(svg, 'Z', 0, 0);
    dgm_svg_path_end(svg);
    dgm_svg_end_line(svg, "path");
}

static void add_text(struct dgm_svg *svg, int64_t x, int64_t y, const char *fill,
                     const char *anchor, const char *const parts[2])
{
    dgm_svg_begin(svg, "text");
    dgm_svg_attribute(svg, "x", x);
    dgm_svg_attribute(svg, "y", y);
    if (fill != NULL)
        dgm_svg_text_attribute(svg, "fill", fill);
    if (anchor != NULL)
        dgm_svg_text_attribute(svg, "text-anchor", anchor);
    dgm_svg_text(svg, parts[0]);
    dgm_svg_text(svg, parts[1]);
    dgm_svg_end_line(svg, "text");
}

/* The middle of small letters is about a third of their size above the base line. An arc that goes
 * on in another row is named at each end where it does, unless its label stands in this row. */
static void add_label(struct dgm_svg *svg, const struct dgm_tree_picture *picture,
                      const struct dgm_arc *arc, const struct part *part)
{
    const char *label = dgm_caption(&picture->captions, arc->dependent, DGM_CAPTION_LABEL);
    const char *fill = picture->captions.differs[arc->dependent] ? label_ink[1] : NULL;
    const char *const plain[2] = { label, "" }, *const before[2] = { GOES_ON " ", label },
                      *const behind[2] = { label, " " GOES_ON };
    int64_t y = part->y + DGM_ARCS_LABEL_SIZE / 3;

    if (part->has_label)
        add_text(svg, (int64_t)arc->label_x + arc->label_width / 2, y, fill, NULL, plain);
    else if (!part->has_left)
        add_text(svg, part->left - PAD, y, fill, "end", before);
    if (!part->has_label && !part->has_right)
        add_text(svg, part->right + PAD, y, fill, "start", behind);
}

static void add_arcs(struct dgm_svg *svg, const struct dgm_tree_picture *picture,
                     const struct dgm_arcs_row *row, enum pass pass)
{
    const struct dgm_arcs *arcs = &picture->arcs;
    struct part part;
    size_t i;

    for (i = 0; i < arcs->count; i++) {
        const struct dgm_arc *arc = &arcs->arcs[i];
        if (!find_part(&part, arcs, arc, row))
            continue;
        if (pass == LINES)
            add_line(svg, picture, arc, &part);
        else if (pass == TIPS)
            add_tip(svg, picture, arc, &part);
        else if (arc->label_width > 0)
            add_label(svg, picture, arc, &part);
    }
}

static void begin_group(struct dgm_svg *svg, const char *fill)
{
    dgm_svg_begin(svg, "g");
    dgm_svg_text_attribute(svg, "fill", fill);
}

void dgm_arcs_svg(struct dgm_svg *svg, const struct dgm_tree_picture *picture,
                  const struct dgm_arcs_row *row)
{
    begin_group(svg, "none");
    dgm_svg_stroke(svg, ink[0], 13);
    dgm_svg_newline(svg);
    add_arcs(svg, picture, row, LINES);
    dgm_svg_group_end(svg);
    begin_group(svg, ink[0]);
    dgm_svg_newline(svg);
    add_arcs(svg, picture, row, TIPS);
    dgm_svg_group_end(svg);
    begin_group(svg, label_ink[0]);
    dgm_svg_attribute(svg, "font-size", DGM_ARCS_LABEL_SIZE);
    dgm_svg_newline(svg);
    add_arcs(svg, picture, row, LABELS);
    dgm_svg_group_end(svg);
}
