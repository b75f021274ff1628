/*
 * text_list.c: the list of texts, as options name them or a file does.
 */
#include "data/text/text_list.h"

#include <string.h>

#include "base/file/file.h"
#include "base/file/vfs.h"
#include "base/mem.h"
#include "base/number/number.h"
#include "text/unicode/utf8.h"

dgm_status dgm_text_list_add(struct dgm_env *env, struct dgm_text_list *texts, const char *source,
                             const char *target)
{
    struct dgm_text *text;

    DGM_TRY(dgm_grow(env, &texts->items, &texts->capacity, texts->count, sizeof *texts->items));
    text = &texts->items[texts->count++];
    memset(text, 0, sizeof *text);
    text->path[DGM_SOURCE] = source;
    text->path[DGM_TARGET] = target;
    return DGM_OK;
}

const char *dgm_text_list_trees(const struct dgm_text_list *texts, int side)
{
    for (size_t i = 0; i < texts->count; i++)
        if (texts->items[i].trees[side] != NULL)
            return texts->items[i].trees[side];
    return NULL;
}

void dgm_text_list_clear(struct dgm_env *env, struct dgm_text_list *texts)
{
    dgm_release(env, texts->items);
    dgm_buf_clear(env, &texts->list);
    memset(texts, 0, sizeof *texts);
}

/* ---- a file that lists them ------------------------------------------------------------------ */

enum { MOST_COLUMNS = 4 };

/* A line of the file, in columns that end with NUL. */
struct listed {
    const char *path; /* of the file */
    long number;
    char *columns[MOST_COLUMNS];
    size_t count;
};

/* Cuts a line at its tabs, in place; 0: there are too many. */
static int cut_columns(struct listed *listed, char *line)
{
    char *tab;

    for (listed->count = 0; line != NULL; line = tab) {
        if (listed->count == MOST_COLUMNS)
            return 0;
        listed->columns[listed->count++] = line;
        tab = strchr(line, '\t');
        if (tab != NULL)
            *tab++ = '\0';
    }
    return 1;
}

/* An optional column; NULL: missing, or "-". */
static const char *optional(const struct listed *listed, size_t i)
{
    return i < listed->count && strcmp(listed->columns[i], "-") != 0 ? listed->columns[i] : NULL;
}

static dgm_status fail_columns(struct dgm_env *env, const struct listed *listed, int is_tsv)
{
    return dgm_fail_at(env, DGM_DATA, listed->path, listed->number, 0,
                       "expected %s and, if wanted, a weight and a tag, with tabs between them",
                       is_tsv ? "a file" : "two files");
}

static dgm_status check_path(struct dgm_env *env, const struct listed *listed, size_t i, int is_tsv)
{
    const char *path = listed->columns[i];

    if (*path == '\0')
        return fail_columns(env, listed, is_tsv);
    if (strcmp(path, "-") == 0)
        return dgm_fail_at(env, DGM_DATA, listed->path, listed->number, 0,
                           "standard input can be read only once; expected a file, since training "
                           "reads its text several times");
    return DGM_OK;
}

static dgm_status add_listed(struct dgm_env *env, struct dgm_text_list *texts,
                             const struct listed *listed, int is_tsv)
{
    const size_t files = is_tsv ? 1 : 2;
    const char *weight;
    struct dgm_text *text;

    if (listed->count < files || listed->count > files + 2)
        return fail_columns(env, listed, is_tsv);
    for (size_t i = 0; i < files; i++)
        DGM_TRY(check_path(env, listed, i, is_tsv));
    DGM_TRY(dgm_text_list_add(env, texts, listed->columns[0], is_tsv ? NULL : listed->columns[1]));
    text = &texts->items[texts->count - 1];
    weight = optional(listed, files);
    if (weight != NULL && (!dgm_number_real(&text->weight, weight, strlen(weight)) ||
                           !(text->weight >= 1e-6 && text->weight <= 1e9)))
        return dgm_fail_at(env, DGM_DATA, listed->path, listed->number, 0,
                           "weight \"%s\"; expected a number from 1e-06 to 1e+09, or -", weight);
    text->tag = optional(listed, files + 1);
    return DGM_OK;
}

