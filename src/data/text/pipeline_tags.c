/*
 * pipeline_tags.c: words in front of every source of a text, and of every translation.
 */
#include "data/text/pipeline_tags.h"

#include <string.h>

#include "base/bytes.h"
#include "base/number/format.h"
#include "text/unicode/utf8.h"

enum { MOST_BYTES = 100, MOST_TAGS = 10000 };

static int is_tag(const char *tag, size_t bytes)
{
    /* Entries that mean something else. */
    static const char *const taken[] = { "<s>", "<pad>", "</s>", "<unk>", "<TR>", "<PA>" };
    const size_t taken_count = sizeof taken / sizeof taken[0];
    size_t offset, length, i;
    long column;

    if (bytes < 3 || bytes > MOST_BYTES || tag[0] != '<' || tag[bytes - 1] != '>' ||
        dgm_utf8_find_bad(tag, bytes, &offset, &length, &column))
        return 0;
    for (i = 1; i + 1 < bytes; i++)
        if ((unsigned char)tag[i] <= ' ' || tag[i] == 0x7F || strchr(",<>", tag[i]) != NULL)
            return 0;
    return dgm_bytes_which(tag, bytes, taken, taken_count) == taken_count;
}

static int stands_between(const char *tag, size_t bytes, const char *front, const char *back)
{
    return bytes > 4 && memcmp(tag, front, 2) == 0 && memcmp(tag + bytes - 2, back, 2) == 0;
}

/* How the model calls a tag, into `name`, and the bytes of that: >>de<< of Marian's models and
 * __de__ of M2M-100 are <de>, as import names them. 0: it is no tag. */
static size_t read_name(char name[MOST_BYTES], const char *tag, size_t bytes)
{
    const size_t doubled =
        stands_between(tag, bytes, ">>", "<<") || stands_between(tag, bytes, "__", "__");
    const size_t length = bytes - 2 * doubled;

    if (length > MOST_BYTES)
        return 0;
    memcpy(name, tag + doubled, length);
    if (doubled) {
        name[0] = '<';
        name[length - 1] = '>';
    }
    return is_tag(name, length) ? length : 0;
}

/* The entry of a known tag in a side's vocabulary; 0: it is none. */
static int32_t find_entry(const struct dgm_pipeline *pipeline, int side, const char *tag,
                          size_t bytes)
{
    char name[MOST_BYTES];
    const size_t length = read_name(name, tag, bytes);

    if (length == 0 || dgm_map_find(&pipeline->tags, name, length) == NULL)
        return 0;
    return (int32_t)dgm_vocab_find(dgm_pipeline_vocab(pipeline, side), name, length);
}

int32_t dgm_pipeline_find_tag(const struct dgm_pipeline *pipeline, int side, const char *tag)
{
    return find_entry(pipeline, side, tag, strlen(tag));
}

dgm_status dgm_pipeline_add_tag(struct dgm_env *env, struct dgm_pipeline *pipeline, const char *tag,
                                size_t bytes)
{
    char quoted[DGM_QUOTE_SIZE];

    if (!is_tag(tag, bytes)) {
        dgm_quote(quoted, sizeof quoted, tag, bytes);
        return dgm_fail(env, DGM_USAGE,
                        "tag \"%s\"; expected one such as <de>: no blanks, commas or brackets "
                        "between < and >, at most %d bytes, and not %s",
                        quoted, (int)MOST_BYTES, "<s>, <pad>, </s>, <unk>, <TR> or <PA>");
    }
    if (pipeline->tags.count >= MOST_TAGS)
        return dgm_fail(env, DGM_USAGE, "more than %d tags", (int)MOST_TAGS);
    return dgm_map_insert(env, &pipeline->tags, tag, bytes, NULL, NULL);
}

dgm_status dgm_pipeline_print_tags(struct dgm_env *env, const struct dgm_pipeline *pipeline,
                                   struct dgm_buf *out)
{
    for (size_t i = 0; i < pipeline->tags.count; i++) {
        const struct dgm_map_entry *entry = &pipeline->tags.entries[i];

        if (i > 0)
            DGM_TRY(dgm_buf_add_char(env, out, ' '));
        DGM_TRY(dgm_buf_add(env, out, dgm_map_key(&pipeline->tags, entry), entry->length));
    }
    return DGM_OK;
}

