/* truecase.c: sentence by sentence through a line: heads counted, lowered, raised. */
#include "text/case/truecase.h"

#include <string.h>

#include "base/bytes.h"
#include "text/case/heads.h"
#include "text/unicode/utf8.h"

void dgm_truecase_scratch_clear(struct dgm_env *env, struct dgm_truecase_scratch *scratch)
{
    dgm_buf_clear(env, &scratch->clean);
    dgm_truecase_keys_clear(env, &scratch->keys);
}

static dgm_status clean(struct dgm_env *env, struct dgm_truecase_scratch *scratch, const char *line,
                        size_t bytes)
{
    dgm_buf_reset(&scratch->clean);
    return dgm_utf8_repair(env, &scratch->clean, line, bytes, NULL);
}

/* ---- counting -------------------------------------------------------------------------------- */

/* The words of a sentence that begins at `at`. */
static dgm_status count_words(struct dgm_env *env, struct dgm_tally *tally,
                              const struct dgm_buf *line, size_t at,
                              const struct dgm_headed *sentence)
{
    const char *token;
    size_t length;
    int is_told = 0; /* the word's place says how it is written */

    while (dgm_bytes_field(line->data, sentence->end, &at, &token, &length)) {
        if (is_told && (dgm_heads_looks(token, length) & DGM_TOKEN_LETTER) != 0)
            DGM_TRY(dgm_tally_word(env, tally, token, length));
        is_told =
            (size_t)(token - line->data) >= sentence->head && !dgm_bytes_are(token, length, ":");
    }
    return DGM_OK;
}

dgm_status dgm_truecase_count(struct dgm_env *env, struct dgm_truecase_scratch *scratch,
                              struct dgm_tally *tally, const char *line, size_t bytes)
{
    const struct dgm_buf *text = &scratch->clean;
    struct dgm_headed sentence;
    size_t at = 0;

    DGM_TRY(clean(env, scratch, line, bytes));
    for (; dgm_heads_next(text->data, text->size, at, &sentence); at = sentence.end)
        if (sentence.head_bytes > 0 && !sentence.is_shouted)
            DGM_TRY(count_words(env, tally, text, at, &sentence));
    return DGM_OK;
}

/* ---- applying -------------------------------------------------------------------------------- */

/* What one line is made of. */
struct work {
    struct dgm_env *env;
    const struct dgm_truecase_model *model;
    struct dgm_truecase_scratch *scratch;
    struct dgm_buf *out;
};

static dgm_status add_known(struct work *work, const char *word, size_t bytes, int *is_known)
{
    const char *form;
    size_t form_bytes = 0;

    DGM_TRY(dgm_truecase_model_find(work->env, work->model, &work->scratch->keys, word, bytes,
                                    &form, &form_bytes));
    *is_known = form != NULL;
    return *is_known ? dgm_buf_add(work->env, work->out, form, form_bytes) : DGM_OK;
}

/* The parts of a word between hyphens, those that are not known in small letters. */
static dgm_status add_parts(struct work *work, const char *word, size_t bytes)
{
    for (size_t at = 0, end; at < bytes; at = end + 1) {
        const char *hyphen = memchr(word + at, '-', bytes - at);
        int is_known = 0;

        end = hyphen != NULL ? (size_t)(hyphen - word) : bytes;
        if (end > at)
            DGM_TRY(add_known(work, word + at, end - at, &is_known));
        if (!is_known)
            DGM_TRY(
                dgm_letters_lower(work->env, work->out, word + at, end - at, work->model->letters));
        if (hyphen != NULL)
            DGM_TRY(dgm_buf_add_char(work->env, work->out, '-'));
    }
    return DGM_OK;
}

/* A word of a sentence all in capitals. */
static dgm_status add_shouted(struct work *work, const char *word, size_t bytes)
{
    int is_known;

    if ((dgm_heads_looks(word, bytes) & DGM_TOKEN_LETTER) == 0)
        return dgm_buf_add(work->env, work->out, word, bytes);
    DGM_TRY(add_known(work, word, bytes, &is_known));
    return is_known ? DGM_OK : add_parts(work, word, bytes);
}

static dgm_status add_head(struct work *work, const char *word, size_t bytes)
{
    size_t form_bytes = bytes;
    const char *form = dgm_truecase_model_find_head(work->model, word, bytes, &form_bytes);

    return dgm_buf_add(work->env, work->out, form != NULL ? form : word, form_bytes);
}

static dgm_status add_sentence(struct work *work, const struct dgm_buf *line, size_t at,
                               const struct dgm_headed *sentence)
{
    const char *token;
    size_t length, done = at;

    while (dgm_bytes_field(line->data, sentence->end, &at, &token, &length)) {
        const size_t start = (size_t)(token - line->data);
        const int is_head = sentence->head_bytes > 0 && start == sentence->head;

        DGM_TRY(dgm_buf_add(work->env, work->out, line->data + done, start - done));
        DGM_TRY(sentence->is_shouted ? add_shouted(work, token, length)
                : is_head            ? add_head(work, token, length)
                                     : dgm_buf_add(work->env, work->out, token, length));
        done = at;
    }
    return dgm_buf_add(work->env, work->out, line->data + done, sentence->end - done);
}

dgm_status dgm_truecase_apply(struct dgm_env *env, struct dgm_truecase_scratch *scratch,
                              const struct dgm_truecase_model *model, struct dgm_buf *out,
                              const char *line, size_t bytes)
{
    const struct dgm_buf *text = &scratch->clean;
    struct work work = { env, model, scratch, out };
    struct dgm_headed sentence;
    size_t at = 0;

    DGM_TRY(clean(env, scratch, line, bytes));
    for (; dgm_heads_next(text->data, text->size, at, &sentence); at = sentence.end)
        DGM_TRY(add_sentence(&work, text, at, &sentence));
    return DGM_OK;
}

/* ---- undoing --------------------------------------------------------------------------------- */

dgm_status dgm_truecase_undo(struct dgm_env *env, struct dgm_truecase_scratch *scratch,
                             struct dgm_buf *out, const char *line, size_t bytes,
                             enum dgm_letters letters)
{
    const struct dgm_buf *text = &scratch->clean;
    struct dgm_headed sentence;
    size_t at = 0;

    DGM_TRY(clean(env, scratch, line, bytes));
    for (; dgm_heads_next(text->data, text->size, at, &sentence); at = sentence.end) {
        const size_t behind = sentence.head + sentence.head_bytes;

        if (sentence.head_bytes == 0) {
            DGM_TRY(dgm_buf_add(env, out, text->data + at, sentence.end - at));
            continue;
        }
        DGM_TRY(dgm_buf_add(env, out, text->data + at, sentence.head - at));
        DGM_TRY(
            dgm_letters_head(env, out, text->data + sentence.head, sentence.head_bytes, letters));
        DGM_TRY(dgm_buf_add(env, out, text->data + behind, sentence.end - behind));
    }
    return DGM_OK;
}