/* Ends the line at `line`, of *bytes, with NUL, and returns where the next one begins. */
static char *end_line(char *line, char *end, size_t *bytes)
{
    char *lf = memchr(line, '\n', (size_t)(end - line)), *stop = lf != NULL ? lf : end;

    stop -= stop > line && stop[-1] == '\r';
    *stop = '\0';
    *bytes = (size_t)(stop - line);
    return lf != NULL ? lf + 1 : end;
}

static dgm_status take_line(struct dgm_env *env, struct dgm_text_list *texts, struct listed *listed,
                            char *line, size_t bytes, int is_tsv)
{
    DGM_TRY(dgm_utf8_check(env, listed->path, listed->number, line, bytes));
    if (*line == '#' || line[strspn(line, " \t")] == '\0')
        return DGM_OK;
    if (!cut_columns(listed, line))
        return fail_columns(env, listed, is_tsv);
    return add_listed(env, texts, listed, is_tsv);
}

dgm_status dgm_text_list_read(struct dgm_env *env, struct dgm_text_list *texts, const char *path,
                              int is_tsv)
{
    struct listed listed = { .path = path };
    const size_t before = texts->count;
    char *line, *end, *next;
    size_t bytes;

    DGM_TRY(dgm_file_read_text(env, &texts->list, path));
    DGM_TRY(dgm_buf_add_char(env, &texts->list, '\0')); /* room to end the last line */
    line = texts->list.data;
    end = line + texts->list.size - 1;
    for (; line < end; line = next) {
        listed.number++;
        next = end_line(line, end, &bytes);
        DGM_TRY(take_line(env, texts, &listed, line, bytes, is_tsv));
    }
    if (texts->count == before)
        return dgm_fail_at(env, DGM_DATA, path, 0, 0, "no texts; expected at least 1");
    return DGM_OK;
}

/* ---- all of them ----------------------------------------------------------------------------- */

static int is_same(struct dgm_env *env, const struct dgm_text *a, const struct dgm_text *b)
{
    for (int side = DGM_SOURCE; side <= DGM_TARGET; side++)
        if (!dgm_file_same(env, dgm_text_path(a, side), dgm_text_path(b, side)))
            return 0;
    return 1;
}

/* Before hours are spent on reading those in front of it. Nothing is opened: of a pipe, that may
 * take away what its other end has written. */
static dgm_status check_there(struct dgm_env *env, const struct dgm_text *text)
{
    const char *const paths[] = { text->path[0],  text->path[1], text->trees[0],
                                  text->trees[1], text->weights, text->links };
    struct dgm_file_info info;

    for (size_t i = 0; i < sizeof paths / sizeof paths[0]; i++)
        if (paths[i] != NULL && env->vfs->info(env->vfs->user, -1, paths[i], 1, &info) != 0)
            return dgm_file_fail(env, DGM_DATA, paths[i], "expected a regular file");
    return DGM_OK;
}

dgm_status dgm_text_list_check(struct dgm_env *env, const struct dgm_text_list *texts)
{
    for (size_t i = 0; i < texts->count; i++)
        DGM_TRY(check_there(env, &texts->items[i]));
    for (size_t i = 0; i < texts->count; i++)
        for (size_t k = 0; k < i; k++)
            if (is_same(env, &texts->items[i], &texts->items[k]))
                return dgm_fail_at(env, DGM_USAGE, texts->items[i].path[DGM_SOURCE], 0, 0,
                                   "this text is named twice, as number %zu and %zu; expected each "
                                   "once, and --train-weights to have it more often",
                                   k + 1, i + 1);
    return DGM_OK;
}
