/*
 * multitask.h: the second task of a multi-task model: the parses of a training text.
 *
 * Specification 3.11 (Currey and Heafield 2018): one Transformer learns translations, from
 * "<TR> x <TR>", and linearised parses of the same sources, from "<PA> x <PA>". Sources get the
 * marks of translating from the pipeline; the parse pairs are made here, all in one place, behind
 * the translation pairs. A line without a parse has no parse pair and keeps its translation pair.
 */
#ifndef DGM_DATA_MULTITASK_H
#define DGM_DATA_MULTITASK_H

#include "data/corpus.h"

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
/* Every sentence of a CoNLL-U file, every line of a file of trees in brackets, of which an empty
 * line or brackets without words ("(())") are a sentence that could not be parsed. DGM_DATA with
 * file and line for anything that is no tree. */
dgm_status dgm_parses_read_conllu(struct dgm_env *env, struct dgm_parses *parses, const char *path);
dgm_status dgm_parses_read_brackets(struct dgm_env *env, struct dgm_parses *parses,
                                    const char *path);
/* The parse of a line from 0 on; *bytes = 0: none, or no such line. */
const char *dgm_parses_line(const struct dgm_parses *parses, size_t line, size_t *bytes);
void dgm_parses_clear(struct dgm_env *env, struct dgm_parses *parses);

/*
 * Appends the parse pairs of a corpus that was read with this pipeline and makes them part of its
 * checksum. Pairs with more than max_length tokens on a side are left out, *too_long of them.
 * DGM_DATA [E_ALIGN] unless there are as many parses as lines of the text.
 */
dgm_status dgm_multitask_add(struct dgm_env *env, struct dgm_corpus *corpus,
                             struct dgm_pipeline *pipeline, const struct dgm_parses *parses,
                             int32_t max_length, long *too_long);

#endif
