/*
 * bytes.h: small questions about texts that have a length and need not end with a NUL.
 */
#ifndef DGM_BASE_BYTES_H
#define DGM_BASE_BYTES_H

#include <string.h>

/* Whether they are just this word. */
static inline int dgm_bytes_are(const char *bytes, size_t count, const char *word)
{
    return count == strlen(word) && (count == 0 || memcmp(bytes, word, count) == 0);
}

/* The bytes of the word if they begin with it, else 0. */
static inline size_t dgm_bytes_begin(const char *bytes, size_t count, const char *word)
{
    const size_t length = strlen(word);

    return count > 0 && count >= length && memcmp(bytes, word, length) == 0 ? length : 0;
}

/* Which of so many words they are; their number if none. */
static inline size_t dgm_bytes_which(const char *bytes, size_t count, const char *const *words,
                                     size_t word_count)
{
    size_t i = 0;

    while (i < word_count && !dgm_bytes_are(bytes, count, words[i]))
        i++;
    return i;
}

/* Their order, below 0, 0 or above: as strcmp has it, of what begins alike the shorter first. */
static inline int dgm_bytes_compare(const char *a, size_t a_count, const char *b, size_t b_count)
{
    const size_t common = a_count < b_count ? a_count : b_count;
    const int order = common > 0 ? memcmp(a, b, common) : 0;

    return order != 0 ? order : (a_count > b_count) - (a_count < b_count);
}

/* Takes the first line off a text: without its LF or CR LF, *length long; NULL: nothing is left. */
static inline const char *dgm_bytes_line(const char **text, size_t *bytes, size_t *length)
{
    const char *line = *text, *end = *bytes > 0 ? memchr(line, '\n', *bytes) : NULL;
    const size_t taken = end != NULL ? (size_t)(end - line) + 1 : *bytes;

    *length = taken - (end != NULL);
    if (taken == 0)
        return NULL;
    *length -= *length > 0 && line[*length - 1] == '\r';
    *text += taken;
    *bytes -= taken;
    return line;
}

/* The next field of a line from *at on, between blanks and tabs; 0: there is none. */
static inline int dgm_bytes_field(const char *line, size_t bytes, size_t *at, const char **field,
                                  size_t *length)
{
    while (*at < bytes && (line[*at] == ' ' || line[*at] == '\t'))
        ++*at;
    if (*at == bytes)
        return 0;
    *field = line + *at;
    for (*length = 0; *at < bytes && line[*at] != ' ' && line[*at] != '\t'; ++*at)
        ++*length;
    return 1;
}

/* The value of a hexadecimal digit in either case; -1: it is none. */
static inline int dgm_hex_digit(char c)
{
    return c >= '0' && c <= '9'   ? c - '0'
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                  : -1;
}

#endif
