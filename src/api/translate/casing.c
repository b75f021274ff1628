/* casing.c: finds lines in capitals and titles, lowers their words, and raises translations. */
#include "api/translate/casing.h"

#include <string.h>

#include "base/bytes.h"
#include "base/mem.h"
#include "data/text/pipeline_tags.h"
#include "text/case/letters.h"
#include "text/case/heads.h"
#include "text/unicode/unicode.h"
#include "text/unicode/utf8.h"

/* How a line is written. TITLE: words of four letters and more begin with a capital; shorter ones
 * need not. */
enum { PLAIN, CAPITALS, TITLE, FULL_TITLE };

enum { LONG_WORD = 4 }; /* letters, from which on a word of a title has a capital */

dgm_status dgm_casing_open(struct dgm_env *env, struct dgm_casing *casing, const char *name,
                           struct dgm_pipeline *pipeline, int reads_tags)
{
    const int is_auto = name != NULL && strcmp(name, "auto") == 0;

    if (name != NULL && !is_auto && strcmp(name, "keep") != 0)
        return dgm_fail(env, DGM_USAGE, "letter_case \"%s\"; expected auto or keep", name);
    casing->pipeline = is_auto ? pipeline : NULL;
    casing->reads_tags = reads_tags;
    return DGM_OK;
}

void dgm_casing_clear(struct dgm_env *env, struct dgm_casing *casing)
{
    dgm_release(env, casing->kinds);
    dgm_buf_clear(env, &casing->line);
    dgm_buf_clear(env, &casing->forms[0]);
    dgm_buf_clear(env, &casing->forms[1]);
    dgm_encoded_clear(env, &casing->encoded);
}

static enum dgm_letters letters_of(const struct dgm_casing *casing, int side)
{
    return dgm_letters_of(casing->pipeline->language[side]);
}

/* ---- words ----------------------------------------------------------------------------------- */

/* What a form costs the model: its pieces, unknown ones above all; and of equal ones the rank of
 * the first in the vocabulary, which is higher the rarer it is. */
struct cost {
    int32_t pieces, rank;
};

static dgm_status cost_of(struct dgm_env *env, struct dgm_casing *casing, const char *form,
                          size_t bytes, struct cost *cost)
{
    struct dgm_encoded *encoded = &casing->encoded;

    DGM_TRY(dgm_pipeline_encode(env, casing->pipeline, DGM_SOURCE, encoded, form, bytes));
    *cost = (struct cost){ 0, 0 };
    for (int32_t i = 0; i < encoded->n; i++) {
        if (encoded->words[i] < 0)
            continue;
        cost->pieces += encoded->ids[i] == DGM_VOCAB_UNK ? 1000 : 1;
        if (cost->rank == 0)
            cost->rank = encoded->ids[i] - DGM_VOCAB_SPECIALS + 1;
    }
    return DGM_OK;
}

/* Whether b is the better form although a has fewer capitals. Heads of sentences count among the
 * forms with a capital, so that these have to be clearly more frequent. */
static int is_better(struct cost b, struct cost a)
{
    return b.pieces < a.pieces || (a.pieces == 1 && b.pieces == 1 && b.rank < a.rank / 2);
}

/* The forms of a word, into casing->forms; *capital: the one with a capital is the better one. */
static dgm_status weigh(struct dgm_env *env, struct dgm_casing *casing, const char *word,
                        size_t bytes, struct cost costs[2], int *capital)
{
    const enum dgm_letters letters = letters_of(casing, DGM_SOURCE);
    struct dgm_buf *small = &casing->forms[0], *head = &casing->forms[1];

    dgm_buf_reset(small);
    dgm_buf_reset(head);
    DGM_TRY(dgm_letters_lower(env, small, word, bytes, letters));
    DGM_TRY(dgm_letters_head(env, head, small->data, small->size, letters));
    DGM_TRY(cost_of(env, casing, small->data, small->size, &costs[0]));
    DGM_TRY(cost_of(env, casing, head->data, head->size, &costs[1]));
    *capital = is_better(costs[1], costs[0]);
    return DGM_OK;
}

