/*
 * meaning.c: drawing what a sentence says, before any language says it: phrases, clauses, tenses, and
 * to what a modifier belongs. english.c and german.c say the same meaning.
 */
#include "meaning.h"

#include <string.h>

#include "draw.h"

#define BEING (HUMAN | ANIMAL)

/* ---- phrases ---------------------------------------------------------------------- */

static struct phrase *draw_simple(struct draw *draw, unsigned sense, int genitive)
{
    struct phrase *phrase = draw_new_phrase(draw);

    phrase->noun = draw_noun(draw, sense);
    phrase->plural = draw_chance(draw, 22);
    phrase->determiner = draw_determiner(draw, phrase->plural, genitive);
    if (draw_chance(draw, 22))
        phrase->adjective = draw_adjective(draw, phrase->noun->sense);
    return phrase;
}

static struct phrase *draw_person(struct draw *draw, int pronouns_percent)
{
    struct phrase *phrase;

    if (!draw_chance(draw, pronouns_percent))
        return draw_simple(draw, draw_chance(draw, 85) ? HUMAN : ANIMAL, 0);
    phrase = draw_new_phrase(draw);
    phrase->pronoun = &pronouns[draw_front(draw, pronoun_count)];
    return phrase;
}

/* A place, or a tool that somebody has (`with`). */
static struct phrase *draw_place(struct draw *draw, const struct preposition **preposition,
                                 int tools)
{
    int i;

    do
        i = draw_below(draw, preposition_count);
    while (!tools && !prepositions[i].two_way);
    *preposition = &prepositions[i];
    return draw_simple(draw, prepositions[i].sense, 0);
}

static const struct phrase *inner_phrase(const struct phrase *phrase)
{
    if (phrase->genitive != NULL)
        return phrase->genitive;
    return phrase->place != NULL ? phrase->place : phrase->second;
}

/* Adds `of the church`, `behind the house` or `and the cat`. */
static void extend_phrase(struct draw *draw, struct phrase *phrase)
{
    unsigned owner = 0;

    if (phrase->noun->sense & KIN)
        owner |= HUMAN;
    if (phrase->noun->sense & PART)
        owner |= PLACE;
    if (owner != 0 && draw_chance(draw, 60)) {
        phrase->genitive = draw_simple(draw, owner, 1);
        phrase->determiner = &determiners[0];
    } else if (draw_chance(draw, 65)) {
        phrase->place = draw_place(draw, &phrase->preposition, (phrase->noun->sense & HUMAN) != 0);
    } else {
        phrase->second = draw_simple(draw, phrase->noun->sense, 0);
    }
}

static void draw_relative_verb(struct draw *draw, struct clause *relative, unsigned sense,
                               unsigned common)
{
    if (relative->gap == OBJECT_GAP) {
        relative->verb = draw_verb(draw, TRANSITIVE, common);
        relative->subject = draw_person(draw, 30);
        return;
    }
    if (!(sense & BEING)) {
        relative->predicate = draw_adjective(draw, common);
    } else if (draw_chance(draw, 50)) {
        relative->verb = draw_verb(draw, INTRANSITIVE, 0);
    } else {
        relative->verb = draw_verb(draw, TRANSITIVE, 0);
        relative->object = draw_simple(draw, relative->verb->object, 0);
    }
}

/* Attached to the whole or to the noun at its end, which must fit the verb alike. */
static void add_relative(struct draw *draw, struct phrase *phrase, enum tense tense)
{
    struct clause *relative = draw_new_clause(draw);
    const struct phrase *inner = inner_phrase(phrase);
    unsigned sense = phrase->noun->sense & 0xFF;
    unsigned common = inner == NULL ? sense : sense & inner->noun->sense;
    int same_number = inner == NULL || (inner->plural == phrase->plural && !phrase->second);

    if (inner != NULL && !((sense | inner->noun->sense) & BEING) == !(sense & BEING))
        sense &= inner->noun->sense | ~(unsigned)BEING;
    relative->tense = tense;
    relative->gap = OBJECT_GAP;
    if (same_number && (common & (BEING | THING | PLACE)) && draw_chance(draw, 50))
        relative->gap = SUBJECT_GAP;
    /* Without a common sense only verbs that take anything will do: `see`. */
    draw_relative_verb(draw, relative, sense, common ? common : COVER);
    phrase->relative = relative;
    if (inner != NULL)
        draw_toss(draw, &phrase->relative_low);
}

