/*
 * pairs_reader.h: the lines of two files that belong together, with the rules for bad ones.
 *
 * Blank sides and, if asked for, lines of ill-formed UTF-8 cost the pair, never its partner alone;
 * files of different length are an error that names both lengths before anything is trained.
 */
#ifndef DGM_DATA_TEXT_PAIRS_READER_H
#define DGM_DATA_TEXT_PAIRS_READER_H

#include "base/lines/lines.h"

/* What ill-formed UTF-8 or a NUL does: an error, the pair's loss, or U+FFFD in its place. */
enum dgm_bad_line { DGM_BAD_LINE_ERROR, DGM_BAD_LINE_SKIP, DGM_BAD_LINE_REPLACE };

struct dgm_pairs_reader {
    struct dgm_lines sides[2];
    enum dgm_bad_line on_bad;
    long number; /* of the pair last read, from 1 */
    int is_bad;  /* the pair last read is to be skipped (DGM_BAD_LINE_SKIP) */
};

/* DGM_DATA when both paths name one file. */
dgm_status dgm_pairs_reader_open(struct dgm_env *env, struct dgm_pairs_reader *reader,
                                 const char *source, const char *target, enum dgm_bad_line on_bad);
/* The next pair, in reader->sides[i].line; *more = 0 at the end of both. */
dgm_status dgm_pairs_reader_next(struct dgm_env *env, struct dgm_pairs_reader *reader, int *more);
void dgm_pairs_reader_close(struct dgm_env *env, struct dgm_pairs_reader *reader);

#endif
