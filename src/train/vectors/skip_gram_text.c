/*
 * skip_gram_text.c: plain text to a vocabulary and numbers of words.
 */
#include "train/vectors/skip_gram_text.h"

#include <string.h>

#include "base/file/file.h"
#include "base/lines/lines.h"
#include "base/mem.h"
#include "text/unicode/form_counts.h"
#include "text/unicode/unicode.h"
#include "text/unicode/utf8.h"

/* Both passes over the text. */
struct pass {
    struct dgm_skip_gram_text *text;
    const struct dgm_skip_gram_reading *reading;
    struct dgm_map counts; /* of the first */
    struct dgm_buf lowered;
    int is_second;
};

/* The next run of bytes that are no white space; 0 at the end of the line. */
static int next_word(const struct dgm_buf *line, size_t *at, const char **word, size_t *bytes)
{
    while (*at < line->size && (unsigned char)line->data[*at] <= ' ')
        ++*at;
    *word = line->data + *at;
    while (*at < line->size && (unsigned char)line->data[*at] > ' ')
        ++*at;
    *bytes = (size_t)(line->data + *at - *word);
    return *bytes > 0;
}

static dgm_status count_word(struct dgm_env *env, struct pass *pass, const char *word, size_t bytes)
{
    struct dgm_map_entry *entry;

    DGM_TRY(dgm_map_insert(env, &pass->counts, word, bytes, &entry, NULL));
    entry->value++;
    return DGM_OK;
}

static dgm_status add_id(struct dgm_env *env, struct dgm_skip_gram_text *text, int32_t id)
{
    DGM_TRY(dgm_grow(env, &text->ids, &text->capacity, text->count, sizeof *text->ids));
    text->ids[text->count++] = id;
    text->tokens += id >= 0;
    return DGM_OK;
}

static dgm_status number_word(struct dgm_env *env, struct pass *pass, const char *word,
                              size_t bytes)
{
    const uint32_t number = dgm_vocab_find(&pass->text->words, word, bytes);

    return number == DGM_VOCAB_UNK ? DGM_OK
                                   : add_id(env, pass->text, (int32_t)number - DGM_VOCAB_SPECIALS);
}

static dgm_status take_line(struct dgm_env *env, struct pass *pass, const struct dgm_lines *lines)
{
    const struct dgm_buf *line = &lines->line;
    const char *word;
    size_t at = 0, bytes;

    if (!pass->is_second)
        DGM_TRY(dgm_utf8_check(env, lines->path, lines->number, line->data, line->size));
    if (pass->reading->lower) {
        pass->lowered.size = 0;
        DGM_TRY(dgm_unicode_lower_text(env, &pass->lowered, line->data, line->size));
        line = &pass->lowered;
    }
    while (next_word(line, &at, &word, &bytes))
        DGM_TRY((pass->is_second ? number_word : count_word)(env, pass, word, bytes));
    return pass->is_second ? add_id(env, pass->text, -1) : DGM_OK;
}

static dgm_status read_file(struct dgm_env *env, struct pass *pass, const char *path)
{
    struct dgm_lines lines;
    dgm_status status;
    int more;

    DGM_TRY(dgm_lines_open(env, &lines, path));
    for (;;) {
        DGM_TRY_OUT(dgm_lines_next(env, &lines, &more));
        if (!more)
            break;
        if (!pass->is_second)
            dgm_lines_warn_cut(env, &lines);
        DGM_TRY_OUT(take_line(env, pass, &lines));
        if (lines.number % 4096 == 0)
            DGM_TRY_OUT(dgm_poll(env));
    }
out:
    dgm_lines_close(env, &lines);
    return status;
}

static dgm_status refuse_streams(struct dgm_env *env, const char *const *paths, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (dgm_file_is_stream(env, paths[i]))
            return dgm_fail(env, DGM_USAGE,
                            "%s can be read only once, and text is read twice, for the vocabulary "
                            "and for its words; expected a file",
                            dgm_lines_name(paths[i]));
    return DGM_OK;
}

static dgm_status build_words(struct dgm_env *env, struct pass *pass, const char *path)
{
    struct dgm_skip_gram_text *text = pass->text;
    const struct dgm_skip_gram_reading *reading = pass->reading;
    const size_t most = reading->most > 0 ? (size_t)reading->most + DGM_VOCAB_SPECIALS : 0;

    dgm_form_counts_warn(env, &pass->counts, "words");
    DGM_TRY(dgm_vocab_build(env, &text->words, &pass->counts, most, reading->min_count));
    if (dgm_skip_gram_text_words(text) >= 2)
        return DGM_OK;
    return dgm_fail_at(env, DGM_DATA, path, 0, 0,
                       "%lld words occur %lld times or more; expected at least 2",
                       (long long)dgm_skip_gram_text_words(text), (long long)reading->min_count);
}

dgm_status dgm_skip_gram_text_read(struct dgm_env *env, struct dgm_skip_gram_text *text,
                                   const char *const *paths, size_t count,
                                   const struct dgm_skip_gram_reading *reading)
{
    struct pass pass = { .text = text, .reading = reading };
    dgm_status status;

    memset(text, 0, sizeof *text);
    DGM_TRY_OUT(refuse_streams(env, paths, count));
    for (size_t i = 0; i < count; i++)
        DGM_TRY_OUT(read_file(env, &pass, paths[i]));
    DGM_TRY_OUT(build_words(env, &pass, paths[0]));
    pass.is_second = 1;
    for (size_t i = 0; i < count; i++)
        DGM_TRY_OUT(read_file(env, &pass, paths[i]));
out:
    dgm_map_clear(env, &pass.counts);
    dgm_buf_clear(env, &pass.lowered);
    if (status != DGM_OK)
        dgm_skip_gram_text_clear(env, text);
    return status;
}

int64_t dgm_skip_gram_text_words(const struct dgm_skip_gram_text *text)
{
    return (int64_t)dgm_vocab_size(&text->words) - DGM_VOCAB_SPECIALS;
}

const char *dgm_skip_gram_text_word(const struct dgm_skip_gram_text *text, int64_t i, size_t *bytes,
                                    int64_t *times)
{
    *times = text->words.map.entries[i + DGM_VOCAB_SPECIALS].value;
    return dgm_vocab_token(&text->words, (uint32_t)(i + DGM_VOCAB_SPECIALS), bytes);
}

void dgm_skip_gram_text_clear(struct dgm_env *env, struct dgm_skip_gram_text *text)
{
    dgm_vocab_clear(env, &text->words);
    dgm_release(env, text->ids);
    memset(text, 0, sizeof *text);
}
