/*
 * parse.c: from sentences to trees: what the scores of a batch decide.
 */
#include "decode/parse/parse.h"

#include <math.h>

#include "base/mem.h"
#include "decode/parse/parse_batch.h"
#include "decode/parse/parse_mates.h"
#include "decode/parse/parse_peers.h"
#include "syntax/spanning/projective.h"
#include "syntax/spanning/tree_marginals.h"
#include "text/lemma/lemma_script.h"

dgm_status dgm_parse_init_on(struct dgm_env *env, struct dgm_parse *parse,
                             struct dgm_parser *parser, struct dgm_device *device,
                             const struct dgm_parse_options *options)
{
    DGM_TRY(dgm_parse_init_alone(env, parse, parser, device, options));
    return dgm_parse_mates_open(env, parse);
}

dgm_status dgm_parse_init(struct dgm_env *env, struct dgm_parse *parse, struct dgm_parser *parser,
                          const struct dgm_parse_options *options)
{
    return dgm_parse_init_on(env, parse, parser, parser->net.params.device, options);
}

void dgm_parse_clear(struct dgm_env *env, struct dgm_parse *parse)
{
    dgm_team_clear(env, &parse->team);
    dgm_parse_mates_close(env, parse);
    dgm_parse_clear_alone(env, parse);
}

/* The best of `count` classes but `forbidden`, the first of equal ones; a class whose score is NaN,
 * if one is. */
static int32_t best_class(const dgm_real *scores, int64_t count, int32_t forbidden)
{
    int32_t best = forbidden == 0 && count > 1 ? 1 : 0;

    for (int32_t i = best + 1; i < count && scores[best] == scores[best]; i++)
        if (i != forbidden && !(scores[i] <= scores[best]))
            best = i;
    return best;
}

/* ---- scores that are no numbers -------------------------------------------------------------- */

/* Of row i of a batch of sentences `numbers` of a bank. */
static dgm_status fail_word(struct dgm_env *env, const struct dgm_parse *parse,
                            const int32_t *numbers, int32_t i, const char *what)
{
    const struct dgm_packed *rows = &parse->step.rows;
    int32_t s = 0;

    while (s + 1 < rows->count && rows->offsets[s + 1] <= i)
        s++;
    return dgm_lost_scores_fail(env, &parse->options.lines, numbers[s], what,
                                (long)i - rows->offsets[s]);
}

/* ---- tags ------------------------------------------------------------------------------------ */

static dgm_status choose_tags(struct dgm_env *env, struct dgm_parse *parse, const int32_t *numbers)
{
    int64_t rows = parse->step.base.source.rows, classes = parse->parser->tags;

    DGM_TRY(dgm_parse_read_node(env, parse, parse->nodes.tags, rows * classes));
    DGM_TRY(dgm_parse_mates_mean(env, parse, DGM_CLASSES_TAGS));
    for (int32_t s = 0; s < parse->step.rows.count; s++) {
        const int32_t *offsets = &parse->step.rows.offsets[s];

        parse->latest.tags[offsets[0]] = -1; /* as in training: a root has no tag */
        for (int32_t i = offsets[0] + 1; i < offsets[1]; i++) {
            const dgm_real *scores = parse->scores + i * classes;

            parse->latest.tags[i] = best_class(scores, classes, -1);
            if (classes > 0 && !isfinite((double)scores[parse->latest.tags[i]]))
                return fail_word(env, parse, numbers, i, "the tag of word");
        }
    }
    return DGM_OK;
}

/* ---- morphology ------------------------------------------------------------------------------ */

static const char *form_of(const struct dgm_treebank *bank, int32_t row)
{
    return dgm_map_key(&bank->known, &bank->known.entries[bank->forms[row]]);
}

static int fits(const struct dgm_vocab *scripts, int32_t script, const char *form)
{
    char lemma[DGM_LEMMA_BYTES];

    return dgm_lemma_script_apply(lemma, dgm_lexicon_class_name(scripts, script), form) > 0;
}

/* The best of the scripts that the treebank has for the form with the tag; -1: it has none. */
static int32_t best_known(const struct dgm_lexicon *lexicon, const dgm_real *scores,
                          const char *form, int32_t tag)
{
    const struct dgm_lemma_entry *entry = dgm_lemma_book_find(&lexicon->lemmas, form, tag);
    int32_t best = -1;

    for (; entry != NULL; entry = dgm_lemma_book_next(&lexicon->lemmas, entry))
        if ((best < 0 || scores[entry->script] > scores[best]) &&
            fits(&lexicon->morphs[DGM_MORPH_LEMMA], entry->script, form))
            best = entry->script;
    return best;
}

