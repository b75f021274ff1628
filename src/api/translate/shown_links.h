/*
 * shown_links.h: which words of a line and of its translation the attention of a translator links.
 */
#ifndef DGM_API_TRANSLATE_SHOWN_LINKS_H
#define DGM_API_TRANSLATE_SHOWN_LINKS_H

#include "data/text/link_words.h"
#include "decode/attention_reader.h"
#include "decode/source_queue.h"

/* The links of one model. Zero-initialise it; it is cleared in any case. */
struct dgm_shown_links {
    struct dgm_pipeline *pipeline; /* of the model; NULL: not open */
    struct dgm_attention_reader reader;
    struct dgm_link_words words; /* of a side, at work */
    int32_t *word_of[2];         /* of each position of a side, or -1 */
    size_t capacity[2];
    int32_t first[2]; /* words of the parts before this one */
    double *weights;  /* of the words of the source, for one of the target */
    size_t weight_capacity;
    struct dgm_buf pieces; /* of a side, with blanks between, at work */
    struct dgm_buf text;   /* the line written last */
};

/* DGM_USAGE for several models, and for a model that does not attend to words. A warning for one
 * that has not learned links. */
dgm_status dgm_shown_links_open(struct dgm_env *env, struct dgm_shown_links *view,
                                const struct dgm_ensemble *ensemble, struct dgm_device *device);
/* Empties view->text for a line. */
dgm_status dgm_shown_links_begin(struct dgm_env *env, struct dgm_shown_links *view);
/*
 * Adds to view->text the links of the next part of it, queued, which keeps its words, and the n
 * tokens of its translation: "0-0 1-2", by target word; 0 tokens: the part stands for it itself. A
 * word of the target has the word of the source to which its pieces give the most weight, by the
 * head that --guided-alignment trains (model/guided.h); none where the
 * end of the sentence, or a mark, has more than any word. Words are those between blanks, of the
 * translation those that keep_tokens writes.
 */
dgm_status dgm_shown_links_add(struct dgm_env *env, struct dgm_shown_links *view,
                               const struct dgm_source_queue *queue, size_t part,
                               const int32_t *tokens, int32_t n);
void dgm_shown_links_clear(struct dgm_env *env, struct dgm_shown_links *view);

#endif
