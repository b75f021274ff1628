/* compare_html.c: two translations as a page of HTML: a table for each sentence, no script. */
#include "draw/compare/compare.h"
#include "draw/svg.h"

static const char head[] =
    "<!DOCTYPE html>\n<html>\n<head>\n<meta charset=\"utf-8\">\n<style>\n"
    ":root { color-scheme: light dark; --good: #177245; --bad: #b3271e; --note: #5b6672; }\n"
    "@media (prefers-color-scheme: dark) {\n"
    "  :root { --good: #5ccf95; --bad: #ff9e96; --note: #a3aebb; }\n}\n"
    "body { font-family: sans-serif; max-width: 70em; margin: 1em auto; padding: 0 1em; }\n"
    "table { border-collapse: collapse; margin: 0 0 1.5em; width: 100%; }\n"
    "caption { text-align: left; font-weight: bold; }\n"
    "th { text-align: left; vertical-align: top; font-weight: normal; color: var(--note); "
    "width: 12em; overflow-wrap: anywhere; }\n"
    "td { vertical-align: top; }\n"
    "b { color: var(--good); }\n"
    "s { color: var(--bad); text-decoration: underline wavy; }\n"
    "u { color: var(--note); text-decoration: underline dashed; }\n"
    "</style>\n";

static const char *const elements[] = { NULL, "b", "s", "u" };

static void add_row(struct dgm_svg *svg, const struct dgm_compare *compare,
                    const struct dgm_compare_pair *pair, int row)
{
    const struct dgm_compare_row *at = &pair->rows[row];

    dgm_svg_begin(svg, "tr");
    dgm_svg_element(svg, "th", dgm_compare_label(compare, row));
    dgm_svg_begin(svg, "td");
    dgm_svg_text_attribute(svg, "dir", "auto");
    dgm_svg_text(svg, "");
    for (size_t w = at->first; w < at->first + at->count; w++) {
        const char *text = compare->text.data + compare->words[w].text;
        const char *element = elements[compare->words[w].mark];

        if (w > at->first)
            dgm_svg_text(svg, " ");
        if (element == NULL)
            dgm_svg_text(svg, text);
        else
            dgm_svg_element(svg, element, text);
    }
    dgm_svg_end(svg, "td");
    dgm_svg_end_line(svg, "tr");
}

static dgm_status add_pair(struct dgm_svg *svg, const struct dgm_compare *compare,
                           const struct dgm_compare_pair *pair, struct dgm_buf *scratch)
{
    dgm_buf_reset(scratch);
    DGM_TRY(dgm_compare_heading(compare, pair, scratch));
    dgm_svg_begin(svg, "table");
    dgm_svg_newline(svg);
    dgm_svg_element(svg, "caption", scratch->data);
    dgm_svg_newline(svg);
    for (int row = !compare->has_source; row < DGM_COMPARE_ROWS; row++)
        add_row(svg, compare, pair, row);
    dgm_svg_end_line(svg, "table");
    return svg->status;
}

/* The meaning of the marks, in these. */
static void add_key(struct dgm_svg *svg)
{
    dgm_svg_begin(svg, "p");
    dgm_svg_element(svg, "b", "right in this one alone");
    dgm_svg_text(svg, ", ");
    dgm_svg_element(svg, "s", "not in the reference");
    dgm_svg_text(svg, ", ");
    dgm_svg_element(svg, "u", "in neither translation");
    dgm_svg_end_line(svg, "p");
}

static dgm_status add_page(struct dgm_svg *svg, const struct dgm_compare *compare,
                           struct dgm_buf *scratch)
{
    DGM_TRY(dgm_compare_summary(compare, scratch));
    dgm_svg_element(svg, "title", scratch->data);
    DGM_TRY(dgm_buf_add_text(svg->env, svg->out, "\n</head>\n<body>\n"));
    dgm_svg_element(svg, "p", scratch->data);
    dgm_svg_newline(svg);
    add_key(svg);
    for (size_t p = 0; p < compare->pair_count; p++)
        DGM_TRY(add_pair(svg, compare, &compare->pairs[p], scratch));
    DGM_TRY(svg->status);
    return dgm_buf_add_text(svg->env, svg->out, "</body>\n</html>\n");
}

dgm_status dgm_compare_html(const struct dgm_compare *compare, struct dgm_buf *out)
{
    struct dgm_buf scratch = { 0 };
    struct dgm_svg svg;
    dgm_status status;

    DGM_TRY(dgm_buf_add_text(compare->env, out, head));
    dgm_svg_start(&svg, compare->env, out);
    status = add_page(&svg, compare, &scratch);
    dgm_buf_clear(compare->env, &scratch);
    return status;
}
