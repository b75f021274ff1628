/*
 * corpus.c: one text that a translation model is trained or validated on, encoded, with
 * its trees: those of a file or, where none is named, those that the parser makes.
 */
#include "train/translation/sets/corpus.h"

#include <stdio.h>

#include "base/number/number.h"
#include "base/system/clock.h"
#include "data/text/unknown.h"
#include "decode/parse/parse_lines.h"
#include "model/encoder.h"
#include "text/tokenize/language.h"
#include "train/translation/sets/cache.h"
#include "train/translation/sets/singles.h"
#include "train/translation/sets/trees.h"

struct text {
    const char *name; /* for the log */
    struct dgm_corpus_files files;
    const char *trees; /* the first file of the source's; NULL: there is none */
    int parse;         /* by the parser, where there is none */
    int is_training;
    struct dgm_windows *windows; /* of training text that is larger than memory */
    int32_t longest;
    enum dgm_bad_line on_bad;
};

/* Everything that is open while a text is read. */
struct reading_text {
    const struct dgm_run *run;
    struct dgm_sets *sets;
    struct dgm_corpus *corpus;
    int parses;
    struct dgm_parse_lines lines;
    long parsed, too_long; /* sentences that have moved into the file, or are in the corpus; those
                            * of them that were parsed in parts */
    size_t words;
    double seconds;
    struct dgm_sets_cache cache;
};

/* ---- parsing --------------------------------------------------------------------------------- */

static dgm_status parse_waiting(struct reading_text *reading)
{
    double start = dgm_clock();
    dgm_status status = dgm_parse_lines_run(reading->run->env, &reading->lines);

    reading->seconds += dgm_clock() - start;
    return status;
}

/* Gives all pairs of the corpus their trees. */
static dgm_status hand_over(struct reading_text *reading)
{
    struct dgm_env *env = reading->run->env;
    struct dgm_parse_lines *lines = &reading->lines;

    if (!reading->parses)
        return DGM_OK;
    DGM_TRY(parse_waiting(reading));
    DGM_TRY(dgm_parse_lines_hand_over(env, lines, &reading->corpus->source));
    reading->parsed += lines->lines;
    reading->too_long += lines->too_long;
    reading->words += lines->words;
    dgm_parse_lines_reset(lines);
    return DGM_OK;
}

static void report_speed(const struct reading_text *reading, const char *name)
{
    char seconds[32], rate[32];

    if (!reading->parses)
        return;
    dgm_log(
        reading->run->env, DGM_LOG_NOTE,
        "%s: %ld sentences parsed in %s s, %s words/s; %ld longer than the parser reads, in parts",
        name, reading->parsed, dgm_number_fixed(seconds, reading->seconds, 1),
        dgm_number_fixed(rate, (double)reading->words / (reading->seconds + 1e-9), 0),
        reading->too_long);
    dgm_laid_counts_report(reading->run->env, &reading->lines.own.counts, name);
}

/* ---- reading --------------------------------------------------------------------------------- */

static dgm_status hear_pair(struct dgm_env *env, void *user, const struct dgm_encoded *source,
                            const struct dgm_buf *line)
{
    struct reading_text *reading = user;
    int is_due = 0;

    if (reading->parses) {
        DGM_TRY(dgm_parse_lines_add(env, &reading->lines, source, line->data, line->size));
        DGM_TRY(dgm_sets_trees_parse_is_due(reading->run, reading->lines.waiting, &is_due));
    }
    if (is_due)
        DGM_TRY(parse_waiting(reading));
    if (!dgm_sets_cache_is_due(&reading->cache, reading->corpus))
        return DGM_OK;
    DGM_TRY(hand_over(reading));
    return dgm_sets_cache_take(&reading->cache, reading->corpus);
}

/* Reads the files into the corpus, or into a cache where that is too small. */
static dgm_status read_files(struct reading_text *reading, const struct text *text,
                             const struct dgm_sets_parts *parts)
{
    struct dgm_env *env = reading->run->env;
    struct dgm_sets *sets = reading->sets;
    const struct dgm_corpus_watch watch = { hear_pair, reading };

    if (reading->parses)
        DGM_TRY(dgm_parse_lines_init(env, &reading->lines, &sets->parser, &sets->model->pipeline,
                                     &sets->model->pipeline.features));
    DGM_TRY(dgm_corpus_load(env, reading->corpus, &sets->model->pipeline, &text->files,
                            text->longest, text->on_bad, &watch));
    DGM_TRY(hand_over(reading));
    report_speed(reading, text->name);
    return reading->cache.is_on ? dgm_sets_cache_end(&reading->cache, reading->corpus, parts)
                                : DGM_OK;
}