/* The best script that fits the form; -1: none does. Where the best of all does not, one that names
 * the lemma of another word is no way out. */
static int32_t best_script(const struct dgm_lexicon *lexicon, const dgm_real *scores,
                           int32_t best_of_all, int64_t count, const char *form, int32_t tag)
{
    const struct dgm_vocab *scripts = &lexicon->morphs[DGM_MORPH_LEMMA];
    int32_t best = best_known(lexicon, scores, form, tag);

    if (best >= 0)
        return best;
    if (fits(scripts, best_of_all, form))
        return best_of_all;
    best = -1;
    for (int32_t i = 0; i < count; i++)
        if ((best < 0 || scores[i] > scores[best]) &&
            !dgm_lemma_script_is_absolute(dgm_lexicon_class_name(scripts, i)) &&
            fits(scripts, i, form))
            best = i;
    return best;
}

static dgm_status choose_morph(struct dgm_env *env, struct dgm_parse *parse, int morph,
                               const struct dgm_treebank *bank, const int32_t *numbers)
{
    const int64_t classes = parse->parser->morphs[morph].classes;
    const struct dgm_packed *rows = &parse->step.rows;

    for (int32_t s = 0; s < rows->count; s++) {
        parse->latest.morphs[morph][rows->offsets[s]] = -1;
        for (int32_t i = rows->offsets[s] + 1; i < rows->offsets[s + 1]; i++) {
            const dgm_real *scores = parse->scores + i * classes;
            int32_t row = bank->rows.offsets[numbers[s]] + i - rows->offsets[s];
            int32_t tag = bank->tags[row] >= 0 ? bank->tags[row] : parse->latest.tags[i];

            int32_t best = best_class(scores, classes, -1);

            if (!isfinite((double)scores[best]))
                return fail_word(env, parse, numbers, i, "the features or the lemma of word");
            if (morph == DGM_MORPH_LEMMA)
                best = best_script(&parse->parser->lexicon, scores, best, classes,
                                   form_of(bank, row), tag);
            parse->latest.morphs[morph][i] = best;
        }
    }
    return DGM_OK;
}

static dgm_status choose_morphs(struct dgm_env *env, struct dgm_parse *parse,
                                const struct dgm_treebank *bank, const int32_t *numbers)
{
    for (int m = 0; m < DGM_MORPHS; m++) {
        if (parse->nodes.morphs[m] == NULL)
            continue;
        DGM_TRY(
            dgm_parse_read_node(env, parse, parse->nodes.morphs[m],
                                parse->step.base.source.rows * parse->parser->morphs[m].classes));
        DGM_TRY(dgm_parse_mates_mean(env, parse, m));
        DGM_TRY(choose_morph(env, parse, m, bank, numbers));
    }
    return DGM_OK;
}

/* ---- trees ----------------------------------------------------------------------------------- */

/* parse->marginals of a sentence; *found = 0 where doubles cannot hold them. */
static dgm_status find_marginals(struct dgm_env *env, struct dgm_parse *parse,
                                 const dgm_real *scores, int32_t n, int *found)
{
    size_t side = (size_t)n + 1;
    dgm_status status;

    DGM_TRY(dgm_reserve(env, &parse->marginals, &parse->marginal_capacity, side * side,
                        sizeof *parse->marginals));
    status = dgm_tree_marginals(env, parse->marginals, NULL, scores, n, 1);
    *found = status == DGM_OK;
    if (status != DGM_FAILURE)
        return status;
    dgm_env_clear_error(env);
    if (parse->unsure < 0) {
        parse->unsure = parse->begin;
        parse->unsure_words = n;
    }
    return DGM_OK;
}

static dgm_status sentence_prob(struct dgm_env *env, struct dgm_parse *parse,
                                const dgm_real *scores, int32_t n, const int32_t *heads,
                                double *prob)
{
    size_t side = (size_t)n + 1;
    int has_marginals = 0;

    if (parse->options.prob == DGM_PROB_MARGINAL)
        DGM_TRY(find_marginals(env, parse, scores, n, &has_marginals));
    prob[0] = 0;
    for (size_t i = 1; i < side; i++) {
        size_t arc = i * side + (size_t)heads[i];
        prob[i] = has_marginals ? parse->marginals[arc] : exp((double)scores[arc]);
    }
    return DGM_OK;
}

/* Of sentence s. A softmax is over a word's row: if one score of it is no number, none is; the
 * root, in column 0, is always among them. */
