/*
 * search_habits.h: how the program that a model comes from searches, where that is not our way: the
 * translations of an imported model are those of its origin then, unless a user says otherwise.
 *
 * Key dragoman.search: `name = value` lines, as dragoman.config; what no line names is ours.
 */
#ifndef DGM_MODEL_FILE_SEARCH_HABITS_H
#define DGM_MODEL_FILE_SEARCH_HABITS_H

#include "base/option/settings.h"

struct dgm_gguf;
struct dgm_gguf_writer;

#define DGM_SEARCH_HABITS "dragoman.search"

/* Settings without a value; whoever gives some sets them by name: beam-size, beam-rule, penalty,
 * normalize, max-length-factor, max-length-extra. */
dgm_status dgm_search_habits_init(struct dgm_env *env, struct dgm_settings *habits);
/* Those of a file, or none. DGM_MODEL for lines that no such settings are. */
dgm_status dgm_search_habits_read(struct dgm_env *env, struct dgm_settings *habits,
                                  const struct dgm_gguf *file);
/* Adds the key where there is something to say. */
dgm_status dgm_search_habits_write(struct dgm_env *env, const struct dgm_settings *habits,
                                   struct dgm_gguf_writer *writer);

#endif