/* The text and its trees, from the files or from a cache that was made of them. */
static dgm_status load_corpus(const struct dgm_run *run, struct dgm_sets *sets,
                              struct dgm_corpus *corpus, const struct text *text)
{
    struct reading_text reading = { .run = run, .sets = sets, .corpus = corpus };
    struct dgm_sets_parts parts = { .files = &text->files, .longest = text->longest };
    dgm_status status = DGM_OK;

    parts.parses = text->trees == NULL && text->parse;
    reading.parses = parts.parses && !dgm_settings_flag(run->settings, "dry-run");
    if (text->is_training)
        status = dgm_sets_cache_begin(run, sets, &reading.cache, &parts);
    if (status == DGM_OK && !(text->is_training && sets->cache.is_open))
        status = read_files(&reading, text, &parts);
    dgm_parse_lines_clear(run->env, &reading.lines);
    dgm_sets_cache_clear(run->env, &reading.cache);
    DGM_TRY(status);
    return text->is_training ? dgm_sets_cache_use(run, sets, text->windows, corpus) : DGM_OK;
}

/* What is known of the trees of all sources. */
struct trees {
    long missing, first; /* sentences without one; the line of the first of these, from 1 */
    unsigned columns;    /* dgm_packed_columns */
};

static struct trees look_at_trees(const struct dgm_sets *sets, const struct dgm_corpus *corpus,
                                  const struct text *text)
{
    const struct dgm_text_facts *facts = &sets->cache.facts;
    struct trees trees = { 0, 0, dgm_packed_columns(&corpus->source) };
    int32_t first = 0;

    if (text->is_training && sets->cache.is_open) {
        trees.missing = (long)facts->without_tree;
        trees.first = (long)facts->first_without;
        trees.columns = (unsigned)facts->columns[DGM_SOURCE];
        return trees;
    }
    trees.missing = dgm_packed_without_trees(&corpus->source, &first);
    if (trees.missing > 0)
        trees.first = corpus->line_of[first] + 1;
    return trees;
}

/* How many sentences have no tree in the file, and where constituents come from. */
static void report_trees(const struct dgm_run *run, const struct dgm_sets *sets,
                         const struct dgm_corpus *corpus, const struct text *text)
{
    const char *path = text->trees;
    const struct trees trees = look_at_trees(sets, corpus, text);

    if (path != NULL && trees.missing > 0)
        dgm_log(run->env, DGM_LOG_NOTE, "%s: %ld of %ld sentences have no tree in %s", text->name,
                trees.missing, corpus->used, path);
    if ((dgm_net_needs(&sets->model->net) & DGM_READS_CONSTITUENTS) && text->is_training &&
        (trees.columns & (DGM_PACKED_HEADS | DGM_PACKED_BINARY)) == DGM_PACKED_HEADS)
        dgm_log(run->env, DGM_LOG_NOTE,
                "%s: constituents are derived from the dependency trees of %s", text->name,
                path != NULL ? path : "the parser");
}

/* Sentences of the file whose words are not those of their lines. */
static void report_laid(const struct dgm_run *run, const struct dgm_corpus *corpus,
                        const struct text *text)
{
    if (corpus->laid.lines > 0)
        dgm_log(run->env, DGM_LOG_NOTE,
                "%s: %lld lines have other words than their trees in %s, which are laid over them",
                text->name, (long long)corpus->laid.lines, text->trees);
    dgm_laid_counts_report(run->env, &corpus->laid, text->name);
}

/* Pairs whose links are about other words than those of the model (link_words.h), when the text is
 * read; a cache of it does not know. */
static void report_links(const struct dgm_run *run, const struct dgm_corpus *corpus,
                         const struct text *text)
{
    if (corpus->unlinked > 0)
        dgm_log(run->env, corpus->linked > 0 ? DGM_LOG_NOTE : DGM_LOG_WARNING,
                "%s: links of %ld of %ld pairs are not used: their lines have other words than "
                "those between blanks, or the links are too many for their pieces",
                text->name, corpus->unlinked, corpus->linked + corpus->unlinked);
}

