/*
 * conllx.h: CoNLL-X, the format of the 2006 shared task on dependency parsing, read into
 * and written from struct dgm_conllu_sentence.
 *
 * Ten columns as in CoNLL-U: ID FORM LEMMA CPOSTAG POSTAG FEATS HEAD DEPREL PHEAD
 * PDEPREL. The first eight keep their places (CPOSTAG is UPOS, POSTAG is XPOS). The
 * projective head becomes MISC `PHEAD=3|PDEPREL=sbj`, because a bare number is no DEPS;
 * writing CoNLL-X takes it from there. The format knows no comments, ranges or empty
 * nodes: what looks like one is an error when reading and is left out when writing.
 *
 * conllu_reader.h reads it with DGM_CONLLU_X. The labels are not those of Universal Dependencies,
 * so options.strict has no effect; sentences of several roots are frequent: see
 * options.multi_root.
 */
#ifndef DGM_SYNTAX_CONLLU_CONLLX_H
#define DGM_SYNTAX_CONLLU_CONLLX_H

#include "syntax/conllu/conllu_reader.h"

/*
 * The words of a sentence and a blank line. What was read as CoNLL-X comes back byte for
 * byte; of CoNLL-U, DEPS and MISC are lost and a blank inside a column becomes `_`, for
 * CoNLL-X columns hold none.
 */
dgm_status dgm_conllx_write(struct dgm_env *env, struct dgm_writer *writer,
                            const struct dgm_conllu_sentence *sentence);

/* For the reader: moves PHEAD and PDEPREL of a complete block to MISC. */
dgm_status dgm_conllx_finish(struct dgm_env *env, struct dgm_conllu_reader *reader,
                             struct dgm_conllu_sentence *sentence);

#endif
