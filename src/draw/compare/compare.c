/* compare.c: what all forms of a comparison say, and its form as text. */
#include "draw/compare/compare.h"

#include "base/mem.h"
#include "base/number/number.h"

const char *dgm_compare_label(const struct dgm_compare *compare, int row)
{
    static const char *const labels[] = { "source", "reference" };

    return row < DGM_COMPARE_ONE ? labels[row] : compare->names[row - DGM_COMPARE_ONE];
}

static dgm_status add_number(struct dgm_env *env, struct dgm_buf *out, const char *before,
                             double value)
{
    char digits[32];

    digits[dgm_number_print_fixed(digits, value, 1)] = '\0';
    return dgm_buf_add_format(env, out, "%s%s", before, digits);
}

dgm_status dgm_compare_heading(const struct dgm_compare *compare,
                               const struct dgm_compare_pair *pair, struct dgm_buf *out)
{
    struct dgm_env *env = compare->env;

    DGM_TRY(dgm_buf_add_format(env, out, "line %ld: ", pair->line));
    DGM_TRY(add_number(env, out, "", pair->scores[0]));
    DGM_TRY(add_number(env, out, ", ", pair->scores[1]));
    return add_number(env, out, pair->gain > 0 ? ", +" : ", ", pair->gain);
}

dgm_status dgm_compare_summary(const struct dgm_compare *compare, struct dgm_buf *out)
{
    struct dgm_env *env = compare->env;

    DGM_TRY(dgm_buf_add_format(env, out, "%s of %s", compare->metric, compare->names[0]));
    DGM_TRY(add_number(env, out, " ", compare->totals[0]));
    DGM_TRY(dgm_buf_add_format(env, out, ", of %s", compare->names[1]));
    DGM_TRY(add_number(env, out, " ", compare->totals[1]));
    return dgm_buf_add_format(env, out, "; of %ld sentences %ld are better, %ld worse",
                              compare->lines, compare->better, compare->worse);
}

static dgm_status add_row(const struct dgm_compare *compare, const struct dgm_compare_pair *pair,
                          int row, struct dgm_buf *out)
{
    static const char *const signs[] = { "", "+", "-", "?" };
    const struct dgm_compare_row *at = &pair->rows[row];
    struct dgm_env *env = compare->env;

    DGM_TRY(dgm_buf_add_format(env, out, "%s:", dgm_compare_label(compare, row)));
    for (size_t w = at->first; w < at->first + at->count; w++)
        DGM_TRY(dgm_buf_add_format(env, out, " %s%s", signs[compare->words[w].mark],
                                   compare->text.data + compare->words[w].text));
    return dgm_buf_add_char(env, out, '\n');
}

dgm_status dgm_compare_text(const struct dgm_compare *compare, struct dgm_buf *out)
{
    struct dgm_env *env = compare->env;

    DGM_TRY(dgm_compare_summary(compare, out));
    DGM_TRY(
        dgm_buf_add_text(env, out,
                         "\n+ right in this one alone, - not in the reference, ? in neither\n"));
    for (size_t p = 0; p < compare->pair_count; p++) {
        DGM_TRY(dgm_buf_add_char(env, out, '\n'));
        DGM_TRY(dgm_compare_heading(compare, &compare->pairs[p], out));
        DGM_TRY(dgm_buf_add_char(env, out, '\n'));
        for (int row = !compare->has_source; row < DGM_COMPARE_ROWS; row++)
            DGM_TRY(add_row(compare, &compare->pairs[p], row, out));
    }
    return DGM_OK;
}

void dgm_compare_clear(struct dgm_compare *compare)
{
    dgm_buf_clear(compare->env, &compare->text);
    dgm_release(compare->env, compare->words);
    dgm_release(compare->env, compare->pairs);
}