static dgm_status check_arcs(struct dgm_env *env, const struct dgm_parse *parse,
                             const dgm_real *block, int32_t s, const int32_t *numbers)
{
    const int32_t start = parse->step.rows.offsets[s], n = dgm_packed_length(&parse->step.rows, s);

    for (int32_t i = 1; i < n; i++)
        if (!isfinite((double)block[(size_t)i * (size_t)n]))
            return fail_word(env, parse, numbers, start + i, "the head of word");
    return DGM_OK;
}

static dgm_status choose_heads(struct dgm_env *env, struct dgm_parse *parse, const int32_t *numbers)
{
    const struct dgm_packed *rows = &parse->step.rows;

    DGM_TRY(dgm_parse_read_arcs(env, parse));
    DGM_TRY(dgm_parse_mates_mean_arcs(env, parse));
    for (int32_t s = 0; s < rows->count; s++) {
        const dgm_real *block = parse->scores + parse->step.base.squares[s];
        int32_t start = rows->offsets[s], n = dgm_packed_length(rows, s) - 1;
        int32_t *heads = parse->latest.heads + start;

        /* Row and column 0 are the root; `block` is (n + 1, n + 1), dependents in rows. */
        heads[0] = -1;
        DGM_TRY(check_arcs(env, parse, block, s, numbers));
        DGM_TRY((parse->options.projective
                     ? dgm_projective_tree
                     : dgm_spanning_tree)(env, heads + 1, block, n, &parse->work));
        if (parse->options.prob != DGM_PROB_NONE)
            DGM_TRY(sentence_prob(env, parse, block, n, heads, parse->latest.prob + start));
    }
    return DGM_OK;
}

/* ---- labels ---------------------------------------------------------------------------------- */

static dgm_status choose_labels(struct dgm_env *env, struct dgm_parse *parse,
                                const int32_t *numbers)
{
    const struct dgm_packed *rows = &parse->step.rows;
    int64_t words = rows->offsets[rows->count] - rows->count, classes = parse->parser->labels;
    const dgm_real *row;

    DGM_TRY(dgm_parse_score_labels(env, parse, words));
    DGM_TRY(dgm_parse_mates_mean_labels(env, parse, words));
    row = parse->scores;
    for (int32_t s = 0; s < rows->count; s++) {
        parse->latest.labels[rows->offsets[s]] = -1;
        for (int32_t i = rows->offsets[s] + 1; i < rows->offsets[s + 1]; i++, row += classes) {
            const int32_t best = best_class(row, classes, parse->root_label);

            if (!isfinite((double)row[best]))
                return fail_word(env, parse, numbers, i, "the relation of word");
            parse->latest.labels[i] =
                parse->latest.heads[i] == 0 && parse->root_label >= 0 ? parse->root_label : best;
        }
    }
    return DGM_OK;
}

/* ---- a batch --------------------------------------------------------------------------------- */

/* Tags that are given stand; the others are those just chosen. Returns whether one is missing. */
static int merge_tags(struct dgm_parse *parse, const struct dgm_treebank *bank,
                      const int32_t *numbers)
{
    const struct dgm_packed *rows = &parse->step.rows;
    int missing = 0;

    for (int32_t s = 0; s < rows->count; s++)
        for (int32_t i = rows->offsets[s] + 1; i < rows->offsets[s + 1]; i++) {
            int32_t given = bank->tags[bank->rows.offsets[numbers[s]] + i - rows->offsets[s]];
            if (given >= 0)
                parse->latest.tags[i] = given;
            else
                missing = 1;
        }
    return missing;
}

dgm_status dgm_parse_batch_size(struct dgm_env *env, struct dgm_parse *parse,
                                const struct dgm_treebank *bank, const int32_t *numbers,
                                int32_t count, double *bytes)
{
    DGM_TRY(dgm_parse_size_alone(env, parse, bank, numbers, count, bytes));
    return dgm_parse_mates_size(env, parse, numbers, count, bytes);
}

dgm_status dgm_parse_batch(struct dgm_env *env, struct dgm_parse *parse,
                           const struct dgm_treebank *bank, const int32_t *numbers, int32_t count)
{
    DGM_TRY(dgm_parse_score(env, parse, bank, numbers, count, NULL));
    DGM_TRY(dgm_parse_mates_score(env, parse, numbers, count));
    DGM_TRY(choose_tags(env, parse, numbers));
    DGM_TRY(dgm_parse_mates_score_again(env, parse, bank, numbers, count));
    if (parse->parser->config.tag_input && merge_tags(parse, bank, numbers))
        DGM_TRY(dgm_parse_score(env, parse, bank, numbers, count, parse->latest.tags));
    DGM_TRY(choose_morphs(env, parse, bank, numbers));
    DGM_TRY(choose_heads(env, parse, numbers));
    return choose_labels(env, parse, numbers);
}