/* A word of a line in capitals. */
static dgm_status add_lowered(struct dgm_env *env, struct dgm_casing *casing, const char *word,
                              size_t bytes, int is_head)
{
    struct cost costs[2], as_is;
    int capital;
    const struct dgm_buf *form;

    DGM_TRY(weigh(env, casing, word, bytes, costs, &capital));
    DGM_TRY(cost_of(env, casing, word, bytes, &as_is));
    if (is_head && costs[1].pieces <= costs[0].pieces)
        capital = 1;
    form = &casing->forms[capital];
    return as_is.pieces < costs[capital].pieces
               ? dgm_buf_add(env, &casing->line, word, bytes)
               : dgm_buf_add(env, &casing->line, form->data, form->size);
}

/* A word of a title: small if the model knows it so. */
static dgm_status add_of_title(struct dgm_env *env, struct dgm_casing *casing, const char *word,
                               size_t bytes, int is_head)
{
    const int has_capital = (dgm_heads_looks(word, bytes) & DGM_TOKEN_HEAD) != 0;
    struct cost costs[2];
    int capital = 1;

    if (has_capital)
        DGM_TRY(weigh(env, casing, word, bytes, costs, &capital));
    if (has_capital && is_head)
        capital = costs[1].pieces <= costs[0].pieces;
    return capital ? dgm_buf_add(env, &casing->line, word, bytes)
                   : dgm_buf_add(env, &casing->line, casing->forms[0].data, casing->forms[0].size);
}

/* ---- lines ----------------------------------------------------------------------------------- */

/* What the words of a line look like. */
struct line_looks {
    unsigned all;
    size_t words, capital, long_small, short_small;
};

static size_t count_letters(const char *token, size_t bytes)
{
    size_t count = 0;
    uint32_t code;

    for (size_t at = 0; at < bytes;) {
        at += dgm_letters_next(&code, token + at, bytes - at);
        count += code != DGM_UTF8_BAD && dgm_unicode_is(code, DGM_UNICODE_LETTER);
    }
    return count;
}

static struct line_looks look_at(const char *line, size_t bytes)
{
    struct line_looks looks = { 0 };
    const char *token;
    size_t at = 0, length;

    while (dgm_bytes_field(line, bytes, &at, &token, &length)) {
        const unsigned look = dgm_heads_looks(token, length);
        const int is_long = count_letters(token, length) >= LONG_WORD;

        looks.all |= look;
        looks.words += (look & DGM_TOKEN_LETTER) != 0;
        looks.capital += (look & DGM_TOKEN_CAPITAL) != 0;
        looks.long_small +=
            (look & DGM_TOKEN_SMALL) != 0 && (look & DGM_TOKEN_CAPITAL) == 0 && is_long;
        looks.short_small +=
            (look & DGM_TOKEN_SMALL) != 0 && (look & DGM_TOKEN_CAPITAL) == 0 && !is_long;
    }
    return looks;
}

/* Whether a line of capitals is a title rather than a list of names: half of its words, and two at
 * least, are known with small letters. */
static dgm_status check_title(struct dgm_env *env, struct dgm_casing *casing, const char *line,
                              size_t bytes, int *is_title)
{
    size_t names = 0, known = 0, used;

    for (size_t at = 0; at < bytes; at += (used > 0 ? used : 1)) {
        struct cost costs[2];
        int capital;

        used = dgm_heads_word(line + at, bytes - at);
        if (used == 0 || (dgm_heads_looks(line + at, used) & DGM_TOKEN_HEAD) == 0)
            continue;
        DGM_TRY(weigh(env, casing, line + at, used, costs, &capital));
        names += capital || costs[0].pieces > 1;
        known += !capital && costs[0].pieces == 1;
    }
    *is_title = known > 2 && known > names; /* the first word is known in any line */
    return DGM_OK;
}

/* German writes all nouns with a capital, and titles as sentences. */
static int has_titles(const char *language)
{
    return strcmp(language, "de") != 0 && strcmp(language, "lb") != 0;
}

