/*
 * forms.h: the words of a sentence, whatever it was read from, beside a line of text.
 */
#ifndef DGM_SYNTAX_TREE_FORMS_H
#define DGM_SYNTAX_TREE_FORMS_H

#include "base/env.h"
#include "syntax/conllu/conllu.h"

struct dgm_forms {
    int32_t count;
    const char *(*form)(const void *of, int32_t word); /* of word `word`, from 0; NUL-terminated */
    const void *of;
};

/* Those of a sentence of a treebank, which they borrow. */
struct dgm_forms dgm_forms_of_conllu(const struct dgm_conllu_sentence *sentence);

/*
 * Compares the words with a line of tokens separated by single spaces.
 * Differences of case are accepted; any other is DGM_DATA [E_ALIGN] at
 * `path`:`line_number`, as is a different number of words. A word with spaces inside
 * stands for as many tokens of the line: tokens (words; may be NULL) receives how many
 * each word covers, which is 1 for all others.
 */
dgm_status dgm_forms_match(struct dgm_env *env, int32_t *tokens, const struct dgm_forms *words,
                           const char *line, size_t length, const char *path, long line_number);

#endif
