/*
 * word_list.c: looking up a word in a list that is one string.
 */
#include "syntax/conllu/word_list.h"

#include <string.h>

int dgm_word_list_holds(const char *list, const char *text, size_t length)
{
    const char *at = list;

    if (length == 0 || memchr(text, ' ', length) != NULL)
        return 0;
    while ((at = strchr(at, ' ')) != NULL && at[1] != '\0') {
        at++;
        if (strncmp(at, text, length) == 0 && at[length] == ' ')
            return 1;
    }
    return 0;
}