const char *dgm_pipeline_other_tag(const struct dgm_pipeline *a, const struct dgm_pipeline *b)
{
    for (size_t i = 0; i < a->tags.count; i++) {
        const struct dgm_map_entry *entry = &a->tags.entries[i];
        const char *tag = dgm_map_key(&a->tags, entry);

        if (dgm_map_find(&b->tags, tag, entry->length) == NULL)
            return tag;
    }
    return NULL;
}

dgm_status dgm_pipeline_read_tags(struct dgm_env *env, struct dgm_pipeline *pipeline,
                                  const char *text, size_t bytes, const char *name)
{
    size_t at = 0, length;

    for (; at < bytes; at += length + 1) {
        const char *end = memchr(text + at, ' ', bytes - at);

        length = end != NULL ? (size_t)(end - text) - at : bytes - at;
        if (!is_tag(text + at, length) || pipeline->tags.count >= MOST_TAGS)
            return dgm_fail_at(env, DGM_MODEL, name, 0, 0,
                               "key dragoman.tags is no list of tags; expected <a> <b> ..");
        DGM_TRY(dgm_pipeline_add_tag(env, pipeline, text + at, length));
    }
    return DGM_OK;
}

static dgm_status fail_unknown(struct dgm_env *env, const struct dgm_pipeline *pipeline,
                               const char *tag)
{
    struct dgm_buf known = { 0 };
    char quoted[DGM_QUOTE_SIZE];
    dgm_status status = dgm_pipeline_print_tags(env, pipeline, &known);

    dgm_quote(quoted, sizeof quoted, tag, strlen(tag));
    if (status == DGM_OK)
        status = known.size > 0
                     ? dgm_fail(env, DGM_USAGE,
                                "tag \"%s\": the model does not know it; expected one of %s",
                                quoted, known.data)
                     : dgm_fail(env, DGM_USAGE, "tag \"%s\": the model knows no tags", quoted);
    dgm_buf_clear(env, &known);
    return status;
}

dgm_status dgm_pipeline_set_tag(struct dgm_env *env, struct dgm_pipeline *pipeline, const char *tag)
{
    pipeline->tag = tag != NULL ? find_entry(pipeline, DGM_SOURCE, tag, strlen(tag)) : 0;
    return tag != NULL && pipeline->tag == 0 ? fail_unknown(env, pipeline, tag) : DGM_OK;
}

dgm_status dgm_pipeline_warn_of_tags(struct dgm_env *env, const struct dgm_pipeline *pipeline,
                                     const char *front, const char *back)
{
    struct dgm_buf known = { 0 };
    dgm_status status = dgm_pipeline_print_tags(env, pipeline, &known);

    if (status == DGM_OK)
        dgm_log(env, DGM_LOG_WARNING, "%s %s%s", front, known.data, back);
    dgm_buf_clear(env, &known);
    return status;
}

dgm_status dgm_pipeline_choose_tag(struct dgm_env *env, struct dgm_pipeline *pipeline,
                                   const char *tag)
{
    if (tag == NULL && pipeline->tags.count > 0)
        DGM_TRY(dgm_pipeline_warn_of_tags(env, pipeline, "the model has learned the tags",
                                          ", and no line has one without --tag"));
    return dgm_pipeline_set_tag(env, pipeline, tag);
}

dgm_status dgm_pipeline_set_target_tag(struct dgm_env *env, struct dgm_pipeline *pipeline,
                                       const char *tag)
{
    const size_t bytes = tag != NULL ? strlen(tag) : 0;
    char quoted[DGM_QUOTE_SIZE];

    pipeline->target_tag = 0;
    if (tag == NULL)
        return DGM_OK;
    if (find_entry(pipeline, DGM_SOURCE, tag, bytes) == 0)
        return fail_unknown(env, pipeline, tag);
    if (!pipeline->has_target_tags) {
        dgm_quote(quoted, sizeof quoted, tag, bytes);
        return dgm_fail(env, DGM_USAGE,
                        "target tag \"%s\": translations of the model begin with no tag; expected "
                        "--tag, which stands in front of sources",
                        quoted);
    }
    pipeline->target_tag = find_entry(pipeline, DGM_TARGET, tag, bytes);
    return DGM_OK;
}

