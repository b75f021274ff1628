/*
 * valid.c: a parser's validation: its treebank parsed, and compared with what stands there.
 */
#include "train/parsing/valid.h"

#include <string.h>

#include "base/mem.h"
#include "syntax/eval/parse_eval.h"
#include "train/parsing/treebanks.h"

/* ---- metrics --------------------------------------------------------------------------------- */

/* Metrics of columns, and the columns of which one must be learned. */
static const struct {
    const char *name;
    enum dgm_parse_metric metric;
    unsigned needs;
    const char *column; /* for messages */
} morph_metrics[] = {
    { "xpos", DGM_PARSE_XPOS, 1 << DGM_MORPH_XPOS, "xpos" },
    { "ufeats", DGM_PARSE_UFEATS, 1 << DGM_MORPH_FEATS, "feats" },
    { "alltags", DGM_PARSE_ALLTAGS, 1 << DGM_MORPH_XPOS | 1 << DGM_MORPH_FEATS, "xpos or feats" },
    { "lemmas", DGM_PARSE_LEMMAS, 1 << DGM_MORPH_LEMMA, "lemma" },
    { "mlas", DGM_PARSE_MLAS, 1 << DGM_MORPH_FEATS, "feats" },
    { "blex", DGM_PARSE_BLEX, 1 << DGM_MORPH_LEMMA, "lemma" },
};

enum { MORPH_METRICS = sizeof morph_metrics / sizeof morph_metrics[0] };

dgm_status dgm_parsing_valid_check(const struct dgm_run *run, unsigned morphs)
{
    for (int i = 0; i < MORPH_METRICS; i++)
        if (!(morphs & morph_metrics[i].needs) &&
            dgm_judge_wants(run->settings, morph_metrics[i].name))
            return dgm_fail(run->env, DGM_USAGE,
                            "--valid-metrics %s of a parser that learns no such column; expected "
                            "%s among its --columns and in its treebank",
                            morph_metrics[i].name, morph_metrics[i].column);
    return DGM_OK;
}

/* ---- what is compared ------------------------------------------------------------------------ */

/* In training the parser reads gold tags where it takes any; in validation it has to find them. */
static dgm_status hide_tags(const struct dgm_run *run, struct dgm_parsing_valid *valid)
{
    size_t rows = (size_t)valid->bank.rows.offsets[valid->bank.rows.count];

    DGM_TRY(dgm_new(run->env, &valid->tags, rows, sizeof *valid->tags));
    for (size_t i = 0; i < rows; i++) {
        valid->tags[i] = valid->bank.tags[i];
        valid->bank.tags[i] = -1;
    }
    return DGM_OK;
}

/* The validation treebank as the metrics of columns compare it. */
static dgm_status load_gold(const struct dgm_run *run, struct dgm_parsing_valid *valid,
                            const struct dgm_parser *parser)
{
    const struct dgm_settings *s = run->settings;

    if (dgm_parser_morphs(parser) == 0)
        return DGM_OK;
    for (size_t i = 0; i < dgm_settings_count(s, "valid-sets"); i++)
        DGM_TRY(
            dgm_morph_scores_read(run->env, &valid->morphs, dgm_settings_item(s, "valid-sets", i),
                                  (int32_t)parser->config.max_words, dgm_parsing_multi_root(s)));
    if (valid->morphs.eval.gold.word_count !=
        (size_t)(valid->bank.rows.offsets[valid->bank.rows.count] - valid->bank.rows.count))
        return dgm_fail(
            run->env, DGM_DATA,
            "--valid-sets: other words than before; expected files that nobody changes");
    return DGM_OK;
}

dgm_status dgm_parsing_valid_take(const struct dgm_run *run, struct dgm_parsing_valid *valid,
                                  const struct dgm_parser *parser)
{
    DGM_TRY(load_gold(run, valid, parser));
    return hide_tags(run, valid);
}

double dgm_parsing_valid_size(const struct dgm_parsing_valid *valid)
{
    return dgm_treebank_bytes(&valid->bank) + dgm_morph_scores_bytes(&valid->morphs);
}

void dgm_parsing_valid_clear(struct dgm_env *env, struct dgm_parsing_valid *valid)
{
    dgm_treebank_clear(env, &valid->bank);
    if (valid->parse.parser != NULL)
        dgm_parse_clear(env, &valid->parse);
    dgm_parsed_clear(env, &valid->parsed);
    dgm_release(env, valid->universal);
    dgm_morph_scores_clear(env, &valid->morphs);
    dgm_release(env, valid->tags);
}

/* ---- a validation ---------------------------------------------------------------------------- */

