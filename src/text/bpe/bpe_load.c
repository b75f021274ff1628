/* bpe_load.c: reading BPE codes and the vocabulary that limits the pieces. */
#include "text/bpe/bpe_load.h"

#include <string.h>

#include "base/bytes.h"
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

/*
 * Adds the rule `line[0..first) line[first + 1..bytes)`; *is_new tells whether it is
 * one.
 */
static dgm_status add_rule(struct dgm_env *env, struct dgm_bpe *bpe, const char *line, size_t bytes,
                           size_t first, uint32_t number, int *is_new)
{
    uint32_t left, right, result, rule;
    const size_t old = bpe->rules.count, rest = bytes - first - 1;
    struct dgm_buf *text = &bpe->own.text;

    DGM_TRY(dgm_map_number(env, &bpe->symbols, line, first, &left));
    DGM_TRY(dgm_map_number(env, &bpe->symbols, line + first + 1, rest, &right));
    dgm_buf_reset(text);
    DGM_TRY(dgm_buf_add(env, text, line, first));
    DGM_TRY(dgm_buf_add(env, text, line + first + 1, rest));
    DGM_TRY(dgm_map_number(env, &bpe->symbols, text->data, text->size, &result));
    DGM_TRY(dgm_grow(env, &bpe->result, &bpe->result_capacity, old, sizeof *bpe->result));
    DGM_TRY(dgm_grow(env, &bpe->last, &bpe->last_capacity, old, sizeof *bpe->last));
    DGM_TRY(dgm_pair_map_insert(env, &bpe->rules, &rule, left, right));
    bpe->result[rule] = result;
    bpe->last[rule] = number;
    *is_new = bpe->rules.count > old;
    return DGM_OK;
}

/* Of a line of fastBPE, "left right count": the bytes in front of the count, or all of them. */
static size_t without_count(const char *line, size_t bytes)
{
    size_t end = bytes;

    while (end > 0 && line[end - 1] >= '0' && line[end - 1] <= '9')
        end--;
    if (end == bytes || end < 4 || line[end - 1] != ' ' || !memchr(line, ' ', end - 1))
        return bytes;
    return end - 1;
}

static dgm_status parse_rule(struct dgm_env *env, struct dgm_bpe *bpe, const char *line,
                             size_t bytes, const char *name, long number, int *is_new)
{
    const char *blank;
    size_t fields;

    if (bpe->has_counts)
        bytes = without_count(line, bytes);
    while (bytes > 0 && (line[bytes - 1] == ' ' || line[bytes - 1] == '\r'))
        bytes--;
    while (bytes > 0 && (line[0] == ' ' || line[0] == '\r')) {
        line++;
        bytes--;
    }
    DGM_TRY(dgm_utf8_check(env, name, number, line, bytes));
    fields = bytes > 0;
    for (size_t i = 0; i < bytes; i++)
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
    DGM_TRY(dgm_new(env, &bpe->undo, bpe->symbols.count, sizeof *bpe->undo));
    memset(bpe->undo, 0xFF, bpe->symbols.count * sizeof *bpe->undo);
    for (size_t i = 0; i < bpe->rules.count; i++) {
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
    const char *line;
    size_t length;

    while (bytes > 0 && text[bytes - 1] == '\n')
        bytes--;
    for (; merges < 0 || lines < merges; lines++, number++) {
        int is_new = 0;

        line = dgm_bytes_line(&text, &bytes, &length);
        if (line == NULL)
            break;

        if (bpe->rules.count == DGM_BPE_RULE_LIMIT)
            return dgm_fail_at(env, DGM_DATA, name, number, 0, "more than %zu merges",
                               DGM_BPE_RULE_LIMIT);
        DGM_TRY(parse_rule(env, bpe, line, length, name, number, &is_new));
        duplicates += !is_new;
    }
    if (lines == 0 && merges != 0)
        return dgm_fail_at(env, DGM_DATA, name, 0, 0,
                           "no merges; expected lines of two fields, as `bpe learn` writes them");
    warn_about_codes(env, name, merges, lines, duplicates);
    return DGM_OK;
}

static int begins_with_count(const char *text, size_t bytes)
{
    size_t length;
    const char *line = dgm_bytes_line(&text, &bytes, &length);

    return line != NULL && without_count(line, length) < length;
}

dgm_status dgm_bpe_parse(struct dgm_env *env, struct dgm_bpe *bpe, const char *text, size_t bytes,
                         const char *name, long merges)
{
    const char *line;
    size_t length;
    dgm_status status;
    long number = 1;

    bpe->version = 1;
    bpe->separator = "@@";
    if (dgm_bytes_begin(text, bytes, "#version:")) {
        line = dgm_bytes_line(&text, &bytes, &length);
        DGM_TRY_OUT(parse_version(env, bpe, line, length, name));
        number = 2;
    } else if (begins_with_count(text, bytes)) {
        bpe->version = 2; /* the end belongs to the last letter */
        bpe->has_counts = 1;
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
    struct dgm_buf text = { 0 };
    dgm_status status;

    DGM_TRY_OUT(dgm_file_read_text(env, &text, path));
    DGM_TRY_OUT(dgm_bpe_parse(env, bpe, text.data, text.size, path, merges));
    if (bpe->has_counts)
        dgm_log(env, DGM_LOG_NOTE, "%s: codes of fastBPE, with a count behind each merge", path);
out:
    dgm_buf_clear(env, &text);
    return status;
}

dgm_status dgm_bpe_load_vocabulary(struct dgm_env *env, struct dgm_bpe *bpe, const char *path,
                                   int64_t threshold)
{
    struct dgm_map counts = { 0 }, kept = { 0 };
    dgm_status status;

    DGM_TRY_OUT(dgm_word_counts_load(env, &counts, path));
    for (size_t i = 0; i < counts.count; i++) {
        const struct dgm_map_entry *entry = &counts.entries[i];

        if (entry->value >= threshold)
            DGM_TRY_OUT(
                dgm_map_insert(env, &kept, dgm_map_key(&counts, entry), entry->length, NULL, NULL));
    }
    dgm_map_clear(env, &bpe->vocabulary);
    bpe->vocabulary = kept;
    /* An empty vocabulary counts as none, as in subword-nmt. */
    bpe->has_vocabulary = kept.count > 0;
    memset(&kept, 0, sizeof kept);
    dgm_map_clear(env, &bpe->own.cache);
    bpe->own.cached_count = 0;
out:
    dgm_map_clear(env, &kept);
    dgm_map_clear(env, &counts);
    return status;
}
