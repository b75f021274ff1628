/*
 * translation_data.c: the texts that a translation model is trained and validated on.
 */
#include <string.h>

#include "model/encoder.h"
#include "text/tokenize/language.h"
#include "train/translation/translation.h"

static const char *file_of(const struct dgm_session *session, const char *name, size_t i)
{
    return dgm_settings_count(session->settings, name) > i
               ? dgm_settings_item(session->settings, name, i)
               : NULL;
}

/* Whether a file is called after a language: train.de, train.de.gz. */
static int is_named_after(const char *path, const char *language)
{
    size_t length = strlen(path), code = strlen(language);

    if (length > 3 && strcmp(path + length - 3, ".gz") == 0)
        length -= 3;
    return length > code + 1 && path[length - code - 1] == '.' &&
           memcmp(path + length - code, language, code) == 0;
}

/* The rules of a wrong language would cost quality without a word: what nobody has named must be what
 * the file is called. */
static dgm_status check_language(struct dgm_session *session, size_t side)
{
    const struct dgm_settings *s = session->settings;
    const char *what = side == 0 ? "--source-lang" : "--target-lang", *option = what + 2;
    const char *language = dgm_settings_text(s, option),
               *path = file_of(session, "train-sets", side);
    int has_rules = strcmp(dgm_settings_text(s, "tokenize"), "moses") == 0;

    DGM_TRY(dgm_language_check(session->env, what, language));
    if (!has_rules && !dgm_settings_flag(s, "normalize-punctuation"))
        return DGM_OK;
    if (!dgm_settings_is_set(s, option) && !is_named_after(path, language))
        return dgm_fail_at(session->env, DGM_USAGE, path, 0, 0,
                           "no %s, and the file is not called "
                           "after \"%s\", the default; expected %s CODE, whose rules cut the text "
                           "into words, or --tokenize none",
                           what, language, what);
    if (has_rules)
        dgm_language_warn(session->env, language);
    return DGM_OK;
}

dgm_status dgm_translation_check_files(struct dgm_session *session)
{
    struct dgm_env *env = session->env;

    if (dgm_settings_count(session->settings, "train-sets") != 2)
        return dgm_fail(env, DGM_USAGE,
                        "--train-sets names %zu files; expected two, source and "
                        "target",
                        dgm_settings_count(session->settings, "train-sets"));
    session->has_valid = dgm_settings_count(session->settings, "valid-sets") == 2;
    if (!session->has_valid && dgm_settings_count(session->settings, "valid-sets") != 0)
        return dgm_fail(env, DGM_USAGE,
                        "--valid-sets names %zu files; expected two, source and "
                        "target",
                        dgm_settings_count(session->settings, "valid-sets"));
    if (dgm_settings_count(session->settings, "vocabs") > 2)
        return dgm_fail(env, DGM_USAGE,
                        "--vocabs names %zu files; expected one for both sides, or "
                        "two",
                        dgm_settings_count(session->settings, "vocabs"));
    if (!session->has_valid && session->patience > 0)
        return dgm_fail(env, DGM_USAGE, "--early-stopping needs --valid-sets");
    DGM_TRY(check_language(session, 0));
    return check_language(session, 1);
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
    const struct dgm_translation *self = session->self;
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
    DGM_TRY(dgm_translation_parses(session, pipeline));
    learn.parses = pipeline->multitask ? &self->parses : NULL;
    DGM_TRY(dgm_corpus_learn(session->env, pipeline, file_of(session, "train-sets", 0),
                             file_of(session, "train-sets", 1), &learn));
    return dgm_translation_learn_relations(session, pipeline);
}

/* What a file of trees has not got, and what is made of it. */
static void report_trees(struct dgm_session *session, const struct dgm_corpus *corpus,
                         const struct dgm_translation_text *text)
{
    const struct dgm_translation *self = session->self;
    const struct dgm_packed *source = &corpus->source;
    const char *path = text->files.trees[DGM_SOURCE];
    int32_t missing = dgm_packed_without_trees(source, NULL);

    if (path != NULL && missing > 0)
        dgm_log(session->env, DGM_LOG_NOTE, "%s: %d of %d sentences have no tree in %s", text->name,
                (int)missing, (int)source->count, path);
    if ((dgm_net_needs(&self->model.net) & DGM_READS_CONSTITUENTS) && source->left == NULL &&
        source->heads != NULL && corpus == &self->train)
        dgm_log(session->env, DGM_LOG_NOTE,
                "%s: constituents are derived from the dependency "
                "trees of %s",
                text->name, path != NULL ? path : "the parser");
}

