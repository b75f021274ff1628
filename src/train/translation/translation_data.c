/*
 * translation_data.c: the texts that a translation model is trained and validated on.
 */
#include "train/translation/translation_data.h"

#include <string.h>

#include "base/number/number.h"
#include "data/text/pipeline_learn.h"
#include "decode/parse/parse_lines.h"
#include "model/encoder.h"
#include "text/tokenize/language.h"
#include "train/report.h"
#include "train/translation/translation_parses.h"
#include "train/translation/translation_trees.h"

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

/* The rules of a wrong language would cost quality without a word: what nobody has named must be
 * what the file is called. */
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

/* One number is that of both sides; a joint vocabulary has no sides. */
static dgm_status check_least_counts(struct dgm_session *session)
{
    const struct dgm_settings *s = session->settings;
    size_t count = dgm_settings_count(s, "min-freq");
    int is_joint = strcmp(dgm_settings_text(s, "tied-embeddings"), "all") == 0;

    if (count > 2)
        return dgm_fail(session->env, DGM_USAGE,
                        "--min-freq names %zu numbers; expected one for both sides, or two", count);
    if (count == 2 && is_joint)
        return dgm_fail(session->env, DGM_USAGE,
                        "--min-freq names two numbers, and --tied-embeddings all has one "
                        "vocabulary; expected one number, which counts on both sides together");
    return DGM_OK;
}

static int64_t least_count(const struct dgm_settings *settings, size_t side)
{
    size_t last = dgm_settings_count(settings, "min-freq") - 1;

    return dgm_settings_item_int(settings, "min-freq", side < last ? side : last);
}

dgm_status dgm_translation_data_check(struct dgm_session *session)
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
    DGM_TRY(check_least_counts(session));
    if (!session->has_valid && session->options.patience > 0)
        return dgm_fail(env, DGM_USAGE, "--early-stopping needs --valid-sets");
    DGM_TRY(dgm_translation_parses_check(session));
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

dgm_status dgm_translation_data_learn(struct dgm_session *session, struct dgm_pipeline *pipeline)
{
    const struct dgm_settings *settings = session->settings;
    const struct dgm_translation *self = session->self;
    struct dgm_pipeline_learn_options learn;

    memset(&learn, 0, sizeof learn);
    learn.merges = (long)dgm_settings_int(settings, "bpe-merges");
    learn.codes = dgm_settings_text(settings, "codes");
    learn.vocab[DGM_SOURCE] = file_of(session, "vocabs", 0);
    learn.vocab[DGM_TARGET] = file_of(session, "vocabs", 1);
    learn.vocab_size = (size_t)dgm_settings_int(settings, "dim-vocabs");
    for (int side = DGM_SOURCE; side <= DGM_TARGET; side++)
        learn.min_count[side] = least_count(settings, (size_t)side);
    learn.on_bad = on_bad_line(settings);
    DGM_TRY(dgm_model_pipeline(session->env, pipeline, settings));
    DGM_TRY(dgm_translation_parses_take(session, pipeline));
    learn.parses = pipeline->multitask ? &self->parses : NULL;
    DGM_TRY(dgm_pipeline_learn(session->env, pipeline, file_of(session, "train-sets", 0),
                               file_of(session, "train-sets", 1), &learn));
    return dgm_translation_trees_learn(session, pipeline);
}

/* ---- a text and its trees -------------------------------------------------------------------- */

struct text {
    const char *name; /* for the log */
    struct dgm_corpus_files files;
    int parse; /* by the parser, where there is no file of the source's trees */
    int32_t longest;
    enum dgm_bad_line on_bad;
};

/* Everything that is open while a text is parsed. */
struct parsing_text {
    struct dgm_session *session;
    struct dgm_parse_lines lines;
    double seconds;
};

static dgm_status parse_waiting(struct parsing_text *parsing)
{
    double start = dgm_report_clock();
    dgm_status status = dgm_parse_lines_run(parsing->session->env, &parsing->lines);

    parsing->seconds += dgm_report_clock() - start;
    return status;
}

static dgm_status hear_pair(struct dgm_env *env, void *user, const struct dgm_encoded *source)
{
    struct parsing_text *parsing = user;
    int is_due;

    DGM_TRY(dgm_parse_lines_add(env, &parsing->lines, source));
    DGM_TRY(dgm_translation_trees_parse_is_due(parsing->session, parsing->lines.waiting, &is_due));
    return is_due ? parse_waiting(parsing) : DGM_OK;
}

static void report_speed(const struct parsing_text *parsing, const char *name)
{
    const struct dgm_parse_lines *lines = &parsing->lines;
    char seconds[32], rate[32];

    seconds[dgm_number_print_fixed(seconds, parsing->seconds, 1)] = '\0';
    rate[dgm_number_print_fixed(rate, (double)lines->words / (parsing->seconds + 1e-9), 0)] = '\0';
    dgm_log(parsing->session->env, DGM_LOG_NOTE,
            "%s: %ld sentences parsed in %s s, %s words/s; %ld longer than the parser reads", name,
            lines->lines - lines->too_long, seconds, rate, lines->too_long);
}

static dgm_status read_and_parse(struct parsing_text *parsing, struct dgm_corpus *corpus,
                                 const struct text *text)
{
    struct dgm_env *env = parsing->session->env;
    struct dgm_translation *self = parsing->session->self;
    struct dgm_corpus_watch watch;

    watch.pair = hear_pair;
    watch.user = parsing;
    DGM_TRY(
        dgm_parse_lines_init(env, &parsing->lines, &self->parser, &self->model.pipeline.features));
    DGM_TRY(dgm_corpus_load(env, corpus, &self->model.pipeline, &text->files, text->longest,
                            text->on_bad, &watch));
    DGM_TRY(parse_waiting(parsing));
    report_speed(parsing, text->name);
    return dgm_parse_lines_hand_over(env, &parsing->lines, &corpus->source);
}

