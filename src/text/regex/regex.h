/*
 * regex.h: regular expressions as Python's module re has them, without captures and what looks
 * around: which text an expression matches first.
 *
 * Characters and \d \w \s \D \W \S, . [a-z] [^a-z], ^ $ \b \B \A \Z, | ( ) (?: ) (?P<name> ), and
 * the repetitions * + ? {m} {m,} {,n} {m,n}, each with ? to take the least. A brace that begins no
 * repetition is a brace. Refused: backreferences, (?= (?! (?<, flags, repetitions with + behind.
 *
 * An expression becomes a program of small steps, which all run side by side over the text (Pike
 * 1987; Thompson, "Regular Expression Search Algorithm", CACM 1968): time is text times program,
 * whatever the expression. Of several ways to match, the first in the order of the expression
 * counts, as where one is tried after the other.
 */
#ifndef DGM_TEXT_REGEX_REGEX_H
#define DGM_TEXT_REGEX_REGEX_H

#include <stddef.h>
#include <stdint.h>

#include "base/env.h"

enum dgm_regex_op {
    DGM_REGEX_CHARACTER, /* `first` */
    DGM_REGEX_ANY,       /* any but LF */
    DGM_REGEX_SET,       /* one of `second` ranges from range `first` on, or of none */
    DGM_REGEX_BEGIN,     /* places: of the text ... */
    DGM_REGEX_END,       /* ... its end, and before an LF there */
    DGM_REGEX_LAST,      /* ... its end alone */
    DGM_REGEX_EDGE,      /* of a word */
    DGM_REGEX_NO_EDGE,
    DGM_REGEX_SPLIT, /* goes on `first` steps from here, or else `second` */
    DGM_REGEX_JUMP,  /* goes on `first` steps from here */
    DGM_REGEX_MATCH
};

struct dgm_regex_step {
    enum dgm_regex_op op;
    int is_negated;
    int32_t first, second;
};

/* Characters from..to; or, with a class, all that are a digit, of a word, a blank, or not. */
struct dgm_regex_range {
    uint32_t from, to;
    char class; /* 'd', 'w', 's', 'D', 'W', 'S'; 0: the range */
};

/* Zero-initialise; clear in any case. */
struct dgm_regex {
    struct dgm_regex_step *steps;
    size_t step_count, step_capacity;
    struct dgm_regex_range *ranges;
    size_t range_count, range_capacity;
};

/* DGM_USAGE for what is no expression, or one of those refused: the message names it. */
dgm_status dgm_regex_compile(struct dgm_env *env, struct dgm_regex *regex, const char *pattern,
                             size_t bytes);
void dgm_regex_clear(struct dgm_env *env, struct dgm_regex *regex);

/* Memory of a search, reused; zero-initialise; one for each thread. */
struct dgm_regex_work {
    struct dgm_regex_thread {
        uint32_t step, start; /* where it is; the byte at which its match began */
    } * threads[2];  /* (steps) here, and behind this character; the first has precedence */
    uint32_t *seen;  /* (steps) the round in which each was last reached */
    uint32_t *stack; /* steps to be followed */
    size_t count[2], capacity;
    uint32_t round;
};

void dgm_regex_work_clear(struct dgm_env *env, struct dgm_regex_work *work);

/* The first match in text[0..size) that begins at byte `from` or behind, size below 2^31. advances:
 * not an empty one at `from`. *start, *end: its bytes; *found: there is one. The text is UTF-8;
 * bytes that are none are characters of their own. */
dgm_status dgm_regex_find(struct dgm_env *env, const struct dgm_regex *regex,
                          struct dgm_regex_work *work, const char *text, size_t size, size_t from,
                          int advances, size_t *start, size_t *end, int *found);

#endif