dgm_status dgm_pipeline_choose_target_tag(struct dgm_env *env, struct dgm_pipeline *pipeline,
                                          const char *tag)
{
    if (tag == NULL && pipeline->has_target_tags)
        DGM_TRY(dgm_pipeline_warn_of_tags(env, pipeline,
                                          "translations of the model begin with one of the tags",
                                          ", and none is given without --target-tag"));
    return dgm_pipeline_set_target_tag(env, pipeline, tag);
}

/* ---- at the head of a line ------------------------------------------------------------------- */

static int is_blank(char c)
{
    return c == ' ' || c == '\t';
}

/* Where a tag that begins at `at` would end; 0: none does. Nothing else stands in arrows; what is
 * no tag but markup, <b>so</b> or __so__, has no blank behind it. */
static size_t find_end(const char *line, size_t bytes, size_t at)
{
    const int arrows = at + 1 < bytes && line[at] == '>' && line[at + 1] == '>';
    const char last = line[at] == '_' ? '\0' : arrows ? '<' : '>';
    size_t end = at + 1 + (size_t)arrows;

    while (end < bytes && !is_blank(line[end]) && line[end] != last)
        end++;
    end += line[at] == '_' ? 0 : 1 + (size_t)arrows;
    if (end > bytes || (!arrows && end < bytes && !is_blank(line[end])))
        return 0;
    return end;
}

size_t dgm_pipeline_tag_at_head(const struct dgm_pipeline *pipeline, const char *line, size_t bytes,
                                size_t *start, int32_t *tag)
{
    const int side = pipeline->has_target_tags ? DGM_TARGET : DGM_SOURCE;
    char name[MOST_BYTES];
    size_t at = 0, end;

    while (at < bytes && is_blank(line[at]))
        at++;
    if (at == bytes || line[at] == '\0' || strchr("<>_", line[at]) == NULL)
        return 0;
    end = find_end(line, bytes, at);
    if (end == 0 || read_name(name, line + at, end - at) == 0)
        return 0;
    *tag = find_entry(pipeline, side, line + at, end - at);
    if (line[at] == '_' && *tag == 0) /* __init__ is text */
        return 0;
    *start = at;
    return end;
}

/* Whether a side's vocabulary has all tags. */
static dgm_status check_entries(struct dgm_env *env, const struct dgm_pipeline *pipeline, int side,
                                const char *name)
{
    const struct dgm_vocab *vocab = dgm_pipeline_vocab(pipeline, side);

    for (size_t i = 0; i < pipeline->tags.count; i++) {
        const struct dgm_map_entry *entry = &pipeline->tags.entries[i];
        const char *tag = dgm_map_key(&pipeline->tags, entry);

        if (dgm_vocab_find(vocab, tag, entry->length) == DGM_VOCAB_UNK)
            return dgm_fail_at(env, DGM_DATA, name, 0, 0,
                               "the vocabulary of the %s has no entry %.*s; expected all tags",
                               side == DGM_SOURCE ? "source" : "target", (int)entry->length, tag);
    }
    return DGM_OK;
}

dgm_status dgm_pipeline_check_tags(struct dgm_env *env, const struct dgm_pipeline *pipeline,
                                   const char *name)
{
    DGM_TRY(check_entries(env, pipeline, DGM_SOURCE, name));
    if (pipeline->has_target_tags)
        DGM_TRY(check_entries(env, pipeline, DGM_TARGET, name));
    for (size_t i = 0; i < pipeline->tags.count; i++) {
        const struct dgm_map_entry *entry = &pipeline->tags.entries[i];
        const char *tag = dgm_map_key(&pipeline->tags, entry);

        if (pipeline->has_spm &&
            dgm_spm_text_spells(&pipeline->spm[DGM_SOURCE], tag, entry->length))
            return dgm_fail_at(env, DGM_DATA, name, 0, 0,
                               "the tag %.*s is a piece of the SentencePiece model, which text may "
                               "become; expected another name, or a control symbol",
                               (int)entry->length, tag);
    }
    return DGM_OK;
}
