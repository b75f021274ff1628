/*
 * columns.h: translations of several systems side by side in one line, tabs between, as sacreBLEU
 * reads standard input: white space at the end of the line, tabs among it, counts for nothing.
 */
#ifndef DGM_TEXT_SCORE_COLUMNS_H
#define DGM_TEXT_SCORE_COLUMNS_H

#include <stddef.h>

/* How many a line has, at least 1. */
size_t dgm_columns_count(const char *line, size_t bytes);

/* One of them, counted from 0, which the line has. */
const char *dgm_columns_at(const char *line, size_t bytes, size_t column, size_t *length);

#endif
