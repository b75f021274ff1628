/*
 * words.c: adjectives, adverbs, prepositions, pronouns, determiners and other small
 * words of the built-in treebank.
 */
#include "lexicon.h"

#include <stddef.h>

#define LIVING (HUMAN | ANIMAL)
#define OBJECT (THING | TOOL | PLACE | INSIDE | SURFACE | COVER)
#define ALL (LIVING | OBJECT)

/* clang-format off */
const struct adjective adjectives[] = {
    {"old", "alt", "alt", ALL}, {"small", "klein", "klein", ALL}, {"new", "neu", "neu", OBJECT},
    {"young", "jung", "jung", LIVING}, {"big", "groß", "groß", ALL}, {"red", "rot", "rot", OBJECT},
    {"tired", "müde", "müd", LIVING}, {"beautiful", "schön", "schön", ALL}, {"black", "schwarz", "schwarz", OBJECT | ANIMAL},
    {"heavy", "schwer", "schwer", THING | TOOL}, {"happy", "glücklich", "glücklich", HUMAN}, {"white", "weiß", "weiß", OBJECT | ANIMAL},
    {"green", "grün", "grün", OBJECT}, {"clever", "klug", "klug", LIVING}, {"dirty", "schmutzig", "schmutzig", ALL},
    {"sad", "traurig", "traurig", HUMAN}, {"expensive", "teuer", "teur", OBJECT}, {"friendly", "freundlich", "freundlich", LIVING},
    {"blue", "blau", "blau", OBJECT}, {"strong", "stark", "stark", LIVING}, {"dark", "dunkel", "dunkl", OBJECT},
    {"rich", "reich", "reich", HUMAN}, {"strange", "seltsam", "seltsam", ALL}, {"high", "hoch", "hoh", PLACE},
    {"poor", "arm", "arm", HUMAN}, {"ugly", "hässlich", "hässlich", ALL}, {"famous", "berühmt", "berühmt", HUMAN},
    {"wild", "wild", "wild", ANIMAL}, {"empty", "leer", "leer", INSIDE}, {"light", "leicht", "leicht", THING},
    {"warm", "warm", "warm", INSIDE}, {"cheap", "billig", "billig", OBJECT}, {"hungry", "hungrig", "hungrig", LIVING},
    {"quiet", "ruhig", "ruhig", LIVING | INSIDE}, {"cold", "kalt", "kalt", INSIDE}, {"long", "lang", "lang", TOOL},
    {"wet", "nass", "nass", ALL}, {"lazy", "faul", "faul", LIVING}, {"brave", "tapfer", "tapfer", LIVING},
    {"grey", "grau", "grau", OBJECT | ANIMAL},
};

const struct adverb adverbs[] = {
    {"today", "heute", MOVABLE, ANY_TIME}, {"often", "oft", EARLY, ANY_TIME}, {"yesterday", "gestern", MOVABLE, PAST_TIME},
    {"always", "immer", EARLY, ANY_TIME}, {"here", "hier", MOVABLE, ANY_TIME}, {"again", "wieder", LATE, ANY_TIME},
    {"rarely", "selten", EARLY, ANY_TIME}, {"outside", "draußen", MOVABLE, ANY_TIME}, {"tomorrow", "morgen", MOVABLE, FUTURE_TIME},
    {"secretly", "heimlich", EARLY, ANY_TIME}, {"there", "dort", MOVABLE, ANY_TIME}, {"usually", "meistens", EARLY, ANY_TIME},
    {"alone", "allein", LATE, ANY_TIME}, {"sometimes", "manchmal", EARLY, ANY_TIME}, {"gladly", "gern", EARLY, ANY_TIME},
    {"early", "früh", LATE, ANY_TIME}, {"quietly", "leise", EARLY, ANY_TIME}, {"formerly", "früher", MOVABLE, PAST_TIME},
    {"soon", "bald", MOVABLE, FUTURE_TIME}, {"everywhere", "überall", LATE, ANY_TIME}, {"patiently", "geduldig", EARLY, ANY_TIME},
    {"recently", "neulich", MOVABLE, PAST_TIME},
};

