/* piece_data.h: the layout of the tables in piece_data.c. */
#ifndef DGM_TEXT_UNICODE_PIECE_DATA_H
#define DGM_TEXT_UNICODE_PIECE_DATA_H

#include <stddef.h>
#include <stdint.h>

/* Scripts as the boundaries of pieces see them. Kana count as Han; others follow. */
enum { DGM_PIECE_COMMON = 1, DGM_PIECE_INHERITED = 2, DGM_PIECE_HAN = 3 };

/* Runs of characters of one script, in order: first character << 8 | number of the script. */
extern const uint32_t dgm_piece_script_runs[];
extern const size_t dgm_piece_script_run_count;

/* Characters that NFKC rewrites, Hangul syllables excepted: length << 24 | character, then so many
 * characters that it becomes. */
extern const uint32_t dgm_piece_nfkc_words[];
extern const size_t dgm_piece_nfkc_word_count;

/* Canonical compositions: first, second, both as one. */
extern const uint32_t dgm_piece_nfkc_pair_words[];
extern const size_t dgm_piece_nfkc_pair_word_count;

#endif
