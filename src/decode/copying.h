/*
 * copying.h: what the source has in place of the unknown marks of a translation (Luong, Sutskever,
 * Le, Vinyals, Zaremba, "Addressing the rare word problem in neural machine translation", 2015).
 *
 * Each token <unk> becomes the word of the source to which its row gives the most weight, by the
 * links of word_links.h, whatever the end of the sentence has. The word is whole, and spelled as in
 * the line that came. What stands for it goes with the mark: the pieces before it in its word of
 * the translation; marks that follow, and are linked to the same word; and pieces behind it that
 * are how that word ends ("<unk> rich" of "Z@@ <unk> rich", Zürich).
 *
 * Pieces of SentencePiece have their blanks and punctuation marks in them, and languages without
 * blanks have lines for words. There a mark becomes what of its word is unknown in the source, if
 * anything is; else it is the word without punctuation at its ends, in place of the whole word of
 * the translation without that at its own; of a script without blanks, one piece.
 */
#ifndef DGM_DECODE_COPYING_H
#define DGM_DECODE_COPYING_H

#include "data/text/spelling.h"
#include "decode/word_links.h"

/* Zero-initialise; cleared in any case. */
struct dgm_copying {
    struct dgm_word_links *links;         /* borrowed, set by the caller */
    const struct dgm_source_queue *queue; /* the same; it keeps words and raw text */
    struct dgm_copies copies;             /* of the pair at hand */
    struct dgm_raw_spelling spelling;
    size_t *fields; /* (2 field_count) where each word, or piece, of the source begins and ends */
    size_t field_count, field_capacity;
};

/* Whether any of the tokens is the mark. */
int dgm_copying_is_needed(const int32_t *tokens, int32_t n);
/* Fills copying->copies for a queued part and the n tokens of its translation, after the links have
 * looked at both. */
dgm_status dgm_copying_find(struct dgm_env *env, struct dgm_copying *copying, size_t part,
                            const int32_t *tokens, int32_t n);
/* The copies of a hypothesis of a queued part; *copies NULL: there is no mark in it, or `copying`
 * is NULL. Where there are some, the links have looked at it. */
dgm_status dgm_copying_look(struct dgm_env *env, struct dgm_copying *copying, size_t part,
                            const int32_t *tokens, int32_t n, const struct dgm_copies **copies);
void dgm_copying_clear(struct dgm_env *env, struct dgm_copying *copying);

#endif
