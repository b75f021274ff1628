/*
 * parse_lines_cut.h: lines of text to a parser that cuts them itself, and its trees to the words of
 * a translation model.
 */
#ifndef DGM_DECODE_PARSE_PARSE_LINES_CUT_H
#define DGM_DECODE_PARSE_PARSE_LINES_CUT_H

#include "decode/parse/parse_lines.h"

dgm_status dgm_parse_lines_cut_init(struct dgm_env *env, struct dgm_parse_lines *lines,
                                    const struct dgm_pipeline *pipeline);
/* Queues a line whose words have their place in lines->heads already. */
dgm_status dgm_parse_lines_cut_add(struct dgm_env *env, struct dgm_parse_lines *lines,
                                   const struct dgm_encoded *line, const char *text, size_t bytes);
/* Cuts what waits: the words are in the bank then. */
dgm_status dgm_parse_lines_cut_run(struct dgm_env *env, struct dgm_parse_lines *lines);
/* Lays the parsed tree of sentence s of the bank over the words of its line: own.overlay. */
dgm_status dgm_parse_lines_cut_lay(struct dgm_env *env, struct dgm_parse_lines *lines, int32_t s,
                                   const struct dgm_tree *tree);
void dgm_parse_lines_cut_reset(struct dgm_parse_lines *lines);
void dgm_parse_lines_cut_clear(struct dgm_env *env, struct dgm_parse_lines *lines);

#endif
