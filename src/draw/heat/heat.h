/*
 * heat.h: attention weights as maps: rows of words over columns of words, the darker the heavier.
 *
 * A file of attention has one JSON object on each line (doc/attention.md). Its weights lie between
 * subword pieces; a map shows words: the rows of a word's pieces are averaged, for each is a
 * distribution of its own, and their columns summed, so that a row still sums to 1. The end of a
 * sentence, and what a decoder reads first, is a column and a row of its own.
 */
#ifndef DGM_DRAW_HEAT_HEAT_H
#define DGM_DRAW_HEAT_HEAT_H

#include "draw/tree/tree_picture.h"
#include "text/json.h"

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

/* heat_read.c. DGM_DATA at path and line for what is no such object. */
dgm_status dgm_heat_read(struct dgm_env *env, struct dgm_heat_line *line, const char *path,
                         long number, const char *text, size_t bytes);
void dgm_heat_line_clear(struct dgm_env *env, struct dgm_heat_line *line);

/* ---- maps ----------------------------------------------------------------------------------- */

/* What is drawn. Zero-initialise, make any number, clear. */
struct dgm_heat_map {
    int32_t rows, columns;
    float *cells;                                  /* (rows, columns) */
    struct dgm_heat_texts row_texts, column_texts; /* cleaned, cut */
    int32_t *row_columns, *column_columns;         /* how many columns of a terminal they take */
    struct dgm_tree tree;                          /* over the first tree.count columns */
    struct dgm_buf title;                          /* "line 3: cross, layer 6, mean of heads" */
    float *counts;
    int32_t *row_place, *column_place; /* row or column of the map for each of the matrix */
    size_t cell_capacity, row_capacity, column_capacity, count_capacity, place_capacity[2];
};

/* heat_map.c. with_pieces: pieces stay as they are. */
dgm_status dgm_heat_map_make(struct dgm_env *env, struct dgm_heat_map *map,
                             const struct dgm_heat_line *line, const struct dgm_heat_matrix *matrix,
                             int with_pieces, const char *ellipsis);
void dgm_heat_map_clear(struct dgm_env *env, struct dgm_heat_map *map);

/* heat_text.c: appends lines of at most style.width columns: the tree, the words and a line for
 * each row; where that is too wide, the heaviest columns of each row as a list. */
dgm_status dgm_heat_text(struct dgm_env *env, struct dgm_draw *draw, struct dgm_buf *out,
                         const struct dgm_heat_map *map);
/* heat_svg.c: appends the map below those before it; dgm_draw_svg_file writes the whole. */
dgm_status dgm_heat_svg(struct dgm_env *env, struct dgm_draw *draw, struct dgm_buf *out,
                        const struct dgm_heat_map *map);

/* Appends a text and its end. */
dgm_status dgm_heat_texts_add(struct dgm_env *env, struct dgm_heat_texts *texts, const char *text,
                              size_t bytes);
void dgm_heat_texts_reset(struct dgm_heat_texts *texts);
void dgm_heat_texts_clear(struct dgm_env *env, struct dgm_heat_texts *texts);
static inline const char *dgm_heat_text_at(const struct dgm_heat_texts *texts, int32_t i)
{
    return texts->bytes.data + texts->start[i];
}

#endif
