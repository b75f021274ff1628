/*
 * word_links.h: which word of a line each word of its translation comes from, by the attention that
 * --guided-alignment trains.
 */
#ifndef DGM_DECODE_WORD_LINKS_H
#define DGM_DECODE_WORD_LINKS_H

#include "data/text/copies.h"
#include "data/text/link_words.h"
#include "decode/attention_reader.h"
#include "decode/source_queue.h"

/* Of one model. Zero-initialise it; it is cleared in any case. */
struct dgm_word_links {
    struct dgm_pipeline *pipeline; /* of the model; NULL: not open */
    struct dgm_attention_reader reader;
    struct dgm_link_words words; /* of a side, at work */
    struct dgm_buf pieces;       /* of a side, with blanks between, at work */
    double *sums;                /* of the words of the source, at work */
    size_t capacity[2], sum_capacity;

    /* Of the pair that was looked at last: */
    int32_t *word_of[2]; /* of each position of a side, from 0; -1: of none */
    int32_t length[2];   /* positions */
    int has_first;       /* the first token is given, and no word */
    int32_t words_of_source;
    struct dgm_attention_weights weights; /* its rows predict the positions of the target */
};

/* Of model `which` of the ensemble. DGM_USAGE for one that does not attend to words; warns: of one
 * that has not learned links. */
dgm_status dgm_word_links_open(struct dgm_env *env, struct dgm_word_links *links,
                               const struct dgm_ensemble *ensemble, int which,
                               struct dgm_device *device, int warns);
/* Looks at a queued line that has a sentence, and keeps its words, and at the n tokens, 1 and more,
 * of its translation. Words are those between blanks, of the translation those that keep_tokens
 * writes; the end, and a first token that is given, are none. */
dgm_status dgm_word_links_look(struct dgm_env *env, struct dgm_word_links *links,
                               const struct dgm_source_queue *queue, size_t line,
                               const int32_t *tokens, int32_t n);
/* Looks at the words of the source alone: the translation is a copy of it. */
dgm_status dgm_word_links_look_at_copy(struct dgm_env *env, struct dgm_word_links *links,
                                       const struct dgm_source_queue *queue, size_t line);
/* Words of the translation. */
int32_t dgm_word_links_count(const struct dgm_word_links *links);
/* The word of the source to which rows first..end-1 give the most weight, the first of equal ones;
 * -1: there is none, or, unless `always`, the end of the sentence, or a mark, has more than any. */
int32_t dgm_word_links_find(const struct dgm_word_links *links, int32_t first, int32_t end,
                            int always);
/* What row i gives to position j of the source. */
double dgm_word_links_weight(const struct dgm_word_links *links, int32_t i, int32_t j);
/* The same words as they are written with copies of the same translation in their place. */
dgm_status dgm_word_links_join(struct dgm_env *env, struct dgm_word_links *links,
                               const int32_t *tokens, const struct dgm_copies *copies);
void dgm_word_links_clear(struct dgm_env *env, struct dgm_word_links *links);

#endif
