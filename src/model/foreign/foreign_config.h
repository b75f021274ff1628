/*
 * foreign_config.h: the configuration of another program's model: names and values from JSON or
 * YAML, each of which is asked for, known to be harmless, or refused.
 *
 * A configuration can change what a model computes in ways that we do not know. So whoever imports
 * says of every name what it may be, and what nobody asked for is refused by its name.
 */
#ifndef DGM_MODEL_FOREIGN_FOREIGN_CONFIG_H
#define DGM_MODEL_FOREIGN_FOREIGN_CONFIG_H

#include "base/buf.h"
#include "base/map.h"

struct dgm_foreign_setting {
    size_t text; /* where the value begins in `bytes`, a string; of a list: items, with commas */
    int is_asked;
};

/* Zeroed is empty. */
struct dgm_foreign_config {
    char name[1024];      /* for messages */
    struct dgm_map names; /* entry i names setting i */
    struct dgm_foreign_setting *settings;
    size_t capacity;
    struct dgm_buf bytes;
};

/* A name and what it may be: words separated by bars, as they stand in the file; a list that has no
 * items, and null, are "". NULL: anything. */
struct dgm_foreign_rule {
    const char *name, *values;
};

/* A JSON object; lists and objects inside it are kept as they stand. DGM_DATA. */
dgm_status dgm_foreign_config_json(struct dgm_env *env, struct dgm_foreign_config *config,
                                   const char *name, const char *text, size_t size);
dgm_status dgm_foreign_config_yml(struct dgm_env *env, struct dgm_foreign_config *config,
                                  const char *name, const char *text, size_t size);
void dgm_foreign_config_clear(struct dgm_env *env, struct dgm_foreign_config *config);

/* The value of a name, NULL if there is none; it counts as asked for. */
const char *dgm_foreign_config_text(struct dgm_foreign_config *config, const char *name);
/* A whole number or true or false; *value stays if there is none. DGM_MODEL for others. */
dgm_status dgm_foreign_config_int(struct dgm_env *env, struct dgm_foreign_config *config,
                                  const char *name, int64_t low, int64_t high, int64_t *value);
dgm_status dgm_foreign_config_flag(struct dgm_env *env, struct dgm_foreign_config *config,
                                   const char *name, int *value);
/* A number that must be there. */
dgm_status dgm_foreign_config_need(struct dgm_env *env, struct dgm_foreign_config *config,
                                   const char *name, int64_t low, int64_t high, int64_t *value);

/* Rules up to one without a name. DGM_MODEL for a value that is none of its rule's: a network that
 * ours cannot be. */
dgm_status dgm_foreign_config_check(struct dgm_env *env, struct dgm_foreign_config *config,
                                    const struct dgm_foreign_rule *rules);
/* DGM_MODEL, with all of them, where there are names with a value that nobody asked for. */
dgm_status dgm_foreign_config_refuse_rest(struct dgm_env *env,
                                          const struct dgm_foreign_config *config);

#endif
