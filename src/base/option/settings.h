/*
 * settings.h: what the files behind option.h share; nobody else needs it.
 */
#ifndef DGM_BASE_OPTION_SETTINGS_H
#define DGM_BASE_OPTION_SETTINGS_H

#include "base/option/near.h"
#include "base/option/option.h"

/* Enough for every sentence of dgm_opt_check. */
#define DGM_OPT_WHY 320

/*
 * Checks a value against its row. Returns 1, or 0 with the reason in `why`:
 * "expected 1..1024, got "0"". Values of lists are checked one by one.
 */
int dgm_opt_check(const struct dgm_opt *opt, const char *value, char *why);

/* Whether a list may have no items: its placeholder then stands in brackets, "[FILE...]". */
int dgm_opt_may_be_empty(const struct dgm_opt *opt);

/* "100Ku": number 100000, unit 'u'. Returns 0 when it is no length. */
int dgm_opt_length(const char *text, double *number, char *unit);

/* Whether a name, `_` counting as `-`, is the option's name or one of its aliases. */
int dgm_opt_is_called(const struct dgm_opt *opt, const char *name, size_t length);

/* The value of DRAGOMAN_<NAME>, or NULL; `name` (80 bytes) gets the variable's name. */
const char *dgm_opt_variable(const struct dgm_opt *opt, char *name);

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
 * Checks and stores a value from text; lists are split at blanks outside double quotes.
 * Returns DGM_USAGE with nothing recorded and the reason in `why` when the value is not
 * acceptable.
 */
dgm_status dgm_settings_take(struct dgm_env *env, struct dgm_setting *setting, const char *value,
                             const char *origin, char *why);

#endif
