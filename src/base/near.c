/* near.c: the known word nearest to one that is not known. */
#include "base/near.h"

#include <stdio.h>
#include <string.h>

enum { MAX_WORD = 48, MAX_DISTANCE = 3, MIN_PREFIX = 2 };

static int is_same(char a, char b)
{
    return (a == '_' ? '-' : a) == (b == '_' ? '-' : b);
}

static int smallest(int a, int b, int c)
{
    a = b < a ? b : a;
    return c < a ? c : a;
}

/*
 * Levenshtein distance of the name and a word: the fewest letters to insert, remove or exchange.
 * row[j] is the distance of the first i letters of the name to the first j of the word; `diagonal`
 * keeps the entry of the row before that the new one has overwritten.
 */
static int edit_distance(const struct dgm_near *near, const char *word, size_t length)
{
    int row[MAX_WORD + 1];
    for (size_t j = 0; j <= length; j++)
        row[j] = (int)j;
    for (size_t i = 0; i < near->length; i++) {
        int diagonal = row[0];
        row[0] = (int)i + 1;
        for (size_t j = 1; j <= length; j++) {
            int kept = diagonal + !is_same(near->name[i], word[j - 1]);
            diagonal = row[j];
            row[j] = smallest(kept, row[j] + 1, row[j - 1] + 1);
        }
    }
    return row[length];
}

static int is_beginning(const struct dgm_near *near, const char *word, size_t length)
{
    if (near->length < MIN_PREFIX || near->length >= length)
        return 0;
    for (size_t i = 0; i < near->length; i++)
        if (!is_same(near->name[i], word[i]))
            return 0;
    return 1;
}

void dgm_near_begin(struct dgm_near *near, const char *name, size_t length)
{
    *near = (struct dgm_near){ .name = name, .length = length };
    /* A short word is near to any other; it must share half of it with its proposal. */
    near->distance = length / 2 < MAX_DISTANCE ? (int)length / 2 + 1 : MAX_DISTANCE + 1;
}

void dgm_near_try(struct dgm_near *near, const char *word, size_t length)
{
    int is_found, distance = 0;
    if (length > MAX_WORD || near->length > MAX_WORD)
        return;
    if (is_beginning(near, word, length)) {
        is_found = near->distance > 0 || length < near->best_length;
    } else {
        distance = edit_distance(near, word, length);
        is_found = distance < near->distance;
    }
    if (!is_found)
        return;
    near->best = word;
    near->best_length = length;
    near->distance = distance;
}

void dgm_near_try_list(struct dgm_near *near, const char *words, char separator)
{
    while (words != NULL && *words != '\0') {
        const char *end = strchr(words, separator);
        size_t length = end != NULL ? (size_t)(end - words) : strlen(words);
        dgm_near_try(near, words, length);
        words += length;
        words += *words == separator;
    }
}

const char *dgm_nearest(const char *name, const char *const *words, size_t count)
{
    struct dgm_near near;
    dgm_near_begin(&near, name, strlen(name));
    for (size_t i = 0; i < count; i++)
        dgm_near_try(&near, words[i], strlen(words[i]));
    return near.best;
}

void dgm_near_suggest(const struct dgm_near *near, char suggestion[DGM_SUGGESTION_SIZE])
{
    suggestion[0] = '\0';
    if (near->best != NULL)
        snprintf(suggestion, DGM_SUGGESTION_SIZE, "; did you mean \"%.*s\"?",
                 (int)near->best_length, near->best);
}
