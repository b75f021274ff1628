/* word_counts.c: how often each word occurs. */
#include "text/bpe/word_counts.h"

#include <string.h>

#include "base/bytes.h"
#include "base/lines/lines.h"
#include "base/mem.h"
#include "base/number/number.h"

int dgm_word_counts_next(const char *line, size_t bytes, size_t *at, const char **word,
                         size_t *length)
{
    size_t start = *at, end;

    while (bytes > start && dgm_word_counts_is_edge(line[bytes - 1]))
        bytes--;
    /* Only blanks separate words; CR and LF are skipped at the beginning of the line alone. */
    while (start < bytes &&
           (line[start] == ' ' || (*at == 0 && dgm_word_counts_is_edge(line[start]))))
        start++;
    end = start;
    while (end < bytes && line[end] != ' ')
        end++;
    *at = end;
    if (end == start)
        return 0; /* an empty line may be NULL */
    *word = line + start;
    *length = end - start;
    return 1;
}

dgm_status dgm_word_counts_line(struct dgm_env *env, struct dgm_map *counts, const char *line,
                                size_t bytes)
{
    const char *word;
    size_t at = 0, length;

    while (dgm_word_counts_next(line, bytes, &at, &word, &length))
        DGM_TRY(dgm_map_count(env, counts, word, length, 1));
    return DGM_OK;
}

static dgm_status load_line(struct dgm_env *env, struct dgm_map *counts,
                            const struct dgm_lines *lines)
{
    const char *line = lines->line.data;
    size_t bytes = lines->line.size, blank = bytes;
    struct dgm_map_entry *entry;
    int64_t count;

    while (blank > 0 && line[blank - 1] != ' ')
        blank--;
    if (blank < 2 || memchr(line, ' ', blank - 1) != NULL)
        return dgm_fail_at(env, DGM_DATA, lines->path, lines->number, 1,
                           "expected a word, one blank and its count");
    if (!dgm_number_int(&count, line + blank, bytes - blank) || count < 0)
        return dgm_fail_at(env, DGM_DATA, lines->path, lines->number, (long)blank + 1,
                           "the count must be a whole number, 0 or more");
    DGM_TRY(dgm_map_insert(env, counts, line, blank - 1, &entry, NULL));
    if (count > INT64_MAX - entry->value)
        return dgm_fail_at(env, DGM_DATA, lines->path, lines->number, (long)blank + 1,
                           "the counts of this word add up to more than 2^63 - 1");
    entry->value += count;
    return DGM_OK;
}

dgm_status dgm_word_counts_load(struct dgm_env *env, struct dgm_map *counts, const char *path)
{
    struct dgm_lines lines = { 0 };
    dgm_status status;
    int more;

    DGM_TRY_OUT(dgm_lines_open(env, &lines, path));
    for (;;) {
        DGM_TRY_OUT(dgm_lines_next(env, &lines, &more));
        if (!more)
            break;
        if (lines.line.size > 0)
            DGM_TRY_OUT(load_line(env, counts, &lines));
    }
out:
    dgm_lines_close(env, &lines);
    return status;
}

/* Whether entry a comes before entry b. */
static int comes_before(const struct dgm_map *counts, uint32_t a, uint32_t b,
                        enum dgm_word_counts_order ties)
{
    const struct dgm_map_entry *x = &counts->entries[a], *y = &counts->entries[b];

    if (x->value != y->value)
        return x->value > y->value;
    if (ties == DGM_WORD_COUNTS_FIRST)
        return a < b;
    return dgm_bytes_compare(dgm_map_key(counts, x), x->length, dgm_map_key(counts, y), y->length) <
           0;
}

/*
 * Merge sort from runs of one upwards; the sorted numbers end in `order`. qsort would not do: it
 * hands nothing but two entries to the comparison, and takes n^2 steps in some libraries.
 */
static void sort_entries(const struct dgm_map *counts, uint32_t *order, uint32_t *spare,
                         enum dgm_word_counts_order ties)
{
    size_t n = counts->count, width, start;

    for (width = 1; width < n; width *= 2) {
        for (start = 0; start < n; start += 2 * width) {
            size_t middle = start + width < n ? start + width : n;
            size_t end = middle + width < n ? middle + width : n;
            size_t a = start, b = middle, to = start;

            while (to < end) {
                if (b == end || (a < middle && !comes_before(counts, order[b], order[a], ties)))
                    spare[to++] = order[a++];
                else
                    spare[to++] = order[b++];
            }
        }
        memcpy(order, spare, n * sizeof *order);
    }
}

dgm_status dgm_word_counts_sort(struct dgm_env *env, uint32_t **order, const struct dgm_map *counts,
                                enum dgm_word_counts_order ties)
{
    uint32_t *spare = NULL;
    dgm_status status;

    DGM_TRY_OUT(dgm_new(env, order, counts->count, sizeof **order));
    DGM_TRY_OUT(dgm_new(env, &spare, counts->count, sizeof *spare));
    for (size_t i = 0; i < counts->count; i++)
        (*order)[i] = (uint32_t)i;
    sort_entries(counts, *order, spare, ties);
out:
    dgm_release(env, spare);
    return status;
}

dgm_status dgm_word_counts_print(struct dgm_env *env, struct dgm_buf *out,
                                 const struct dgm_map *counts, enum dgm_word_counts_order ties)
{
    uint32_t *order = NULL;
    dgm_status status;

    DGM_TRY_OUT(dgm_word_counts_sort(env, &order, counts, ties));
    for (size_t i = 0; i < counts->count; i++) {
        const struct dgm_map_entry *entry = &counts->entries[order[i]];

        DGM_TRY_OUT(dgm_buf_add(env, out, dgm_map_key(counts, entry), entry->length));
        DGM_TRY_OUT(dgm_buf_add_format(env, out, " %lld\n", (long long)entry->value));
    }
out:
    dgm_release(env, order);
    return status;
}
