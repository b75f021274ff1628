/* help_encoders.c: the page on --encoder and --decoder: every kind, and the options that shape it,
 * from their tables. */
#include <string.h>

#include "cmd/command.h"

enum { TEXT_COLUMN = 4, MOST_OPTIONS = 64 };

typedef int kind_at_fn(size_t number, struct dgm_kind *kind);

/* Whether `name` is one of the words. */
static int holds(const char *words, const char *name)
{
    size_t length = strlen(name);
    const char *at = words;

    while ((at = strstr(at, name)) != NULL) {
        int begins = at == words || at[-1] == ' ';
        if (begins && (at[length] == ' ' || at[length] == '\0'))
            return 1;
        at += length;
    }
    return 0;
}

static int shapes_any(kind_at_fn *kind_at, const char *option)
{
    struct dgm_kind kind;
    size_t i;

    for (i = 0; kind_at(i, &kind); i++)
        if (holds(kind.options, option))
            return 1;
    return 0;
}

/* "--dim-emb --dim-rnn", indented. */
static dgm_status add_names(struct dgm_env *env, struct dgm_buf *out, const char *words)
{
    struct dgm_buf names = { NULL, 0, 0, 0 };
    dgm_status status = DGM_OK;

    while (status == DGM_OK && *words != '\0') {
        size_t length = strcspn(words, " ");
        status = dgm_buf_add_format(env, &names, "--%.*s ", (int)length, words);
        words += length + strspn(words + length, " ");
    }
    if (status == DGM_OK)
        status = dgm_buf_add_format(env, out, "%*s", TEXT_COLUMN, "");
    if (status == DGM_OK)
        status = dgm_help_add_wrapped(env, out, names.data, TEXT_COLUMN);
    dgm_buf_clear(env, &names);
    return status;
}

static dgm_status add_kinds(struct dgm_env *env, struct dgm_buf *out, const char *option,
                            kind_at_fn *kind_at)
{
    struct dgm_kind kind;
    size_t i;

    for (i = 0; kind_at(i, &kind); i++) {
        DGM_TRY(dgm_buf_add_format(env, out, "\n--%s %s: %s\n    (%s)%s\n", option, kind.name,
                                   kind.help, kind.cite,
                                   kind.needs_trees ? "; needs a tree for every sentence" : ""));
        DGM_TRY(add_names(env, out, kind.options));
    }
    return DGM_OK;
}

/* What the options do that some kind has, each once, in the order of their tables. */
static dgm_status add_options(struct dgm_env *env, struct dgm_buf *out)
{
    const struct dgm_opt *const *tables = dgm_train_option_tables(), *opt;
    const struct dgm_opt end = DGM_OPT_END;
    struct dgm_opt chosen[MOST_OPTIONS];
    size_t count = 0;

    for (; *tables != NULL; tables++)
        for (opt = *tables; opt->name != NULL; opt++)
            if (count + 1 < MOST_OPTIONS &&
                (shapes_any(dgm_encoder_at, opt->name) || shapes_any(dgm_decoder_at, opt->name)))
                chosen[count++] = *opt;
    chosen[count] = end;
    DGM_TRY(dgm_buf_add_text(env, out, "\nTheir options:\n"));
    return dgm_opt_help(env, chosen, out);
}

dgm_status dgm_help_encoders(struct dgm_env *env, struct dgm_buf *out)
{
    DGM_TRY(dgm_buf_add_text(
        env, out,
        "Kinds of encoder and decoder, for `dragoman train`, each with the options that shape it.\n"
        "The Transformer is the default; any encoder goes with any decoder. Trees come from\n"
        "--train-trees, and from --trees of `translate`, or from --parser, which makes them.\n"));
    DGM_TRY(add_kinds(env, out, "encoder", dgm_encoder_at));
    DGM_TRY(add_kinds(env, out, "decoder", dgm_decoder_at));
    return add_options(env, out);
}
