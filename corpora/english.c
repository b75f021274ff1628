/*
 * english.c: saying a meaning in English, with its Universal Dependencies tree.
 *
 * Modifiers follow what they modify and adverbs stand at the end, so the words do not
 * tell where a PP, a relative clause or an adverb belongs; the heads do.
 */
#include "meaning.h"

#include <stdio.h>
#include <string.h>

static int say_clause(struct line *line, const struct clause *clause, int antecedent_plural);

static int say_adverb(struct line *line, const struct adverb *adverb)
{
    return adverb == NULL ? -1 : line_put(line, adverb->en, adverb->en, "ADV", "");
}

/* ---- phrases ---------------------------------------------------------------------- */

static int say_determiner(struct line *line, const struct phrase *phrase)
{
    const struct determiner *determiner = phrase->determiner;
    const char *next = phrase->adjective ? phrase->adjective->en : phrase->noun->en;
    const char *form;

    if (determiner == NULL)
        return -1;
    form = phrase->plural ? determiner->en_plural : determiner->en;
    if (strcmp(form, "a") == 0 && strchr("aeiou", next[0]) != NULL)
        form = "an";
    return line_put(line, form, determiner->en ? determiner->en : form, determiner->upos_en, "");
}

static int say_phrase(struct line *line, const struct phrase *phrase, int is_subject);

/* `of`, `behind`, ... and its noun, which becomes a dependent of `head` later. */
static int say_prepositional(struct line *line, const char *preposition,
                             const struct phrase *phrase)
{
    int marker = line_put(line, preposition, preposition, "ADP", "");
    int noun = say_phrase(line, phrase, 0);

    line_attach(line, marker, noun, "case");
    return noun;
}

/* The parts behind a noun; returns the last noun among them, or the noun itself. */
static int say_inner(struct line *line, const struct phrase *phrase, int noun)
{
    int inner = noun;

    if (phrase->genitive != NULL) {
        inner = say_prepositional(line, "of", phrase->genitive);
        line_attach(line, inner, noun, "nmod");
    } else if (phrase->place != NULL) {
        inner = say_prepositional(line, phrase->preposition->en, phrase->place);
        line_attach(line, inner, noun, "nmod");
    } else if (phrase->second != NULL) {
        int and = line_put(line, "and", "and", "CCONJ", "");

        inner = say_phrase(line, phrase->second, 0);
        line_attach(line, and, inner, "cc");
        line_attach(line, inner, noun, "conj");
    }
    return inner;
}

static int say_noun(struct line *line, const struct phrase *phrase)
{
    int determiner = say_determiner(line, phrase);
    int adjective = -1;
    int noun;

    if (phrase->adjective != NULL)
        adjective = line_put(line, phrase->adjective->en, phrase->adjective->en, "ADJ", "");
    noun = line_put(line, phrase->plural ? phrase->noun->en_plural : phrase->noun->en,
                    phrase->noun->en, "NOUN", phrase->plural ? "Number=Plur" : "Number=Sing");
    if (determiner >= 0)
        line_attach(line, determiner, noun, phrase->determiner->deprel_en);
    if (adjective >= 0)
        line_attach(line, adjective, noun, "amod");
    return noun;
}

static int say_phrase(struct line *line, const struct phrase *phrase, int is_subject)
{
    int noun, inner;

    if (phrase->pronoun != NULL)
        return line_put(line, is_subject ? phrase->pronoun->en_subject : phrase->pronoun->en_object,
                        phrase->pronoun->en_subject, "PRON", is_subject ? "Case=Nom" : "Case=Acc");
    noun = say_noun(line, phrase);
    inner = say_inner(line, phrase, noun);
    if (phrase->relative != NULL) {
        int verb = say_clause(line, phrase->relative, phrase->plural);

        line_attach(line, verb, phrase->relative_low ? inner : noun, "acl:relcl");
    }
    return noun;
}

/* ---- verbs ------------------------------------------------------------------------ */

/* `brings along`: the part behind the space becomes a particle. */
static int say_verb(struct line *line, const struct verb *verb, const char *form, const char *feats)
{
    size_t length = strcspn(form, " ");
    char word[40], lemma[40];
    int at;

    snprintf(word, sizeof word, "%.*s", (int)length, form);
    snprintf(lemma, sizeof lemma, "%.*s", (int)strcspn(verb->en, " "), verb->en);
    at = line_put(line, word, lemma, "VERB", feats);
    if (form[length] == ' ')
        line_attach(line, line_put(line, form + length + 1, form + length + 1, "ADP", ""), at,
                    "compound:prt");
    return at;
}

static const char *be_form(const struct clause *clause, int plural)
{
    if (clause->tense == PAST)
        return plural ? "were" : "was";
    if (meaning_person(clause) == 1 && !plural)
        return "am";
    return plural ? "are" : "is";
}