const struct preposition prepositions[] = {
    {"behind", "hinter", DATIVE, 1, PLACE}, {"in", "in", DATIVE, 1, INSIDE}, {"on", "auf", DATIVE, 1, SURFACE},
    {"with", "mit", DATIVE, 0, TOOL}, {"under", "unter", DATIVE, 1, COVER}, {"beside", "neben", DATIVE, 1, PLACE},
};

const struct pronoun pronouns[] = {
    {"she", "her", {"sie", "sie", "ihr"}, 3, 0}, {"he", "him", {"er", "ihn", "ihm"}, 3, 0},
    {"they", "them", {"sie", "sie", "ihnen"}, 3, 1}, {"we", "us", {"wir", "uns", "uns"}, 1, 1},
    {"I", "me", {"ich", "mich", "mir"}, 1, 0}, {"you", "you", {"Sie", "Sie", "Ihnen"}, 2, 1},
};

const struct modal modals[] = {
    {"can", "können", "kann", "kann", "können", ANY_TIME}, {"will", "werden", "werde", "wird", "werden", FUTURE_TIME},
    {"must", "müssen", "muss", "muss", "müssen", ANY_TIME}, {"should", "sollen", "sollte", "sollte", "sollten", ANY_TIME},
    {"may", "dürfen", "darf", "darf", "dürfen", ANY_TIME},
};

const struct conjunction conjunctions[] = {
    {"because", "weil"}, {"although", "obwohl"}, {"while", "während"}, {"before", "bevor"}, {"if", "wenn"},
};

const struct determiner determiners[] = {
    {"the", "the", "d", NULL, LIKE_DER, "DET", "det", "DET", "det", 46, 1},
    {"a", NULL, "ein", NULL, LIKE_EIN, "DET", "det", "DET", "det", 22, 1},
    {"this", "these", "dies", NULL, LIKE_DER, "DET", "det", "DET", "det", 6, 1},
    {"my", "my", "mein", NULL, LIKE_EIN, "PRON", "nmod:poss", "DET", "det:poss", 4, 1},
    {"his", "his", "sein", NULL, LIKE_EIN, "PRON", "nmod:poss", "DET", "det:poss", 3, 1},
    {"her", "her", "ihr", NULL, LIKE_EIN, "PRON", "nmod:poss", "DET", "det:poss", 3, 1},
    {"our", "our", "unser", NULL, LIKE_EIN, "PRON", "nmod:poss", "DET", "det:poss", 2, 1},
    {"every", NULL, "jed", NULL, LIKE_DER, "DET", "det", "DET", "det", 3, 0},
    {"no", "no", "kein", NULL, LIKE_EIN, "DET", "det", "DET", "det", 3, 0},
    {NULL, "two", "zwei", "zwei", LIKE_NONE, "NUM", "nummod", "NUM", "nummod", 3, 0},
    {NULL, "three", "drei", "drei", LIKE_NONE, "NUM", "nummod", "NUM", "nummod", 2, 0},
    {NULL, "many", "viel", "viele", LIKE_NONE, "ADJ", "amod", "DET", "det", 2, 0},
    {NULL, "some", "einig", "einige", LIKE_NONE, "DET", "det", "DET", "det", 1, 0},
};
/* clang-format on */

#define COUNT(table) ((int)(sizeof(table) / sizeof(table)[0]))
const int adjective_count = COUNT(adjectives);
const int adverb_count = COUNT(adverbs);
const int preposition_count = COUNT(prepositions);
const int pronoun_count = COUNT(pronouns);
const int modal_count = COUNT(modals);
const int conjunction_count = COUNT(conjunctions);
const int determiner_count = COUNT(determiners);