static dgm_status find_kind(struct dgm_env *env, struct dgm_casing *casing, const char *line,
                            size_t bytes, unsigned char *kind)
{
    const struct line_looks looks = look_at(line, bytes);
    int is_title = 0;

    *kind = PLAIN;
    if (looks.capital > 1 && (looks.all & DGM_TOKEN_CAPITALS) != 0 &&
        (looks.all & DGM_TOKEN_SMALL) == 0)
        *kind = CAPITALS;
    else if (looks.words >= 4 && looks.long_small == 0 && looks.capital * 2 > looks.words &&
             has_titles(casing->pipeline->language[DGM_SOURCE])) {
        DGM_TRY(check_title(env, casing, line, bytes, &is_title));
        if (is_title)
            *kind = looks.short_small > 0 ? TITLE : FULL_TITLE;
    }
    return DGM_OK;
}

/* The line as a sentence, behind its tag. */
static dgm_status rewrite(struct dgm_env *env, struct dgm_casing *casing, unsigned char kind,
                          const char *line, size_t bytes)
{
    int is_head = 1;
    size_t used;

    for (size_t at = 0; at < bytes; at += used) {
        used = dgm_heads_word(line + at, bytes - at);
        if (used > 0) {
            DGM_TRY((kind == CAPITALS ? add_lowered : add_of_title)(env, casing, line + at, used,
                                                                    is_head));
            is_head = 0;
        } else {
            uint32_t code;

            used = dgm_letters_next(&code, line + at, bytes - at);
            is_head |= code == '.' || code == '!' || code == '?';
            DGM_TRY(dgm_buf_add(env, &casing->line, line + at, used));
        }
    }
    return DGM_OK;
}

static dgm_status keep_kind(struct dgm_env *env, struct dgm_casing *casing, size_t number,
                            unsigned char kind)
{
    DGM_TRY(dgm_reserve(env, &casing->kinds, &casing->capacity, number + 1, 1));
    casing->kinds[number] = kind;
    return DGM_OK;
}

dgm_status dgm_casing_take(struct dgm_env *env, struct dgm_casing *casing, size_t number,
                           const char **line, size_t *bytes)
{
    size_t start, tag = 0;
    unsigned char kind;
    int32_t id;

    if (casing->pipeline == NULL)
        return DGM_OK;
    if (*bytes == 0)
        return keep_kind(env, casing, number, PLAIN);
    if (casing->reads_tags)
        tag = dgm_pipeline_tag_at_head(casing->pipeline, *line, *bytes, &start, &id);
    DGM_TRY(find_kind(env, casing, *line + tag, *bytes - tag, &kind));
    DGM_TRY(keep_kind(env, casing, number, kind));
    if (kind == PLAIN)
        return DGM_OK;
    dgm_buf_reset(&casing->line);
    DGM_TRY(dgm_buf_add(env, &casing->line, *line, tag));
    DGM_TRY(rewrite(env, casing, kind, *line + tag, *bytes - tag));
    *line = casing->line.data;
    *bytes = casing->line.size;
    return DGM_OK;
}

/* ---- translations ---------------------------------------------------------------------------- */

static dgm_status raise_words(struct dgm_env *env, struct dgm_casing *casing, unsigned char kind,
                              const struct dgm_buf *text)
{
    const enum dgm_letters letters = letters_of(casing, DGM_TARGET);
    const char *word;
    size_t at = 0, done = 0, length;

    while (dgm_bytes_field(text->data, text->size, &at, &word, &length)) {
        const size_t start = (size_t)(word - text->data);

        DGM_TRY(dgm_buf_add(env, &casing->line, text->data + done, start - done));
        DGM_TRY(kind == FULL_TITLE || done == 0 || count_letters(word, length) >= LONG_WORD
                    ? dgm_letters_head(env, &casing->line, word, length, letters)
                    : dgm_buf_add(env, &casing->line, word, length));
        done = at;
    }
    return dgm_buf_add(env, &casing->line, text->data + done, text->size - done);
}

dgm_status dgm_casing_put_back(struct dgm_env *env, struct dgm_casing *casing, size_t number,
                               struct dgm_buf *text)
{
    const unsigned char kind = casing->pipeline != NULL ? casing->kinds[number] : PLAIN;

    if (kind == PLAIN)
        return DGM_OK;
    dgm_buf_reset(&casing->line);
    DGM_TRY(kind == CAPITALS ? dgm_letters_upper(env, &casing->line, text->data, text->size,
                                                 letters_of(casing, DGM_TARGET))
                             : raise_words(env, casing, kind, text));
    dgm_buf_swap(text, &casing->line);
    return DGM_OK;
}
