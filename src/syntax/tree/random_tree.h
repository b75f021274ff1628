/*
 * random_tree.h: trees that know nothing of the sentence, for comparisons with those that do.
 */
#ifndef DGM_SYNTAX_TREE_RANDOM_TREE_H
#define DGM_SYNTAX_TREE_RANDOM_TREE_H

#include "base/philox.h"

/*
 * Draws one of the n^(n-1) rooted trees over `count` words, each as likely as any other; head[root]
 * = root. head: (n). Wilson, "Generating random spanning trees more quickly than the cover time"
 * (STOC 1996), on the graph in which every word is next to every other: about 3 n draws.
 */
void dgm_tree_random(int32_t *head, struct dgm_random *random, int32_t count);

#endif
