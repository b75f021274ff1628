/* lemma_script.c: how a form becomes its lemma, as text that a classifier can learn. */
#include "text/lemma/lemma_script.h"

#include <stdlib.h>
#include <string.h>

#include "text/unicode/unicode.h"
#include "text/unicode/utf8.h"

/* Ends longer than this are replaced as a whole: their edits would fit no other word. */
enum { MOST_EDITED = 31 };

/* Stretches of one case in a script, and characters of a lemma that is being made. */
enum { MOST_CASES = 8, MOST_MADE = DGM_LEMMA_CHARACTERS + DGM_LEMMA_SCRIPT_BYTES / 2 };

struct word {
    uint32_t codes[DGM_LEMMA_CHARACTERS];
    size_t count;
};

/* ---- characters ----------------------------------------------------------------------------- */

static int is_text(uint32_t code)
{
    return code != DGM_UTF8_BAD && code >= ' ' && code != 0x7f;
}

/* Returns 0 for what is empty, too long or no text. */
static int decode(struct word *word, const char *text)
{
    size_t bytes = strlen(text), at = 0;

    for (word->count = 0; at < bytes; word->count++) {
        if (word->count == DGM_LEMMA_CHARACTERS)
            return 0;
        at += dgm_utf8_decode(&word->codes[word->count], text + at, bytes - at);
        if (!is_text(word->codes[word->count]))
            return 0;
    }
    return word->count > 0;
}

static void lower(struct word *out, const struct word *word)
{
    out->count = word->count;
    for (size_t i = 0; i < word->count; i++)
        out->codes[i] = dgm_unicode_lower(word->codes[i]);
}

/* ---- applying -------------------------------------------------------------------------------- */

/* A lemma that is being made. */
struct making {
    uint32_t codes[MOST_MADE];
    size_t count;
};

/* Characters of the form that edits keep or leave out; *end: behind them. */
static size_t count_taken(const char *edits, const char **end)
{
    size_t taken = 0;
    uint32_t code;

    while (*edits != '\0' && *edits != '|')
        if (*edits == '+') {
            edits += 1 + dgm_utf8_decode(&code, edits + 1, strlen(edits + 1));
        } else {
            edits++;
            taken++;
        }
    *end = edits;
    return taken;
}

static void edit(struct making *lemma, const char *edits, const uint32_t *from)
{
    for (; *edits != '\0' && *edits != '|'; edits++)
        if (*edits == '+')
            edits += dgm_utf8_decode(&lemma->codes[lemma->count++], edits + 1, strlen(edits + 1));
        else if (*edits == '=')
            lemma->codes[lemma->count++] = *from++;
        else
            from++;
}

/* Sets the case as the script says, up to its first `|`. */
static void set_case(struct making *lemma, const char *cases)
{
    while (*cases == 'U' || *cases == 'l') {
        int upper = *cases == 'U';
        char *end;
        long place = strtol(cases + 1, &end, 10);

        place += place < 0 ? (long)lemma->count : 0;
        for (size_t i = place < 0 ? 0 : (size_t)place; i < lemma->count; i++)
            lemma->codes[i] =
                upper ? dgm_unicode_upper(lemma->codes[i]) : dgm_unicode_lower(lemma->codes[i]);
        cases = end;
    }
}

/* Returns 0 where the form is too short. */
static int make(struct making *lemma, const char *script, const struct word *form)
{
    const char *prefix = strchr(script, '|') + 1, *suffix, *end;
    size_t before = count_taken(prefix, &end), behind;

    suffix = end + 1;
    behind = count_taken(suffix, &end);
    lemma->count = 0;
    if (before + behind > form->count)
        return 0;
    edit(lemma, prefix, form->codes);
    for (size_t i = before; i < form->count - behind; i++)
        lemma->codes[lemma->count++] = form->codes[i];
    edit(lemma, suffix, form->codes + form->count - behind);
    set_case(lemma, script);
    return lemma->count > 0;
}

