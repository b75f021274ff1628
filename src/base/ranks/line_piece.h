/*
 * line_piece.h: lines of a file as pieces that are dealt out (dealer.h).
 */
#ifndef DGM_BASE_RANKS_LINE_PIECE_H
#define DGM_BASE_RANKS_LINE_PIECE_H

#include "base/lines/lines.h"
#include "base/ranks/dealer.h"

/* A piece has at most so many lines, and ends behind the line with which it has so many bytes. */
enum { DGM_LINE_PIECE_LINES = 200, DGM_LINE_PIECE_BYTES = 1 << 20 };

/* Where lines come from. */
struct dgm_line_supply {
    struct dgm_lines *lines;
    long first,
        step;     /* those with number % step == first, from 0, are dealt out; the rest is not */
    int64_t most; /* lines of a piece, if that is fewer */
    int warns;    /* of lines that were cut */
};

/* Adds a text, such as a line, to a piece; `number`: its own in the file, from 0. */
dgm_status dgm_line_piece_add(struct dgm_env *env, struct dgm_buf *piece, long number,
                              const char *text, size_t bytes);
/* Whether a piece of `count` texts, of at most `most`, is to take no more. */
int dgm_line_piece_is_full(const struct dgm_buf *piece, int64_t count, int64_t most);

/* Fills a piece that is empty. It ends early where a line would have to be waited for. */
dgm_status dgm_line_piece_read(struct dgm_env *env, const struct dgm_line_supply *supply,
                               struct dgm_buf *piece, enum dgm_supply *found);

/* The lines of a piece. Zero-initialise `at`. */
struct dgm_line_piece {
    const char *text; /* not ended by NUL */
    size_t bytes;
    long number; /* in the file, from 0 */
    size_t at;
};

/* The next line, or 0: there is none. `step`: that of the supply. */
int dgm_line_piece_next(const struct dgm_buf *piece, long step, struct dgm_line_piece *line);

#endif
