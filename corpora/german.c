/*
 * german.c: saying a meaning in German clauses, with its Universal Dependencies tree.
 *
 * The finite verb is second in main clauses and last in subordinate ones; between the
 * two verb places stand pronouns, adverbs, recipient, circumstances, object, direction,
 * in this order.
 */
#include "german.h"

#include <stdio.h>
#include <string.h>

/* Finite verb second, or last behind a conjunction or relative pronoun. */
enum order { VERB_SECOND, VERB_LAST };

static int say_clause(struct line *line, const struct clause *clause, enum order order,
                      const struct german_noun *antecedent);

static void attach_if(struct line *line, int word, int head, const char *deprel)
{
    if (word >= 0)
        line_attach(line, word, head, deprel);
}

/* ---- phrases ---------------------------------------------------------------------- */

int german_say_relative(struct line *line, const struct clause *clause,
                        const struct german_noun *antecedent)
{
    int comma = line_open_comma(line);
    int verb = say_clause(line, clause, VERB_LAST, antecedent);

    attach_if(line, comma, verb, "punct");
    line_close_comma(line, verb);
    return verb;
}

/* ---- verbs ------------------------------------------------------------------------ */

/* The words of a predicate: a finite one, and what stands at the end of a main clause. */
struct predicate {
    const char *finite, *finite_lemma, *finite_feats;
    char whole[40];   /* finite with its prefix, as in a subordinate clause */
    char last[40];    /* participle, infinitive, predicate adjective or prefix; "" if none */
    char lemma[40];   /* of the full verb */
    int is_auxiliary; /* the finite word is; then `last` is the head */
    int has_prefix;   /* `last` is the prefix */
};

static const char *pick(int first, int plural, const char *form_first, const char *form_third,
                        const char *form_plural)
{
    if (plural)
        return form_plural;
    return first ? form_first : form_third;
}

static void set_auxiliary(struct predicate *predicate, const char *finite, const char *lemma,
                          const char *last)
{
    predicate->finite = finite;
    predicate->finite_lemma = lemma;
    predicate->is_auxiliary = 1;
    snprintf(predicate->whole, sizeof predicate->whole, "%s", finite);
    snprintf(predicate->last, sizeof predicate->last, "%s", last);
}

static void set_simple(struct predicate *predicate, const struct verb *verb, const char *finite)
{
    predicate->finite = finite;
    predicate->has_prefix = verb->de_prefix[0] != '\0';
    snprintf(predicate->whole, sizeof predicate->whole, "%s%s", verb->de_prefix, finite);
    snprintf(predicate->last, sizeof predicate->last, "%s", verb->de_prefix);
}

static void conjugate(struct predicate *predicate, const struct clause *clause, int plural)
{
    const struct verb *verb = clause->verb;
    int first = meaning_person(clause) == 1;

    memset(predicate, 0, sizeof *predicate);
    predicate->finite_feats =
        clause->tense == PAST ? "Tense=Past|VerbForm=Fin" : "Tense=Pres|VerbForm=Fin";
    if (clause->predicate != NULL) {
        const char *is = clause->tense == PAST ? pick(first, plural, "war", "war", "waren")
                                               : pick(first, plural, "bin", "ist", "sind");

        snprintf(predicate->lemma, sizeof predicate->lemma, "%s", clause->predicate->de);
        set_auxiliary(predicate, is, "sein", clause->predicate->de);
        return;
    }
    snprintf(predicate->lemma, sizeof predicate->lemma, "%s%s", verb->de_prefix, verb->de);
    predicate->finite_lemma = predicate->lemma;
    if (clause->tense == MODAL)
        set_auxiliary(predicate,
                      pick(first, plural, clause->modal->de_first, clause->modal->de_third,
                           clause->modal->de_plural),
                      clause->modal->de, predicate->lemma);
    else if (clause->tense == PERFECT && verb->with_sein)
        set_auxiliary(predicate, pick(first, plural, "bin", "ist", "sind"), "sein",
                      verb->de_participle);
    else if (clause->tense == PERFECT)
        set_auxiliary(predicate, pick(first, plural, "habe", "hat", "haben"), "haben",
                      verb->de_participle);
    else if (clause->tense == PAST)
        set_simple(predicate, verb, plural ? verb->de_past_plural : verb->de_past);
    else
        set_simple(predicate, verb, pick(first, plural, verb->de_first, verb->de_third, verb->de));
}