static size_t print(char *out, const struct making *lemma)
{
    size_t bytes = 0;

    for (size_t i = 0; i < lemma->count; i++)
        bytes += dgm_utf8_encode(out + bytes, lemma->codes[i]);
    out[bytes] = '\0';
    return bytes;
}

size_t dgm_lemma_script_apply(char lemma[DGM_LEMMA_BYTES], const char *script, const char *form)
{
    struct word word;
    struct making made;

    if (*script == 'a') {
        strcpy(lemma, script + 1);
        return strlen(lemma);
    }
    if (!decode(&word, form))
        return 0;
    if (*script != 'k')
        lower(&word, &word);
    return make(&made, script, &word) ? print(lemma, &made) : 0;
}

/* ---- checking -------------------------------------------------------------------------------- */

static int is_all_text(const char *text, size_t bytes)
{
    uint32_t code;

    for (size_t at = 0; at < bytes;) {
        at += dgm_utf8_decode(&code, text + at, bytes - at);
        if (!is_text(code))
            return 0;
    }
    return 1;
}

/* Bytes of `k`, or of the places of cases; 0: neither. */
static size_t measure_case(const char *script, size_t bytes)
{
    size_t at = 0, digits;
    int count = 0;

    if (script[0] == 'k')
        return 1;
    while (at < bytes && (script[at] == 'U' || script[at] == 'l')) {
        at += 1 + (at + 1 < bytes && script[at + 1] == '-');
        for (digits = 0; at < bytes && script[at] >= '0' && script[at] <= '9'; at++)
            digits++;
        if (digits < 1 || digits > 3 || ++count > MOST_CASES)
            return 0;
    }
    return at;
}

/* Bytes of edits that end with the text or at a `|`; *good 0: something else is among them. */
static size_t measure_edits(const char *edits, size_t bytes, int *good)
{
    size_t at = 0;
    uint32_t code;

    while (*good && at < bytes && edits[at] != '|') {
        *good = edits[at] == '=' || edits[at] == '-' || (edits[at] == '+' && at + 1 < bytes);
        if (edits[at] == '+' && *good)
            at += dgm_utf8_decode(&code, edits + at + 1, bytes - at - 1);
        at++;
    }
    return at;
}

int dgm_lemma_script_is_absolute(const char *script)
{
    return script[0] == 'a';
}

int dgm_lemma_script_is_one(const char *script, size_t bytes)
{
    int good = 1;
    size_t at;

    if (bytes < 2 || bytes > DGM_LEMMA_SCRIPT_BYTES || !is_all_text(script, bytes))
        return 0;
    if (script[0] == 'a')
        return 1;
    at = measure_case(script, bytes);
    if (at == 0 || at == bytes || script[at++] != '|')
        return 0;
    at += measure_edits(script + at, bytes - at, &good);
    if (!good || at == bytes)
        return 0;
    at++;
    at += measure_edits(script + at, bytes - at, &good);
    return good && at == bytes;
}

/* ---- learning: what changes ------------------------------------------------------------------ */

/* Where both words have their longest common substring, the first in the form of equally long
 * ones. */
struct common {
    size_t form, lemma, length;
};

static struct common find_common(const struct word *form, const struct word *lemma)
{
    uint16_t lengths[DGM_LEMMA_CHARACTERS + 1] = { 0 }; /* up to the form's latest, by lemma's */
    struct common best = { 0, 0, 0 };

    for (size_t i = 0; i < form->count; i++)
        for (size_t j = lemma->count; j-- > 0;) {
            lengths[j + 1] =
                form->codes[i] == lemma->codes[j] ? (uint16_t)(lengths[j] + 1) : (uint16_t)0;
            if (lengths[j + 1] > best.length) {
                best.length = lengths[j + 1];
                best.form = i + 1 - best.length;
                best.lemma = j + 1 - best.length;
            }
        }
    return best;
}

