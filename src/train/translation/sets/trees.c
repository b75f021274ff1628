/*
 * trees.c: where a translation model in training gets its trees from: a file, or the
 * parser inside it.
 */
#include "train/translation/sets/trees.h"

#include <stdio.h>
#include <string.h>

#include "base/hash.h"
#include "base/mem.h"
#include "base/option/settings.h"
#include "base/option/settings_file.h"
#include "data/tree/tree_file.h"
#include "data/tree/treebank_names.h"
#include "decode/parse/parse_lines.h"
#include "nn/attn/syntax.h"

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

/* What a parser that cuts text knows beside its weights; nothing of one that does not. */
static void hash_cuts(struct dgm_hash *hash, const struct dgm_cut_lexicon *cuts)
{
    hash_vocab(hash, &cuts->characters);
    dgm_hash_add(hash, cuts->multiwords.text.data, cuts->multiwords.text.size);
    dgm_hash_add(hash, &cuts->has_blanks, sizeof cuts->has_blanks);
}

static void hash_vectors(struct dgm_hash *hash, const struct dgm_word_vectors *vectors)
{
    hash_vocab(hash, &vectors->words);
    dgm_hash_add(hash, &vectors->dim, sizeof vectors->dim);
    dgm_hash_add(hash, vectors->numbers,
                 (size_t)(dgm_word_vectors_rows(vectors) * vectors->dim) *
                     sizeof *vectors->numbers);
}

static dgm_status hash_params(struct dgm_env *env, struct dgm_hash *hash,
                              const struct dgm_params *params)
{
    dgm_status status = DGM_OK;

    for (size_t i = 0; i < params->count && status == DGM_OK; i++) {
        size_t count = (size_t)(params->items[i].rows * params->items[i].cols);
        dgm_real *values;

        DGM_TRY(dgm_new(env, &values, count, sizeof *values));
        status = dgm_params_read(env, params, (dgm_param_id)i, values);
        dgm_hash_add(hash, values, count * sizeof *values);
        dgm_release(env, values);
    }
    return status;
}

dgm_status dgm_sets_trees_parser_sum(struct dgm_env *env, const struct dgm_parser *parser,
                                     uint64_t *sum)
{
    const struct dgm_lexicon *lexicon = &parser->lexicon;
    struct dgm_buf text = { 0 };
    struct dgm_hash hash;
    dgm_status status;

    dgm_hash_init(&hash, 0);
    DGM_TRY_OUT(dgm_settings_file_dump(env, &parser->settings, &text, 0));
    dgm_hash_add(&hash, text.data, text.size);
    dgm_hash_add(&hash, lexicon->codes.data, lexicon->codes.size);
    hash_vocab(&hash, &lexicon->words);
    hash_vocab(&hash, &lexicon->pieces);
    hash_vocab(&hash, &lexicon->tags);
    hash_vocab(&hash, &lexicon->labels);
    if (parser->cutter.width > 0)
        hash_cuts(&hash, &lexicon->cuts);
    if (lexicon->vectors.dim > 0)
        hash_vectors(&hash, &lexicon->vectors);
    DGM_TRY_OUT(hash_params(env, &hash, &parser->net.params));
    *sum = dgm_hash_value(&hash);
out:
    dgm_buf_clear(env, &text);
    return status;
}

/* DGM_USAGE unless the parser of --parser is that of the checkpoint. */
static dgm_status compare(const struct dgm_run *run, struct dgm_sets *sets, const char *path,
                          const struct dgm_gguf *checkpoint)
{
    struct dgm_env *env = run->env;
    struct dgm_parser old;
    uint64_t sums[2] = { 0, 0 };
    dgm_status status = DGM_OK;

    if (dgm_settings_flag(run->settings, "allow-data-change"))
        return DGM_OK;
    if (dgm_parser_is_in(checkpoint)) {
        DGM_TRY(dgm_parser_from_gguf(env, &old, checkpoint, run->device, DGM_COMPUTE_F32, 0));
        status = dgm_sets_trees_parser_sum(env, &old, &sums[0]);
        if (status == DGM_OK)
            status = dgm_sets_trees_parser_sum(env, &sets->parser, &sums[1]);
        dgm_parser_clear(env, &old);
        DGM_TRY(status);
        if (sums[0] == sums[1])
            return DGM_OK;
    }
    return dgm_fail_at(env, DGM_USAGE, path, 0, 0,
                       "the checkpoints were trained with another "
                       "parser, or without one. Try --allow-data-change or --overwrite");
}

