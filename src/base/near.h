/*
 * near.h: what somebody may have meant: the known word nearest to one that is not known.
 *
 * A word that begins with what was typed comes first ("trans" is translate), the shortest of them;
 * then the one at the least edit distance. `_` and `-` are the same letter.
 */
#ifndef DGM_BASE_NEAR_H
#define DGM_BASE_NEAR_H

#include <stddef.h>

/* A search: begun, then shown every known word. */
struct dgm_near {
    const char *name; /* what was typed */
    size_t length;
    const char *best; /* the nearest word so far, or NULL */
    size_t best_length;
    int distance; /* of the best; 0: it begins with the name */
};

void dgm_near_begin(struct dgm_near *near, const char *name, size_t length);
void dgm_near_try(struct dgm_near *near, const char *word, size_t length);
/* The same for all words of a list, with one `separator` between two. NULL is an empty list. */
void dgm_near_try_list(struct dgm_near *near, const char *words, char separator);

/* The nearest entry of a list of words, or NULL. */
const char *dgm_nearest(const char *name, const char *const *words, size_t count);

/* Room for any suggestion. */
#define DGM_SUGGESTION_SIZE 80

/* "; did you mean "x"?" with the nearest word, to stand at the end of a message; "" without one. */
void dgm_near_suggest(const struct dgm_near *near, char suggestion[DGM_SUGGESTION_SIZE]);

#endif