/* One end of both words. */
struct ends {
    const uint32_t *form, *lemma;
    size_t form_count, lemma_count;
    const uint32_t *put; /* (lemma_count) what `+` writes: lemma, or it in its own case */
};

typedef unsigned char cost_table[MOST_EDITED + 1][MOST_EDITED + 1];

/* costs[i][j]: of the edits from form[i..] to lemma[j..]. */
static void fill_costs(cost_table costs, const struct ends *ends)
{
    for (size_t i = ends->form_count + 1; i-- > 0;)
        for (size_t j = ends->lemma_count + 1; j-- > 0;) {
            size_t rest = ends->form_count - i, wanted = ends->lemma_count - j;
            unsigned cost = (unsigned)(rest + wanted);

            if (rest > 0 && wanted > 0) {
                cost = costs[i + 1][j] < costs[i][j + 1] ? costs[i + 1][j] : costs[i][j + 1];
                cost++;
                if (ends->form[i] == ends->lemma[j] && costs[i + 1][j + 1] < cost)
                    cost = costs[i + 1][j + 1];
            }
            costs[i][j] = (unsigned char)cost;
        }
}

static dgm_status put(struct dgm_env *env, struct dgm_buf *script, uint32_t code)
{
    DGM_TRY(dgm_buf_add_char(env, script, '+'));
    return dgm_utf8_add(env, script, code);
}

/* Everything goes, everything new comes. */
static dgm_status replace(struct dgm_env *env, struct dgm_buf *script, const struct ends *ends)
{
    for (size_t i = 0; i < ends->form_count; i++)
        DGM_TRY(dgm_buf_add_char(env, script, '-'));
    for (size_t j = 0; j < ends->lemma_count; j++)
        DGM_TRY(put(env, script, ends->put[j]));
    return DGM_OK;
}

/* The shortest edits; of equally short ones those that keep, then those that leave out, first. */
static dgm_status add_edits(struct dgm_env *env, struct dgm_buf *script, const struct ends *ends)
{
    size_t i = 0, j = 0;
    cost_table costs;

    if (ends->form_count > MOST_EDITED || ends->lemma_count > MOST_EDITED)
        return replace(env, script, ends);
    fill_costs(costs, ends);
    while (i < ends->form_count || j < ends->lemma_count) {
        int can_take = i < ends->form_count, can_put = j < ends->lemma_count;

        if (can_take && can_put && ends->form[i] == ends->lemma[j] &&
            costs[i][j] == costs[i + 1][j + 1]) {
            DGM_TRY(dgm_buf_add_char(env, script, '='));
            i++;
            j++;
        } else if (can_take && costs[i][j] == costs[i + 1][j] + 1) {
            DGM_TRY(dgm_buf_add_char(env, script, '-'));
            i++;
        } else {
            DGM_TRY(put(env, script, ends->put[j++]));
        }
    }
    return DGM_OK;
}

/* ---- learning: the case ---------------------------------------------------------------------- */

/* 'U', 'l', or what `running` is for a character without case. */
static char case_of(uint32_t code, char running)
{
    if (dgm_unicode_lower(code) != code)
        return 'U';
    return dgm_unicode_upper(code) != code ? 'l' : running;
}

static char first_case(const struct word *word)
{
    for (size_t i = 0; i < word->count; i++)
        if (case_of(word->codes[i], 0) != 0)
            return case_of(word->codes[i], 0);
    return 'l';
}

/* Places in the second half count from the end, so that they fit longer words, too. *changes: how
 * many stretches of one case there are. */
