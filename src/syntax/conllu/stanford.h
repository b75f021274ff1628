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
 * hyphens, brackets and commas. The format leaves some things open:
 *
 * - Words without a line (the Stanford tools leave punctuation out) become words of FORM
 *   `_` and MISC `Missing=Yes` that depend on the first root by `punct`; writing leaves
 *   them out again. Such words at the end of a sentence leave no trace in the text.
 * - A word that governs others and has no governor is a root: old tools write no line of
 *   ROOT-0. Several are treated as options.multi_root says.
 * - Only trees can be read (basic dependencies): a second governor is an error, and so is
 *   a copy of a word (`makes-7'`), whose line a lenient reader skips with a warning.
 *
 * conllu_reader.h reads it with DGM_CONLLU_TYPED; options.strict has no effect.
 */
#ifndef DGM_SYNTAX_CONLLU_STANFORD_H
#define DGM_SYNTAX_CONLLU_STANFORD_H

#include "syntax/conllu/conllu_reader.h"

/*
 * One line for each word and a blank line. A blank inside a form becomes U+00A0, as the
 * Stanford tools write it. DGM_DATA where there is no parse or a relation holds a
 * bracket, which would not be read back.
 */
dgm_status dgm_stanford_write(struct dgm_env *env, struct dgm_writer *writer,
                              const struct dgm_conllu_sentence *sentence);

/* For the reader: keeps a line of the file, whose words lie in sentence->bytes ... */
dgm_status dgm_stanford_add(struct dgm_env *env, struct dgm_conllu_reader *reader,
                            struct dgm_conllu_sentence *sentence, const char *text, size_t length);
/* ... and turns those of a complete block into rows. */
dgm_status dgm_stanford_finish(struct dgm_env *env, struct dgm_conllu_reader *reader,
                               struct dgm_conllu_sentence *sentence);

#endif
