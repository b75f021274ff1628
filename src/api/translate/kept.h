/*
 * kept.h: spans that no model sees: taken out of lines before they are translated, and put back
 * where the words around them went.
 *
 * What a span is, is said by text/span/span.h, where it goes by text/span/place.h. The links
 * between words are those of the model's attention; where it has none, a span stands at the same
 * share of the words as in the line. A model that was trained with slots (text/span/slot.h) gets
 * them in the place of the first spans of a line, and a span goes where its slot came out, once.
 */
#ifndef DGM_API_TRANSLATE_KEPT_H
#define DGM_API_TRANSLATE_KEPT_H

#include "api/translate/parts.h"
#include "text/span/weave.h"

/* An added line: its spans are items first..first+count-1. */
struct dgm_kept_line {
    size_t first, count;
    size_t at, bytes; /* the line itself, in `lines`, where it has spans */
    int32_t words;    /* of it without them */
};

/* A word of a translation. */
struct dgm_kept_word {
    size_t part;   /* of the queue */
    int32_t begin; /* its first token there */
    int slot;      /* that it is; -1: none */
};

/* Zero-initialise; cleared in any case. */
struct dgm_kept {
    unsigned kinds;                /* bits of enum dgm_span_kind; 0: nothing is taken out */
    int of_cut_lines;              /* of those alone that the pipeline cuts into tokens */
    int leaves_numbers;            /* those that the models' vocabulary spells */
    int keeps_lines;               /* dgm_kept_take_all is called for some lines */
    struct dgm_pipeline *pipeline; /* of the models; borrowed */
    int has_slots;                 /* the models have learned to place those of spans */
    int reads_tags;                /* a tag at the head of a line is no span */
    struct dgm_word_links *links;  /* borrowed; NULL: there are none */
    struct dgm_taken *items;
    size_t item_count, item_capacity;
    struct dgm_kept_line *added; /* (count) */
    size_t count, capacity;
    struct dgm_buf lines;

    /* Of the line at hand. */
    struct dgm_span_list spans;
    struct dgm_buf plain, bare; /* without what looks like a slot; without spans */
    struct dgm_encoded encoded;
    struct dgm_places places;
    struct dgm_buf text, stripped;
    int32_t *known; /* (items of the line) */
    struct dgm_kept_word *words;
    int32_t *from; /* (words) of the source */
    size_t *ends;  /* (words + 1) bytes of the text before each gap, where a span stands there */
    size_t word_capacity, from_capacity, end_capacity, known_capacity;
};

/* Takes the spans out of a line that is added to the queue next: it is what is left then. */
dgm_status dgm_kept_take(struct dgm_env *env, struct dgm_kept *kept, const char **line,
                         size_t *bytes);
/* The same of all of a line: nothing is left of it. */
dgm_status dgm_kept_take_all(struct dgm_env *env, struct dgm_kept *kept, const char **line,
                             size_t *bytes);
/* Whether spans were taken out of an added line. */
int dgm_kept_has(const struct dgm_kept *kept, size_t line);
/* Puts them back into parts->text, the translation of that rank, if there are any. A line of spans
 * alone is its own. */
dgm_status dgm_kept_put_back(struct dgm_env *env, struct dgm_kept *kept, struct dgm_parts *parts,
                             size_t line, int32_t rank);
/* Forgets the lines. */
void dgm_kept_reset(struct dgm_kept *kept);
void dgm_kept_clear(struct dgm_env *env, struct dgm_kept *kept);

#endif