/* What is last in a main clause, as a word of its own. */
static int say_last(struct line *line, const struct clause *clause,
                    const struct predicate *predicate)
{
    if (clause->predicate != NULL)
        return line_put(line, predicate->last, predicate->lemma, "ADJ", "");
    return line_put(line, predicate->last, predicate->lemma, "VERB",
                    clause->tense == MODAL ? "VerbForm=Inf" : "VerbForm=Part");
}

static int say_finite(struct line *line, const struct predicate *predicate, const char *form)
{
    return line_put(line, form, predicate->finite_lemma, predicate->is_auxiliary ? "AUX" : "VERB",
                    predicate->finite_feats);
}

/* ---- clauses ---------------------------------------------------------------------- */

/* Words said before the head of their clause, waiting for it. */
struct waiting {
    int word[16];
    const char *deprel[16];
    int count;
};

static void wait_for_head(struct waiting *waiting, int word, const char *deprel)
{
    if (word < 0)
        return;
    waiting->word[waiting->count] = word;
    waiting->deprel[waiting->count++] = deprel;
}

static void say_adverb(struct line *line, struct waiting *waiting, const struct adverb *adverb)
{
    if (adverb != NULL)
        wait_for_head(waiting, line_put(line, adverb->de, adverb->de, "ADV", ""), "advmod");
}

static int say_marked(struct line *line, const char *mark, const struct clause *clause)
{
    int comma = line_open_comma(line);
    int marker = line_put(line, mark, mark, "SCONJ", "");
    int verb = say_clause(line, clause, VERB_LAST, NULL);

    attach_if(line, comma, verb, "punct");
    line_attach(line, marker, verb, "mark");
    line_close_comma(line, verb);
    return verb;
}

static void say_object(struct line *line, struct waiting *waiting, const struct clause *clause)
{
    enum grammatical_case governed = clause->verb->object_case;
    int object = german_say_phrase(line, clause->object, governed);

    if (clause->place != NULL && clause->place_low)
        line_attach(line,
                    german_say_prepositional(line, clause->preposition,
                                             clause->preposition->governs, clause->place, 0),
                    object, "nmod");
    wait_for_head(waiting, object, governed == DATIVE ? "obl:arg" : "obj");
}

static int is_pronoun(const struct phrase *phrase)
{
    return phrase != NULL && phrase->pronoun != NULL;
}

/* Pronouns, adverbs, recipient, circumstance, object, direction. */
static void say_middle(struct line *line, struct waiting *waiting, const struct clause *clause)
{
    int free_place = clause->place != NULL && !clause->place_low;
    int direction = free_place && clause->verb->frame == DIRECTED;

    if (is_pronoun(clause->object))
        say_object(line, waiting, clause);
    if (is_pronoun(clause->recipient))
        wait_for_head(waiting, german_say_phrase(line, clause->recipient, DATIVE), "iobj");
    say_adverb(line, waiting, clause->handed);
    say_adverb(line, waiting, clause->late_low ? NULL : clause->late);
    say_adverb(line, waiting, clause->early_low ? NULL : clause->early);
    if (clause->recipient != NULL && !is_pronoun(clause->recipient))
        wait_for_head(waiting, german_say_phrase(line, clause->recipient, DATIVE), "iobj");
    if (free_place && !direction)
        wait_for_head(waiting,
                      german_say_prepositional(line, clause->preposition,
                                               clause->preposition->governs, clause->place, 0),
                      "obl");
    if (clause->object != NULL && !is_pronoun(clause->object))
        say_object(line, waiting, clause);
    if (direction)
        wait_for_head(waiting,
                      german_say_prepositional(line, clause->preposition, ACCUSATIVE, clause->place,
                                               0),
                      "obl");
}

/*
 * The end of the clause; returns its head. `finite` is the verb in second place, or -1. Main clause:
 * "... hat ... gesehen", "... kommt ... an"; behind a conjunction: "... gesehen hat", "... ankommt". As in
 * Universal Dependencies the full verb, or the predicate, is the head and an auxiliary its dependent.
 */