dgm_status dgm_sets_trees_take_parser(const struct dgm_run *run, struct dgm_sets *sets,
                                      const struct dgm_gguf *checkpoint)
{
    struct dgm_env *env = run->env;
    const char *path = dgm_settings_text(run->settings, "parser");
    char list[DGM_TREEBANK_NAMES_SIZE];

    if (path == NULL && (checkpoint == NULL || !dgm_parser_is_in(checkpoint)))
        return DGM_OK;
    if (path == NULL)
        DGM_TRY(
            dgm_parser_from_gguf(env, &sets->parser, checkpoint, run->device, DGM_COMPUTE_F32, 0));
    else
        DGM_TRY(dgm_parser_load(env, &sets->parser, path, run->device, DGM_COMPUTE_F32, 0));
    sets->has_parser = 1;
    if (sets->parser.treebanks > 1) /* a bank that nobody told otherwise is of the first */
        dgm_log(env, DGM_LOG_NOTE, "parser: annotating like the first of the treebanks %s",
                dgm_treebank_names_join(list, &sets->parser.lexicon.treebanks));
    return path != NULL && checkpoint != NULL ? compare(run, sets, path, checkpoint) : DGM_OK;
}

/* ---- what there must be of trees ------------------------------------------------------------- */

static size_t count_none(const struct dgm_run *run, const char *option)
{
    size_t none = 0;

    for (size_t i = 0; i < dgm_settings_count(run->settings, option); i++)
        none += strcmp(dgm_settings_item(run->settings, option, i), "none") == 0;
    return none;
}

int dgm_sets_trees_are_none(const struct dgm_run *run, const char *option)
{
    const size_t none = count_none(run, option);

    return none > 0 && none == dgm_settings_count(run->settings, option);
}

/* Whether there is something to take the trees of a text from, or an option says "none". */
static int is_settled(const struct dgm_run *run, const char *option, int parsed)
{
    return dgm_settings_count(run->settings, option) > 0 || parsed;
}

/* A parser parses whatever has no trees; "none" for some texts alone would be one of those. */
static dgm_status check_all_or_none(const struct dgm_run *run, const struct dgm_sets *sets,
                                    const char *option)
{
    if (!sets->has_parser || count_none(run, option) == 0 || dgm_sets_trees_are_none(run, option))
        return DGM_OK;
    return dgm_fail(run->env, DGM_USAGE,
                    "--%s is none for some texts, and there is a parser, which would parse them; "
                    "expected none for all, or trees for all",
                    option);
}

/* --train-trees none means that validation needs no trees either. */
static dgm_status check_valid_trees(const struct dgm_run *run, const struct dgm_sets *sets,
                                    const char *what)
{
    if (sets->valid_texts.count == 0 || dgm_sets_trees_are_none(run, "train-trees") ||
        is_settled(run, "valid-trees", sets->has_parser))
        return DGM_OK;
    return dgm_fail(run->env, DGM_USAGE,
                    "--valid-sets with %s, which needs trees; expected "
                    "--valid-trees FILE, --parser FILE to make them, or --valid-trees none for the "
                    "scores of a model that sees none",
                    what);
}

/* ---- features of words ----------------------------------------------------------------------- */

/* DGM_USAGE where the model reads features that a text without a file of trees cannot have: no
 * parser gives them or, if there is one, not this one. */
static dgm_status check_given(const struct dgm_run *run, const struct dgm_sets *sets,
                              unsigned features, const char *option, const char *what)
{
    for (int kind = 0; kind < DGM_WORD_FEATURES; kind++)
        if ((features >> kind & 1) && (sets->has_parser || kind != DGM_FEATURE_UPOS) &&
            dgm_parse_lines_gives(&sets->parser, (enum dgm_feature_kind)kind) == NULL)
            return dgm_fail(run->env, DGM_USAGE,
                            "%s reads the %s of each word, and %s; expected --%s FILE with the "
                            "column %s",
                            what, dgm_feature_titles[kind],
                            kind == DGM_FEATURE_UPOS ? "this parser finds no tags"
                                                     : "a parser gives none",
                            option, dgm_feature_columns[kind]);
    return DGM_OK;
}

