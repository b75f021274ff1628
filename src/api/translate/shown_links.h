/*
 * shown_links.h: the links between the words of a line and those of its translation, as text.
 */
#ifndef DGM_API_TRANSLATE_SHOWN_LINKS_H
#define DGM_API_TRANSLATE_SHOWN_LINKS_H

#include "decode/word_links.h"

/* Of one line, part by part. Zero-initialise; cleared in any case. */
struct dgm_shown_links {
    int32_t first[2];    /* words of the parts before this one, by side */
    struct dgm_buf text; /* the line written last */
};

/* Empties view->text for a line. */
dgm_status dgm_shown_links_begin(struct dgm_env *env, struct dgm_shown_links *view);
/*
 * Adds to view->text the links of the next part of it, queued, which keeps its words, and the n
 * tokens of its translation: "0-0 1-2", by target word; 0 tokens: the part stands for it itself. A
 * word of the target has the word of the source to which its pieces give the most weight, by the
 * head that --guided-alignment trains (model/guided.h); none where the end of the sentence, or a
 * mark, has more than any word. A copy, of `copies` (or NULL, where `links` have not looked at the
 * part), has the word that it is one of. Words are those between blanks, of the translation those
 * that keep_tokens writes.
 */
dgm_status dgm_shown_links_add(struct dgm_env *env, struct dgm_shown_links *view,
                               struct dgm_word_links *links, const struct dgm_source_queue *queue,
                               size_t part, const int32_t *tokens, int32_t n,
                               const struct dgm_copies *copies);
void dgm_shown_links_clear(struct dgm_env *env, struct dgm_shown_links *view);

#endif
