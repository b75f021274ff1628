/*
 * parent.c: what a run takes from its parent before there are values: options of the
 * model, codes and vocabularies.
 */
#include "train/translation/parent.h"

#include <string.h>

#include "base/number/number.h"
#include "base/option/settings.h"
#include "nn/attn/syntax.h"
#include "tensor/gguf/gguf_load.h"
#include "train/translation/sets/learn.h"

/* ---- options --------------------------------------------------------------------------------- */

/* How a model is trained, or how long its sentences may be: none of what its values mean. */
static int is_free(const char *name)
{
    static const char *const names[] = {
        "dropout",
        "attention-dropout",
        "activation-dropout",
        "label-smoothing",
        "label-smoothing-form",
        "max-length",
        "guided-alignment-layer",
    };

    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (strcmp(name, names[i]) == 0)
            return 1;
    return 0;
}

static int is_partial(const struct dgm_settings *settings)
{
    return dgm_settings_flag(settings, "init-partial");
}

/* Dictionaries that were typed are for what the parent's vocabularies lack. */
static int is_growth(const struct dgm_settings *settings, const char *name)
{
    return strcmp(name, "vocabs") == 0 && dgm_settings_is_typed(settings, name);
}

/* A recipe names such options for runs that begin from nothing; what was typed asks for them. */
static dgm_status refuse_text_options(struct dgm_env *env, const struct dgm_settings *settings)
{
    for (int i = 0; dgm_sets_learn_options[i] != NULL; i++) {
        const char *name = dgm_sets_learn_options[i];

        if (is_growth(settings, name))
            continue;
        if (dgm_settings_is_typed(settings, name))
            return dgm_fail(env, DGM_USAGE,
                            "--%s with --init, whose model brings its codes and vocabularies; "
                            "expected one of the two, --vocabs, which adds entries, or "
                            "--init-partial, which takes over the vectors of tokens that both have",
                            name);
        if (dgm_settings_is_set(settings, name))
            dgm_log(env, DGM_LOG_NOTE, "%s = is not used: codes and vocabularies come from --init",
                    name);
    }
    return DGM_OK;
}

static int same_number(const char *a, const char *b)
{
    double x, y;

    return dgm_number_real(&x, a, strlen(a)) && dgm_number_real(&y, b, strlen(b)) && x == y;
}

/* Whether two values of an option mean the same. */
static dgm_status compare(struct dgm_env *env, const struct dgm_opt *opt, const char *a,
                          const char *b, int *same)
{
    struct dgm_buf full = { 0 };
    dgm_status status;

    *same = strcmp(a, b) == 0;
    if (opt->type == DGM_OPT_INT || opt->type == DGM_OPT_REAL)
        *same = same_number(a, b);
    if (*same || strcmp(opt->name, "syntax") != 0)
        return DGM_OK;
    status = dgm_syntax_text_complete(env, &full, a);
    if (status == DGM_OK)
        *same = strcmp(full.data, b) == 0;
    dgm_buf_clear(env, &full);
    return status;
}

/* Where a value comes from that the run takes over. Not the name of the file: a model may be called
 * "default". */
static const char taken_from[] = "the model of --init";

/* Gives the run the parent's value of an option, unless the user has set one: where that is
 * another, adds it to `differences`. */
static dgm_status take_option(struct dgm_env *env, struct dgm_settings *own,
                              const struct dgm_setting *parent, struct dgm_buf *differences)
{
    const struct dgm_opt *opt = parent->opt;
    const char *before = parent->value, *now = dgm_settings_text(own, opt->name);
    int same;

    if (before == NULL)
        return DGM_OK;
    if (!dgm_settings_is_set(own, opt->name))
        return dgm_settings_set(env, own, opt->name, before, taken_from);
    DGM_TRY(compare(env, opt, now, before, &same));
    if (same || is_free(opt->name))
        return DGM_OK;
    return dgm_buf_add_format(env, differences, "%s%s = %s, not %s",
                              differences->size > 0 ? ", " : "", opt->name, before, now);
}

static dgm_status take_options(struct dgm_env *env, struct dgm_settings *own,
                               const struct dgm_model *parent, const char *path)
{
    struct dgm_buf differences = { 0 };
    dgm_status status = DGM_OK;

    for (size_t i = 0; i < parent->settings.count && status == DGM_OK; i++)
        status = take_option(env, own, &parent->settings.items[i], &differences);
    if (status == DGM_OK && differences.size > 0 && !is_partial(own))
        status = dgm_fail_at(env, DGM_USAGE, path, 0, 0,
                             "the model of --init has %s; expected its own options, or "
                             "--init-partial to take over what fits",
                             differences.data);
    dgm_buf_clear(env, &differences);
    return status;
}

