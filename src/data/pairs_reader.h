/*
 * pairs_reader.h: the lines of two files that belong together, with the rules for bad ones.
 *
 * Blank sides and, if asked for, lines of ill-formed UTF-8 cost the pair, never its partner alone;
 * files of different length are an error that names both lengths before anything is trained.
 */
#ifndef DGM_DATA_PAIRS_READER_H
#define DGM_DATA_PAIRS_READER_H

#include "base/file.h"

struct dgm_pairs_reader {
    struct dgm_lines sides[2];
    long number;             /* of the pair last read, from 1 */
    long blank;              /* pairs with a blank side, skipped by the caller */
};

/* DGM_DATA when both paths name one file. */
dgm_status dgm_pairs_open(struct dgm_env *env, struct dgm_pairs_reader *reader,
                          const char *source, const char *target);
/* The next pair, in reader->sides[i].line; *more = 0 at the end of both. */
dgm_status dgm_pairs_next(struct dgm_env *env, struct dgm_pairs_reader *reader, int *more);
void dgm_pairs_close(struct dgm_env *env, struct dgm_pairs_reader *reader);

#endif
