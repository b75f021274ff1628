/*
 * stanford.h: Stanford typed dependencies as text, read into and written from struct
 * dgm_conllu_sentence.
 *
 *     nsubj(loves-2, John-1)
 *     root(ROOT-0, loves-2)
 *     dobj(loves-2, Mary-3)
 *
 * One dependency a line, in any order; the numbers are places in the sentence, from 1; a
 * blank line ends a sentence. A form is what stands before the last `-N`, so it may hold
 * hyphens, brackets and commas. What the format leaves open:
 *
 * - Words without a line (the Stanford tools leave punctuation out) become words of FORM
 *   `_` and MISC `Missing=Yes` that depend on the first root by `punct`; writing leaves
 *   them out again. Such words at the end of a sentence leave no trace in the text.
 * - A word that governs others and has no governor is a root: old tools write no line of
 *   ROOT-0. Several are treated as options.multi_root says.
 * - Only trees can be read (basic dependencies): a second governor is an error, and so is
 *   a copy of a word (`makes-7'`), whose line a lenient reader skips with a warning.
 */
#ifndef DGM_SYNTAX_CONLLU_STANFORD_H
#define DGM_SYNTAX_CONLLU_STANFORD_H

#include "syntax/conllu/conllu.h"

/* As dgm_conllu_open; the reader is then used with dgm_conllu_next and
 * dgm_conllu_close. options.strict is without effect. */
dgm_status dgm_stanford_open(struct dgm_env *env, struct dgm_conllu_reader *reader,
                             const char *path, const struct dgm_conllu_options *options);

/*
 * One line for each word and a blank line. A blank inside a form becomes U+00A0, as the
 * Stanford tools write it. DGM_DATA where there is no parse or a relation holds a
 * bracket, which would not be read back.
 */
dgm_status dgm_stanford_write(struct dgm_env *env, struct dgm_writer *writer,
                              const struct dgm_conllu_sentence *sentence);

#endif
