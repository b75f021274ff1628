/* bpe_load.c: reading BPE codes and the vocabulary that limits the pieces. */
#include "text/bpe/bpe_load.h"

#include <string.h>

#include "base/file/file.h"
#include "base/mem.h"
#include "text/bpe/word_counts.h"
#include "text/unicode/utf8.h"

static dgm_status parse_version(struct dgm_env *env, struct dgm_bpe *bpe, const char *line,
                                size_t bytes, const char *name)
{
    while (bytes > 0 && line[bytes - 1] == ' ')
        bytes--;
    while (bytes > 2 && memcmp(line + bytes - 2, ".0", 2) == 0)
        bytes -= 2;
    if (bytes >= 3 && memcmp(line + bytes - 3, "0.1", 3) == 0)
        bpe->version = 1;
    else if (bytes >= 3 && memcmp(line + bytes - 3, "0.2", 3) == 0)
        bpe->version = 2;
    else
        return dgm_fail_at(env, DGM_DATA, name, 1, 1,
                           "unknown version of BPE codes; expected \"#version: 0.1\" or "
                           "\"#version: 0.2\"");
    return DGM_OK;
}

static dgm_status add_symbol(struct dgm_env *env, struct dgm_bpe *bpe, uint32_t *symbol,
                             const char *text, size_t bytes)
{
    struct dgm_map_entry *entry;

    DGM_TRY(dgm_map_insert(env, &bpe->symbols, text, bytes, &entry, NULL));
    *symbol = (uint32_t)(entry - bpe->symbols.entries);
    return DGM_OK;
}

/*
 * Adds the rule `line[0..first) line[first + 1..bytes)`; *is_new tells whether it is
 * one.
 */
static dgm_status add_rule(struct dgm_env *env, struct dgm_bpe *bpe, const char *line, size_t bytes,
                           size_t first, uint32_t number, int *is_new)
{
    uint32_t left, right, result, rule;
    size_t old = bpe->rules.count;

    DGM_TRY(add_symbol(env, bpe, &left, line, first));
    DGM_TRY(add_symbol(env, bpe, &right, line + first + 1, bytes - first - 1));
    dgm_buf_reset(&bpe->text);
    DGM_TRY(dgm_buf_add(env, &bpe->text, line, first));
    DGM_TRY(dgm_buf_add(env, &bpe->text, line + first + 1, bytes - first - 1));
    DGM_TRY(add_symbol(env, bpe, &result, bpe->text.data, bpe->text.size));
    DGM_TRY(dgm_grow(env, &bpe->result, &bpe->result_capacity, old, sizeof *bpe->result));
    DGM_TRY(dgm_grow(env, &bpe->last, &bpe->last_capacity, old, sizeof *bpe->last));
    DGM_TRY(dgm_pair_map_insert(env, &bpe->rules, &rule, left, right));
    bpe->result[rule] = result;
    bpe->last[rule] = number;
    *is_new = bpe->rules.count > old;
    return DGM_OK;
}

static dgm_status parse_rule(struct dgm_env *env, struct dgm_bpe *bpe, const char *line,
                             size_t bytes, const char *name, long number, int *is_new)
{
    const char *blank;
    size_t fields, i;

    while (bytes > 0 && (line[bytes - 1] == ' ' || line[bytes - 1] == '\r'))
        bytes--;
    while (bytes > 0 && (line[0] == ' ' || line[0] == '\r')) {
        line++;
        bytes--;
    }
    DGM_TRY(dgm_utf8_check(env, name, number, line, bytes));
    fields = bytes > 0;
    for (i = 0; i < bytes; i++)
        fields += line[i] == ' ';
    blank = bytes > 0 ? memchr(line, ' ', bytes) : NULL;
    if (fields != 2 || blank == NULL)
        return dgm_fail_at(env, DGM_DATA, name, number, 1,
                           "%zu fields; expected 2: the halves of a merge, one blank between",
                           fields);
    return add_rule(env, bpe, line, bytes, (size_t)(blank - line), (uint32_t)number, is_new);
}

/*
 * For every symbol the rule by which it is undone. Of several rules that make the same
 * symbol subword-nmt takes the one whose last line comes first.
 */
static dgm_status index_results(struct dgm_env *env, struct dgm_bpe *bpe)
{
    size_t i;

    bpe->undo = dgm_alloc(env, bpe->symbols.count, sizeof *bpe->undo);
    if (bpe->undo == NULL)
        return DGM_MEMORY;
    memset(bpe->undo, 0xFF, bpe->symbols.count * sizeof *bpe->undo);
    for (i = 0; i < bpe->rules.count; i++) {
        uint32_t *undo = &bpe->undo[bpe->result[i]];

        if (*undo == DGM_PAIR_NONE || bpe->last[i] < bpe->last[*undo])
            *undo = (uint32_t)i;
    }
    bpe->rule_count = bpe->rules.count;
    return DGM_OK;
}

