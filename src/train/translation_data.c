/*
 * translation_data.c: the texts that a translation model is trained and validated on.
 */
#include <string.h>

#include "train/translation.h"

static const char *file_of(const struct dgm_session *session, const char *name, size_t i)
{
    return dgm_settings_count(session->settings, name) > i
               ? dgm_settings_item(session->settings, name, i)
               : NULL;
}

dgm_status dgm_translation_check_files(struct dgm_session *session)
{
    struct dgm_env *env = session->env;

    if (dgm_settings_count(session->settings, "train-sets") != 2)
        return dgm_fail(env, DGM_USAGE, "--train-sets names %zu files; expected two, source and "
                        "target", dgm_settings_count(session->settings, "train-sets"));
    session->has_valid = dgm_settings_count(session->settings, "valid-sets") == 2;
    if (!session->has_valid && dgm_settings_count(session->settings, "valid-sets") != 0)
        return dgm_fail(env, DGM_USAGE, "--valid-sets names %zu files; expected two, source and "
                        "target", dgm_settings_count(session->settings, "valid-sets"));
    if (!session->has_valid && session->patience > 0)
        return dgm_fail(env, DGM_USAGE, "--early-stopping needs --valid-sets");
    return DGM_OK;
}

static enum dgm_bad_line on_bad_line(const struct dgm_settings *settings)
{
    const char *what = dgm_settings_text(settings, "on-bad-line");

    return strcmp(what, "skip") == 0      ? DGM_BAD_LINE_SKIP
           : strcmp(what, "replace") == 0 ? DGM_BAD_LINE_REPLACE
                                          : DGM_BAD_LINE_ERROR;
}

dgm_status dgm_translation_learn(struct dgm_session *session, struct dgm_pipeline *pipeline)
{
    const struct dgm_settings *settings = session->settings;
    struct dgm_corpus_learn_options learn;

    memset(&learn, 0, sizeof learn);
    learn.merges = (long)dgm_settings_int(settings, "bpe-merges");
    learn.codes = dgm_settings_text(settings, "codes");
    learn.vocab[DGM_SOURCE] = file_of(session, "vocabs", 0);
    learn.vocab[DGM_TARGET] = file_of(session, "vocabs", 1);
    learn.vocab_size = (size_t)dgm_settings_int(settings, "dim-vocabs");
    learn.min_count = dgm_settings_int(settings, "min-freq");
    learn.on_bad = on_bad_line(settings);
    DGM_TRY(dgm_model_pipeline(session->env, pipeline, settings));
    return dgm_corpus_learn(session->env, pipeline, file_of(session, "train-sets", 0),
                            file_of(session, "train-sets", 1), &learn);
}

static dgm_status read_text(struct dgm_session *session, struct dgm_corpus *corpus,
                            const char *name, const char *sets, const char *trees)
{
    const struct dgm_translation *self = session->self;
    struct dgm_translation_text text;

    text.name = name;
    text.source = file_of(session, sets, 0);
    text.target = file_of(session, sets, 1);
    text.trees = dgm_settings_text(session->settings, trees);
    text.longest = (int32_t)self->model.net.config.max_length;
    text.on_bad = on_bad_line(session->settings);
    DGM_TRY(dgm_translation_read_text(session, corpus, &text));
    dgm_log(session->env, DGM_LOG_NOTE,
            "%s: %ld pairs read, %d used, %ld blank, %ld longer than max-length, %ld ill-formed",
            name, corpus->lines, (int)corpus->source.count, corpus->blank, corpus->too_long,
            corpus->bad);
    return DGM_OK;
}

dgm_status dgm_translation_load(struct dgm_session *session)
{
    struct dgm_translation *self = session->self;

    if (dgm_syntax_needs_trees(&self->model.net.syntax) && !self->has_parser &&
        dgm_settings_text(session->settings, "train-trees") == NULL)
        return dgm_fail(session->env, DGM_USAGE, "--syntax %s needs trees; expected --train-trees "
                        "FILE, or --parser FILE to make them", self->model.net.config.syntax);
    DGM_TRY(read_text(session, &self->train, "training text", "train-sets", "train-trees"));
    session->state.train_checksum = self->train.checksum;
    if (!session->has_valid)
        return DGM_OK;
    return read_text(session, &self->valid, "validation text", "valid-sets", "valid-trees");
}