static dgm_status check_features(const struct dgm_run *run, const struct dgm_sets *sets)
{
    const struct dgm_net *net = &sets->model->net;
    char what[sizeof net->config.syntax + 16];
    unsigned features;

    DGM_TRY(dgm_syntax_text_features(run->env, net->config.syntax, &features));
    dgm_net_needs_text(net, what, sizeof what);
    if (!is_settled(run, "train-trees", 0))
        DGM_TRY(check_given(run, sets, features, "train-trees", what));
    if (sets->valid_texts.count == 0 || dgm_sets_trees_are_none(run, "train-trees") ||
        is_settled(run, "valid-trees", 0))
        return DGM_OK;
    return check_given(run, sets, features, "valid-trees", what);
}

/* Pieces of SentencePiece are no words that a parser could read. */
static dgm_status check_pieces(const struct dgm_run *run, const struct dgm_sets *sets)
{
    if (!sets->model->pipeline.has_spm || !sets->has_parser || sets->parser.cutter.width > 0 ||
        (is_settled(run, "train-trees", 0) &&
         (sets->valid_texts.count == 0 || is_settled(run, "valid-trees", 0))))
        return DGM_OK;
    return dgm_fail(run->env, DGM_USAGE,
                    "--tokenize spm with a parser of words; expected one that cuts text itself "
                    "(train-parser --tokenizer), or --train-trees and --valid-trees");
}

/* Whoever names trees that nothing reads has perhaps forgotten what should read them. */
static void warn_of_unread(const struct dgm_run *run, const struct dgm_sets *sets, unsigned needs)
{
    const char *source = dgm_text_list_trees(&sets->texts, DGM_SOURCE);
    const char *target = dgm_text_list_trees(&sets->texts, DGM_TARGET);

    if (source == NULL && sets->valid_texts.count > 0)
        source = dgm_text_list_trees(&sets->valid_texts, DGM_SOURCE);
    if (source != NULL && (needs & ~(unsigned)DGM_NEEDS_TARGET_TREES_TO_TRAIN) == 0)
        dgm_log(run->env, DGM_LOG_WARNING,
                "%s: no part of the model reads trees of the source; expected a --syntax or an "
                "--encoder that does",
                source);
    if (target != NULL && !(needs & DGM_NEEDS_TARGET_TREES_TO_TRAIN))
        dgm_log(run->env, DGM_LOG_WARNING,
                "%s: no part of the model learns from trees of the target; expected a --syntax "
                "that does",
                target);
}

dgm_status dgm_sets_trees_check(const struct dgm_run *run, const struct dgm_sets *sets)
{
    unsigned needs = dgm_net_needs(&sets->model->net);
    char what[sizeof sets->model->net.config.syntax + 16];

    dgm_net_needs_text(&sets->model->net, what, sizeof what);
    DGM_TRY(check_all_or_none(run, sets, "train-trees"));
    DGM_TRY(check_all_or_none(run, sets, "valid-trees"));
    if ((needs & (DGM_NEEDS_TREES | DGM_NEEDS_TREES_TO_TRAIN)) &&
        !is_settled(run, "train-trees", sets->has_parser))
        return dgm_fail(run->env, DGM_USAGE,
                        "%s needs trees; expected --train-trees FILE, "
                        "--parser FILE to make them, or --train-trees none",
                        what);
    if ((needs & DGM_NEEDS_TARGET_TREES_TO_TRAIN) && !is_settled(run, "train-target-trees", 0))
        return dgm_fail(run->env, DGM_USAGE,
                        "%s learns from trees of the target; expected "
                        "--train-target-trees FILE (dragoman parse makes such files), or none",
                        what);
    DGM_TRY(check_features(run, sets));
    warn_of_unread(run, sets, needs);
    if (needs & (DGM_NEEDS_TREES | DGM_NEEDS_TREES_TO_TRAIN))
        DGM_TRY(check_pieces(run, sets));
    return needs & DGM_NEEDS_TREES ? check_valid_trees(run, sets, what) : DGM_OK;
}

