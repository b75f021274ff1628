/* break_data.h: the layout of the table in break_data.c; used by breaks.c alone. */
#ifndef DGM_TEXT_SENTENCE_BREAK_DATA_H
#define DGM_TEXT_SENTENCE_BREAK_DATA_H

#include <stddef.h>
#include <stdint.h>

/* Classes of the characters below U+0080. */
extern const uint8_t dgm_break_ascii[128];

/* Runs of characters of one class, in order: first character << 4 | class (breaks.h), or this for
 * letters whose class their flags tell (unicode.h). */
enum { DGM_BREAK_BY_FLAGS = 12 };
extern const uint32_t dgm_break_runs[];
extern const size_t dgm_break_run_count;

#endif
