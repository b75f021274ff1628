/*
 * parts.h: a line that was translated in parts, sentences or clauses of it, and how their results
 * become one.
 *
 * A hypothesis of the line is one of each part: that of its rank or, of a part with fewer, the
 * last. Texts stand one behind the other, with the blanks of the source between; scores and
 * probabilities are summed.
 */
#ifndef DGM_API_TRANSLATE_PARTS_H
#define DGM_API_TRANSLATE_PARTS_H

#include "api/translate/wording.h"
#include "decode/copying.h"
#include "decode/source_queue.h"

/* Zero-initialise; cleared in any case. */
struct dgm_parts {
    const struct dgm_source_queue *queue; /* borrowed */
    const struct dgm_result *results;     /* of its sentences; borrowed */
    int32_t most;                         /* hypotheses of a line */
    struct dgm_wording *wording;          /* borrowed */
    struct dgm_copying *copying;          /* borrowed; NULL: unknown marks stay */
    struct dgm_buf text;                  /* of a line, written last */
};

/* Hypotheses of a line: as many as its part with most has; 0 of a blank one. */
int32_t dgm_parts_count(const struct dgm_parts *parts, size_t line);
/* That of a rank below the count of the line, of part i of the queue; NULL: the part is blank. */
const struct dgm_hypothesis *dgm_parts_item(const struct dgm_parts *parts, size_t i, int32_t rank);
/* The text of a line, and its score and logp. */
dgm_status dgm_parts_write(struct dgm_env *env, struct dgm_parts *parts, size_t line, int32_t rank,
                           double *score, double *logp);
/* The text of the parts before one of them, and of the first tokens of that one, into
 * parts->text. */
dgm_status dgm_parts_write_before(struct dgm_env *env, struct dgm_parts *parts, size_t line,
                                  int32_t rank, size_t part, int32_t tokens);
/* Whether the search of all parts came to its end; whether one of them is a copy of the source. */
int dgm_parts_are_done(const struct dgm_parts *parts, size_t line);
int dgm_parts_have_copy(const struct dgm_parts *parts, size_t line);
/* Words of the line, in all parts. */
struct dgm_unknown dgm_parts_unknown(const struct dgm_source_queue *queue, size_t line);
void dgm_parts_clear(struct dgm_env *env, struct dgm_parts *parts);

#endif
