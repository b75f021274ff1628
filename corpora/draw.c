/*
 * draw.c: chances, and words drawn from the lexicon.
 *
 * Every draw of a word prefers the front of its table, so that a small model meets the
 * frequent words often. Choices of attachment are fair coins, registered as sites.
 */
#include "draw.h"

int draw_below(struct draw *draw, int n)
{
    return (int)dgm_random_below(draw->random, (uint32_t)n);
}

int draw_chance(struct draw *draw, int percent)
{
    return draw_below(draw, 100) < percent;
}

/* The smaller of two draws: entry i of n has the chance (2 (n - i) - 1) / n^2, which falls in a straight
 * line towards the end of the table. */
int draw_front(struct draw *draw, int n)
{
    int a = draw_below(draw, n);
    int b = draw_below(draw, n);

    return a < b ? a : b;
}

/* The flag is remembered, so that generate.c can turn it over and see what that changes. */
int draw_toss(struct draw *draw, int *flag)
{
    struct meaning *meaning = draw->meaning;

    if (meaning->sites == MEANING_SITES)
        draw->full = 1;
    else
        meaning->site[meaning->sites++] = flag;
    *flag = draw_below(draw, 2);
    return *flag;
}

struct phrase *draw_new_phrase(struct draw *draw)
{
    struct meaning *meaning = draw->meaning;

    if (meaning->phrases == MEANING_PHRASES) {
        draw->full = 1;
        return &meaning->phrase[0];
    }
    return &meaning->phrase[meaning->phrases++];
}

struct clause *draw_new_clause(struct draw *draw)
{
    struct meaning *meaning = draw->meaning;

    if (meaning->clauses == MEANING_CLAUSES) {
        draw->full = 1;
        return &meaning->clause[0];
    }
    return &meaning->clause[meaning->clauses++];
}

/* ---- words ------------------------------------------------------------------------ */

static int is_used(const struct draw *draw, const struct noun *noun)
{
    int i;

    for (i = 0; i < draw->meaning->phrases; i++) {
        if (draw->meaning->phrase[i].noun == noun)
            return 1;
    }
    return 0;
}

const struct noun *draw_noun(struct draw *draw, unsigned sense)
{
    int fitting[256];
    int count = 0;
    int i;

    for (i = 0; i < noun_count; i++) {
        if ((nouns[i].sense & sense) && !is_used(draw, &nouns[i]))
            fitting[count++] = i;
    }
    return &nouns[fitting[draw_front(draw, count)]];
}

const struct adjective *draw_adjective(struct draw *draw, unsigned sense)
{
    int i;

    do
        i = draw_front(draw, adjective_count);
    while (!(adjectives[i].sense & sense));
    return &adjectives[i];
}

const struct determiner *draw_determiner(struct draw *draw, int plural, int genitive)
{
    for (;;) {
        int at = draw_below(draw, 100);
        int i = 0;

        while (at >= determiners[i].weight)
            at -= determiners[i++].weight;
        if (genitive && !determiners[i].genitive)
            continue;
        if ((plural ? determiners[i].en_plural : determiners[i].en) != NULL)
            return &determiners[i];
        if (plural && !genitive && determiners[i].declension == LIKE_EIN)
            return NULL; /* the plural of `a` */
    }
}

static int adverb_fits(const struct adverb *adverb, const struct clause *clause)
{
    if (adverb->when == PAST_TIME)
        return clause->tense == PAST;
    if (adverb->when == FUTURE_TIME)
        return clause->tense == MODAL && clause->modal->when == FUTURE_TIME;
    return 1;
}

const struct adverb *draw_adverb(struct draw *draw, enum position position, const struct clause *a,
                                 const struct clause *b)
{
    int i;

    do
        i = draw_front(draw, adverb_count);
    while ((adverbs[i].position != position &&
            !(position == LATE && adverbs[i].position == MOVABLE)) ||
           !adverb_fits(&adverbs[i], a) || !adverb_fits(&adverbs[i], b));
    return &adverbs[i];
}

static int is_said(const struct draw *draw, const struct verb *verb)
{
    int i;

    for (i = 0; i < draw->meaning->clauses; i++) {
        if (draw->meaning->clause[i].verb == verb)
            return 1;
    }
    return 0;
}

/* Avoids repetition for a while only: few verbs may fit. */
const struct verb *draw_verb(struct draw *draw, enum frame frame, unsigned object)
{
    int tries = 0;
    int i;

    for (;;) {
        i = draw_front(draw, verb_count);
        if (verbs[i].frame != frame || (object != 0 && !(verbs[i].object & object)))
            continue;
        if (++tries > 20 || !is_said(draw, &verbs[i]))
            return &verbs[i];
    }
}
