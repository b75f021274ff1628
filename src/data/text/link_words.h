/*
 * link_words.h: from the words of a line, between blanks, to the words of its encoded side.
 *
 * Aligners part lines at blanks. So does a pipeline that takes words as they are, and one of
 * SentencePiece, whose pieces begin words with U+2581, but what it normalises may part a line
 * elsewhere, at a no-break space, say. Links of such a line would be about other words: they are
 * left out.
 */
#ifndef DGM_DATA_TEXT_LINK_WORDS_H
#define DGM_DATA_TEXT_LINK_WORDS_H

#include "data/text/link_file.h"
#include "data/text/pipeline.h"

/* Zeroed is valid. */
struct dgm_link_words {
    int32_t *ends; /* (2 count): first of the encoded words of each word of the line, and one
                    * behind the last */
    size_t capacity;
    int32_t count; /* words of the line */
    int agrees;    /* the encoded line has the same words */
};

dgm_status dgm_link_words_find(struct dgm_env *env, struct dgm_link_words *words,
                               const struct dgm_encoded *encoded, int has_spm, const char *line,
                               size_t bytes);
/* words->ends and count alone, of pieces with blanks between. */
dgm_status dgm_link_words_of_pieces(struct dgm_env *env, struct dgm_link_words *words,
                                    const struct dgm_buf *pieces);
/* Spreads the links of a pair over encoded words, those of the source in from[0]. *done 0: a line
 * has other words than its encoded side, or the links are too many (DGM_LINKS_OF_A_WORD for each
 * encoded word); none are left then. */
dgm_status dgm_link_words_spread(struct dgm_env *env, struct dgm_link_file *file,
                                 const struct dgm_link_words sides[2],
                                 const struct dgm_encoded encoded[2], int *done);
void dgm_link_words_clear(struct dgm_env *env, struct dgm_link_words *words);

#endif
