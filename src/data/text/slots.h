/*
 * slots.h: pairs of training in which slots (text/span/slot.h) stand for spans that both sides
 * have alike: addresses, numbers, tags. A model learns from them where a slot goes, whatever it
 * stands for.
 *
 * Of a pair's spans each is replaced with the same chance. The slots of a pair have numbers one
 * after the other, from one that is drawn, so that all of them are seen. What is drawn is a
 * function of the seed, the text's number and the line's: threads, ranks, windows and resumes do
 * not change it.
 */
#ifndef DGM_DATA_TEXT_SLOTS_H
#define DGM_DATA_TEXT_SLOTS_H

#include "base/buf.h"
#include "base/map.h"
#include "text/span/span.h"

/* Zeroed: nothing is replaced. */
struct dgm_slots {
    double share;
    uint64_t seed;
    struct dgm_span_list spans[2];
    struct dgm_buf plain[2], lines[2];
    int64_t replaced; /* spans so far */
};

/* The pair with its slots, in slots->lines. text, number: of the text, and of the line in it. */
dgm_status dgm_slots_fill(struct dgm_env *env, struct dgm_slots *slots,
                          const struct dgm_buf *const pair[2], uint32_t text, uint32_t number);
void dgm_slots_clear(struct dgm_env *env, struct dgm_slots *slots);
/* Counts each slot once, as marks of a vocabulary are counted. */
dgm_status dgm_slots_count(struct dgm_env *env, struct dgm_map *marks);

#endif
