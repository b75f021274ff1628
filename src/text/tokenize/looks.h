/*
 * looks.h: what text looks like that somebody wants otherwise: cut into pieces already, running
 * text where words were expected, or text that no blank cuts into words. Nothing is refused: it may
 * be meant so, but is mostly a mistake that costs a training.
 */
#ifndef DGM_TEXT_TOKENIZE_LOOKS_H
#define DGM_TEXT_TOKENIZE_LOOKS_H

#include "base/env.h"

/* Of a line: a piece with the mark of BPE, "@@"; one with that of SentencePiece, U+2581; a stop at
 * its end that no blank sets off; more characters in a row than a word has, of a script that sets
 * no blanks between words. */
enum { DGM_LOOKS_BPE, DGM_LOOKS_SPM, DGM_LOOKS_RUNNING, DGM_LOOKS_UNSPACED, DGM_LOOKS };

/* Bit 1 << i for each of these that the line has. */
unsigned dgm_looks_of(const char *line, size_t bytes);

struct dgm_looks {
    int64_t lines, with[DGM_LOOKS]; /* lines; those that have it */
};

/* Counts a line that is not blank. */
void dgm_looks_add(struct dgm_looks *looks, const char *line, size_t bytes);
void dgm_looks_add_of(struct dgm_looks *looks, unsigned look);
void dgm_looks_add_all(struct dgm_looks *looks, const struct dgm_looks *more);
/* Warns, with the name of the text, where a line in ten and more has marks of pieces; whether. */
int dgm_looks_warn_of_pieces(struct dgm_env *env, const struct dgm_looks *looks, const char *name);
/* The same of running text, where half of the lines and more end so. */
int dgm_looks_warn_of_running(struct dgm_env *env, const struct dgm_looks *looks, const char *name);
/* The same of text without blanks between words, where a line in ten and more is such. */
int dgm_looks_warn_of_unspaced(struct dgm_env *env, const struct dgm_looks *looks,
                               const char *name);

#endif
