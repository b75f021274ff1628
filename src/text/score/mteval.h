/*
 * mteval.h: the tokenisers by which BLEU is defined: mteval-v13a, mteval-v14
 * international, single characters, and 13a with Chinese characters set apart.
 *
 * Each appends the line to `out` as tokens with one blank between (as sacreBLEU prints
 * it).
 */
#ifndef DGM_TEXT_SCORE_MTEVAL_H
#define DGM_TEXT_SCORE_MTEVAL_H

#include "base/buf.h"
#include "base/env.h"

dgm_status dgm_mteval_13a(struct dgm_env *env, struct dgm_buf *out, const char *line, size_t bytes);
dgm_status dgm_mteval_intl(struct dgm_env *env, struct dgm_buf *out, const char *line,
                           size_t bytes);
dgm_status dgm_mteval_char(struct dgm_env *env, struct dgm_buf *out, const char *line,
                           size_t bytes);

dgm_status dgm_mteval_zh(struct dgm_env *env, struct dgm_buf *out, const char *line, size_t bytes);

/* The passes of 13a that cut words, without its escapes and the blanks around the line. They use
 * up `text`. */
dgm_status dgm_mteval_western(struct dgm_env *env, struct dgm_buf *out, struct dgm_buf *text,
                              struct dgm_buf *spare);

/* tercom's normalisation, by which TER is defined: nearly that of 13a, with more white space left
 * between. It uses up `line`. */
dgm_status dgm_mteval_tercom(struct dgm_env *env, struct dgm_buf *out, struct dgm_buf *line);

/* Bytes of the white space at the start of a line; those of a line without that at its end. */
size_t dgm_mteval_start(const char *line, size_t bytes);
size_t dgm_mteval_end(const char *line, size_t bytes);

/*
 * The next word of a line from *at on, as Python's str.split() finds it: between any
 * white space of Unicode. 0 at the end.
 */
int dgm_mteval_next(const char *line, size_t bytes, size_t *at, const char **word, size_t *length);

#endif
