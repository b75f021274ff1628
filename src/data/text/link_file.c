/* link_file.c: reading the links between words of sentence pairs. */
#include "data/text/link_file.h"

#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "base/mem.h"
#include "base/number/number.h"

dgm_status dgm_link_file_open(struct dgm_env *env, struct dgm_link_file *file, const char *path)
{
    memset(file, 0, sizeof *file);
    return dgm_side_file_open(env, &file->side, path, "lines of links");
}

/* ---- one line -------------------------------------------------------------------------------- */

/* "3": digits alone, no sign. */
static int read_word(int64_t *word, const char *text, size_t length)
{
    return length > 0 && text[0] >= '0' && text[0] <= '9' && dgm_number_int(word, text, length);
}

/* "3-4"; 0 if it is no link. */
static int read_link(const char *item, size_t length, int64_t link[2])
{
    const char *dash = memchr(item, '-', length);

    return dash != NULL && read_word(&link[0], item, (size_t)(dash - item)) &&
           read_word(&link[1], dash + 1, length - (size_t)(dash + 1 - item));
}

static dgm_status fail_item(struct dgm_env *env, const struct dgm_link_file *file, long number,
                            const char *item, size_t length, const char *expected)
{
    char quoted[DGM_QUOTE_SIZE];

    dgm_quote(quoted, sizeof quoted, item, length);
    return dgm_fail_at(env, DGM_DATA, file->side.path, number, 0, "link \"%s\"; expected %s",
                       quoted, expected);
}

static dgm_status fail_place(struct dgm_env *env, const struct dgm_link_file *file, long number,
                             const int64_t link[2], int32_t source_words, int32_t target_words)
{
    return dgm_fail_at(env, DGM_DATA, file->side.path, number, 0,
                       "link \"%lld-%lld\" of a pair of %d and %d words, which count from 0; "
                       "expected the links of the words of this line, source first [E_ALIGN]",
                       (long long)link[0], (long long)link[1], (int)source_words,
                       (int)target_words);
}

static dgm_status add_link(struct dgm_env *env, struct dgm_link_file *file, long number,
                           const int64_t link[2], int64_t most)
{
    if (file->count >= most)
        return dgm_fail_at(env, DGM_DATA, file->side.path, number, 0,
                           "more than %lld links; expected at most %d for each word of both sides",
                           (long long)most, (int)DGM_LINKS_OF_A_WORD);
    DGM_TRY(dgm_reserve(env, &file->links, &file->capacity, 2 * (size_t)file->count + 2,
                        sizeof *file->links));
    file->links[2 * file->count] = (int32_t)link[0];
    file->links[2 * file->count + 1] = (int32_t)link[1];
    file->count++;
    return DGM_OK;
}

static int compare(const void *left, const void *right)
{
    const int32_t *a = left, *b = right;

    if (a[1] != b[1])
        return a[1] < b[1] ? -1 : 1;
    return a[0] < b[0] ? -1 : a[0] > b[0];
}

void dgm_link_file_sort(struct dgm_link_file *file)
{
    int32_t kept = 0;

    if (file->count > 1)
        qsort(file->links, (size_t)file->count, 2 * sizeof *file->links, compare);
    for (int32_t l = 0; l < file->count; l++)
        if (kept == 0 || compare(file->links + 2 * (kept - 1), file->links + 2 * l) != 0) {
            memmove(file->links + 2 * kept, file->links + 2 * l, 2 * sizeof *file->links);
            kept++;
        }
    file->count = kept;
}

dgm_status dgm_link_file_take(struct dgm_env *env, struct dgm_link_file *file, long number,
                              int32_t source_words, int32_t target_words)
{
    const int64_t most = DGM_LINKS_OF_A_WORD * ((int64_t)source_words + target_words);
    const struct dgm_buf *line = &file->side.lines.line;
    const char *item;
    size_t at = 0, length;
    int64_t link[2];

    file->count = 0;
    if (file->side.path == NULL)
        return DGM_OK;
    if (file->side.lines.cut)
        return dgm_fail_at(env, DGM_DATA, file->side.path, number, 0,
                           "a line of more than 16 MiB; expected links");
    while (dgm_bytes_field(line->data, line->size, &at, &item, &length)) {
        if (!read_link(item, length, link))
            return fail_item(env, file, number, item, length,
                             "source word and target word, such as 0-0, from 0");
        if (link[0] >= source_words || link[1] >= target_words)
            return fail_place(env, file, number, link, source_words, target_words);
        DGM_TRY(add_link(env, file, number, link, most));
    }
    dgm_link_file_sort(file);
    return DGM_OK;
}

void dgm_link_file_close(struct dgm_env *env, struct dgm_link_file *file)
{
    dgm_side_file_close(env, &file->side);
    dgm_release(env, file->links);
    memset(file, 0, sizeof *file);
}
