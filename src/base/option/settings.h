/*
 * settings.h: the settings of a run: text checked against the row of its option (option.h), with
 * the place it came from. An unknown name is an error with the nearest known one (near.h).
 */
#ifndef DGM_BASE_OPTION_SETTINGS_H
#define DGM_BASE_OPTION_SETTINGS_H

#include "base/env.h"
#include "base/option/option.h"

struct dgm_near;

struct dgm_setting {
    const struct dgm_opt *opt;
    char *value;  /* NULL: not set */
    char **items; /* lists (DGM_OPT_IS_LIST) only: the arguments, item_count of them */
    size_t item_count;
    char *origin;  /* "default", "recipe.conf:12", "command line", "DRAGOMAN_THREADS", "model";
                            NULL where no value was ever set */
    int explicit_; /* set by the user rather than by default */
};

/* A set of settings over up to 16 tables, searched in order. */
struct dgm_settings {
    struct dgm_setting *items;
    size_t count;
};

/* `tables` is ended by NULL. Every setting starts with its default. */
dgm_status dgm_settings_init(struct dgm_env *env, struct dgm_settings *settings,
                             const struct dgm_opt *const *tables);
/* A copy of other settings, over the same tables. */
dgm_status dgm_settings_copy(struct dgm_env *env, struct dgm_settings *settings,
                             const struct dgm_settings *from);
void dgm_settings_clear(struct dgm_env *env, struct dgm_settings *settings);

/* Checks and stores one value. DGM_USAGE names the option, what was found and what is expected. */
dgm_status dgm_settings_set(struct dgm_env *env, struct dgm_settings *settings, const char *name,
                            const char *value, const char *origin);

/* ---- asking ---------------------------------------------------------------------------------- */

/* Values. Asking for a name that is in no table is a programming error (assert). */
const char *dgm_settings_text(const struct dgm_settings *settings, const char *name); /* or NULL */
/* The number of the value among the `choices` of its option, from 0. */
int dgm_settings_choice(const struct dgm_settings *settings, const char *name);
int64_t dgm_settings_int(const struct dgm_settings *settings, const char *name);
double dgm_settings_real(const struct dgm_settings *settings, const char *name);
int dgm_settings_flag(const struct dgm_settings *settings, const char *name);
/* DGM_OPT_LENGTH: the number, and its unit: 'u' 'e' 't' 'h' 'm' 's' ('u' when none is given). */
double dgm_settings_length(const struct dgm_settings *settings, const char *name, char *unit);
int64_t dgm_settings_bytes(const struct dgm_settings *settings, const char *name);
/* Lists: how many items, and item i (valid until the setting changes). */
size_t dgm_settings_count(const struct dgm_settings *settings, const char *name);
const char *dgm_settings_item(const struct dgm_settings *settings, const char *name, size_t i);
int64_t dgm_settings_item_int(const struct dgm_settings *settings, const char *name, size_t i);
int dgm_settings_is_set(const struct dgm_settings *settings, const char *name); /* by the user */
/* Whether the command line gave the value. */
int dgm_setting_is_typed(const struct dgm_setting *setting);
int dgm_settings_is_typed(const struct dgm_settings *settings, const char *name);

/* ---- for whoever reads settings from somewhere ----------------------------------------------- */

/* The setting of a name, or NULL. */
struct dgm_setting *dgm_settings_find(const struct dgm_settings *settings, const char *name,
                                      size_t length);

/* Looks for the name or alias nearest to an unknown name. */
void dgm_settings_nearest(const struct dgm_settings *settings, struct dgm_near *near,
                          const char *name, size_t length);

/* Stores a checked value, or the `count` items of a list. */
dgm_status dgm_settings_store(struct dgm_env *env, struct dgm_setting *setting, const char *value,
                              const char *origin);
dgm_status dgm_settings_store_items(struct dgm_env *env, struct dgm_setting *setting,
                                    char *const *items, size_t count, const char *origin);

/*
 * Checks and stores a value from text; lists are split at blanks outside double quotes, those of
 * choices and numbers at commas, too.
 * Returns DGM_USAGE with nothing recorded and the reason in `why` when the value is not
 * acceptable.
 */
dgm_status dgm_settings_take(struct dgm_env *env, struct dgm_setting *setting, const char *value,
                             const char *origin, char *why);

#endif
