/*
 * tree_svg.c: a tree as SVG: words with their tags, arcs above them with arrowheads at the
 * dependents, and labels in gaps of the arcs. Lengths are tenths of a pixel.
 */
#include "draw/tree/tree_svg.h"

#include <string.h>

#include "base/mem.h"
#include "draw/ink.h"
#include "draw/svg_parts.h"
#include "draw/text_width.h"
#include "draw/tree/arcs_svg.h"

enum { TAG_SIZE = 105, HEADING_COLUMNS = 120, DEFAULT_PAGE = 10000, BETWEEN_ROWS = 160 };

static const struct dgm_arc_metrics paper = { 180, 90, 0, DGM_ARCS_RADIUS + DGM_ARCS_PAD };

/* ---- layout ------------------------------------------------------------------------------ */

static int32_t caption_width(const struct dgm_captions *captions, int32_t word,
                             enum dgm_caption kind)
{
    int32_t size = kind == DGM_CAPTION_FORM  ? DGM_SVG_WORD_SIZE
                   : kind == DGM_CAPTION_TAG ? TAG_SIZE
                                             : DGM_ARCS_LABEL_SIZE;

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

/* ---- a sentence -------------------------------------------------------------------------- */

static void add_captions(struct dgm_svg *svg, const struct dgm_tree_picture *picture,
                         const struct dgm_arcs_row *row, enum dgm_caption kind, int64_t y)
{
    const struct dgm_arcs *arcs = &picture->arcs;
    int32_t word;
    for (word = row->first; word < row->end; word++) {
        const char *text = dgm_caption(&picture->captions, word, kind);
        if (text[0] != '\0')
            dgm_svg_label(svg, arcs->word_x[word] + arcs->cell[word] / 2, y, text);
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
    dgm_svg_end_line(svg, "desc");
}

/* ---- rows ---------------------------------------------------------------------------------- */

/* The row that begins with a word: as many words as fit into `width`, at least one. */
static void find_row(struct dgm_arcs_row *row, const struct dgm_arcs *arcs, int32_t first,
                     int64_t width)
{
    row->first = first;
    row->left = arcs->word_x[first];
    for (row->end = first + 1; row->end < arcs->words; row->end++)
        if (arcs->word_x[row->end] + arcs->cell[row->end] - row->left > width)
            break;
    row->right = (int64_t)arcs->word_x[row->end - 1] + arcs->cell[row->end - 1] + 1;
}

static int64_t captions_height(const struct dgm_tree_picture *picture)
{
    return DGM_SVG_WORD_SIZE + 50 + (picture->style.tags ? TAG_SIZE + 65 : 0);
}

/* The row with its origin at the left end of the tips of the whole sentence. */
static void add_row(struct dgm_svg *svg, const struct dgm_tree_picture *picture,
                    const struct dgm_arcs_row *row)
{
    if (picture->arcs.count > 0)
        dgm_arcs_svg(svg, picture, row);
    dgm_svg_texts_begin(svg, DGM_INK_TEXT, "middle", DGM_SVG_WORD_SIZE);
    add_captions(svg, picture, row, DGM_CAPTION_FORM, DGM_SVG_WORD_SIZE + 20);
    dgm_svg_group_end(svg);
    if (!picture->style.tags)
        return;
    dgm_svg_texts_begin(svg, DGM_INK_TAG, "middle", TAG_SIZE);
    add_captions(svg, picture, row, DGM_CAPTION_TAG, DGM_SVG_WORD_SIZE + TAG_SIZE + 95);
    dgm_svg_group_end(svg);
}

static void begin_row(struct dgm_svg *svg, int64_t x, int64_t y)
{
    dgm_svg_begin(svg, "g");
    dgm_svg_move(svg, x, y);
    dgm_svg_text_attribute(svg, "text-anchor", "middle");
    dgm_svg_newline(svg);
}

void dgm_tree_svg_widen(struct dgm_tree_picture *picture, int64_t right)
{
    if (right > picture->right)
        picture->right = right;
}

static void add_in_rows(struct dgm_svg *svg, struct dgm_tree_picture *picture,
                        const struct dgm_tree *tree, int64_t page)
{
    const struct dgm_arcs *arcs = &picture->arcs;
    int64_t margin = dgm_arcs_svg_margin(arcs);
    struct dgm_arcs_row row;

    for (row.end = 0; row.end < arcs->words;) {
        int32_t first = row.end;
        find_row(&row, arcs, first, page - 2 * DGM_SVG_MARGIN - 2 * margin);
        dgm_arcs_svg_close_up(&row, arcs, arcs->work); /* which nobody needs after the layout */
        picture->bottom += (first > 0 ? BETWEEN_ROWS : 0) + dgm_arcs_svg_rise(arcs, &row);
        begin_row(svg, DGM_SVG_MARGIN + margin - row.left, picture->bottom + DGM_SVG_MARGIN);
        if (first == 0)
            describe(svg, picture, tree);
        add_row(svg, picture, &row);
        dgm_svg_group_end(svg);
        picture->bottom += captions_height(picture);
        dgm_tree_svg_widen(picture, row.right - row.left + 2 * margin);
    }
}

static void add_tree(struct dgm_svg *svg, struct dgm_tree_picture *picture,
                     const struct dgm_tree *tree)
{
    struct dgm_arcs_row whole = dgm_arcs_whole_row(&picture->arcs);
    int64_t page = picture->style.page == 0 ? DEFAULT_PAGE : (int64_t)picture->style.page * 10;

    if (page > 0 && picture->arcs.width > page - 2 * DGM_SVG_MARGIN) {
        add_in_rows(svg, picture, tree, page);
        return;
    }
    picture->bottom += dgm_arcs_svg_rise(&picture->arcs, &whole);
    begin_row(svg, DGM_SVG_MARGIN, picture->bottom + DGM_SVG_MARGIN);
    describe(svg, picture, tree);
    add_row(svg, picture, &whole);
    dgm_svg_group_end(svg);
    picture->bottom += captions_height(picture);
    dgm_tree_svg_widen(picture, picture->arcs.width);
}

void dgm_tree_svg_heading(struct dgm_svg *svg, struct dgm_tree_picture *picture, const char *text)
{
    dgm_tree_svg_widen(picture, dgm_text_width(text, DGM_SVG_HEADING_SIZE));
    dgm_svg_texts_begin(svg, DGM_INK_NOTE, "start", DGM_SVG_HEADING_SIZE);
    dgm_svg_label(svg, DGM_SVG_MARGIN, DGM_SVG_MARGIN + picture->bottom + DGM_SVG_HEADING_SIZE,
                  text);
    dgm_svg_group_end(svg);
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
        dgm_tree_svg_heading(&svg, picture, heading.data);
    add_tree(&svg, picture, &sentence->tree);
    status = svg.status;
out:
    dgm_buf_clear(env, &heading);
    return status;
}

/* ---- the file ------------------------------------------------------------------------------ */

dgm_status dgm_tree_svg_file(struct dgm_env *env, const struct dgm_tree_picture *picture,
                             struct dgm_buf *out, const struct dgm_buf *body)
{
    struct dgm_svg_page page;

    page.width = picture->right + 2 * DGM_SVG_MARGIN;
    page.height = picture->bottom + 2 * DGM_SVG_MARGIN;
    page.title = picture->title != NULL ? picture->title
                 : picture->drawn == 1  ? "Dependency tree"
                                        : "Dependency trees";
    page.description = picture->description != NULL
                           ? picture->description
                           : "Arrows point from a head to its dependent; each is labelled with "
                             "their relation.";
    return dgm_svg_page(env, out, &page, body);
}