static dgm_status add_case(struct dgm_env *env, struct dgm_buf *script, const struct word *lemma,
                           int *changes)
{
    char running = first_case(lemma);

    *changes = 1;
    DGM_TRY(dgm_buf_add_format(env, script, "%c0", running));
    for (size_t i = 1; i < lemma->count; i++) {
        char now = case_of(lemma->codes[i], running);
        long place = i <= lemma->count / 2 ? (long)i : (long)i - (long)lemma->count;

        if (now == running)
            continue;
        running = now;
        DGM_TRY(dgm_buf_add_format(env, script, "%c%ld", now, place));
        ++*changes;
    }
    return DGM_OK;
}

/* ---- learning -------------------------------------------------------------------------------- */

/* A form and its lemma, in their own case and in lower case. */
struct pair {
    struct word form, lemma, low_form, low_lemma;
    struct common common;
    const char *form_text, *lemma_text;
};

static dgm_status add_both_edits(struct dgm_env *env, struct dgm_buf *script,
                                 const struct pair *pair, const struct word *put)
{
    const struct common *common = &pair->common;
    size_t form_end = common->form + common->length, lemma_end = common->lemma + common->length;
    const struct ends prefix = { pair->low_form.codes, pair->low_lemma.codes, common->form,
                                 common->lemma, put->codes };
    const struct ends suffix = { pair->low_form.codes + form_end, pair->low_lemma.codes + lemma_end,
                                 pair->low_form.count - form_end, pair->low_lemma.count - lemma_end,
                                 put->codes + lemma_end };

    DGM_TRY(dgm_buf_add_char(env, script, '|'));
    DGM_TRY(add_edits(env, script, &prefix));
    DGM_TRY(dgm_buf_add_char(env, script, '|'));
    return add_edits(env, script, &suffix);
}

/* Whether what stands in the buffer from `start` on makes the lemma. */
static int is_right(const struct dgm_buf *script, size_t start, const struct pair *pair)
{
    char made[DGM_LEMMA_BYTES];

    return dgm_lemma_script_is_one(script->data + start, script->size - start) &&
           dgm_lemma_script_apply(made, script->data + start, pair->form_text) > 0 &&
           strcmp(made, pair->lemma_text) == 0;
}

/* A script that keeps the form's case, which suits "McDonald" and "iPhones". */
static dgm_status add_keeping(struct dgm_env *env, struct dgm_buf *script, const struct pair *pair)
{
    DGM_TRY(dgm_buf_add_char(env, script, 'k'));
    return add_both_edits(env, script, pair, &pair->lemma);
}

/* Truncates a buffer that holds its NUL. */
static void cut(struct dgm_buf *script, size_t size)
{
    script->size = size;
    script->data[size] = '\0';
}

static dgm_status add_script(struct dgm_env *env, struct dgm_buf *script, const struct pair *pair)
{
    size_t start = script->size;
    int changes;

    if (pair->common.length > 0) {
        DGM_TRY(add_case(env, script, &pair->lemma, &changes));
        if (changes > 2) {
            cut(script, start);
            DGM_TRY(add_keeping(env, script, pair));
            if (is_right(script, start, pair))
                return DGM_OK;
            cut(script, start);
            DGM_TRY(add_case(env, script, &pair->lemma, &changes));
        }
        DGM_TRY(add_both_edits(env, script, pair, &pair->low_lemma));
        if (is_right(script, start, pair))
            return DGM_OK;
        cut(script, start);
    }
    DGM_TRY(dgm_buf_add_char(env, script, 'a'));
    return dgm_buf_add_text(env, script, pair->lemma_text);
}

dgm_status dgm_lemma_script_learn(struct dgm_env *env, struct dgm_buf *script, const char *form,
                                  const char *lemma)
{
    struct pair pair;

    if (!decode(&pair.form, form) || !decode(&pair.lemma, lemma))
        return DGM_OK;
    lower(&pair.low_form, &pair.form);
    lower(&pair.low_lemma, &pair.lemma);
    pair.common = find_common(&pair.low_form, &pair.low_lemma);
    pair.form_text = form;
    pair.lemma_text = lemma;
    return add_script(env, script, &pair);
}