/* Whether codes or vocabularies come from elsewhere than from the training text. */
static int has_given_text(const struct dgm_run *run)
{
    static const char *const options[] = { "codes", "vocabs", "spm", "init" };

    for (size_t i = 0; i < sizeof options / sizeof options[0]; i++)
        if (dgm_settings_is_set(run->settings, options[i]))
            return 1;
    return 0;
}

/* Tokens that no vocabulary has: more than one in ten, and codes or vocabularies that were given
 * hardly belong to the text; those that are learned may be small on purpose. */
static void report_unknown(const struct dgm_run *run, const struct dgm_corpus *corpus,
                           const struct text *text)
{
    for (int side = DGM_SOURCE; side <= DGM_TARGET; side++) {
        const struct dgm_token_counts *counts = &corpus->tokens[side];
        const int are_many =
            dgm_unknown_are_many(counts->unknown, counts->tokens) && has_given_text(run);
        char percent[32];

        if (counts->unknown == 0)
            continue;
        dgm_log(run->env, are_many ? DGM_LOG_WARNING : DGM_LOG_NOTE,
                "%s: %s %% of the tokens of the %s are not in its vocabulary, and read as <unk>%s",
                text->name,
                dgm_number_fixed(percent, 100.0 * (double)counts->unknown / (double)counts->tokens,
                                 2),
                side == DGM_SOURCE ? "source" : "target",
                are_many ? "; expected codes and vocabularies of such text" : "");
    }
}

/* Whether the languages were warned of already, for want of rules, with the same advice. */
static int is_told_to_learn(const struct dgm_pipeline *pipeline)
{
    return pipeline->moses && !(dgm_language_has_rules(pipeline->language[DGM_SOURCE]) &&
                                dgm_language_has_rules(pipeline->language[DGM_TARGET]));
}

/* Text that was prepared for something else. Validation text comes from the same hands. */
static void report_looks(const struct dgm_run *run, const struct dgm_sets *sets,
                         const struct dgm_corpus *corpus, const struct text *text)
{
    const struct dgm_pipeline *pipeline = &sets->model->pipeline;

    if (!text->is_training || dgm_looks_warn_of_pieces(run->env, &corpus->looks, text->name) ||
        pipeline->has_spm)
        return;
    if (!is_told_to_learn(pipeline) &&
        !dgm_looks_warn_of_unspaced(run->env, &corpus->looks, text->name) && !pipeline->moses)
        dgm_looks_warn_of_running(run->env, &corpus->looks, text->name);
}

/* Words of a file of trees that lack a feature that the model reads; where all do, it is the wrong
 * file. */
static dgm_status check_features(const struct dgm_run *run, const struct dgm_corpus *corpus,
                                 const struct text *text)
{
    const struct dgm_feature_counts *counts = &corpus->counts;
    const char *path = text->trees;

    for (int kind = 0; kind < DGM_WORD_FEATURES; kind++) {
        if (counts->missing[kind] == 0)
            continue;
        if (counts->missing[kind] == counts->words)
            return dgm_fail_at(run->env, DGM_DATA, path, 0, 0,
                               "no word has any %s; expected one in the %s column of every word",
                               dgm_feature_titles[kind], dgm_feature_columns[kind]);
        dgm_log(run->env, DGM_LOG_NOTE, "%s: %ld of %ld words have no %s in %s", text->name,
                counts->missing[kind], counts->words, dgm_feature_titles[kind], path);
    }
    dgm_feature_counts_tell_unknown(run->env, counts, text->name, path);
    return DGM_OK;
}

/* The first line that an encoder refuses for want of a tree (--no-parse reject). */
static dgm_status refuse_missing(const struct dgm_run *run, const struct dgm_sets *sets,
                                 const struct dgm_corpus *corpus, const struct text *text)
{
    const struct dgm_net *net = &sets->model->net;
    const struct trees trees = look_at_trees(sets, corpus, text);
    const char *path;
    long line;

    if (!(net->encoder->needs & DGM_NEEDS_TREES) ||
        net->config.recurrent.no_parse != DGM_NO_PARSE_REJECT || trees.missing == 0)
        return DGM_OK;
    path = text->files.texts->items[dgm_corpus_find_line(corpus, trees.first - 1, &line)]
               .path[DGM_SOURCE];
    return dgm_fail_at(run->env, DGM_DATA, path, line, 0,
                       "no tree for this line; expected one, or --no-parse star");
}

