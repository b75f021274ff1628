/*
 * translation_trees.c: the parser inside a translation model, and the trees that it makes of the
 * text the model is trained on.
 */
#include <stdio.h>
#include <string.h>

#include "base/hash.h"
#include "base/mem.h"
#include "base/number/number.h"
#include "data/tree/tree_file.h"
#include "decode/parse/parse_lines.h"
#include "train/report.h"
#include "train/translation/translation.h"

/* ---- which parser ---------------------------------------------------------------------------- */

static void hash_vocab(struct dgm_hash *hash, const struct dgm_vocab *vocab)
{
    for (size_t i = 0; i < dgm_vocab_size(vocab); i++) {
        size_t bytes;
        const char *token = dgm_vocab_token(vocab, (uint32_t)i, &bytes);

        dgm_hash_add(hash, token, bytes);
        dgm_hash_add(hash, "\n", 1);
    }
}

static dgm_status hash_params(struct dgm_env *env, struct dgm_hash *hash,
                              const struct dgm_params *params)
{
    dgm_status status = DGM_OK;

    for (size_t i = 0; i < params->count && status == DGM_OK; i++) {
        size_t count = (size_t)(params->items[i].rows * params->items[i].cols);
        dgm_real *values = dgm_alloc(env, count, sizeof *values);

        if (values == NULL)
            return DGM_MEMORY;
        status = dgm_params_read(env, params, (dgm_param_id)i, values);
        dgm_hash_add(hash, values, count * sizeof *values);
        dgm_release(env, values);
    }
    return status;
}

/* Of everything that decides about trees. */
static dgm_status checksum(struct dgm_env *env, const struct dgm_parser *parser, uint64_t *sum)
{
    const struct dgm_lexicon *lexicon = &parser->lexicon;
    struct dgm_buf text = { NULL, 0, 0, 0 };
    struct dgm_hash hash;
    dgm_status status = dgm_settings_dump(env, &parser->settings, &text, 0);

    dgm_hash_init(&hash, 0);
    if (status == DGM_OK)
        dgm_hash_add(&hash, text.data, text.size);
    dgm_hash_add(&hash, lexicon->codes.data, lexicon->codes.size);
    hash_vocab(&hash, &lexicon->words);
    hash_vocab(&hash, &lexicon->pieces);
    hash_vocab(&hash, &lexicon->tags);
    hash_vocab(&hash, &lexicon->labels);
    if (status == DGM_OK)
        status = hash_params(env, &hash, &parser->net.params);
    dgm_buf_clear(env, &text);
    *sum = dgm_hash_value(&hash);
    return status;
}

/* DGM_USAGE unless the parser of --parser is that of the checkpoint. */
static dgm_status compare(struct dgm_session *session, const char *path,
                          const struct dgm_gguf *checkpoint)
{
    struct dgm_env *env = session->env;
    struct dgm_translation *self = session->self;
    struct dgm_parser old;
    uint64_t sums[2] = { 0, 0 };
    dgm_status status = DGM_OK;

    if (dgm_settings_flag(session->settings, "allow-data-change"))
        return DGM_OK;
    if (dgm_parser_is_in(checkpoint)) {
        DGM_TRY(dgm_parser_from_gguf(env, &old, checkpoint, session->device, 0));
        status = checksum(env, &old, &sums[0]);
        if (status == DGM_OK)
            status = checksum(env, &self->parser, &sums[1]);
        dgm_parser_clear(env, &old);
        DGM_TRY(status);
        if (sums[0] == sums[1])
            return DGM_OK;
    }
    return dgm_fail_at(env, DGM_USAGE, path, 0, 0,
                       "the checkpoints were trained with another "
                       "parser, or without one. Try --allow-data-change or --overwrite");
}

dgm_status dgm_translation_take_parser(struct dgm_session *session,
                                       const struct dgm_gguf *checkpoint)
{
    struct dgm_env *env = session->env;
    struct dgm_translation *self = session->self;
    const char *path = dgm_settings_text(session->settings, "parser");

    if (path == NULL && (checkpoint == NULL || !dgm_parser_is_in(checkpoint)))
        return DGM_OK;
    if (path == NULL)
        DGM_TRY(dgm_parser_from_gguf(env, &self->parser, checkpoint, session->device, 0));
    else
        DGM_TRY(dgm_parser_load(env, &self->parser, path, session->device));
    self->has_parser = 1;
    return path != NULL && checkpoint != NULL ? compare(session, path, checkpoint) : DGM_OK;
}

/* ---- what there must be of trees ------------------------------------------------------------- */

const char *dgm_translation_trees_of(const struct dgm_session *session, const char *option,
                                     int *none)
{
    const char *path = dgm_settings_text(session->settings, option);

    *none = path != NULL && strcmp(path, "none") == 0;
    return *none ? NULL : path;
}

