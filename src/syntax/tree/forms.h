/*
 * forms.h: the words of a sentence, whatever it was read from.
 */
#ifndef DGM_SYNTAX_TREE_FORMS_H
#define DGM_SYNTAX_TREE_FORMS_H

#include <stdint.h>

struct dgm_forms {
    int32_t count;
    const char *(*form)(const void *of, int32_t word); /* of word `word`, from 0; NUL-terminated */
    const void *of;
};

#endif
