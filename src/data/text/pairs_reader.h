/*
 * pairs_reader.h: the lines of a text that belong together, in two files or in one with a tab
 * between, with the rules for bad ones.
 *
 * Blank sides and, if asked for, lines of ill-formed UTF-8 cost the pair, never its partner alone;
 * files of different length are an error that names both lengths before anything is trained. So
 * does a line of more than DGM_PAIR_BYTES, which no sentence has: of it, no more is held in memory,
 * and nothing is made of it, however long it is.
 */
#ifndef DGM_DATA_TEXT_PAIRS_READER_H
#define DGM_DATA_TEXT_PAIRS_READER_H

#include "base/lines/lines.h"
#include "data/text/text_list.h"

/* What ill-formed UTF-8 or a NUL does: an error, the pair's loss, or U+FFFD in its place. A line
 * of a file of both sides that has another number of tabs than one has no sides: with any but the
 * first of these it costs the pair. */
enum dgm_bad_line { DGM_BAD_LINE_ERROR, DGM_BAD_LINE_SKIP, DGM_BAD_LINE_REPLACE };

/* Of one side: 16 for each of the 65,536 tokens that a model reads at most. */
enum { DGM_PAIR_BYTES = 1 << 20 };

struct dgm_pairs_reader {
    const struct dgm_text *text; /* borrowed */
    struct dgm_lines files[2];
    struct dgm_buf columns[2];     /* of a file of both sides */
    const struct dgm_buf *line[2]; /* the pair last read, by side */
    enum dgm_bad_line on_bad;
    long number; /* of that pair, from 1 */
    int is_bad;  /* it is to be skipped */
    int is_cut;  /* is_bad, for a side is too long */
};

/* DGM_DATA when both paths name one file. */
dgm_status dgm_pairs_reader_open(struct dgm_env *env, struct dgm_pairs_reader *reader,
                                 const struct dgm_text *text, enum dgm_bad_line on_bad);
/* The next pair, in reader->line; *more = 0 at the end of both sides. */
dgm_status dgm_pairs_reader_next(struct dgm_env *env, struct dgm_pairs_reader *reader, int *more);
/* Warns where the pair is_cut; --quiet does not hide it. For one of those who read a text. */
void dgm_pairs_reader_warn_cut(struct dgm_env *env, const struct dgm_pairs_reader *reader);
void dgm_pairs_reader_close(struct dgm_env *env, struct dgm_pairs_reader *reader);

#endif