/* Training or validation text, with the trees that the model asks of it. */
static dgm_status read_text(const struct dgm_run *run, struct dgm_sets *sets,
                            struct dgm_corpus *corpus, const struct dgm_text_list *texts,
                            struct text *text)
{
    unsigned needs = dgm_net_needs(&sets->model->net);
    char what[sizeof sets->model->net.config.syntax + 16];

    dgm_net_needs_text(&sets->model->net, what, sizeof what);
    if (needs != 0 && !(needs & DGM_READS_CONSTITUENTS))
        text->files.needs[DGM_SOURCE] = what;
    text->files.needs[DGM_TARGET] = what;
    text->files.texts = texts;
    text->trees = dgm_text_list_trees(texts, DGM_SOURCE);
    text->parse = text->parse && sets->has_parser;
    text->longest = (int32_t)sets->model->net.config.max_length;
    text->on_bad = dgm_sets_on_bad(run->settings);
    DGM_TRY(load_corpus(run, sets, corpus, text));
    dgm_log(run->env, DGM_LOG_NOTE,
            "%s: %ld pairs read, %ld used, %ld blank, %ld longer than max-length, %ld ill-formed",
            text->name, corpus->lines, corpus->used, corpus->blank, corpus->too_long, corpus->bad);
    report_unknown(run, corpus, text);
    report_looks(run, sets, corpus, text);
    report_links(run, corpus, text);
    report_trees(run, sets, corpus, text);
    report_laid(run, corpus, text);
    DGM_TRY(check_features(run, corpus, text));
    return refuse_missing(run, sets, corpus, text);
}

/* What the model does not read is not read. */
static void forget_target_trees(struct dgm_text_list *texts)
{
    for (size_t i = 0; i < texts->count; i++)
        texts->items[i].trees[DGM_TARGET] = NULL;
}

/* Tokens of a source in the mean, rounded up; its end is none. */
static int64_t mean_source(const struct dgm_sets *sets)
{
    const struct dgm_text_facts *facts = &sets->cache.facts;
    const struct dgm_packed *source = &sets->train.source;

    if (sets->cache.is_open)
        return (facts->positions[DGM_SOURCE] - 1) / facts->pairs;
    return source->count > 0 ? (source->offsets[source->count] - 1) / source->count : 0;
}

dgm_status dgm_sets_corpus_train(const struct dgm_run *run, struct dgm_sets *sets,
                                 struct dgm_windows *windows)
{
    unsigned needs = dgm_net_needs(&sets->model->net);
    struct text text = { .name = "training text", .is_training = 1, .windows = windows };

    text.files.slots = sets->slots.share > 0 ? &sets->slots : NULL;
    text.parse = !dgm_sets_trees_are_none(run, "train-trees") &&
                 (needs & (DGM_NEEDS_TREES | DGM_NEEDS_TREES_TO_TRAIN)) != 0;
    if (!(needs & DGM_NEEDS_TARGET_TREES_TO_TRAIN))
        forget_target_trees(&sets->texts);
    DGM_TRY(read_text(run, sets, &sets->train, &sets->texts, &text));
    sets->model->mean_source = mean_source(sets);
    return dgm_sets_are_singles(run, sets, &sets->model->are_singles);
}

static dgm_status read_valid_set(const struct dgm_run *run, struct dgm_sets *sets,
                                 struct dgm_valid_set *set)
{
    char name[128] = "validation text";
    struct text text = { .name = name };

    if (set->name != NULL)
        snprintf(name, sizeof name, "validation text %s", set->name);
    text.parse = !dgm_sets_trees_are_none(run, "valid-trees") &&
                 (dgm_net_needs(&sets->model->net) & DGM_NEEDS_TREES) != 0;
    return read_text(run, sets, &set->corpus, &set->text, &text);
}

dgm_status dgm_sets_corpus_valid(const struct dgm_run *run, struct dgm_sets *sets)
{
    for (size_t i = 0; i < sets->valid_texts.count; i++)
        DGM_TRY(read_valid_set(run, sets, &sets->valid_sets[i]));
    return DGM_OK;
}
