/*
 * option.h: tables of options: one row describes an option, and command line, config file, help and
 * the check of the man page all read it.
 *
 * Names are kebab-case; `_` is accepted for `-`.
 */
#ifndef DGM_BASE_OPTION_OPTION_H
#define DGM_BASE_OPTION_OPTION_H

#include "base/buf.h"
#include "base/env.h"

enum dgm_opt_type {
    DGM_OPT_FLAG, /* --name, --no-name; in files true or false */
    DGM_OPT_INT,
    DGM_OPT_REAL,
    DGM_OPT_TEXT,
    DGM_OPT_FILE,    /* text; a file that is read; "-" may be standard input */
    DGM_OPT_FILES,   /* one or more arguments, up to the next option: --train-sets SRC TRG */
    DGM_OPT_CHOICE,  /* one of `choices`, separated by |; with limits also a whole number */
    DGM_OPT_LENGTH,  /* number with unit: 100u updates, 50e epochs, 1Mt target tokens, 12h, 90s */
    DGM_OPT_OUTPUT,  /* text; a file that is written; "-" may be standard output */
    DGM_OPT_WORDS,   /* as DGM_OPT_FILES, but no files */
    DGM_OPT_CHOICES, /* a list of some of `choices`, none of them twice; commas separate, too */
    DGM_OPT_INTS,    /* a list of whole numbers; commas separate, too */
    DGM_OPT_REALS,   /* the same of numbers */
    DGM_OPT_NAMES,   /* the same of words that hold no comma */
    DGM_OPT_OUTPUTS, /* as DGM_OPT_FILES, but files that are written */
    DGM_OPT_BYTES    /* a size: 2G, 500M, 1.5K (powers of 1024), 4096 */
};

struct dgm_opt {
    const char *name;
    char letter; /* short form, or 0 */
    enum dgm_opt_type type;
    const char *argument; /* placeholder in the help: "FILE"; "[FILE...]": a list, or nothing */
    const char *fallback; /* default as text, or NULL: not set */
    double low, high;     /* limits of numbers, inclusive; both 0: no limits */
    const char *choices;  /* "post|pre"; of files: words that are none, "auto|none" */
    const char *aliases;  /* other accepted names, separated by blanks, or NULL */
    const char *const *renamed; /* choices as other programs call them: theirs, ours, .. NULL; or
                                 * NULL */
    const char *help;           /* one sentence without its full stop */
    const char *before;   /* the default of older versions, which is what a model of theirs means
                           * that does not name the option; NULL: the same */
    int unsaid;           /* a file of settings does not name it at its default: so it stays, to the
                           * byte, what it was before there was the option; or nobody has asked for
                           * it, where asking for it rules out another option */
    int once;             /* a command line that gives it twice is refused; else the last counts */
    const char *needs;    /* options without which it says nothing: see clause.h */
    const char *excludes; /* options that it does not go with, likewise */
    int resume;           /* a resumed run may have another value */
    int ranks;            /* ranks may have other values: what they compute is the same */
    int reread;           /* of files: read more than once, so that none is standard input */
    const char *section;  /* of the help: begins here; NULL: that of the row before */
    int basic;            /* stands in the help's first group, which everybody needs */
};

/* Whether a value is a list of arguments; and one whose items hold neither blanks nor commas. */
#define DGM_OPT_IS_PLAIN_LIST(type)                                                    \
    ((type) == DGM_OPT_CHOICES || (type) == DGM_OPT_INTS || (type) == DGM_OPT_REALS || \
     (type) == DGM_OPT_NAMES)
#define DGM_OPT_IS_LIST(type)                                                           \
    ((type) == DGM_OPT_FILES || (type) == DGM_OPT_OUTPUTS || (type) == DGM_OPT_WORDS || \
     DGM_OPT_IS_PLAIN_LIST(type))

/* Ends a table. */
/* clang-format off */
#define DGM_OPT_END { .name = NULL }
/* clang-format on */

/* Enough for every sentence of dgm_opt_check. */
#define DGM_OPT_WHY 320

/*
 * Checks a value against its row. Returns 1, or 0 with the reason in `why`:
 * "expected 1..1024, got "0"". Values of lists are checked one by one.
 */
int dgm_opt_check(const struct dgm_opt *opt, const char *value, char *why);

/* Whether a list may have no items: its placeholder then stands in brackets, "[FILE...]". */
int dgm_opt_may_be_empty(const struct dgm_opt *opt);

/* What other programs call a choice, as we do; any other value as it is. */
const char *dgm_opt_ours(const struct dgm_opt *opt, const char *value);

/* The number of a value among `choices`, from 0, or -1. */
int dgm_opt_choice(const struct dgm_opt *opt, const char *value);
/* Whether a value is one of `choices`: of a file, a word such as "auto", which is a file only when
 * written as "./auto". */
int dgm_opt_is_word(const struct dgm_opt *opt, const char *value);

/* "100Ku": number 100000, unit 'u'. Returns 0 when it is no length. */
int dgm_opt_length(const char *text, double *number, char *unit);

/* "1.5G": 1610612736. Returns 0 when it is no size. */
int dgm_opt_bytes(const char *text, int64_t *bytes);
/* "1536M": with the largest unit that leaves it whole; below 2^53. */
#define DGM_OPT_BYTES_SIZE 32
void dgm_opt_print_bytes(char out[DGM_OPT_BYTES_SIZE], int64_t bytes);

/* Whether a name, `_` counting as `-`, is the option's name or one of its aliases. */
int dgm_opt_is_called(const struct dgm_opt *opt, const char *name, size_t length);

/* The value of DRAGOMAN_<NAME>, of the option's name or else of an alias, or NULL; `name` (80
 * bytes) gets the variable's name. */
const char *dgm_opt_variable(const struct dgm_opt *opt, char *name);

/* The section of a row of the table, or NULL. */
const char *dgm_opt_section(const struct dgm_opt *table, const struct dgm_opt *opt);

/* Help text of one row: aligned, wrapped at 80 columns. */
dgm_status dgm_opt_help(struct dgm_env *env, const struct dgm_opt *opt, struct dgm_buf *out);

#endif
