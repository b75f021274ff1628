/*
 * parse_eval.c: evaluation of a parser: what aligned words of two files agree in, counted for every
 * metric, and trees over the same words.
 */
#include "syntax/eval/parse_eval.h"

#include <assert.h>
#include <string.h>

#include "base/mem.h"
#include "syntax/eval/eval_align.h"
#include "syntax/eval/eval_file.h"

const char *dgm_parse_metric_name(enum dgm_parse_metric metric)
{
    static const char *const names[DGM_PARSE_METRICS] = {
        "Tokens", "Sentences", "Words", "UPOS", "XPOS", "UFeats", "AllTags",
        "Lemmas", "UAS",       "LAS",   "CLAS", "MLAS", "BLEX",
    };

    return names[metric];
}

/* ---- the characters of both ------------------------------------------------------- */

static void quote_token(char quoted[DGM_QUOTE_SIZE], const struct dgm_eval_side *side,
                        const struct dgm_eval_span *token)
{
    dgm_quote(quoted, DGM_QUOTE_SIZE, side->text.data + token->start, token->end - token->start);
}

/* At `place` the characters differ, or one file has no more. */
static dgm_status refuse(struct dgm_env *env, const struct dgm_eval *eval, size_t place)
{
    const struct dgm_eval_side *gold = &eval->gold, *system = &eval->system;
    size_t gold_place = place < gold->text.size ? place : gold->text.size - 1;
    size_t system_place = place < system->text.size ? place : system->text.size - 1;
    const struct dgm_eval_span *expected = dgm_eval_file_token(gold, gold_place);
    const struct dgm_eval_span *found = dgm_eval_file_token(system, system_place);
    char wanted[DGM_QUOTE_SIZE], got[DGM_QUOTE_SIZE], path[DGM_QUOTE_SIZE];

    quote_token(wanted, gold, expected);
    quote_token(got, system, found);
    dgm_quote(path, sizeof path, gold->path, strlen(gold->path));
    if (place >= system->text.size)
        return dgm_fail_at(env, DGM_DATA, system->path, found->line, 0,
                           "the text ends with \"%s\" where line %ld of \"%s\" has \"%s\"; "
                           "expected the same characters [E_CHARS]",
                           got, expected->line, path, wanted);
    if (place >= gold->text.size)
        return dgm_fail_at(env, DGM_DATA, system->path, found->line, 0,
                           "the text goes on with \"%s\" where that of \"%s\" ends, in "
                           "line %ld; expected the same characters [E_CHARS]",
                           got, path, expected->line);
    return dgm_fail_at(env, DGM_DATA, system->path, found->line, 0,
                       "\"%s\" where line %ld of \"%s\" has \"%s\"; expected the same "
                       "characters [E_CHARS]",
                       got, expected->line, path, wanted);
}

/* Whether a byte of UTF-8 goes on with a character. */
static int is_inside(char byte)
{
    return ((unsigned char)byte & 0xC0) == 0x80;
}

/* A difference within a character is one at its first byte. */
static dgm_status check_characters(struct dgm_env *env, const struct dgm_eval *eval)
{
    const struct dgm_buf *gold = &eval->gold.text, *system = &eval->system.text;
    size_t place = 0, size = gold->size < system->size ? gold->size : system->size;

    while (place < size && gold->data[place] == system->data[place])
        place++;
    if (place == gold->size && place == system->size)
        return DGM_OK;
    while (place > 0 && place < size && is_inside(gold->data[place]))
        place--;
    return refuse(env, eval, place);
}

/* What a pair can agree in. */
enum {
    UPOS = 1,
    XPOS = 2,
    FEATS = 4,
    LEMMA = 8,
    HEAD = 16,
    RELATION = 32,
    FUNCTION = 64 /* the functional dependents */
};

/* What a pair must agree in to be right, and whether only content words are counted;
 * the metrics of spans are not here. */
static const struct {
    enum dgm_parse_metric metric;
    unsigned need;
    int content;
} rules[] = {
    { DGM_PARSE_WORDS, 0, 0 },
    { DGM_PARSE_UPOS, UPOS, 0 },
    { DGM_PARSE_XPOS, XPOS, 0 },
    { DGM_PARSE_UFEATS, FEATS, 0 },
    { DGM_PARSE_ALLTAGS, UPOS | XPOS | FEATS, 0 },
    { DGM_PARSE_LEMMAS, LEMMA, 0 },
    { DGM_PARSE_UAS, HEAD, 0 },
    { DGM_PARSE_LAS, HEAD | RELATION, 0 },
    { DGM_PARSE_CLAS, HEAD | RELATION, 1 },
    { DGM_PARSE_MLAS, HEAD | RELATION | UPOS | FEATS | FUNCTION, 1 },
    { DGM_PARSE_BLEX, HEAD | RELATION | LEMMA, 1 },
};

