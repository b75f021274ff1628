/*
 * search_defaults.h: what a search does where nobody asks for something else: numbers for
 * dgm_search_defaults, and the same as text for rows of options.
 */
#ifndef DGM_DECODE_SEARCH_SEARCH_DEFAULTS_H
#define DGM_DECODE_SEARCH_SEARCH_DEFAULTS_H

#define DGM_SEARCH_BEAM 5
#define DGM_SEARCH_ALPHA 0.6
#define DGM_SEARCH_LENGTH_FACTOR 2
#define DGM_SEARCH_LENGTH_EXTRA 10
#define DGM_SEARCH_BATCH_TOKENS 2000 /* of the source, searched or scored together */

/* DGM_SEARCH_TEXT(DGM_SEARCH_BEAM) is "5". */
#define DGM_SEARCH_TEXT(number) DGM_SEARCH_TEXT_(number)
#define DGM_SEARCH_TEXT_(number) #number

#endif
