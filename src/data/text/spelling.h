/*
 * spelling.h: how a part of an encoded line was written in the line as it came: in its own case,
 * with its own quotes and dashes, before a tokeniser or SentencePiece had rewritten it.
 */
#ifndef DGM_DATA_TEXT_SPELLING_H
#define DGM_DATA_TEXT_SPELLING_H

#include "text/match/match.h"

/* Of one line. Zeroed is valid; reused; cleared. */
struct dgm_raw_spelling {
    const char *raw; /* borrowed: the line */
    size_t raw_bytes;
    struct dgm_written line, cut; /* the line, and what it was encoded as */
    struct dgm_match match;
};

/* The line is borrowed until the next call; cut: the words or pieces that became of it, blanks
 * between. */
dgm_status dgm_spelling_read(struct dgm_env *env, struct dgm_raw_spelling *spelling,
                             const char *raw, size_t raw_bytes, const char *cut, size_t cut_bytes);
/* Appends what stands in the line for bytes start..end-1 of the other text, as UTF-8. *done 0:
 * nothing was appended, since the texts differ there, or it would have a blank in it. */
dgm_status dgm_spelling_add(struct dgm_env *env, const struct dgm_raw_spelling *spelling,
                            struct dgm_buf *out, size_t start, size_t end, int *done);
void dgm_spelling_clear(struct dgm_env *env, struct dgm_raw_spelling *spelling);

#endif
