/* help_syntax.c: the page on --syntax: every variant of self-attention with its options, from
 * their tables. */
#include <string.h>

#include "cmd/command.h"

enum { OPTION_COLUMN = 28 };

/* " (default: X)" of an option, or nothing. */
static dgm_status add_default(struct dgm_env *env, struct dgm_buf *out, const struct dgm_opt *opt)
{
    if (opt->choices != NULL)
        DGM_TRY(dgm_buf_add_format(env, out, ": %s", opt->choices));
    if (opt->fallback == NULL || opt->fallback[0] == '\0')
        return DGM_OK;
    return dgm_buf_add_format(env, out, " (default: %s)", opt->fallback);
}

static dgm_status add_option(struct dgm_env *env, struct dgm_buf *out, const struct dgm_opt *opt)
{
    struct dgm_buf help = { NULL, 0, 0, 0 };
    size_t start = out->size, width;
    dgm_status status;

    DGM_TRY(dgm_buf_add_format(env, out, "    %s=%s", opt->name, opt->argument));
    width = out->size - start;
    if (width < OPTION_COLUMN)
        DGM_TRY(dgm_buf_add_format(env, out, "%*s", (int)(OPTION_COLUMN - width), ""));
    else
        DGM_TRY(dgm_buf_add_format(env, out, "\n%*s", OPTION_COLUMN, ""));
    status = dgm_buf_add_text(env, &help, opt->help);
    if (status == DGM_OK)
        status = add_default(env, &help, opt);
    if (status == DGM_OK)
        status = dgm_help_add_wrapped(env, out, help.data, OPTION_COLUMN);
    dgm_buf_clear(env, &help);
    return status;
}

dgm_status dgm_help_syntax(struct dgm_env *env, struct dgm_buf *out)
{
    const struct dgm_opt *opt;
    struct dgm_variant variant;
    size_t i;

    DGM_TRY(dgm_buf_add_text(
        env, out,
        "Variants of self-attention, for `dragoman train --syntax`: name(option=value,...),\n"
        "several joined by +, such as 'deps-san(layers=1-2)+shaw(k=2)'. Variants that cannot\n"
        "stand together in one layer say so. Layers count from 1: 2, 1-3, \"1 3\". Names of\n"
        "options may have _ for -.\n"));
    for (i = 0; dgm_variant_at(i, &variant); i++) {
        DGM_TRY(dgm_buf_add_format(env, out, "\n%s: %s\n    (%s)\n", variant.name, variant.help,
                                   variant.cite));
        for (opt = variant.options; opt->name != NULL; opt++)
            DGM_TRY(add_option(env, out, opt));
    }
    return DGM_OK;
}
