/* text_words.c: the words of a parser and the tokens of a translation model in one text. */
#include "data/tree/text_words.h"

#include <string.h>

#include "base/mem.h"
#include "base/number/number.h"
#include "text/bpe/word_counts.h"

/* ---- words of the parser --------------------------------------------------------------------- */

dgm_status dgm_text_words_begin(struct dgm_env *env, struct dgm_text_words *words, const char *text,
                                size_t bytes)
{
    words->first_word = words->word_count;
    words->unit = 0;
    words->text.count = 0;
    return dgm_written_add(env, &words->text, text, bytes, 0);
}

static dgm_status add_word(struct dgm_env *env, struct dgm_text_words *words, size_t start,
                           size_t end)
{
    const struct dgm_stretch stretch = { (int32_t)start, (int32_t)end };

    DGM_TRY(dgm_grow(env, &words->words, &words->word_capacity, words->word_count,
                     sizeof *words->words));
    words->words[words->word_count++] = stretch;
    return DGM_OK;
}

/* words->cut: the units of all forms; each starts in the form of that number. */
static dgm_status read_forms(struct dgm_env *env, struct dgm_text_words *words, const char *forms,
                             int32_t count)
{
    size_t unit = 0;

    words->cut.count = 0;
    for (int32_t i = 0; i < count; i++, forms += strlen(forms) + 1) {
        DGM_TRY(dgm_written_add(env, &words->cut, forms, strlen(forms), 0));
        unit = unit < words->cut.count ? unit : words->cut.count;
        while (unit < words->cut.count)
            words->cut.starts[unit++] = (uint32_t)i;
    }
    return DGM_OK;
}

dgm_status dgm_text_words_add(struct dgm_env *env, struct dgm_text_words *words, size_t start,
                              size_t end, const char *forms, int32_t count)
{
    const struct dgm_written *text = &words->text;
    size_t first = words->unit, last, at = 0;

    while (first < text->count && text->starts[first] < start)
        first++;
    for (last = first; last < text->count && text->starts[last] < end;)
        last++;
    words->unit = last;
    if (count == 1)
        return add_word(env, words, first, last);
    DGM_TRY(read_forms(env, words, forms, count));
    for (int32_t i = 0; i < count; i++) {
        size_t begin = at;

        if (words->cut.count != last - first) {
            DGM_TRY(add_word(env, words, first, last));
            continue;
        }
        while (at < words->cut.count && words->cut.starts[at] == (uint32_t)i)
            at++;
        DGM_TRY(add_word(env, words, first + begin, first + at));
    }
    return DGM_OK;
}

/* ---- tokens of the model --------------------------------------------------------------------- */

/* One character that is spelled as pieces of one byte each, "<0xE4>" "<0xB8>" "<0xAD>". */
struct spelled {
    char bytes[4];
    size_t count, length; /* so far, and of the whole character; 0: there is none */
    size_t first_token;
};

static size_t length_of(unsigned lead)
{
    return lead < 0xC0 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : lead < 0xF8 ? 4 : 1;
}

static dgm_status add_token(struct dgm_env *env, struct dgm_text_words *words, size_t start,
                            int joins)
{
    const struct dgm_parallel arrays[] = { { &words->tokens, sizeof *words->tokens },
                                           { &words->joins, sizeof *words->joins },
                                           { NULL, 0 } };
    const struct dgm_stretch stretch = { (int32_t)start, (int32_t)words->cut.count };

    DGM_TRY(dgm_reserve_parallel(env, arrays, &words->token_capacity, words->token_count + 1));
    words->joins[words->token_count] = (unsigned char)joins;
    words->tokens[words->token_count++] = stretch;
    return DGM_OK;
}

/* Appends the units of a token: it has those from *start on. Where it ends an escape that tokens
 * before it began, these keep what is left of their units. */
static dgm_status add_units(struct dgm_env *env, struct dgm_text_words *words, const char *token,
                            size_t bytes, size_t *start)
{
    struct dgm_stretch *tokens = words->tokens;
    int32_t count;

    *start = words->cut.count;
    DGM_TRY(dgm_written_add(env, &words->cut, token, bytes, 0));
    count = (int32_t)words->cut.count;
    *start = *start < words->cut.count ? *start : words->cut.count;
    for (size_t t = words->token_count; t > words->first_token && tokens[t - 1].end > count; t--) {
        tokens[t - 1].end = count;
        tokens[t - 1].start = tokens[t - 1].start < count ? tokens[t - 1].start : count;
    }
    return DGM_OK;
}

