/*
 * lex_file.c: lexical tables of other programs.
 */
#include "data/shortlist/lex_file.h"

#include <stdlib.h>

#include "base/bytes.h"
#include "base/lines/lines.h"
#include "base/mem.h"
#include "base/number/number.h"
#include "data/side.h"

struct entry {
    int32_t source, target;
    float p;
    size_t order;
};

struct reading {
    struct dgm_lines lines;
    const struct dgm_vocab *source, *target;
    struct entry *entries;
    size_t count, capacity;
    long passed;
};

struct field {
    const char *text;
    size_t bytes;
};

/* ---- lines ----------------------------------------------------------------------------------- */

/* Cuts a line at blanks into at most `most` + 1 fields; their number. */
static size_t cut(const struct dgm_buf *line, struct field *fields, size_t most)
{
    size_t count = 0, at = 0;

    while (count <= most &&
           dgm_bytes_field(line->data, line->size, &at, &fields[count].text, &fields[count].bytes))
        count++;
    return count;
}

/* The type of a token; DGM_VOCAB_UNK where there is none. */
static int32_t find(const struct dgm_vocab *vocab, struct field token)
{
    return dgm_bytes_are(token.text, token.bytes, "NULL")
               ? DGM_VOCAB_UNK
               : (int32_t)dgm_vocab_find(vocab, token.text, token.bytes);
}

static dgm_status read_line(struct dgm_env *env, struct reading *file)
{
    struct field fields[4];
    const size_t count = cut(&file->lines.line, fields, 3);
    struct entry entry = { .order = file->count };
    double p;

    if (count == 0)
        return DGM_OK;
    if (count != 3)
        return dgm_fail_at(env, DGM_DATA, file->lines.path, file->lines.number, 0,
                           "%s fields; expected `target source probability`",
                           count > 3 ? "more than three" : "fewer than three");
    if (!dgm_number_real(&p, fields[2].text, fields[2].bytes) || !(p >= 0 && p <= 1.001)) {
        char quoted[DGM_QUOTE_SIZE];

        dgm_quote(quoted, sizeof quoted, fields[2].text, fields[2].bytes);
        return dgm_fail_at(env, DGM_DATA, file->lines.path, file->lines.number, 0,
                           "probability \"%s\"; expected a number in 0..1", quoted);
    }
    entry.target = find(file->target, fields[0]);
    entry.source = find(file->source, fields[1]);
    entry.p = (float)p;
    if (entry.source == DGM_VOCAB_UNK || entry.target == DGM_VOCAB_UNK) {
        file->passed++;
        return DGM_OK;
    }
    DGM_TRY(dgm_grow(env, &file->entries, &file->capacity, file->count, sizeof *file->entries));
    file->entries[file->count++] = entry;
    return DGM_OK;
}

static dgm_status read_lines(struct dgm_env *env, struct reading *file, const char *path)
{
    int more;

    DGM_TRY(dgm_lines_open(env, &file->lines, path));
    for (;;) {
        DGM_TRY(dgm_lines_next(env, &file->lines, &more));
        if (!more)
            break;
        if (file->lines.number % 65536 == 0)
            DGM_TRY(dgm_poll(env));
        DGM_TRY(read_line(env, file));
    }
    if (file->count > 0)
        return DGM_OK;
    return dgm_fail_at(env, DGM_DATA, path, 0, 0,
                       "no line with two tokens of the model's vocabularies (%ld with others); "
                       "expected `target source probability`, in pieces of the model",
                       file->passed);
}

/* ---- rows ------------------------------------------------------------------------------------ */

/* By source, then by target, then as they came. */
static int compare(const void *a, const void *b)
{
    const struct entry *x = a, *y = b;

    if (x->source != y->source)
        return x->source < y->source ? -1 : 1;
    if (x->target != y->target)
        return x->target < y->target ? -1 : 1;
    return x->order < y->order ? -1 : x->order > y->order;
}

/* Leaves the last of those with the same two types. */
static size_t drop_repeated(struct entry *entries, size_t count)
{
    size_t left = 0;

    for (size_t i = 0; i < count; i++) {
        if (left > 0 && entries[left - 1].source == entries[i].source &&
            entries[left - 1].target == entries[i].target)
            left--;
        entries[left++] = entries[i];
    }
    return left;
}

static dgm_status make_rows(struct dgm_env *env, struct dgm_lex_table *table,
                            const struct entry *entries, size_t count)
{
    const int32_t types = table->types[DGM_SOURCE];

    DGM_TRY(dgm_new(env, &table->starts, (size_t)types + 1, sizeof *table->starts));
    DGM_TRY(dgm_new(env, &table->words, count, sizeof *table->words));
    DGM_TRY(dgm_new(env, &table->p, count, sizeof *table->p));
    for (size_t i = 0; i < count; i++) {
        table->starts[entries[i].source + 1]++;
        table->words[i] = entries[i].target;
        table->p[i] = entries[i].p;
    }
    for (int32_t e = 0; e < types; e++)
        table->starts[e + 1] += table->starts[e];
    return DGM_OK;
}

dgm_status dgm_lex_file_read(struct dgm_env *env, struct dgm_lex_table *table, const char *path,
                             const struct dgm_vocab *source, const struct dgm_vocab *target,
                             long *used, long *passed)
{
    struct reading file = { .source = source, .target = target };
    dgm_status status;
    size_t count;

    table->types[DGM_SOURCE] = (int32_t)dgm_vocab_size(source);
    table->types[DGM_TARGET] = (int32_t)dgm_vocab_size(target);
    DGM_TRY_OUT(read_lines(env, &file, path));
    qsort(file.entries, file.count, sizeof *file.entries, compare);
    count = drop_repeated(file.entries, file.count);
    status = make_rows(env, table, file.entries, count);
    *used = (long)file.count;
    *passed = file.passed;
out:
    dgm_lines_close(env, &file.lines);
    dgm_release(env, file.entries);
    return status;
}
