/*
 * option.h: settings: one table describes an option; command line, config file, help and man
 * page check all read that table.
 *
 * A setting's value is text checked against its table row, with the place it came from. Names
 * are kebab-case; `_` is accepted for `-`; an unknown name is an error with the nearest known one
 * (base/option/near.h).
 */
#ifndef DGM_BASE_OPTION_OPTION_H
#define DGM_BASE_OPTION_OPTION_H

#include "base/buf.h"
#include "base/env.h"
#include "base/map.h"

enum dgm_opt_type {
    DGM_OPT_FLAG, /* --name, --no-name; in files true or false */
    DGM_OPT_INT,
    DGM_OPT_REAL,
    DGM_OPT_TEXT,
    DGM_OPT_FILE,   /* text; a file that is read; "-" may be standard input */
    DGM_OPT_FILES,  /* one or more arguments, up to the next option: --train-sets SRC TRG */
    DGM_OPT_CHOICE, /* one of `choices`, separated by | */
    DGM_OPT_LENGTH, /* number with unit: 100u updates, 50e epochs, 1Mt target tokens, 12h, 90s */
    DGM_OPT_OUTPUT, /* text; a file that is written; "-" may be standard output */
    DGM_OPT_WORDS   /* as DGM_OPT_FILES, but no files */
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
    const char *help;     /* one sentence without its full stop */
};

/* Whether a value is a list of arguments. */
#define DGM_OPT_IS_LIST(type) ((type) == DGM_OPT_FILES || (type) == DGM_OPT_WORDS)

/* Ends a table. */
/* clang-format off */
#define DGM_OPT_END { .name = NULL }
/* clang-format on */

struct dgm_setting {
    const struct dgm_opt *opt;
    char *value;  /* NULL: not set */
    char **items; /* lists (DGM_OPT_FILES, _WORDS) only: the arguments, item_count of them */
    size_t item_count;
    char *origin;  /* "default", "recipe.conf:12", "command line", "DRAGOMAN_THREADS", "model";
                            NULL where no value was ever set */
    int explicit_; /* set by the user rather than by default */
};

/* A set of settings over up to 8 tables, searched in order. */
struct dgm_settings {
    struct dgm_setting *items;
    size_t count;
};

/* `tables` is ended by NULL. Every setting starts with its default. */
dgm_status dgm_settings_init(struct dgm_env *env, struct dgm_settings *settings,
                             const struct dgm_opt *const *tables);
void dgm_settings_clear(struct dgm_env *env, struct dgm_settings *settings);

/* Checks and stores one value. DGM_USAGE names the option, what was found and what is expected. */
dgm_status dgm_settings_set(struct dgm_env *env, struct dgm_settings *settings, const char *name,
                            const char *value, const char *origin);

/*
 * A config file: `key = value` or `key: value` lines, # comments, values optionally in double
 * quotes. Errors name file and line: unknown key (with suggestion), duplicate key, bad value.
 * A name without a slash that is no file here means an installed recipe, "multi30k-tiny".
 */
dgm_status dgm_settings_load(struct dgm_env *env, struct dgm_settings *settings, const char *path);
/* The same from memory; `name` is used in messages. Unknown keys are errors. */
dgm_status dgm_settings_parse(struct dgm_env *env, struct dgm_settings *settings, const char *text,
                              size_t bytes, const char *name);

/*
 * argv[0..argc-1] are the arguments after the command's name. Options may be `--name value`,
 * `--name=value`, `-x value`, `-xvalue`; `--` ends them. What is no option goes to `rest` (room
 * for argc pointers), in order, *rest_count of them.
 *
 * The files of `--config` are loaded first, in order; then the options count, wherever they stand:
 * they win over files. Of two files, and of an option given twice, the later wins; but an open list
 * ("FILE...") that is given twice on the command line is one list, and takes the place of a file's.
 */
dgm_status dgm_settings_arguments(struct dgm_env *env, struct dgm_settings *settings, int argc,
                                  char *const *argv, char **rest, int *rest_count);

/* Environment variables DRAGOMAN_<NAME> (upper case, _ for -), weaker than the command line. */
dgm_status dgm_settings_environment(struct dgm_env *env, struct dgm_settings *settings);

/* Values. Asking for a name that is in no table is a programming error (assert). */
const char *dgm_settings_text(const struct dgm_settings *settings, const char *name); /* or NULL */
int64_t dgm_settings_int(const struct dgm_settings *settings, const char *name);
double dgm_settings_real(const struct dgm_settings *settings, const char *name);
int dgm_settings_flag(const struct dgm_settings *settings, const char *name);
/* DGM_OPT_LENGTH: the number, and its unit: 'u' 'e' 't' 'h' 'm' 's' ('u' when none is given). */
double dgm_settings_length(const struct dgm_settings *settings, const char *name, char *unit);
/* Lists: how many items, and item i (valid until the setting changes). */
size_t dgm_settings_count(const struct dgm_settings *settings, const char *name);
const char *dgm_settings_item(const struct dgm_settings *settings, const char *name, size_t i);
int dgm_settings_is_set(const struct dgm_settings *settings, const char *name); /* by the user */
/* Whether the command line gave the value. */
int dgm_setting_is_typed(const struct dgm_setting *setting);
int dgm_settings_is_typed(const struct dgm_settings *settings, const char *name);

/* `key = value  # origin` lines of every setting that has a value. */
dgm_status dgm_settings_dump(struct dgm_env *env, const struct dgm_settings *settings,
                             struct dgm_buf *out, int with_origin);

/* Help text of one table: aligned, wrapped at 90 columns. */
dgm_status dgm_opt_help(struct dgm_env *env, const struct dgm_opt *table, struct dgm_buf *out);

#endif