/* ---- clauses ---------------------------------------------------------------------- */

static void draw_tense(struct draw *draw, struct clause *clause)
{
    int at = draw_below(draw, 100);

    clause->tense = at < 38 ? PRESENT : at < 78 ? PAST : at < 88 ? PERFECT : MODAL;
    if (clause->tense == MODAL)
        clause->modal = &modals[draw_front(draw, modal_count)];
}

/* Tense of a clause below one of this tense. */
static enum tense lower_tense(enum tense tense)
{
    return tense == PAST ? PAST : PRESENT;
}

static void draw_object(struct draw *draw, struct clause *clause, int rich)
{
    unsigned sense = clause->verb->object;

    if ((sense & HUMAN) && draw_chance(draw, 12)) {
        clause->object = draw_person(draw, 100);
        return;
    }
    clause->object = draw_simple(draw, sense, 0);
    if (rich && draw_chance(draw, 40))
        extend_phrase(draw, clause->object);
    if (rich && draw_chance(draw, inner_phrase(clause->object) != NULL ? 80 : 35))
        add_relative(draw, clause->object, lower_tense(clause->tense));
}

static void draw_directed(struct draw *draw, struct clause *clause, int rich)
{
    clause->object = draw_simple(draw, clause->verb->object, 0);
    if (!draw_chance(draw, 75))
        return;
    clause->place = draw_place(draw, &clause->preposition, 0);
    draw_toss(draw, &clause->place_low);
    if (rich && draw_chance(draw, 15))
        add_relative(draw, clause->place, lower_tense(clause->tense));
}

static void draw_transitive(struct draw *draw, struct clause *clause, int rich)
{
    unsigned movable = clause->verb->object & (BEING | THING);
    int tools;

    if (!draw_chance(draw, 30)) {
        draw_object(draw, clause, rich);
        return;
    }
    clause->object = draw_simple(draw, movable ? movable : clause->verb->object, 0);
    tools = (clause->object->noun->sense & BEING) != 0;
    clause->place = draw_place(draw, &clause->preposition, tools);
    draw_toss(draw, &clause->place_low);
}

static struct clause *draw_clause(struct draw *draw, enum tense tense, int rich);

static void draw_content(struct draw *draw, struct clause *clause)
{
    clause->content = draw_clause(draw, lower_tense(clause->tense), 0);
    clause->content->early = NULL; /* room for an adverb of this clause */
    clause->content->late = NULL;
}

static enum frame draw_frame(struct draw *draw, int rich)
{
    int at = draw_below(draw, rich ? 100 : 82);

    if (at < 28)
        return DIRECTED;
    if (at < 62)
        return TRANSITIVE;
    if (at < 71)
        return INTRANSITIVE;
    if (at < 78)
        return DITRANSITIVE;
    return at < 82 ? MOTION : SPEECH;
}

static void draw_predicate(struct draw *draw, struct clause *clause, int rich)
{
    clause->verb = draw_verb(draw, draw_frame(draw, rich), 0);
    switch (clause->verb->frame) {
    case DIRECTED: draw_directed(draw, clause, rich); break;
    case TRANSITIVE: draw_transitive(draw, clause, rich); break;
    case INTRANSITIVE:
        if (draw_chance(draw, 35))
            clause->place = draw_place(draw, &clause->preposition, 0);
        break;
    case DITRANSITIVE:
        clause->object = draw_simple(draw, THING, 0);
        clause->recipient = draw_person(draw, 25);
        break;
    case SPEECH: draw_content(draw, clause); break;
    case MOTION: break;
    }
}

static void draw_subject(struct draw *draw, struct clause *clause, int rich)
{
    clause->subject = draw_person(draw, rich ? 15 : 30);
    if (!rich || clause->subject->pronoun != NULL || !draw_chance(draw, 28))
        return;
    if (draw_chance(draw, 40))
        extend_phrase(draw, clause->subject);
    add_relative(draw, clause->subject, lower_tense(clause->tense));
}