/* The first line that an encoder refuses for want of a tree (--no-parse reject). */
static dgm_status refuse_missing(struct dgm_session *session, const struct dgm_corpus *corpus,
                                 const struct dgm_translation_text *text)
{
    const struct dgm_translation *self = session->self;
    const struct dgm_net *net = &self->model.net;
    int32_t first = 0;

    if (!(net->encoder->needs & DGM_NEEDS_TREES) || !net->config.recurrent.reject ||
        dgm_packed_without_trees(&corpus->source, &first) == 0)
        return DGM_OK;
    return dgm_fail_at(session->env, DGM_DATA, text->files.text[DGM_SOURCE],
                       corpus->line_of[first] + 1, 0,
                       "no tree for this line; expected one, or "
                       "--no-parse chain");
}

/* One of the two texts, with the trees that the model asks of it. */
static dgm_status read_text(struct dgm_session *session, struct dgm_corpus *corpus,
                            const char *sets, struct dgm_translation_text *text)
{
    const struct dgm_translation *self = session->self;
    unsigned needs = dgm_net_needs(&self->model.net);
    char what[sizeof self->model.net.config.syntax + 16];

    dgm_net_needs_text(&self->model.net, what, sizeof what);
    if (needs != 0 && !(needs & DGM_READS_CONSTITUENTS))
        text->files.needs[DGM_SOURCE] = what;
    text->files.needs[DGM_TARGET] = what;
    text->files.text[DGM_SOURCE] = file_of(session, sets, 0);
    text->files.text[DGM_TARGET] = file_of(session, sets, 1);
    text->parse = text->parse && self->has_parser;
    text->longest = (int32_t)self->model.net.config.max_length;
    text->on_bad = on_bad_line(session->settings);
    DGM_TRY(dgm_translation_read_text(session, corpus, text));
    dgm_log(session->env, DGM_LOG_NOTE,
            "%s: %ld pairs read, %d used, %ld blank, %ld longer than max-length, %ld ill-formed",
            text->name, corpus->lines, (int)corpus->source.count, corpus->blank, corpus->too_long,
            corpus->bad);
    report_trees(session, corpus, text);
    return refuse_missing(session, corpus, text);
}

static dgm_status read_training_text(struct dgm_session *session)
{
    struct dgm_translation *self = session->self;
    unsigned needs = dgm_net_needs(&self->model.net);
    struct dgm_translation_text text;
    int none;

    memset(&text, 0, sizeof text);
    text.name = "training text";
    text.files.trees[DGM_SOURCE] = dgm_translation_trees_of(session, "train-trees", &none);
    text.parse = !none && (needs & (DGM_NEEDS_TREES | DGM_NEEDS_TREES_TO_TRAIN)) != 0;
    if (needs & DGM_NEEDS_TARGET_TREES_TO_TRAIN)
        text.files.trees[DGM_TARGET] =
            dgm_translation_trees_of(session, "train-target-trees", &none);
    return read_text(session, &self->train, "train-sets", &text);
}

static dgm_status read_validation_text(struct dgm_session *session)
{
    struct dgm_translation *self = session->self;
    struct dgm_translation_text text;
    int none;

    memset(&text, 0, sizeof text);
    text.name = "validation text";
    text.files.trees[DGM_SOURCE] = dgm_translation_trees_of(session, "valid-trees", &none);
    text.parse = !none && (dgm_net_needs(&self->model.net) & DGM_NEEDS_TREES) != 0;
    return read_text(session, &self->valid, "valid-sets", &text);
}

/* Trees that no part of the model reads change nothing. */
static uint64_t checksum(const struct dgm_translation *self, const struct dgm_corpus *corpus)
{
    return dgm_net_needs(&self->model.net) != 0 ? dgm_corpus_checksum(corpus) : corpus->checksum;
}

dgm_status dgm_translation_load(struct dgm_session *session)
{
    struct dgm_translation *self = session->self;

    DGM_TRY(dgm_translation_check_trees(session));
    DGM_TRY(read_training_text(session));
    DGM_TRY(dgm_translation_add_parses(session));
    session->state.train_checksum = checksum(self, &self->train);
    if (!session->has_valid)
        return DGM_OK;
    DGM_TRY(read_validation_text(session));
    session->state.valid_checksum = checksum(self, &self->valid);
    return DGM_OK;
}
