/* intl_data.h: the layout of the table in intl_data.c; used by mteval.c alone. */
#ifndef DGM_TEXT_SCORE_INTL_DATA_H
#define DGM_TEXT_SCORE_INTL_DATA_H

#include <stddef.h>
#include <stdint.h>

/* What the tokeniser intl asks of a character: general category P, S or N. */
enum dgm_intl {
    DGM_INTL_OTHER,
    DGM_INTL_PUNCT,
    DGM_INTL_SYMBOL,
    DGM_INTL_NUMBER,
    DGM_INTL_BITS = 2
};

/* Runs of characters of a kind, in order: first character << DGM_INTL_BITS | kind. */
extern const uint32_t dgm_intl_runs[];
extern const size_t dgm_intl_run_count;

#endif
