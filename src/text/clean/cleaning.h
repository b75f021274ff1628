/* cleaning.h: which pairs of lines stay in a parallel corpus. */
#ifndef DGM_TEXT_CLEAN_CLEANING_H
#define DGM_TEXT_CLEAN_CLEANING_H

#include "text/clean/measure.h"
#include "text/clean/seen.h"
#include "text/langid/langid_model.h"

/* What must be new: the pair, one side of it, both sides. */
enum dgm_duplicates {
    DGM_DUPLICATE_PAIRS,
    DGM_DUPLICATE_SOURCE,
    DGM_DUPLICATE_TARGET,
    DGM_DUPLICATE_SIDES,
    DGM_DUPLICATE_NONE,
    DGM_DUPLICATES
};
extern const char *const dgm_duplicate_words[DGM_DUPLICATES];

/* Lengths are in tokens, of a word in characters; what is not above 0 is no limit. */
struct dgm_clean_rules {
    int sides;                  /* 1 or 2 */
    int min_length, max_length; /* of each side */
    double max_ratio;           /* of the longer side to the shorter one */
    int max_word_length;
    double min_script; /* of the letters those of the sides' scripts, at least */
    int keep_copies, keep_bad_utf8;
    enum dgm_duplicates duplicates;
};

/* The language that each side should be in. */
struct dgm_clean_languages {
    struct dgm_langid_model model; /* zeroed: nothing is asked */
    int language[2];               /* -1: any */
    double least;                  /* probability */
    int32_t *sums;                 /* (model.language_count) for use in between, and so are */
    double *probabilities;
};

/* Zero-initialise, but for the rules, the scripts of both sides, which may be empty, and the
 * languages, which are its own. */
struct dgm_cleaning {
    struct dgm_clean_rules rules;
    struct dgm_script_set scripts[2];
    struct dgm_clean_languages languages;
    struct dgm_seen held_out[2]; /* sources and targets of pairs that go */
    struct dgm_seen seen[2];     /* pairs, or a side; with DGM_DUPLICATE_SIDES: sources, targets */
};

/* A pair, and what was measured of it. */
struct dgm_clean_pair {
    const char *text[2];
    size_t bytes[2];
    struct dgm_line_measure measure[2];
};

/* Pairs with this text on this side go from now on; an empty one is passed over. */
dgm_status dgm_cleaning_hold_out(struct dgm_env *env, struct dgm_cleaning *cleaning, int side,
                                 const char *text, size_t bytes);
/* Says of the next pair, whose measures are filled in, why it goes. */
dgm_status dgm_cleaning_judge(struct dgm_env *env, struct dgm_cleaning *cleaning,
                              struct dgm_clean_pair *pair, dgm_clean_reason *reason);
void dgm_cleaning_clear(struct dgm_env *env, struct dgm_cleaning *cleaning);

#endif