static void warn_about_codes(struct dgm_env *env, const char *name, long merges, long lines,
                             long duplicates)
{
    if (duplicates > 0)
        dgm_log(env, DGM_LOG_WARNING, "%s: %ld merges stand there more than once; the first counts",
                name, duplicates);
    if (merges > lines)
        dgm_log(env, DGM_LOG_WARNING, "%s: %ld merges asked for, the file has %ld; using these",
                name, merges, lines);
}

static dgm_status parse_rules(struct dgm_env *env, struct dgm_bpe *bpe, const char *text,
                              size_t bytes, const char *name, long number, long merges)
{
    long lines = 0, duplicates = 0;
    size_t at = 0;

    while (bytes > 0 && text[bytes - 1] == '\n')
        bytes--;
    while (at < bytes && (merges < 0 || lines < merges)) {
        const char *end = memchr(text + at, '\n', bytes - at);
        size_t length = end != NULL ? (size_t)(end - text) - at : bytes - at;
        int is_new = 0;

        if (bpe->rules.count == DGM_BPE_RULE_LIMIT)
            return dgm_fail_at(env, DGM_DATA, name, number, 0, "more than %zu merges",
                               DGM_BPE_RULE_LIMIT);
        DGM_TRY(parse_rule(env, bpe, text + at, length, name, number, &is_new));
        duplicates += !is_new;
        at += length + 1;
        lines++;
        number++;
    }
    if (lines == 0 && merges != 0)
        return dgm_fail_at(env, DGM_DATA, name, 0, 0,
                           "no merges; expected lines of two fields, as `bpe learn` writes them");
    warn_about_codes(env, name, merges, lines, duplicates);
    return DGM_OK;
}

dgm_status dgm_bpe_parse(struct dgm_env *env, struct dgm_bpe *bpe, const char *text, size_t bytes,
                         const char *name, long merges)
{
    static const char mark[] = "#version:";
    const char *end = bytes > 0 ? memchr(text, '\n', bytes) : NULL;
    size_t first = end != NULL ? (size_t)(end - text) : bytes;
    size_t trimmed = first > 0 && text[first - 1] == '\r' ? first - 1 : first;
    dgm_status status;
    long number = 1;

    bpe->version = 1;
    bpe->separator = "@@";
    if (first >= sizeof mark - 1 && memcmp(text, mark, sizeof mark - 1) == 0) {
        DGM_TRY_OUT(parse_version(env, bpe, text, trimmed, name));
        text += end != NULL ? first + 1 : first;
        bytes -= end != NULL ? first + 1 : first;
        number = 2;
    } else if (bytes > 0) {
        dgm_log(env, DGM_LOG_WARNING, "%s: no \"#version:\" line; taken as version 0.1", name);
    }
    DGM_TRY_OUT(parse_rules(env, bpe, text, bytes, name, number, merges));
    DGM_TRY_OUT(index_results(env, bpe));
out:
    if (status != DGM_OK)
        dgm_bpe_clear(env, bpe);
    return status;
}

dgm_status dgm_bpe_load(struct dgm_env *env, struct dgm_bpe *bpe, const char *path, long merges)
{
    struct dgm_buf text;
    dgm_status status;

    memset(&text, 0, sizeof text);
    DGM_TRY_OUT(dgm_file_read_text(env, &text, path));
    DGM_TRY_OUT(dgm_bpe_parse(env, bpe, text.data, text.size, path, merges));
out:
    dgm_buf_clear(env, &text);
    return status;
}

dgm_status dgm_bpe_load_vocabulary(struct dgm_env *env, struct dgm_bpe *bpe, const char *path,
                                   int64_t threshold)
{
    struct dgm_map counts, kept;
    dgm_status status;
    size_t i;

    memset(&counts, 0, sizeof counts);
    memset(&kept, 0, sizeof kept);
    DGM_TRY_OUT(dgm_word_counts_load(env, &counts, path));
    for (i = 0; i < counts.count; i++) {
        const struct dgm_map_entry *entry = &counts.entries[i];
        struct dgm_map_entry *piece;

        if (entry->value >= threshold)
            DGM_TRY_OUT(dgm_map_insert(env, &kept, dgm_map_key(&counts, entry), entry->length,
                                       &piece, NULL));
    }
    dgm_map_clear(env, &bpe->vocabulary);
    bpe->vocabulary = kept;
    /* An empty vocabulary counts as none, as in subword-nmt. */
    bpe->has_vocabulary = kept.count > 0;
    memset(&kept, 0, sizeof kept);
    dgm_map_clear(env, &bpe->cache);
    bpe->cached_count = 0;
out:
    dgm_map_clear(env, &kept);
    dgm_map_clear(env, &counts);
    return status;
}
