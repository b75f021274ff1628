/* columns.c: translations side by side in one line, tabs between. */
#include "text/score/columns.h"

#include <string.h>

#include "text/score/mteval.h"

/* Bytes up to the next tab, or all. */
static size_t width_of(const char *text, size_t bytes)
{
    const char *tab = bytes > 0 ? memchr(text, '\t', bytes) : NULL;

    return tab != NULL ? (size_t)(tab - text) : bytes;
}

size_t dgm_columns_count(const char *line, size_t bytes)
{
    size_t count = 1, at;

    bytes = dgm_mteval_end(line, bytes);
    for (at = width_of(line, bytes); at < bytes; at += 1 + width_of(line + at + 1, bytes - at - 1))
        count++;
    return count;
}

const char *dgm_columns_at(const char *line, size_t bytes, size_t column, size_t *length)
{
    bytes = dgm_mteval_end(line, bytes);
    for (; column > 0; column--) {
        const size_t skip = width_of(line, bytes) + 1;

        line += skip;
        bytes -= skip;
    }
    *length = width_of(line, bytes);
    return line;
}