static dgm_status read_options(struct dgm_env *env, struct dgm_settings *own, const char *path)
{
    struct dgm_model parent;
    struct dgm_gguf file;
    dgm_status status;

    DGM_TRY(dgm_gguf_open(env, &file, path));
    status = dgm_model_declare(env, &parent, &file);
    dgm_gguf_clear(env, &file);
    DGM_TRY(status);
    status = take_options(env, own, &parent, path);
    dgm_model_clear(env, &parent);
    return status;
}

/* --spm and --vocab-type say how text is cut, unless the parent does. */
static dgm_status take_spm(struct dgm_env *env, struct dgm_settings *own)
{
    const char *tokenize = dgm_settings_text(own, "tokenize");
    const int learns = dgm_settings_is_set(own, "vocab-type") &&
                       strcmp(dgm_settings_text(own, "vocab-type"), "bpe") != 0;
    const char *why = learns ? "--vocab-type" : "--spm";

    if ((dgm_settings_count(own, "spm") == 0 && !learns) || strcmp(tokenize, "spm") == 0 ||
        (dgm_settings_text(own, "init") != NULL && !is_partial(own)))
        return DGM_OK;
    if (dgm_settings_is_typed(own, "tokenize") ||
        (dgm_settings_is_set(own, "tokenize") && dgm_settings_text(own, "init") == NULL))
        return dgm_fail(env, DGM_USAGE,
                        "%s with --tokenize %s; expected raw text and no --tokenize, or "
                        "--tokenize spm",
                        why, tokenize);
    return dgm_settings_set(env, own, "tokenize", "spm", why);
}

dgm_status dgm_parent_settle(struct dgm_env *env, struct dgm_settings *own)
{
    const char *path = dgm_settings_text(own, "init");

    if (path == NULL && is_partial(own))
        return dgm_fail(env, DGM_USAGE,
                        "--init-partial without --init; expected a model to take values from");
    if (path != NULL && !is_partial(own))
        DGM_TRY(refuse_text_options(env, own));
    if (path != NULL)
        DGM_TRY(read_options(env, own, path));
    return take_spm(env, own);
}

/* ---- codes and vocabularies ------------------------------------------------------------------ */

dgm_status dgm_parent_open(const struct dgm_run *run, struct dgm_parent *parent)
{
    struct dgm_env *env = run->env;
    const char *path = dgm_settings_text(run->settings, "init");
    int has_checksums;

    if (path == NULL)
        return DGM_OK;
    DGM_TRY(dgm_gguf_load(env, &parent->file, path));
    parent->is_there = 1;
    parent->has_text = 1;
    DGM_TRY(dgm_gguf_verify(env, &parent->file, &has_checksums));
    DGM_TRY(dgm_compute_type_check_trainable(env, &parent->file));
    return dgm_model_declare(env, &parent->model, &parent->file);
}

dgm_status dgm_parent_pipeline(const struct dgm_run *run, struct dgm_parent *parent,
                               const struct dgm_text_list *texts, struct dgm_pipeline *pipeline,
                               int *is_taken)
{
    struct dgm_env *env = run->env;
    struct dgm_pipeline *from = &parent->model.pipeline;

    *is_taken = parent->is_there && !dgm_sets_learns_anew(run->settings);
    if (!*is_taken)
        return DGM_OK;
    DGM_TRY(dgm_model_pipeline(env, pipeline, run->settings));
    if (pipeline->joint != from->joint || pipeline->multitask != from->multitask)
        return dgm_fail_at(env, DGM_USAGE, parent->file.name, 0, 0,
                           "a model with another --tied-embeddings or --multitask has other "
                           "vocabularies; expected the model's own, or codes or vocabularies of "
                           "the run's own (--bpe-merges)");
    if (pipeline->has_spm != from->has_spm)
        return dgm_fail_at(env, DGM_USAGE, parent->file.name, 0, 0,
                           "--tokenize %s with a model whose text is %s of SentencePiece; expected "
                           "the model's own, or codes or vocabularies of the run's own",
                           dgm_settings_text(run->settings, "tokenize"),
                           from->has_spm ? "in pieces" : "not in pieces");
    dgm_pipeline_take(pipeline, from);
    parent->has_text = 0;
    return dgm_parent_grow(run, parent, texts, pipeline);
}

void dgm_parent_clear(struct dgm_env *env, struct dgm_parent *parent)
{
    if (parent->is_there) {
        dgm_model_clear(env, &parent->model);
        dgm_gguf_clear(env, &parent->file);
    }
    memset(parent, 0, sizeof *parent);
}