enum { RULES = sizeof rules / sizeof rules[0] };

/* ---- counting: one pair --------------------------------------------------------------------- */

static int heads_agree(const struct dgm_eval *eval, const struct dgm_eval_word *gold,
                       const struct dgm_eval_word *system)
{
    if (gold->parent < 0 || system->parent < 0)
        return gold->parent == DGM_EVAL_ROOT && system->parent == DGM_EVAL_ROOT;
    return eval->match[system->parent] == gold->parent;
}

static int dependents_agree(const struct dgm_eval *eval, const struct dgm_eval_word *gold,
                            const struct dgm_eval_word *system)
{
    int32_t g = gold->child, s = system->child;

    while (g >= 0 && s >= 0) {
        const struct dgm_eval_word *x = &eval->gold.words[g];
        const struct dgm_eval_word *y = &eval->system.words[s];

        if (eval->match[s] != g || x->relation != y->relation || x->upos != y->upos ||
            x->feats != y->feats)
            return 0;
        g = x->sibling;
        s = y->sibling;
    }
    return g < 0 && s < 0;
}

static unsigned compare(const struct dgm_eval *eval, const struct dgm_eval_word *gold,
                        const struct dgm_eval_word *system)
{
    unsigned same = 0;

    same |= gold->upos == system->upos ? UPOS : 0;
    same |= gold->xpos == system->xpos ? XPOS : 0;
    same |= gold->feats == system->feats ? FEATS : 0;
    same |= gold->lemma == eval->blank || gold->lemma == system->lemma ? LEMMA : 0;
    same |= heads_agree(eval, gold, system) ? HEAD : 0;
    same |= gold->relation == system->relation ? RELATION : 0;
    same |= dependents_agree(eval, gold, system) ? FUNCTION : 0;
    return same;
}

/* ---- counting: all of them ------------------------------------------------------------------ */

/* Spans with the same beginning and end. */
static dgm_parse_counts count_spans(const struct dgm_eval_span *gold, size_t gold_count,
                                    const struct dgm_eval_span *system, size_t system_count)
{
    dgm_parse_counts counts = { 0, 0, 0, -1 };
    size_t g = 0, s = 0;

    counts.gold = (int64_t)gold_count;
    counts.system = (int64_t)system_count;
    while (g < gold_count && s < system_count) {
        if (gold[g].start < system[s].start)
            g++;
        else if (system[s].start < gold[g].start)
            s++;
        else
            counts.correct += gold[g++].end == system[s++].end;
    }
    return counts;
}

/* Whether gold word g, or -1, is none of those that are to be counted. */
static int is_left_out(const struct dgm_eval *eval, int32_t g)
{
    return eval->earlier && g >= 0 && eval->gold.words[g].parent > g;
}

static int64_t count_gold(const struct dgm_eval *eval, int content)
{
    const struct dgm_eval_side *side = &eval->gold;
    int64_t count = 0;

    for (size_t g = 0; g < side->word_count; g++)
        count +=
            !is_left_out(eval, (int32_t)g) && (!content || side->words[g].kind == DGM_EVAL_CONTENT);
    return count;
}

static int64_t count_system(const struct dgm_eval *eval, int content)
{
    const struct dgm_eval_side *side = &eval->system;
    int64_t count = 0;

    for (size_t s = 0; s < side->word_count; s++)
        count += !is_left_out(eval, eval->match[s]) &&
                 (!content || side->words[s].kind == DGM_EVAL_CONTENT);
    return count;
}

static void count_pair(dgm_parse_counts *counts, const struct dgm_eval *eval, size_t s)
{
    const struct dgm_eval_word *gold = &eval->gold.words[eval->match[s]];
    unsigned same = compare(eval, gold, &eval->system.words[s]);

    for (int rule = 0; rule < RULES; rule++) {
        if (rules[rule].content && gold->kind != DGM_EVAL_CONTENT)
            continue;
        counts[rules[rule].metric].aligned++;
        counts[rules[rule].metric].correct += (same & rules[rule].need) == rules[rule].need;
    }
}

static void count(dgm_parse_counts counts[DGM_PARSE_METRICS], const struct dgm_eval *eval)
{
    const struct dgm_eval_side *gold = &eval->gold, *system = &eval->system;

    memset(counts, 0, DGM_PARSE_METRICS * sizeof *counts);
    counts[DGM_PARSE_TOKENS] =
        count_spans(gold->tokens, gold->token_count, system->tokens, system->token_count);
    counts[DGM_PARSE_SENTENCES] = count_spans(gold->sentences, gold->sentence_count,
                                              system->sentences, system->sentence_count);
    for (int rule = 0; rule < RULES; rule++) {
        dgm_parse_counts *to = &counts[rules[rule].metric];

        to->gold = count_gold(eval, rules[rule].content);
        to->system = count_system(eval, rules[rule].content);
    }
    for (size_t s = 0; s < system->word_count; s++) {
        if (eval->match[s] >= 0 && !is_left_out(eval, eval->match[s]))
            count_pair(counts, eval, s);
    }
    counts[DGM_PARSE_WORDS].aligned = -1;
}