/* Whether there is something to take the trees of a text from, or an option says "none". */
static int is_settled(const struct dgm_session *session, const char *option, int parsed)
{
    int none;

    return dgm_translation_trees_of(session, option, &none) != NULL || none || parsed;
}

/* What is trained without trees is validated without. */
static dgm_status check_valid_trees(struct dgm_session *session, const char *what)
{
    const struct dgm_translation *self = session->self;
    int none;

    dgm_translation_trees_of(session, "train-trees", &none);
    if (!session->has_valid || none || is_settled(session, "valid-trees", self->has_parser))
        return DGM_OK;
    return dgm_fail(session->env, DGM_USAGE,
                    "--valid-sets with %s, which needs trees; expected "
                    "--valid-trees FILE, --parser FILE to make them, or --valid-trees none for the "
                    "scores of a model that sees none",
                    what);
}

dgm_status dgm_translation_check_trees(struct dgm_session *session)
{
    const struct dgm_translation *self = session->self;
    unsigned needs = dgm_net_needs(&self->model.net);
    char what[sizeof self->model.net.config.syntax + 16];

    dgm_net_needs_text(&self->model.net, what, sizeof what);
    if ((needs & (DGM_NEEDS_TREES | DGM_NEEDS_TREES_TO_TRAIN)) &&
        !is_settled(session, "train-trees", self->has_parser))
        return dgm_fail(session->env, DGM_USAGE,
                        "%s needs trees; expected --train-trees FILE, "
                        "--parser FILE to make them, or --train-trees none",
                        what);
    if ((needs & DGM_NEEDS_TARGET_TREES_TO_TRAIN) && !is_settled(session, "train-target-trees", 0))
        return dgm_fail(session->env, DGM_USAGE,
                        "%s learns from trees of the target; expected "
                        "--train-target-trees FILE (dragoman parse makes such files), or none",
                        what);
    return needs & DGM_NEEDS_TREES ? check_valid_trees(session, what) : DGM_OK;
}

/* Labels of the parser come first: a file of its own trees then changes nothing. */
dgm_status dgm_translation_learn_relations(struct dgm_session *session,
                                           struct dgm_pipeline *pipeline)
{
    const struct dgm_translation *self = session->self;
    int none;
    const char *trees = dgm_translation_trees_of(session, "train-trees", &none);
    const char *syntax = dgm_settings_text(session->settings, "syntax");
    char what[sizeof self->model.net.config.syntax + 16];

    if (!dgm_syntax_text_needs_tags(syntax))
        return DGM_OK;
    if (!self->has_parser && trees == NULL)
        return dgm_fail(session->env, DGM_USAGE,
                        "--syntax %s needs trees; expected --train-trees "
                        "FILE, or --parser FILE to make them",
                        syntax);
    if (self->has_parser)
        DGM_TRY(
            dgm_relations_add_labels(session->env, &pipeline->tags, &self->parser.lexicon.labels));
    if (trees == NULL)
        return DGM_OK;
    snprintf(what, sizeof what, "--syntax %s", syntax);
    DGM_TRY(dgm_tree_file_is_conllu(session->env, trees, what));
    return dgm_relations_learn(session->env, &pipeline->tags, trees);
}

/* ---- trees ----------------------------------------------------------------------------------- */

/* So many words wait before they are parsed. */
enum { WINDOW_WORDS = 32000 };

dgm_status dgm_translation_parse_is_due(const struct dgm_session *session, int64_t waiting,
                                        int *is_due)
{
    const struct dgm_train_hooks *hooks = session->hooks;

    *is_due = waiting >= WINDOW_WORDS;
    if (*is_due && hooks->stop != NULL && dgm_flag_get(hooks->stop))
        return dgm_fail(session->env, DGM_INTERRUPTED,
                        "stopped while the text was parsed; the "
                        "same command begins with that again");
    return DGM_OK;
}

/* What is open while a text is parsed. */
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
    DGM_TRY(dgm_translation_parse_is_due(parsing->session, parsing->lines.waiting, &is_due));
    return is_due ? parse_waiting(parsing) : DGM_OK;
}

static void report(const struct parsing_text *parsing, const char *name)
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
                                 const struct dgm_translation_text *text)
{
    struct dgm_env *env = parsing->session->env;
    struct dgm_translation *self = parsing->session->self;
    struct dgm_corpus_watch watch;

    watch.pair = hear_pair;
    watch.user = parsing;
    DGM_TRY(dgm_parse_lines_init(env, &parsing->lines, &self->parser, &self->model.pipeline.tags));
    DGM_TRY(dgm_corpus_load(env, corpus, &self->model.pipeline, &text->files, text->longest,
                            text->on_bad, &watch));
    DGM_TRY(parse_waiting(parsing));
    report(parsing, text->name);
    return dgm_parse_lines_hand_over(env, &parsing->lines, &corpus->source);
}

dgm_status dgm_translation_read_text(struct dgm_session *session, struct dgm_corpus *corpus,
                                     const struct dgm_translation_text *text)
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
