/*
 * conllu_lint.h: what a treebank should be beyond having trees (options.strict).
 */
#ifndef DGM_SYNTAX_CONLLU_CONLLU_LINT_H
#define DGM_SYNTAX_CONLLU_CONLLU_LINT_H

#include "syntax/conllu/conllu_reader.h"

/* Checks UPOS, DEPREL, FEATS and DEPS of every word, and that `# text` is made of the words. */
dgm_status dgm_conllu_lint(struct dgm_env *env, struct dgm_conllu_reader *reader,
                           const struct dgm_conllu_sentence *sentence);

#endif