/* One adverb at most: `often` before the verb, or `today` at the end or the beginning. */
static void draw_adverbs(struct draw *draw, struct clause *clause, int rich)
{
    struct clause *last = meaning_last_clause(clause);
    struct clause *relative = meaning_last_relative(clause->subject);
    int simple = clause->tense == PRESENT || clause->tense == PAST;

    if (relative != NULL && simple && draw_chance(draw, 55)) {
        clause->early = draw_adverb(draw, EARLY, clause, relative);
        draw_toss(draw, &clause->early_low);
    } else if (last != NULL && draw_chance(draw, 60)) {
        clause->late = draw_adverb(draw, LATE, clause, last);
        draw_toss(draw, &clause->late_low);
    } else if (draw_chance(draw, 12)) {
        clause->early = draw_adverb(draw, EARLY, clause, clause);
    } else if (last == NULL && clause->place == NULL && draw_chance(draw, 25)) {
        clause->late = draw_adverb(draw, LATE, clause, clause);
    } else if (rich && draw_chance(draw, 22)) {
        clause->front = draw_adverb(draw, MOVABLE, clause, clause);
    }
}

static struct clause *draw_clause(struct draw *draw, enum tense tense, int rich)
{
    struct clause *clause = draw_new_clause(draw);

    clause->tense = tense;
    if (rich)
        draw_tense(draw, clause);
    draw_subject(draw, clause, rich);
    if ((clause->tense == PRESENT || clause->tense == PAST) && draw_chance(draw, rich ? 5 : 15) &&
        clause->subject->pronoun == NULL) {
        clause->predicate = draw_adjective(draw, clause->subject->noun->sense);
        return clause;
    }
    draw_predicate(draw, clause, rich);
    if (draw->full)
        return clause;
    draw_adverbs(draw, clause, rich);
    return clause;
}

static void add_circumstance(struct draw *draw, struct clause *main)
{
    int choices = main->tense == PERFECT ? 2 : main->tense == PAST ? 4 : conjunction_count;

    main->conjunction = &conjunctions[draw_below(draw, choices)];
    main->circumstance = draw_clause(draw, lower_tense(main->tense), 0);
    main->circumstance_first = main->front == NULL && draw_chance(draw, 35);
}

static void draw_sentence(struct draw *draw)
{
    struct clause *main = draw_clause(draw, PRESENT, 1);
    int at = draw_below(draw, 100);

    draw->meaning->main = main;
    if (draw->full)
        return;
    if (at < 14) {
        add_circumstance(draw, main);
    } else if (at < 22) {
        main->second = draw_clause(draw, lower_tense(main->tense), 0);
        main->but = draw_chance(draw, 40);
    }
}

int meaning_draw(struct meaning *meaning, struct dgm_random *random)
{
    struct draw draw = { NULL, NULL, 0 };

    memset(meaning, 0, sizeof *meaning);
    draw.meaning = meaning;
    draw.random = random;
    draw_sentence(&draw);
    return !draw.full;
}

/* ---- reading ---------------------------------------------------------------------- */

struct clause *meaning_last_relative(const struct phrase *phrase)
{
    return phrase == NULL ? NULL : phrase->relative;
}

struct clause *meaning_last_clause(const struct clause *clause)
{
    if (clause->content != NULL)
        return clause->content;
    return meaning_last_relative(clause->place != NULL ? clause->place : clause->object);
}

void meaning_settle(struct meaning *meaning)
{
    int i;

    for (i = 0; i < meaning->clauses; i++)
        meaning->clause[i].handed = NULL;
    for (i = 0; i < meaning->clauses; i++) {
        struct clause *clause = &meaning->clause[i];

        if (clause->early != NULL && clause->early_low)
            meaning_last_relative(clause->subject)->handed = clause->early;
        if (clause->late != NULL && clause->late_low)
            meaning_last_clause(clause)->handed = clause->late;
    }
}

int meaning_is_plural(const struct clause *clause, int antecedent_plural)
{
    if (clause->gap == SUBJECT_GAP)
        return antecedent_plural;
    if (clause->subject->pronoun != NULL)
        return clause->subject->pronoun->plural;
    return clause->subject->plural || clause->subject->second != NULL;
}

int meaning_person(const struct clause *clause)
{
    if (clause->gap == SUBJECT_GAP || clause->subject->pronoun == NULL)
        return 3;
    return clause->subject->pronoun->person;
}