/* ---- files ------------------------------------------------------------------------ */

dgm_status dgm_parse_eval_load(struct dgm_env *env, struct dgm_eval *eval, const char *gold_path,
                               const char *system_path, enum dgm_multi_root multi_root)
{
    if (strcmp(gold_path, "-") == 0 && strcmp(system_path, "-") == 0)
        return dgm_fail(env, DGM_USAGE,
                        "standard input is asked for twice; expected a file for one of "
                        "them");
    eval->gold.path = gold_path;
    eval->system.path = system_path;
    DGM_TRY(dgm_eval_file_read(env, eval, &eval->gold, DGM_MULTI_ROOT_ERROR));
    DGM_TRY(dgm_eval_file_read(env, eval, &eval->system, multi_root));
    if (eval->system.unparsed > 0)
        dgm_log(env, DGM_LOG_WARNING,
                "%s: %ld of %zu sentences have no tree: the heads of their words count as wrong",
                eval->system.path, eval->system.unparsed, eval->system.sentence_count);
    DGM_TRY(check_characters(env, eval));
    return dgm_eval_align(env, eval);
}

dgm_status dgm_parse_eval_files(struct dgm_env *env, dgm_parse_counts counts[DGM_PARSE_METRICS],
                                const char *gold_path, const char *system_path,
                                enum dgm_multi_root multi_root, int earlier_heads)
{
    struct dgm_eval eval = { .earlier = earlier_heads };
    dgm_status status;

    DGM_TRY_OUT(dgm_parse_eval_load(env, &eval, gold_path, system_path, multi_root));
    count(counts, &eval);
out:
    dgm_eval_file_clear(env, &eval);
    return status;
}

/* ---- by items --------------------------------------------------------------------- */

/* A word of either side counts for every metric that it is in. */
static void count_word(dgm_parse_counts *counts, const struct dgm_eval_word *word, int is_gold)
{
    for (int rule = 0; rule < RULES; rule++) {
        dgm_parse_counts *to = &counts[rules[rule].metric];

        if (rules[rule].content && word->kind != DGM_EVAL_CONTENT)
            continue;
        to->gold += is_gold;
        to->system += !is_gold;
    }
}

void dgm_parse_eval_items(const struct dgm_eval *eval, const uint32_t *gold_items,
                          const uint32_t *system_items, dgm_parse_counts *counts)
{
    for (size_t g = 0; g < eval->gold.word_count; g++)
        if (!is_left_out(eval, (int32_t)g))
            count_word(counts + gold_items[g] * DGM_PARSE_METRICS, &eval->gold.words[g], 1);
    for (size_t s = 0; s < eval->system.word_count; s++) {
        const int32_t g = eval->match[s];

        if (is_left_out(eval, g))
            continue;
        count_word(counts + system_items[s] * DGM_PARSE_METRICS, &eval->system.words[s], 0);
        if (g >= 0)
            count_pair(counts + gold_items[g] * DGM_PARSE_METRICS, eval, s);
    }
}

/* ---- words that need no alignment ------------------------------------------------- */

dgm_status dgm_parse_eval_same(struct dgm_env *env, struct dgm_eval *eval,
                               dgm_parse_counts counts[DGM_PARSE_METRICS])
{
    size_t words = eval->system.word_count;

    assert(words == eval->gold.word_count);
    dgm_release(env, eval->match);
    DGM_TRY(dgm_new(env, &eval->match, words, sizeof *eval->match));
    for (size_t w = 0; w < words; w++)
        eval->match[w] = (int32_t)w;
    count(counts, eval);
    return DGM_OK;
}

double dgm_parse_percent(const dgm_parse_counts *counts)
{
    return dgm_attachment_percent(2 * counts->correct, counts->gold + counts->system);
}

void dgm_attachment_add(struct dgm_attachment *sum, const struct dgm_attachment_arcs *gold,
                        const struct dgm_attachment_arcs *system, int32_t count)
{
    int has_labels = gold->label != NULL && system->label != NULL;
    int has_tags = gold->tag != NULL && system->tag != NULL;

    for (int32_t i = 0; i < count; i++) {
        int head = gold->head[i] == system->head[i];

        sum->heads += head;
        sum->labels += head && has_labels && gold->label[i] == system->label[i];
        sum->tags += has_tags && gold->tag[i] == system->tag[i];
    }
    sum->words += count;
}

double dgm_attachment_percent(int64_t part, int64_t words)
{
    return words > 0 ? 100.0 * (double)part / (double)words : 0.0;
}
