/* lemma_book.c: which scripts a treebank has for a form with a tag. */
#include "text/lemma/lemma_book.h"

#include <stdio.h>
#include <string.h>

#include "base/mem.h"

enum { MOST_FORM = 1024, KEY_SIZE = MOST_FORM + 16, MOST_DIGITS = 9 };

/* ---- entries -------------------------------------------------------------------------------- */

/* Bytes of a form, a tab and the tag; 0: the form is too long. */
static size_t make_key(char key[KEY_SIZE], const char *form, int32_t tag)
{
    size_t bytes = strlen(form);

    if (bytes > MOST_FORM)
        return 0;
    memcpy(key, form, bytes);
    return bytes + (size_t)snprintf(key + bytes, KEY_SIZE - bytes, "\t%d", (int)tag);
}

static dgm_status append(struct dgm_env *env, struct dgm_lemma_book *book, int32_t script)
{
    DGM_TRY(dgm_grow(env, &book->entries, &book->capacity, book->count, sizeof *book->entries));
    book->entries[book->count++] = (struct dgm_lemma_entry){ script, -1 };
    return DGM_OK;
}

dgm_status dgm_lemma_book_add(struct dgm_env *env, struct dgm_lemma_book *book, const char *form,
                              int32_t tag, int32_t script)
{
    struct dgm_map_entry *found;
    char key[KEY_SIZE];
    size_t bytes = make_key(key, form, tag);
    int32_t last, choices = 1;
    int is_new;

    if (bytes == 0 || book->count >= INT32_MAX)
        return DGM_OK;
    DGM_TRY(append(env, book, script));
    DGM_TRY(dgm_map_insert(env, &book->map, key, bytes, &found, &is_new));
    if (is_new) {
        found->value = (int64_t)book->count - 1;
        return DGM_OK;
    }
    for (last = (int32_t)found->value;; last = book->entries[last].next) {
        if (book->entries[last].script == script || ++choices > DGM_LEMMA_CHOICES) {
            book->count--;
            return DGM_OK;
        }
        if (book->entries[last].next < 0)
            break;
    }
    book->entries[last].next = (int32_t)book->count - 1;
    return DGM_OK;
}

const struct dgm_lemma_entry *dgm_lemma_book_find(const struct dgm_lemma_book *book,
                                                  const char *form, int32_t tag)
{
    char key[KEY_SIZE];
    size_t bytes = make_key(key, form, tag);
    const struct dgm_map_entry *found = bytes > 0 ? dgm_map_find(&book->map, key, bytes) : NULL;

    return found != NULL ? &book->entries[found->value] : NULL;
}

double dgm_lemma_book_bytes(const struct dgm_lemma_book *book)
{
    return dgm_map_bytes(&book->map) + (double)book->count * sizeof *book->entries;
}

void dgm_lemma_book_clear(struct dgm_env *env, struct dgm_lemma_book *book)
{
    dgm_map_clear(env, &book->map);
    dgm_release(env, book->entries);
    memset(book, 0, sizeof *book);
}

/* ---- text ------------------------------------------------------------------------------------ */

dgm_status dgm_lemma_book_print(struct dgm_env *env, const struct dgm_lemma_book *book,
                                struct dgm_buf *out)
{
    for (size_t i = 0; i < book->map.count; i++) {
        const struct dgm_map_entry *key = &book->map.entries[i];
        const struct dgm_lemma_entry *entry = &book->entries[key->value];

        DGM_TRY(dgm_buf_add(env, out, dgm_map_key(&book->map, key), key->length));
        for (; entry != NULL; entry = dgm_lemma_book_next(book, entry))
            DGM_TRY(dgm_buf_add_format(env, out, "\t%d", (int)entry->script));
        DGM_TRY(dgm_buf_add_char(env, out, '\n'));
    }
    return DGM_OK;
}

/* A tab and a number below `limit`; returns what follows, or NULL. */
static const char *read_number(const char *at, int64_t limit, int32_t *number)
{
    int64_t value = 0;
    int digits = 0;

    if (*at != '\t')
        return NULL;
    for (at++; *at >= '0' && *at <= '9' && digits <= MOST_DIGITS; at++, digits++)
        value = 10 * value + (*at - '0');
    *number = (int32_t)value;
    return digits > 0 && digits <= MOST_DIGITS && value < limit ? at : NULL;
}

/* One line, which ends with NUL. *good 0: it is none. */
static dgm_status read_line(struct dgm_env *env, struct dgm_lemma_book *book, char *line,
                            int64_t tags, int64_t scripts, int *good)
{
    const char *at = strchr(line, '\t');
    int32_t tag, script;

    *good = 0;
    if (at == NULL || at == line || at - line > MOST_FORM)
        return DGM_OK;
    at = read_number(at, tags, &tag);
    line[strcspn(line, "\t")] = '\0';
    if (at == NULL || *at == '\0' || dgm_lemma_book_find(book, line, tag) != NULL)
        return DGM_OK;
    while (*at != '\0') {
        at = read_number(at, scripts, &script);
        if (at == NULL)
            return DGM_OK;
        DGM_TRY(dgm_lemma_book_add(env, book, line, tag, script));
    }
    *good = 1;
    return DGM_OK;
}

static dgm_status read_lines(struct dgm_env *env, struct dgm_lemma_book *book, char *text,
                             size_t bytes, int64_t tags, int64_t scripts, const char *name)
{
    char *end = text + bytes;
    int good = memchr(text, '\0', bytes) == NULL;
    long number = 1;

    for (; good && text < end; number++) {
        char *next = memchr(text, '\n', (size_t)(end - text));

        if (next == NULL)
            good = 0;
        else {
            *next = '\0';
            DGM_TRY(read_line(env, book, text, tags, scripts, &good));
            text = next + 1;
        }
    }
    if (good)
        return DGM_OK;
    return dgm_fail_at(env, DGM_DATA, name, number > 1 ? number - 1 : 1, 0,
                       "no line of the book of lemmas; expected a form, a tag's number and numbers "
                       "of scripts, and each form with a tag once");
}

dgm_status dgm_lemma_book_parse(struct dgm_env *env, struct dgm_lemma_book *book, const char *text,
                                size_t bytes, int64_t tags, int64_t scripts, const char *name)
{
    char *copy = dgm_copy_text(env, text, bytes);
    dgm_status status;

    if (copy == NULL)
        return DGM_MEMORY;
    status = read_lines(env, book, copy, bytes, tags, scripts, name);
    dgm_release(env, copy);
    return status;
}
