/*
 * running.h: lines of running text for models of tokens.
 *
 * A model that was trained on text which somebody else had cut into tokens (--tokenize none) does
 * not know "dog." with its full stop. A line that looks like running text is cut by Moses' rules,
 * as for a model with --tokenize moses, and its translation is put together; a line of tokens stays
 * what it is. That a vocabulary is of tokens is told by its commas, none of which stands at the end
 * of a word; that it is of lower-cased text, by its letters: then lines are lower-cased. Else a
 * word that begins a sentence and is not known becomes small where that is. Translations of lines
 * that begin with a capital do.
 */
#ifndef DGM_API_TRANSLATE_RUNNING_H
#define DGM_API_TRANSLATE_RUNNING_H

#include "data/text/pipeline.h"

enum dgm_running_lines { DGM_RUNNING_AUTO, DGM_RUNNING_ALL, DGM_RUNNING_NONE };

/* Zero-initialise; cleared in any case. */
struct dgm_running {
    struct dgm_pipeline *pipeline; /* of the models, borrowed; NULL: all are alike */
    int raises;                    /* translations may begin with a capital */
    unsigned char *are;            /* by the number of a line: what it is */
    size_t capacity;
    struct dgm_buf line, word; /* scratch, as is this: */
    struct dgm_encoded encoded;
    int64_t cut; /* lines that looked so */
};

/* `which` NULL is "auto"; DGM_USAGE unless it is that, "raw", "tokens". has_trees: their words are
 * those of the lines as they are. keep_tokens: translations are not put together. */
dgm_status dgm_running_open(struct dgm_env *env, struct dgm_running *running, const char *which,
                            struct dgm_pipeline *pipeline, int has_trees, int keep_tokens);
/* Line `number` of a queue is added next: the pipeline cuts it, or not. */
dgm_status dgm_running_take(struct dgm_env *env, struct dgm_running *running, size_t number,
                            const char *line, size_t bytes);
/* The same line, without its spans and its capitals (kept.h, casing.h): *line and *bytes become
 * what is read of it, which is valid until the next call. */
dgm_status dgm_running_lower(struct dgm_env *env, struct dgm_running *running, size_t number,
                             const char **line, size_t *bytes);
/* Its translation is written next; and has been written. */
void dgm_running_resume(const struct dgm_running *running, size_t number);
dgm_status dgm_running_put_back(struct dgm_env *env, struct dgm_running *running, size_t number,
                                struct dgm_buf *text);
void dgm_running_clear(struct dgm_env *env, struct dgm_running *running);

#endif
