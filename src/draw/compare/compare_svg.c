/* compare_svg.c: two translations as SVG; lengths are tenths of a pixel. */
#include "draw/compare/compare.h"
#include "draw/ink.h"
#include "draw/svg_parts.h"
#include "draw/text_width.h"

enum {
    PAGE = 10000,
    MARGIN = 120,
    SIZE = 140,   /* of words */
    LINE = 210,   /* from line to line */
    WORDS = 1800, /* where words begin */
    BETWEEN = 45, /* words */
    APART = 160   /* sentences */
};

struct paper {
    struct dgm_svg svg;
    const struct dgm_compare *compare;
    int64_t x, y;
};

static void add_label(struct paper *paper, int64_t x, const char *text, const char *ink,
                      const char *weight)
{
    struct dgm_svg *svg = &paper->svg;

    dgm_svg_begin(svg, "text");
    dgm_svg_attribute(svg, "x", x);
    dgm_svg_attribute(svg, "y", paper->y);
    dgm_svg_text_attribute(svg, "fill", ink);
    dgm_svg_attribute(svg, "font-size", SIZE);
    if (weight != NULL)
        dgm_svg_text_attribute(svg, "font-weight", weight);
    dgm_svg_text(svg, text);
    dgm_svg_end_line(svg, "text");
}

/* A word, and the line below that marks it. */
static void add_word(struct paper *paper, const struct dgm_compare_word *word)
{
    static const char *const inks[] = { DGM_INK_TEXT, DGM_INK_RELATION, DGM_INK_DIFFERENT_RELATION,
                                        DGM_INK_NOTE };
    static const char *const dashes[] = { NULL, NULL, NULL, "3 2" };
    const char *text = paper->compare->text.data + word->text;
    const int is_bold = word->mark == DGM_COMPARE_ALONE;
    const int64_t width = dgm_text_width(text, SIZE) * (is_bold ? 12 : 10) / 10;

    if (paper->x > WORDS && paper->x + width > PAGE - MARGIN) {
        paper->x = WORDS;
        paper->y += LINE;
    }
    add_label(paper, paper->x, text, inks[word->mark], is_bold ? "bold" : NULL);
    if (word->mark == DGM_COMPARE_WRONG || word->mark == DGM_COMPARE_MISSED) {
        dgm_svg_lines_begin(&paper->svg, inks[word->mark], 15, dashes[word->mark]);
        dgm_svg_line(&paper->svg, paper->x, paper->y + 35, paper->x + width, paper->y + 35);
        dgm_svg_group_end(&paper->svg);
    }
    paper->x += width + BETWEEN;
}

/* A name that leaves no room is cut at its beginning, where the folders are. */
static const char *fit(const char *name)
{
    while (dgm_text_width(name, SIZE) > WORDS - 2 * MARGIN) {
        name++;
        while (((unsigned char)*name & 0xC0) == 0x80)
            name++;
    }
    return name;
}

static void add_row(struct paper *paper, const struct dgm_compare_pair *pair, int row)
{
    const struct dgm_compare_row *at = &pair->rows[row];

    paper->y += LINE;
    add_label(paper, MARGIN, fit(dgm_compare_label(paper->compare, row)), DGM_INK_NOTE, NULL);
    paper->x = WORDS;
    for (size_t w = at->first; w < at->first + at->count; w++)
        add_word(paper, &paper->compare->words[w]);
}

static dgm_status add_pairs(struct paper *paper, struct dgm_buf *scratch)
{
    const struct dgm_compare *compare = paper->compare;

    for (size_t p = 0; p < compare->pair_count; p++) {
        dgm_buf_reset(scratch);
        DGM_TRY(dgm_compare_heading(compare, &compare->pairs[p], scratch));
        paper->y += LINE + APART;
        add_label(paper, MARGIN, scratch->data, DGM_INK_TEXT, "bold");
        for (int row = !compare->has_source; row < DGM_COMPARE_ROWS; row++)
            add_row(paper, &compare->pairs[p], row);
    }
    return paper->svg.status;
}

static dgm_status add_body(struct paper *paper, const char *summary, struct dgm_buf *scratch)
{
    paper->y = MARGIN + SIZE;
    add_label(paper, MARGIN, summary, DGM_INK_TEXT, NULL);
    paper->y += LINE;
    add_label(paper, MARGIN,
              "bold: right in this one alone; underlined: not in the reference; dashed: in "
              "neither translation",
              DGM_INK_NOTE, NULL);
    return add_pairs(paper, scratch);
}

dgm_status dgm_compare_svg(const struct dgm_compare *compare, struct dgm_buf *out)
{
    struct dgm_buf body = { 0 }, summary = { 0 }, scratch = { 0 };
    struct dgm_svg_page page = { .width = PAGE, .title = "Translations of two systems" };
    struct paper paper = { .compare = compare };
    dgm_status status;

    dgm_svg_start(&paper.svg, compare->env, &body);
    DGM_TRY_OUT(dgm_compare_summary(compare, &summary));
    DGM_TRY_OUT(add_body(&paper, summary.data, &scratch));
    page.height = paper.y + LINE;
    page.description = summary.data;
    status = dgm_svg_page(compare->env, out, &page, &body);
out:
    dgm_buf_clear(compare->env, &body);
    dgm_buf_clear(compare->env, &summary);
    dgm_buf_clear(compare->env, &scratch);
    return status;
}
