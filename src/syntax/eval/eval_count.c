/* eval_count.c: what aligned words agree in, counted for every metric. */
#include <string.h>

#include "syntax/eval/eval_part.h"

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

/* ---- one pair --------------------------------------------------------------------- */

static int heads_agree(const struct dgm_eval *eval, const struct dgm_eval_word *gold,
                       const struct dgm_eval_word *system)
{
    if (gold->parent < 0 || system->parent < 0)
        return gold->parent < 0 && system->parent < 0;
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

/* ---- all of them ------------------------------------------------------------------ */

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

static int64_t count_content(const struct dgm_eval_side *side)
{
    int64_t count = 0;
    size_t i;

    for (i = 0; i < side->word_count; i++)
        count += side->words[i].kind == DGM_EVAL_CONTENT;
    return count;
}

static void count_pair(dgm_parse_counts *counts, const struct dgm_eval *eval, size_t s)
{
    const struct dgm_eval_word *gold = &eval->gold.words[eval->match[s]];
    unsigned same = compare(eval, gold, &eval->system.words[s]);
    int rule;

    for (rule = 0; rule < RULES; rule++) {
        if (rules[rule].content && gold->kind != DGM_EVAL_CONTENT)
            continue;
        counts[rules[rule].metric].aligned++;
        counts[rules[rule].metric].correct += (same & rules[rule].need) == rules[rule].need;
    }
}

void dgm_eval_count(dgm_parse_counts counts[DGM_PARSE_METRICS], const struct dgm_eval *eval)
{
    const struct dgm_eval_side *gold = &eval->gold, *system = &eval->system;
    int64_t gold_content = count_content(gold), system_content = count_content(system);
    size_t s;
    int rule;

    memset(counts, 0, DGM_PARSE_METRICS * sizeof *counts);
    counts[DGM_PARSE_TOKENS] =
        count_spans(gold->tokens, gold->token_count, system->tokens, system->token_count);
    counts[DGM_PARSE_SENTENCES] = count_spans(gold->sentences, gold->sentence_count,
                                              system->sentences, system->sentence_count);
    for (rule = 0; rule < RULES; rule++) {
        dgm_parse_counts *to = &counts[rules[rule].metric];

        to->gold = rules[rule].content ? gold_content : (int64_t)gold->word_count;
        to->system = rules[rule].content ? system_content : (int64_t)system->word_count;
    }
    for (s = 0; s < system->word_count; s++) {
        if (eval->match[s] >= 0)
            count_pair(counts, eval, s);
    }
    counts[DGM_PARSE_WORDS].aligned = -1;
}
