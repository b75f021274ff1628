/*
 * parses.h: the parses of a text, each as a line of brackets (syntax/tree/linearise.h): what a
 * multi-task model learns to write.
 */
#ifndef DGM_DATA_TREE_PARSES_H
#define DGM_DATA_TREE_PARSES_H

#include "base/buf.h"

/* A linearised parse for every line of a text. Zero-initialise, fill, clear. */
struct dgm_parses {
    struct dgm_buf text;
    size_t *ends; /* (count) where the parse of each line ends; empty: the line has none */
    size_t count, capacity;
    long none;        /* lines without a parse */
    const char *path; /* what they were read from, borrowed, for messages; NULL: made */
};

/* One line more: what was appended to parses->text since the last one, which may be nothing. */
dgm_status dgm_parses_add(struct dgm_env *env, struct dgm_parses *parses);
/* Adds every sentence of a CoNLL-U file, or every line of a file of trees in brackets. There, an
 * empty line or brackets without words ("(())") are a sentence that could not be parsed. DGM_DATA
 * with file and line for anything that is no tree. */
dgm_status dgm_parses_read_conllu(struct dgm_env *env, struct dgm_parses *parses, const char *path);
dgm_status dgm_parses_read_brackets(struct dgm_env *env, struct dgm_parses *parses,
                                    const char *path);
/* The parse of a line from 0 on; *bytes = 0: none, or no such line. */
const char *dgm_parses_line(const struct dgm_parses *parses, size_t line, size_t *bytes);
void dgm_parses_clear(struct dgm_env *env, struct dgm_parses *parses);

#endif