/* The character is whole, or is left so: all its tokens have its units. */
static dgm_status end_spelled(struct dgm_env *env, struct dgm_text_words *words,
                              struct spelled *spelled)
{
    size_t start;

    if (spelled->count == 0)
        return DGM_OK;
    DGM_TRY(add_units(env, words, spelled->bytes, spelled->count, &start));
    for (size_t t = spelled->first_token; t < words->token_count; t++) {
        words->tokens[t].start = (int32_t)start;
        words->tokens[t].end = (int32_t)words->cut.count;
    }
    spelled->count = 0;
    return DGM_OK;
}

static dgm_status spell(struct dgm_env *env, struct dgm_text_words *words, struct spelled *spelled,
                        int byte)
{
    if (spelled->count > 0 && (byte & 0xC0) != 0x80)
        DGM_TRY(end_spelled(env, words, spelled));
    if (spelled->count == 0) {
        spelled->length = length_of((unsigned)byte);
        spelled->first_token = words->token_count;
    }
    spelled->bytes[spelled->count++] = (char)byte;
    DGM_TRY(add_token(env, words, words->cut.count, 0));
    return spelled->count == spelled->length ? end_spelled(env, words, spelled) : DGM_OK;
}

/* words->cut: the units of the tokens. */
static dgm_status read_tokens(struct dgm_env *env, struct dgm_text_words *words, const char *line,
                              size_t bytes, int32_t n_words)
{
    const size_t end = words->token_count + (size_t)n_words;
    struct spelled spelled = { .count = 0 };
    size_t at = 0, size;
    const char *token;

    words->cut.count = 0;
    words->first_token = words->token_count;
    while (words->token_count < end && dgm_word_counts_next(line, bytes, &at, &token, &size)) {
        size_t start, before;
        const int byte = dgm_spm_byte(token, size);

        if (size == 3 && memcmp(token, "@-@", 3) == 0) { /* a hyphen that Moses has cut out */
            token++;
            size = 1;
        }
        if (byte >= 0) {
            DGM_TRY(spell(env, words, &spelled, byte));
            continue;
        }
        DGM_TRY(end_spelled(env, words, &spelled));
        before = words->cut.count;
        DGM_TRY(add_units(env, words, token, size, &start));
        DGM_TRY(add_token(env, words, start, words->cut.count == before));
    }
    DGM_TRY(end_spelled(env, words, &spelled));
    while (words->token_count < end)
        DGM_TRY(add_token(env, words, words->cut.count, 0));
    return DGM_OK;
}

dgm_status dgm_text_words_end(struct dgm_env *env, struct dgm_text_words *words, const char *line,
                              size_t bytes, int32_t n_words)
{
    DGM_TRY(read_tokens(env, words, line, bytes, n_words));
    DGM_TRY(dgm_match_find(env, &words->match, &words->text, &words->cut));
    words->is_one_text = dgm_match_is_one_text(&words->match, &words->text, &words->cut);
    for (size_t w = words->first_word; w < words->word_count; w++) {
        struct dgm_stretch *word = &words->words[w];

        word->start = (int32_t)words->match.places[word->start];
        word->end = (int32_t)words->match.places[word->end];
    }
    return DGM_OK;
}

/* ---- all ------------------------------------------------------------------------------------- */

void dgm_text_words_reset(struct dgm_text_words *words)
{
    words->word_count = words->token_count = 0;
}

void dgm_text_words_clear(struct dgm_env *env, struct dgm_text_words *words)
{
    dgm_release(env, words->words);
    dgm_release(env, words->tokens);
    dgm_release(env, words->joins);
    dgm_written_clear(env, &words->text);
    dgm_written_clear(env, &words->cut);
    dgm_match_clear(env, &words->match);
    memset(words, 0, sizeof *words);
}

void dgm_laid_counts_report(struct dgm_env *env, const struct dgm_laid_counts *counts,
                            const char *name)
{
    char share[32];

    if (counts->words == 0)
        return;
    share[dgm_number_print_fixed(share, 100.0 * (double)counts->kept / (double)counts->words, 3)] =
        '\0';
    dgm_log(env, DGM_LOG_NOTE,
            "%s: of %lld words of the parser, %lld keep their heads among the words of the model "
            "(%s %%)",
            name, (long long)counts->words, (long long)counts->kept, share);
}
