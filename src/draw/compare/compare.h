/*
 * compare.h: translations of two systems side by side, with the words marked in which they differ;
 * as HTML, as SVG and as text.
 */
#ifndef DGM_DRAW_COMPARE_COMPARE_H
#define DGM_DRAW_COMPARE_COMPARE_H

#include "base/buf.h"
#include "base/env.h"

/* What a word is; pictures tell them apart by more than colour. */
enum dgm_compare_mark {
    DGM_COMPARE_PLAIN,
    DGM_COMPARE_ALONE, /* of a translation: the reference has it, and the other one lacks it */
    DGM_COMPARE_WRONG, /* of a translation: the reference lacks it */
    DGM_COMPARE_MISSED /* of the reference: both lack it */
};

enum { DGM_COMPARE_SOURCE, DGM_COMPARE_REFERENCE, DGM_COMPARE_ONE, DGM_COMPARE_OTHER };
enum { DGM_COMPARE_ROWS = 4 };

struct dgm_compare_word {
    size_t text; /* offset, ended by NUL */
    enum dgm_compare_mark mark;
};

struct dgm_compare_row {
    size_t first, count; /* words */
};

struct dgm_compare_pair {
    long line;                                     /* from 1 */
    double scores[2];                              /* of the sentence */
    double gain;                                   /* how much better the other is */
    struct dgm_compare_row rows[DGM_COMPARE_ROWS]; /* without a source, the first has no word */
};

struct dgm_compare {
    struct dgm_env *env;
    const char *names[2], *metric;
    double totals[2];          /* of the whole texts */
    long lines, better, worse; /* of the other one */
    int has_source;
    struct dgm_buf text;
    struct dgm_compare_word *words;
    size_t word_count, word_capacity;
    struct dgm_compare_pair *pairs; /* from the largest gain to the largest loss */
    size_t pair_count;
};

/* "source", "reference", or the name of a system. */
const char *dgm_compare_label(const struct dgm_compare *compare, int row);
/* "line 7: 31.2, 45.8, +14.6" */
dgm_status dgm_compare_heading(const struct dgm_compare *compare,
                               const struct dgm_compare_pair *pair, struct dgm_buf *out);
/* "chrF2 of one.de 65.1, of other.de 66.9; of 1000 sentences 420 are better, 310 worse" */
dgm_status dgm_compare_summary(const struct dgm_compare *compare, struct dgm_buf *out);

dgm_status dgm_compare_html(const struct dgm_compare *compare, struct dgm_buf *out);
dgm_status dgm_compare_svg(const struct dgm_compare *compare, struct dgm_buf *out);
/* Marks are signs in front: + alone, - wrong, ? missed. */
dgm_status dgm_compare_text(const struct dgm_compare *compare, struct dgm_buf *out);

void dgm_compare_clear(struct dgm_compare *compare);

#endif
