/*
 * heat_line.h: one line of a file of attention, the weights of one translated sentence.
 *
 * A file of attention has one JSON object on each line (doc/attention.md). Its weights lie between
 * subword pieces; a map shows words: the rows of a word's pieces are averaged, for each is a
 * distribution of its own, and their columns summed, so that a row still sums to 1. The end of a
 * sentence, and what a decoder reads first, is a column and a row of its own.
 */
#ifndef DGM_DRAW_HEAT_HEAT_LINE_H
#define DGM_DRAW_HEAT_HEAT_LINE_H

#include "base/buf.h"
#include "syntax/tree/tree.h"

/* A side has at most so many words and pieces. */
#define DGM_HEAT_MOST 2000

enum dgm_heat_kind { DGM_HEAT_ENCODER, DGM_HEAT_DECODER, DGM_HEAT_CROSS, DGM_HEAT_KINDS };
enum { DGM_HEAT_SOURCE, DGM_HEAT_TARGET };
enum { DGM_HEAT_MEAN = -1, DGM_HEAT_ANY = -2 }; /* heads */

extern const char *const dgm_heat_kinds[DGM_HEAT_KINDS];

/* Texts one behind the other, each ended by NUL. */
struct dgm_heat_texts {
    struct dgm_buf bytes;
    size_t *start;
    int32_t count;
    size_t capacity;
};

void dgm_heat_texts_reset(struct dgm_heat_texts *texts);
void dgm_heat_texts_clear(struct dgm_env *env, struct dgm_heat_texts *texts);
/* The widest of them in a font of this size. */
int32_t dgm_heat_texts_width(const struct dgm_heat_texts *texts, int32_t size);
static inline const char *dgm_heat_text_at(const struct dgm_heat_texts *texts, int32_t i)
{
    return texts->bytes.data + texts->start[i];
}

struct dgm_heat_side {
    struct dgm_heat_texts words, pieces;
    int32_t *word_of; /* (pieces) -1: the end */
    int32_t *heads;   /* (words) from 0, a root is its own; where there is a tree */
    int has_heads;
    size_t place_capacity, head_capacity;
};

struct dgm_heat_matrix {
    enum dgm_heat_kind kind;
    int layer, head;
    size_t first; /* of its values; row after row */
    int32_t rows, columns;
};

/* One line of a file. Zero-initialise, read any number, clear. */
struct dgm_heat_line {
    long line; /* of the text that was translated */
    struct dgm_heat_side side[2];
    struct dgm_heat_matrix *matrices;
    float *values;
    size_t matrix_count, matrix_capacity, value_count, value_capacity;
    struct dgm_buf text;
};

/* Reads a line of the file. DGM_DATA at path and line unless it is such an object. */
dgm_status dgm_heat_line_read(struct dgm_env *env, struct dgm_heat_line *line, const char *path,
                              long number, const char *text, size_t bytes);
void dgm_heat_line_clear(struct dgm_env *env, struct dgm_heat_line *line);

#endif
