/* running.c: what vocabularies and lines look like, and pipelines that do as is fit. */
#include "api/translate/running.h"

#include <string.h>

#include "api/context.h"
#include "base/mem.h"
#include "text/case/heads.h"
#include "text/case/letters.h"
#include "text/unicode/unicode.h"
#include "text/unicode/utf8.h"

/* What a line is; HEAD: running text that begins with a capital. */
enum { TOKENS, CUT, HEAD };

/* ---- vocabularies ---------------------------------------------------------------------------- */

/* What the entries of a vocabulary have. */
struct traits {
    int has_comma, glues_commas;    /* "," and "dog," */
    int has_small, has_capital;     /* letters */
    int has_apostrophe, has_entity; /* "'", "&apos;" */
};

static int is_of(uint32_t code, unsigned set)
{
    return code != DGM_UTF8_BAD && dgm_unicode_is(code, set) != 0;
}

static void look_at_entry(struct traits *traits, const char *entry, size_t bytes)
{
    uint32_t code = 0, before = 0;

    traits->has_comma |= bytes == 1 && entry[0] == ',';
    traits->has_apostrophe |= bytes == 1 && entry[0] == '\'';
    traits->has_entity |=
        bytes == 6 && (memcmp(entry, "&apos;", 6) == 0 || memcmp(entry, "&quot;", 6) == 0);
    for (size_t at = 0; at < bytes; before = code) {
        at += dgm_letters_next(&code, entry + at, bytes - at);
        traits->has_small |= is_of(code, DGM_UNICODE_LOWER);
        traits->has_capital |= is_of(code, DGM_UNICODE_UPPER);
        traits->glues_commas |= code == ',' && at == bytes && is_of(before, DGM_UNICODE_LETTER);
    }
}

static struct traits look_at_vocab(const struct dgm_vocab *vocab)
{
    struct traits traits = { 0 };
    size_t bytes;

    for (size_t i = DGM_VOCAB_SPECIALS; i < dgm_vocab_size(vocab); i++) {
        const char *entry = dgm_vocab_token(vocab, (uint32_t)i, &bytes);

        if (bytes == 0 || entry[0] != '<') /* tags and marks */
            look_at_entry(&traits, entry, bytes);
    }
    return traits;
}

/* ---- lines ----------------------------------------------------------------------------------- */

/* What stands around a character of a line; 0: its end. */
struct place {
    uint32_t before, code, after;
};

static int is_blank(uint32_t code)
{
    return code == 0 || code == ' ' || code == '\t';
}

/* The semicolon of "&quot;", which tokens may have. */
static int ends_entity(const char *line, size_t at)
{
    size_t start = at;

    while (start > 0 && at - start < 6 && line[start - 1] >= 'a' && line[start - 1] <= 'z')
        start--;
    return start > 0 && line[start - 1] == '&';
}

/* A mark where Moses would have set a blank. Full stops are those of abbreviations, too. */
static int is_glued(const char *line, size_t at, struct place place)
{
    const int behind = is_of(place.before, DGM_UNICODE_LETTER);
    const int ahead = is_of(place.after, DGM_UNICODE_LETTER);

    switch (place.code) {
    case ';': return behind && is_blank(place.after) && !ends_entity(line, at);
    case ',':
    case ':':
    case '!':
    case '?': return behind && is_blank(place.after);
    case '"': return behind || ahead;
    case '\'': return behind && ahead;
    case '(': return ahead;
    case ')': return behind;
    default: return 0;
    }
}

/* "dog." at the end of a line, and not "p.m." or "...". */
static int ends_glued(const char *line, size_t bytes)
{
    size_t at;

    while (bytes > 0 && is_blank((unsigned char)line[bytes - 1]))
        bytes--;
    if (bytes < 2 || line[bytes - 1] != '.' || is_blank((unsigned char)line[bytes - 2]))
        return 0;
    for (at = bytes - 1; at > 0 && !is_blank((unsigned char)line[at - 1]); at--)
        if (line[at - 1] == '.')
            return 0;
    return 1;
}

static int looks_running(const char *line, size_t bytes)
{
    struct place place = { 0, 0, 0 };
    size_t at = 0, next = 0;

    if (bytes > 0)
        next = dgm_utf8_decode(&place.after, line, bytes);
    while (at < bytes) {
        place.before = place.code;
        place.code = place.after;
        place.after = 0;
        if (next < bytes) {
            const size_t used = dgm_utf8_decode(&place.after, line + next, bytes - next);

            if (is_glued(line, at, place))
                return 1;
            at = next;
            next += used;
        } else {
            return is_glued(line, at, place) || ends_glued(line, bytes);
        }
    }
    return 0;
}

/* ---- heads ----------------------------------------------------------------------------------- */

static dgm_status is_known(struct dgm_env *env, struct dgm_running *running, const char *word,
                           size_t bytes, int *known)
{
    struct dgm_encoded *encoded = &running->encoded;

    DGM_TRY(dgm_pipeline_encode(env, running->pipeline, DGM_SOURCE, encoded, word, bytes));
    *known = 1;
    for (int32_t i = 0; i < encoded->n; i++)
        *known &= encoded->ids[i] != DGM_VOCAB_UNK;
    return DGM_OK;
}