static int say_end(struct line *line, struct waiting *waiting, const struct clause *clause,
                   const struct predicate *predicate, int finite)
{
    const char *auxiliary = clause->predicate != NULL ? "cop" : "aux";
    int head;

    if (finite < 0 && !predicate->is_auxiliary)
        return say_finite(line, predicate, predicate->whole);
    if (!predicate->is_auxiliary) {
        if (predicate->has_prefix)
            line_attach(line, line_put(line, predicate->last, predicate->last, "ADP", ""), finite,
                        "compound:prt");
        return finite;
    }
    head = say_last(line, clause, predicate);
    if (finite < 0)
        finite = say_finite(line, predicate, predicate->whole);
    wait_for_head(waiting, finite, auxiliary);
    return head;
}

static int say_relative_pronoun(struct line *line, struct waiting *waiting,
                                const struct clause *clause, const struct german_noun *antecedent)
{
    enum grammatical_case role = NOMINATIVE;
    const char *deprel = "nsubj";
    int word;

    if (clause->gap == OBJECT_GAP) {
        role = clause->verb->object_case;
        deprel = role == DATIVE ? "obl:arg" : "obj";
    }
    word = line_put(line, german_relative_form(antecedent, role), "der", "PRON", "PronType=Rel");
    wait_for_head(waiting, word, deprel);
    return word;
}

static void say_subject(struct line *line, struct waiting *waiting, const struct clause *clause)
{
    if (clause->gap != SUBJECT_GAP)
        wait_for_head(waiting, german_say_phrase(line, clause->subject, NOMINATIVE), "nsubj");
}

static void say_second(struct line *line, const struct clause *clause, int head)
{
    int comma = clause->but ? line_open_comma(line) : -1;
    const char *word = clause->but ? "aber" : "und";
    int joiner = line_put(line, word, word, "CCONJ", "");
    int second = say_clause(line, clause->second, VERB_SECOND, NULL);

    attach_if(line, comma, second, "punct");
    line_attach(line, joiner, second, "cc");
    line_attach(line, second, head, "conj");
}

/* First place, finite verb, and the subject where it is not first: "Heute sieht der Mann ...". Returns the
 * finite verb. */
static int say_beginning(struct line *line, struct waiting *waiting, const struct clause *clause,
                         const struct predicate *predicate)
{
    int subject_first = clause->front == NULL && !clause->circumstance_first;
    int finite;

    say_adverb(line, waiting, clause->front);
    if (clause->circumstance_first)
        wait_for_head(waiting, say_marked(line, clause->conjunction->de, clause->circumstance),
                      "advcl");
    if (subject_first)
        say_subject(line, waiting, clause);
    finite = say_finite(line, predicate, predicate->finite);
    if (!subject_first)
        say_subject(line, waiting, clause);
    return finite;
}

static int say_clause(struct line *line, const struct clause *clause, enum order order,
                      const struct german_noun *antecedent)
{
    struct waiting waiting = { { 0 }, { NULL }, 0 };
    struct predicate predicate;
    int finite = -1;
    int head, i;

    conjugate(&predicate, clause,
              meaning_is_plural(clause, antecedent != NULL && antecedent->plural));
    if (clause->gap != NO_GAP)
        say_relative_pronoun(line, &waiting, clause, antecedent);
    if (order == VERB_SECOND)
        finite = say_beginning(line, &waiting, clause, &predicate);
    else
        say_subject(line, &waiting, clause);
    say_middle(line, &waiting, clause);
    head = say_end(line, &waiting, clause, &predicate, finite);
    for (i = 0; i < waiting.count; i++)
        line_attach(line, waiting.word[i], head, waiting.deprel[i]);
    if (clause->content != NULL)
        line_attach(line, say_marked(line, "dass", clause->content), head, "ccomp");
    if (clause->circumstance != NULL && !clause->circumstance_first)
        line_attach(line, say_marked(line, clause->conjunction->de, clause->circumstance), head,
                    "advcl");
    if (clause->second != NULL)
        say_second(line, clause, head);
    return head;
}

int german_say(struct meaning *meaning, struct line *line)
{
    memset(line, 0, sizeof *line);
    meaning_settle(meaning);
    line_stop(line, say_clause(line, meaning->main, VERB_SECOND, NULL));
    return line->count;
}