/* Auxiliary, adverb and verb; the auxiliary is -1 where there is none. */
static int say_predicate(struct line *line, const struct clause *clause, int plural, int *auxiliary,
                         int *adverb)
{
    int third = !plural && meaning_person(clause) == 3;
    const struct adverb *early = clause->early_low ? NULL : clause->early;
    const struct verb *verb = clause->verb;

    *auxiliary = -1;
    *adverb = -1;
    if (clause->predicate != NULL) {
        *auxiliary = line_put(line, be_form(clause, plural), "be", "AUX", "VerbForm=Fin");
        return line_put(line, clause->predicate->en, clause->predicate->en, "ADJ", "");
    }
    if (clause->tense == PERFECT)
        *auxiliary = line_put(line, third ? "has" : "have", "have", "AUX", "VerbForm=Fin");
    else if (clause->tense == MODAL)
        *auxiliary = line_put(line, clause->modal->en, clause->modal->en, "AUX", "VerbForm=Fin");
    *adverb = say_adverb(line, early);
    switch (clause->tense) {
    case PERFECT: return say_verb(line, verb, verb->en_participle, "VerbForm=Part");
    case MODAL: return say_verb(line, verb, verb->en, "VerbForm=Inf");
    case PAST: return say_verb(line, verb, verb->en_past, "Tense=Past|VerbForm=Fin");
    default:
        return say_verb(line, verb, third ? verb->en_third : verb->en, "Tense=Pres|VerbForm=Fin");
    }
}

/* ---- clauses ---------------------------------------------------------------------- */

static int say_marked(struct line *line, const char *mark, const struct clause *clause)
{
    int marker = line_put(line, mark, mark, "SCONJ", "");
    int verb = say_clause(line, clause, 0);

    line_attach(line, marker, verb, "mark");
    return verb;
}

static void attach_if(struct line *line, int word, int head, const char *deprel)
{
    if (word >= 0)
        line_attach(line, word, head, deprel);
}

/* Objects, PP, that-clause and final adverbs. */
static void say_complements(struct line *line, const struct clause *clause, int verb)
{
    int object = -1;

    if (clause->recipient != NULL)
        line_attach(line, say_phrase(line, clause->recipient, 0), verb, "iobj");
    if (clause->object != NULL) {
        object = say_phrase(line, clause->object, 0);
        line_attach(line, object, verb, "obj");
    }
    if (clause->place != NULL) {
        int place = say_prepositional(line, clause->preposition->en, clause->place);

        if (clause->place_low)
            line_attach(line, place, object, "nmod");
        else
            line_attach(line, place, verb, "obl");
    }
    if (clause->content != NULL)
        line_attach(line, say_marked(line, "that", clause->content), verb, "ccomp");
    if (!clause->late_low)
        attach_if(line, say_adverb(line, clause->late), verb, "advmod");
    attach_if(line, say_adverb(line, clause->handed), verb, "advmod");
}

static void say_second(struct line *line, const struct clause *clause, int verb)
{
    int comma = clause->but ? line_open_comma(line) : -1;
    const char *word = clause->but ? "but" : "and";
    int joiner = line_put(line, word, word, "CCONJ", "");
    int second = say_clause(line, clause->second, 0);

    attach_if(line, comma, second, "punct");
    line_attach(line, joiner, second, "cc");
    line_attach(line, second, verb, "conj");
}

static int say_clause(struct line *line, const struct clause *clause, int antecedent_plural)
{
    int plural = meaning_is_plural(clause, antecedent_plural);
    int relative = -1, first = -1;
    int front, subject, auxiliary, early, verb;

    if (clause->gap != NO_GAP)
        relative = line_put(line, "that", "that", "PRON", "PronType=Rel");
    front = say_adverb(line, clause->front);
    if (clause->circumstance_first) {
        first = say_marked(line, clause->conjunction->en, clause->circumstance);
        line_close_comma(line, first);
    }
    subject = clause->gap == SUBJECT_GAP ? relative : say_phrase(line, clause->subject, 1);
    verb = say_predicate(line, clause, plural, &auxiliary, &early);
    attach_if(line, front, verb, "advmod");
    attach_if(line, first, verb, "advcl");
    attach_if(line, early, verb, "advmod");
    attach_if(line, auxiliary, verb, clause->predicate != NULL ? "cop" : "aux");
    line_attach(line, subject, verb, "nsubj");
    if (clause->gap == OBJECT_GAP)
        line_attach(line, relative, verb, "obj");
    say_complements(line, clause, verb);
    if (clause->circumstance != NULL && !clause->circumstance_first)
        line_attach(line, say_marked(line, clause->conjunction->en, clause->circumstance), verb,
                    "advcl");
    if (clause->second != NULL)
        say_second(line, clause, verb);
    return verb;
}

int english_say(struct meaning *meaning, struct line *line)
{
    memset(line, 0, sizeof *line);
    meaning_settle(meaning);
    line_stop(line, say_clause(line, meaning->main, 0));
    return line->count;
}
