/*
 * lattice.h: all ways to cut a text into pieces, and sums over them.
 *
 * Kudo: "Subword Regularization" (ACL 2018), sections 3.1 and 3.2. An edge is a piece at a place of
 * the text, and a path from its beginning to its end a segmentation, which weighs the product of
 * the weights of its pieces. Sums are doubles with an exponent of their own, so that texts of any
 * length have them.
 */
#ifndef DGM_TEXT_SPM_LATTICE_H
#define DGM_TEXT_SPM_LATTICE_H

#include "base/env.h"
#include "base/philox.h"
#include "text/spm/trie.h"

enum { DGM_LATTICE_UNKNOWN = -1 }; /* the piece of a character that is none */

struct dgm_lattice_edge {
    uint32_t start, end; /* bytes */
    int32_t piece;
    uint32_t before; /* another edge with this end, or DGM_TRIE_NONE */
};

/* Of one text. Zeroed is valid; reused. */
struct dgm_lattice {
    struct dgm_lattice_edge *edges; /* (count) in the order of their starts */
    size_t count, capacity;
    size_t size, longest; /* bytes of the text, and of the longest edge */
    uint32_t *last;       /* (size + 1) by end: its last edge, or DGM_TRIE_NONE */
    double *sums;         /* (size + 1) over all ways to a place ... */
    int32_t *scales;      /* ... times a power of two (lattice.c) so often too large */
    double *behind;       /* (size + 1) the same of ways from there to the end */
    double *best;         /* (size + 1) log of the best way to a place ... */
    uint32_t *best_edge;  /* ... and its last edge */
    size_t place_capacity;
    uint32_t *path; /* (path_count) edges of a path, the first one first */
    size_t path_count, path_capacity;
};

/* How much pieces weigh, by number: e^-320 to 1 each, or 0 where a piece is not to be used. */
struct dgm_lattice_weights {
    const double *of; /* for sums */
    double unknown;   /* of a character that is no piece */
};

/* Finds the edges of a text, which is UTF-8 and has at most 2^31 bytes. `symbols` (or NULL): where
 * one of these strings is met, that is one edge, and nothing overlaps it. Pieces that weigh nothing
 * are passed over. */
dgm_status dgm_lattice_fill(struct dgm_env *env, struct dgm_lattice *lattice,
                            const struct dgm_trie *pieces, const struct dgm_trie *symbols,
                            const struct dgm_lattice_weights *weights, const char *text,
                            size_t size);
/* Sums over the ways to each place. */
void dgm_lattice_forward(struct dgm_lattice *lattice, const struct dgm_lattice_weights *weights);
/* After that: the log of the sum over all paths. */
double dgm_lattice_log_sum(const struct dgm_lattice *lattice);
/* After dgm_lattice_forward: adds `times` times the expected count of each piece. */
void dgm_lattice_expect(struct dgm_lattice *lattice, const struct dgm_lattice_weights *weights,
                        double times, double *counts);
/* After dgm_lattice_forward: a path, drawn in proportion to its weight (forward filtering, backward
 * sampling), in lattice->path. */
dgm_status dgm_lattice_draw(struct dgm_env *env, struct dgm_lattice *lattice,
                            const struct dgm_lattice_weights *weights, struct dgm_random *random);
/* The path whose sum of scores is the greatest, of equal ones that whose last pieces begin first.
 * `skip`: a piece that it may not have where it is the whole text, or DGM_LATTICE_UNKNOWN. *found
 * 0: there is none. */
dgm_status dgm_lattice_best(struct dgm_env *env, struct dgm_lattice *lattice, const double *scores,
                            double unknown, int32_t skip, int *found);
void dgm_lattice_clear(struct dgm_env *env, struct dgm_lattice *lattice);

#endif
