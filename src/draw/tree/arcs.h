/*
 * arcs.h: where the arcs of a dependency tree run above its words, in any unit of length.
 *
 * Every word has three ports on its upper edge, from left to right: arcs to dependents on its
 * left, the arc from its head, arcs to dependents on its right. In this order the arcs of a
 * projective tree cross nowhere, not even at a word. Port 3w + k is port k of word w.
 *
 * An arc is a bracket: up from one port, along its level, down to the other port. Arcs are
 * levelled from the shortest to the longest, each above all it overlaps, so that no two arcs of
 * a level meet, and nested ones lie below. The label stands inside its arc, in the widest run
 * that no higher arc crosses on its way down, and words move apart until labels fit.
 *
 * Time O(words * span of arcs), at most quadratic.
 */
#ifndef DGM_DRAW_TREE_ARCS_H
#define DGM_DRAW_TREE_ARCS_H

#include "base/env.h"
#include "syntax/tree/tree.h"

enum { DGM_PORT_LEFT, DGM_PORT_IN, DGM_PORT_RIGHT, DGM_PORTS };

struct dgm_arc {
    int32_t head; /* -1: the arrow from above at a root */
    int32_t dependent;
    int32_t first, last;           /* ports, first < last; equal at a root */
    int32_t level;                 /* from 1 */
    int32_t slot_first, slot_last; /* ports that the label stands between */
    int32_t label_width;           /* set by the caller before dgm_arcs_place */
    int32_t label_x;               /* its left end */
};

/* Lengths, in the caller's unit. */
struct dgm_arc_metrics {
    int32_t gap;       /* least distance of two words, and of two roots' labels */
    int32_t pitch;     /* from one port in use of a word to the next */
    int32_t line;      /* what a vertical line takes itself: 1 on a terminal, 0 on paper */
    int32_t clearance; /* least distance of a label from the lines on both sides */
};

/* Zero-initialise; make and place any number of times; clear. */
struct dgm_arcs {
    struct dgm_arc *arcs; /* (count) the shortest first, roots last */
    size_t count;
    int32_t words;
    int32_t levels;  /* highest level of an arc; arrows from above have levels + 1 */
    int32_t *top;    /* (3 words) highest level that ends at the port; 0: not in use */
    int32_t *port_x; /* (3 words) left end of the line; of ports in use */
    int32_t *word_x; /* (words) left end of the cell a word is centred in */
    int32_t *cell;   /* (words) its width: of the word or of its ports */
    int32_t width;   /* of all */
    int32_t *work;   /* (6 words + 4) */
    size_t arc_capacity, port_capacity, word_capacity, work_capacity;
};

/* The arcs of a tree with ports, levels and slots; none for a tree without a parse. */
dgm_status dgm_arcs_make(struct dgm_env *env, struct dgm_arcs *arcs, const struct dgm_tree *tree);

/* Places words of these widths, their ports and the labels. */
void dgm_arcs_place(struct dgm_arcs *arcs, const int32_t *word_width,
                    const struct dgm_arc_metrics *metrics);

void dgm_arcs_clear(struct dgm_env *env, struct dgm_arcs *arcs);

#endif
