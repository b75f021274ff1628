/*
 * overlay.h: a tree over the words of a sentence, laid over tokens that cut its text elsewhere.
 *
 * Words and tokens are stretches of one text. The rules:
 *
 *   1. A token belongs to that word, of those whose characters it has, that is nearest to the root;
 *      of equally near ones to that of which it has most, then to the first.
 *   2. The last token of a word stands for it, and each other one hangs on the next: the convention
 *      `right_chain` of subword pieces (align.h).
 *   3. The token of a word hangs on the token of its head. A head without a token of its own is
 *      stood for by the token that has most of its characters, the last of these; one of whose
 *      characters no token is left is passed over for the head of it.
 *   4. A token without characters of any word belongs to the word of the token before it or, where
 *      `joins` says so or there is none, of the one behind it.
 *
 * From token to token the words come nearer to the root, so the result has no cycle; it has one
 * root for a tree of one root. Where both cut alike, it is the tree.
 */
#ifndef DGM_SYNTAX_TREE_OVERLAY_H
#define DGM_SYNTAX_TREE_OVERLAY_H

#include "syntax/tree/tree.h"

/* Units start..end-1 of the text. */
struct dgm_stretch {
    int32_t start, end;
};

/* Zeroed is empty; reused; cleared. */
struct dgm_overlay {
    int32_t *head; /* (tokens) as struct dgm_tree has them; -1: there is no tree */
    int32_t *word; /* (tokens) that each belongs to; -1: no token has a character of any word */
    int32_t
        *stands; /* (words) the token that stands for each, by rules 2 and 3; -1: none is left */
    int32_t *depth, *most; /* (words) */
    size_t token_capacity, word_capacity;
    int32_t kept; /* words whose token stands for their head, or hangs on the one that does */
};

/*
 * Lays a tree, or (has_parse = 0) only its words, over tokens. words (tree->count) and tokens
 * (count): both in the order of the text; neither starts nor ends ever fall, so that several may
 * have the same characters. joins (count; may be NULL): rule 4.
 */
dgm_status dgm_overlay_lay(struct dgm_env *env, struct dgm_overlay *overlay,
                           const struct dgm_tree *tree, const struct dgm_stretch *words,
                           const struct dgm_stretch *tokens, const unsigned char *joins,
                           int32_t count);
void dgm_overlay_clear(struct dgm_env *env, struct dgm_overlay *overlay);

#endif