/* "nsubj:pass" scores as "nsubj" (Zeman et al. 2018). */
static dgm_status list_universal(const struct dgm_run *run, struct dgm_parsing_valid *valid,
                                 const struct dgm_parser *parser)
{
    const struct dgm_vocab *vocab = &parser->lexicon.labels;
    int32_t count = (int32_t)parser->labels;

    DGM_TRY(dgm_new(run->env, &valid->universal, (size_t)count, sizeof *valid->universal));
    for (int32_t i = 0; i < count; i++) {
        const char *name = dgm_lexicon_class_name(vocab, i), *other;
        size_t length = strcspn(name, ":");
        int32_t j = 0;

        for (; j < i; j++) {
            other = dgm_lexicon_class_name(vocab, j);
            if (strcspn(other, ":") == length && memcmp(other, name, length) == 0)
                break;
        }
        valid->universal[i] = j;
    }
    return DGM_OK;
}

/* Labels of (rows) become those of their universal part; -1 stays. */
static void make_universal(const struct dgm_parsing_valid *valid, int32_t *labels, int32_t rows)
{
    for (int32_t i = 0; i < rows; i++)
        if (labels[i] >= 0)
            labels[i] = valid->universal[labels[i]];
}

static dgm_status begin(const struct dgm_run *run, struct dgm_parsing_valid *valid,
                        struct dgm_parser *parser)
{
    const struct dgm_parse_options options = { .morphs = DGM_MORPH_ALL };

    if (valid->parse.parser != NULL)
        return DGM_OK;
    DGM_TRY(list_universal(run, valid, parser));
    make_universal(valid, valid->bank.labels, valid->bank.rows.offsets[valid->bank.rows.count]);
    DGM_TRY(dgm_parse_init(run->env, &valid->parse, parser, &options));
    valid->parse.is_alone = 1; /* beside what training holds, one thread's memory is enough */
    return DGM_OK;
}

/* With the labels as they are: subtypes do not count there, either. */
static dgm_status score_morphs(const struct dgm_run *run, struct dgm_parsing_valid *valid,
                               const struct dgm_parser *parser, struct dgm_judge *judge)
{
    dgm_parse_counts counts[DGM_PARSE_METRICS];
    const unsigned morphs = dgm_parser_morphs(parser);

    if (morphs == 0)
        return DGM_OK;
    DGM_TRY(dgm_morph_scores_count(run->env, &valid->morphs, &parser->lexicon, &valid->bank,
                                   &valid->parsed, counts));
    for (int i = 0; i < MORPH_METRICS; i++)
        if (morphs & morph_metrics[i].needs)
            DGM_TRY(dgm_judge_score(run->env, judge, NULL, morph_metrics[i].name,
                                    dgm_parse_percent(&counts[morph_metrics[i].metric]), 1));
    return DGM_OK;
}

dgm_status dgm_parsing_valid_run(const struct dgm_run *run, struct dgm_parsing_valid *valid,
                                 struct dgm_parser *parser, struct dgm_judge *judge)
{
    const struct dgm_packed *rows = &valid->bank.rows;
    struct dgm_attachment sum = { 0, 0, 0, 0 };

    DGM_TRY(begin(run, valid, parser));
    DGM_TRY(dgm_judge_settle(run->env,
                             dgm_parse_bank(run->env, &valid->parse, &valid->bank,
                                            run->options.order.batch_tokens, &valid->parsed)));
    DGM_TRY(score_morphs(run, valid, parser, judge));
    make_universal(valid, valid->parsed.labels, rows->offsets[rows->count]);
    for (int32_t s = 0; s < rows->count; s++) {
        int32_t first = rows->offsets[s] + 1;
        struct dgm_attachment_arcs gold, found;

        gold.head = valid->bank.heads + first;
        gold.label = valid->bank.labels + first;
        gold.tag = valid->tags + first;
        found.head = valid->parsed.heads + first;
        found.label = valid->parsed.labels + first;
        found.tag = valid->parsed.tags + first;
        dgm_attachment_add(&sum, &gold, &found, rows->offsets[s + 1] - first);
    }
    DGM_TRY(dgm_judge_score(run->env, judge, NULL, "upos",
                            dgm_attachment_percent(sum.tags, sum.words), 1));
    DGM_TRY(dgm_judge_score(run->env, judge, NULL, "uas",
                            dgm_attachment_percent(sum.heads, sum.words), 1));
    return dgm_judge_score(run->env, judge, NULL, "las",
                           dgm_attachment_percent(sum.labels, sum.words), 1);
}

dgm_status dgm_parsing_valid_bytes(const struct dgm_run *run, struct dgm_parsing_valid *valid,
                                   struct dgm_parser *parser, double *bytes)
{
    DGM_TRY(begin(run, valid, parser));
    return dgm_parse_bank_size(run->env, &valid->parse, &valid->bank,
                               run->options.order.batch_tokens, bytes);
}