/* The text and its trees: those of a file or, where none is named, those that the parser makes. */
static dgm_status load_corpus(struct dgm_session *session, struct dgm_corpus *corpus,
                              const struct text *text)
{
    struct dgm_translation *self = session->self;
    struct parsing_text parsing;
    dgm_status status;

    if (text->files.trees[DGM_SOURCE] != NULL || !text->parse ||
        dgm_settings_flag(session->settings, "dry-run"))
        return dgm_corpus_load(session->env, corpus, &self->model.pipeline, &text->files,
                               text->longest, text->on_bad, NULL);
    memset(&parsing, 0, sizeof parsing);
    parsing.session = session;
    status = read_and_parse(&parsing, corpus, text);
    dgm_parse_lines_clear(session->env, &parsing.lines);
    return status;
}

/* How many sentences have no tree in the file, and where constituents come from. */
static void report_trees(struct dgm_session *session, const struct dgm_corpus *corpus,
                         const struct text *text)
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

/* Words of a file of trees that lack a feature that the model reads; where all do, it is the wrong
 * file. */
static dgm_status check_features(struct dgm_session *session, const struct dgm_corpus *corpus,
                                 const struct text *text)
{
    const struct dgm_feature_counts *counts = &corpus->counts;
    const char *path = text->files.trees[DGM_SOURCE];

    for (int kind = 0; kind < DGM_WORD_FEATURES; kind++) {
        if (counts->missing[kind] == 0)
            continue;
        if (counts->missing[kind] == counts->words)
            return dgm_fail_at(session->env, DGM_DATA, path, 0, 0,
                               "no word has any %s; expected one in the %s column of every word",
                               dgm_feature_titles[kind], dgm_feature_columns[kind]);
        dgm_log(session->env, DGM_LOG_NOTE, "%s: %ld of %ld words have no %s in %s", text->name,
                counts->missing[kind], counts->words, dgm_feature_titles[kind], path);
    }
    return DGM_OK;
}

/* The first line that an encoder refuses for want of a tree (--no-parse reject). */
static dgm_status refuse_missing(struct dgm_session *session, const struct dgm_corpus *corpus,
                                 const struct text *text)
{
    const struct dgm_translation *self = session->self;
    const struct dgm_net *net = &self->model.net;
    int32_t first = 0;

    if (!(net->encoder->needs & DGM_NEEDS_TREES) ||
        net->config.recurrent.no_parse != DGM_NO_PARSE_REJECT ||
        dgm_packed_without_trees(&corpus->source, &first) == 0)
        return DGM_OK;
    return dgm_fail_at(session->env, DGM_DATA, text->files.text[DGM_SOURCE],
                       corpus->line_of[first] + 1, 0,
                       "no tree for this line; expected one, or "
                       "--no-parse star");
}

/* One of the two texts, with the trees that the model asks of it. */
static dgm_status read_text(struct dgm_session *session, struct dgm_corpus *corpus,
                            const char *sets, struct text *text)
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
    DGM_TRY(load_corpus(session, corpus, text));
    dgm_log(session->env, DGM_LOG_NOTE,
            "%s: %ld pairs read, %d used, %ld blank, %ld longer than max-length, %ld ill-formed",
            text->name, corpus->lines, (int)corpus->source.count, corpus->blank, corpus->too_long,
            corpus->bad);
    report_trees(session, corpus, text);
    DGM_TRY(check_features(session, corpus, text));
    return refuse_missing(session, corpus, text);
}

static dgm_status read_training_text(struct dgm_session *session)
{
    struct dgm_translation *self = session->self;
    unsigned needs = dgm_net_needs(&self->model.net);
    struct text text;
    int none;

    memset(&text, 0, sizeof text);
    text.name = "training text";
    text.files.trees[DGM_SOURCE] = dgm_translation_trees_path(session, "train-trees", &none);
    text.parse = !none && (needs & (DGM_NEEDS_TREES | DGM_NEEDS_TREES_TO_TRAIN)) != 0;
    if (needs & DGM_NEEDS_TARGET_TREES_TO_TRAIN)
        text.files.trees[DGM_TARGET] =
            dgm_translation_trees_path(session, "train-target-trees", &none);
    return read_text(session, &self->train, "train-sets", &text);
}

static dgm_status read_validation_text(struct dgm_session *session)
{
    struct dgm_translation *self = session->self;
    struct text text;
    int none;

    memset(&text, 0, sizeof text);
    text.name = "validation text";
    text.files.trees[DGM_SOURCE] = dgm_translation_trees_path(session, "valid-trees", &none);
    text.parse = !none && (dgm_net_needs(&self->model.net) & DGM_NEEDS_TREES) != 0;
    return read_text(session, &self->valid, "valid-sets", &text);
}

/* Trees count only if some part of the model reads them. */
static uint64_t checksum(const struct dgm_translation *self, const struct dgm_corpus *corpus)
{
    return dgm_net_needs(&self->model.net) != 0 ? dgm_corpus_checksum(corpus) : corpus->checksum;
}

dgm_status dgm_translation_data_load(struct dgm_session *session)
{
    struct dgm_translation *self = session->self;

    DGM_TRY(dgm_translation_trees_check(session));
    DGM_TRY(read_training_text(session));
    DGM_TRY(dgm_translation_parses_add(session));
    session->corpus = &self->train;
    session->state.train_checksum = checksum(self, &self->train);
    if (!session->has_valid)
        return DGM_OK;
    DGM_TRY(read_validation_text(session));
    session->state.valid_checksum = checksum(self, &self->valid);
    return DGM_OK;
}