/* ---- names of features ----------------------------------------------------------------------- */

/* A lemma that occurs once is unknown, so that the vector of unknown ones is learned; --min-freq
 * of the source may ask for more. */
static int64_t least_count(const struct dgm_run *run, int kind)
{
    int64_t least = dgm_settings_item_int(run->settings, "min-freq", 0);

    return kind != DGM_FEATURE_LEMMA ? 1 : least < 2 ? 2 : least;
}

/* Names of the parser come first. Files of trees that this parser made then lead to the same
 * numbers of names as the parser itself. */
static dgm_status learn_feature(const struct dgm_run *run, const struct dgm_sets *sets,
                                struct dgm_feature *feature, int kind, const char *const *trees,
                                size_t count)
{
    const struct dgm_vocab *classes =
        sets->has_parser ? dgm_parse_lines_gives(&sets->parser, (enum dgm_feature_kind)kind) : NULL;

    if (classes != NULL)
        DGM_TRY(dgm_feature_add_classes(run->env, feature, classes));
    if (count == 0)
        return DGM_OK;
    return dgm_feature_learn(run->env, feature, (enum dgm_feature_kind)kind, trees, count,
                             least_count(run, kind));
}

/* trees: the files that there are. */
static dgm_status learn_features(const struct dgm_run *run, const struct dgm_sets *sets,
                                 struct dgm_pipeline *pipeline, unsigned features,
                                 const char *const *trees, size_t count)
{
    const char *syntax = dgm_settings_text(run->settings, "syntax");
    char what[sizeof sets->model->net.config.syntax + 16];

    snprintf(what, sizeof what, "--syntax %s", syntax);
    if (count == 0)
        DGM_TRY(check_given(run, sets, features, "train-trees", what));
    if (!sets->has_parser && count == 0)
        return dgm_fail(run->env, DGM_USAGE,
                        "--syntax %s needs trees; expected --train-trees "
                        "FILE, or --parser FILE to make them",
                        syntax);
    for (size_t i = 0; i < count; i++)
        DGM_TRY(dgm_tree_file_is_conllu(run->env, trees[i], what));
    for (int kind = 0; kind < DGM_WORD_FEATURES; kind++)
        if ((features >> kind & 1) && dgm_feature_size(&pipeline->features.of[kind]) == 0)
            DGM_TRY(learn_feature(run, sets, &pipeline->features.of[kind], kind, trees, count));
    return DGM_OK;
}

dgm_status dgm_sets_trees_learn(const struct dgm_run *run, const struct dgm_sets *sets,
                                struct dgm_pipeline *pipeline)
{
    const char *syntax = dgm_settings_text(run->settings, "syntax"), **trees;
    unsigned features;
    size_t count = 0;
    dgm_status status;

    DGM_TRY(dgm_syntax_text_features(run->env, syntax, &features));
    if (features == 0)
        return DGM_OK;
    DGM_TRY(dgm_new(run->env, &trees, sets->texts.count, sizeof *trees));
    for (size_t i = 0; i < sets->texts.count; i++)
        if (sets->texts.items[i].trees[DGM_SOURCE] != NULL)
            trees[count++] = sets->texts.items[i].trees[DGM_SOURCE];
    status = learn_features(run, sets, pipeline, features, trees, count);
    dgm_release(run->env, trees);
    return status;
}

/* ---- parsing --------------------------------------------------------------------------------- */

/* Words are parsed in portions of this size: large enough to sort sentences by length, small enough
 * for memory and for a prompt stop. */
enum { WINDOW_WORDS = 32000 };

dgm_status dgm_sets_trees_parse_is_due(const struct dgm_run *run, int64_t waiting, int *is_due)
{
    *is_due = waiting >= WINDOW_WORDS;
    if (*is_due && run->stop != NULL && dgm_flag_get(run->stop))
        return dgm_fail(run->env, DGM_INTERRUPTED,
                        "stopped while the text was parsed; the "
                        "same command begins with that again");
    return DGM_OK;
}