/* Small if it is known so alone. */
static dgm_status add_lowered(struct dgm_env *env, struct dgm_running *running, const char *word,
                              size_t bytes)
{
    int is, is_small;

    dgm_buf_reset(&running->word);
    DGM_TRY(dgm_letters_lower(env, &running->word, word, bytes,
                              dgm_letters_of(running->pipeline->language[DGM_SOURCE])));
    DGM_TRY(is_known(env, running, word, bytes, &is));
    DGM_TRY(is_known(env, running, running->word.data, running->word.size, &is_small));
    return !is && is_small
               ? dgm_buf_add(env, &running->line, running->word.data, running->word.size)
               : dgm_buf_add(env, &running->line, word, bytes);
}

static dgm_status add_raised(struct dgm_env *env, struct dgm_running *running, const char *word,
                             size_t bytes)
{
    return dgm_letters_head(env, &running->line, word, bytes,
                            dgm_letters_of(running->pipeline->language[DGM_TARGET]));
}

/* A text into running->line, with `add` for the first word of each sentence. */
static dgm_status change_heads(struct dgm_env *env, struct dgm_running *running, const char *text,
                               size_t bytes,
                               dgm_status (*add)(struct dgm_env *, struct dgm_running *,
                                                 const char *, size_t))
{
    int is_head = 1;
    size_t used;

    dgm_buf_reset(&running->line);
    for (size_t at = 0; at < bytes; at += used) {
        used = dgm_heads_word(text + at, bytes - at);
        if (used > 0) {
            DGM_TRY(is_head ? add(env, running, text + at, used)
                            : dgm_buf_add(env, &running->line, text + at, used));
            is_head = 0;
        } else {
            uint32_t code;

            used = dgm_letters_next(&code, text + at, bytes - at);
            is_head |= (code == '.' || code == '!' || code == '?') && at + used < bytes &&
                       text[at + used] == ' ';
            DGM_TRY(dgm_buf_add(env, &running->line, text + at, used));
        }
    }
    return DGM_OK;
}

/* Whether the first letter is a capital. */
static int begins_large(const char *line, size_t bytes)
{
    uint32_t code;

    for (size_t at = 0; at < bytes;) {
        at += dgm_letters_next(&code, line + at, bytes - at);
        if (is_of(code, DGM_UNICODE_LETTER))
            return is_of(code, DGM_UNICODE_UPPER);
    }
    return 0;
}

/* ---- both ------------------------------------------------------------------------------------ */

dgm_status dgm_running_open(struct dgm_env *env, struct dgm_running *running, const char *which,
                            struct dgm_pipeline *pipeline, int has_trees, int keep_tokens)
{
    static const char *const words[] = { "auto", "raw", "tokens" };
    struct traits traits;
    int chosen;

    DGM_TRY(dgm_options_choose(env, &chosen, "lines", which, words, 3));
    if (pipeline->has_spm && chosen == DGM_RUNNING_NONE)
        return dgm_fail(env, DGM_USAGE,
                        "lines \"tokens\" for a model with pieces of SentencePiece, which read "
                        "running text; expected \"raw\"");
    if (pipeline->has_spm || has_trees || (pipeline->moses && chosen != DGM_RUNNING_NONE))
        return DGM_OK;
    traits = look_at_vocab(dgm_pipeline_vocab(pipeline, DGM_SOURCE));
    pipeline->lower |= traits.has_small && !traits.has_capital && chosen != DGM_RUNNING_NONE;
    pipeline->escapes = traits.has_entity && !traits.has_apostrophe;
    pipeline->moses = chosen == DGM_RUNNING_ALL;
    if (chosen == DGM_RUNNING_AUTO && traits.has_comma && !traits.glues_commas)
        running->pipeline = pipeline;
    running->raises = !keep_tokens;
    return DGM_OK;
}

dgm_status dgm_running_take(struct dgm_env *env, struct dgm_running *running, size_t number,
                            const char *line, size_t bytes)
{
    if (running->pipeline == NULL)
        return DGM_OK;
    DGM_TRY(dgm_reserve(env, &running->are, &running->capacity, number + 1, 1));
    running->are[number] = looks_running(line, bytes) ? CUT : TOKENS;
    running->cut += running->are[number] == CUT;
    dgm_running_resume(running, number);
    return DGM_OK;
}

dgm_status dgm_running_lower(struct dgm_env *env, struct dgm_running *running, size_t number,
                             const char **line, size_t *bytes)
{
    if (running->pipeline == NULL || running->are[number] == TOKENS || !begins_large(*line, *bytes))
        return DGM_OK;
    running->are[number] = HEAD;
    if (running->pipeline->lower)
        return DGM_OK;
    DGM_TRY(change_heads(env, running, *line, *bytes, add_lowered));
    *line = running->line.data;
    *bytes = running->line.size;
    return DGM_OK;
}

void dgm_running_resume(const struct dgm_running *running, size_t number)
{
    if (running->pipeline != NULL)
        running->pipeline->moses = running->are[number] != TOKENS;
}

dgm_status dgm_running_put_back(struct dgm_env *env, struct dgm_running *running, size_t number,
                                struct dgm_buf *text)
{
    if (running->pipeline == NULL || !running->raises || running->are[number] != HEAD)
        return DGM_OK;
    DGM_TRY(change_heads(env, running, text->data, text->size, add_raised));
    DGM_TRY(dgm_buf_add(env, &running->line, "", 0));
    dgm_buf_swap(text, &running->line);
    return DGM_OK;
}

void dgm_running_clear(struct dgm_env *env, struct dgm_running *running)
{
    dgm_release(env, running->are);
    dgm_buf_clear(env, &running->line);
    dgm_buf_clear(env, &running->word);
    dgm_encoded_clear(env, &running->encoded);
}
