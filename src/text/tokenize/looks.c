/*
 * looks.c: what text looks like that somebody wants otherwise.
 */
#include "text/tokenize/looks.h"

#include <string.h>

#include "text/unicode/unicode.h"
#include "text/unicode/utf8.h"

static int is_blank(char c)
{
    return c == ' ' || c == '\t';
}

/* "@@" at the end of a word, but for a word of its own. */
static int has_bpe(const char *line, size_t bytes)
{
    for (size_t i = 1; i + 1 < bytes; i++)
        if (line[i] == '@' && line[i + 1] == '@' && !is_blank(line[i - 1]) &&
            (i + 2 == bytes || is_blank(line[i + 2])))
            return 1;
    return 0;
}

static int has_spm(const char *line, size_t bytes)
{
    static const char mark[] = "\xE2\x96\x81";

    for (size_t i = 0; i + 2 < bytes; i++)
        if (memcmp(line + i, mark, 3) == 0)
            return 1;
    return 0;
}

static int is_running(const char *line, size_t bytes)
{
    while (bytes > 0 && is_blank(line[bytes - 1]))
        bytes--;
    return bytes > 1 && memchr(".!?", line[bytes - 1], 3) != NULL && !is_blank(line[bytes - 2]) &&
           memchr(".!?", line[bytes - 2], 3) == NULL;
}

/* Words of Chinese and Japanese have fewer characters than 12; those of Thai, Lao, Burmese and
 * Khmer, with their vowel signs, fewer than 24. No byte below 0xE0 begins one. */
static int has_unspaced(const char *line, size_t bytes)
{
    size_t row = 0;
    uint32_t code;

    for (size_t at = 0; at < bytes;) {
        if ((unsigned char)line[at] < 0xE0) {
            row = 0;
            at++;
            continue;
        }
        at += dgm_utf8_decode(&code, line + at, bytes - at);
        row = dgm_unicode_is_unspaced(code) ? row + 1 : 0;
        if (row >= (code < 0x2E80 ? 24 : 12))
            return 1;
    }
    return 0;
}

unsigned dgm_looks_of(const char *line, size_t bytes)
{
    return (unsigned)has_bpe(line, bytes) << DGM_LOOKS_BPE |
           (unsigned)has_spm(line, bytes) << DGM_LOOKS_SPM |
           (unsigned)is_running(line, bytes) << DGM_LOOKS_RUNNING |
           (unsigned)has_unspaced(line, bytes) << DGM_LOOKS_UNSPACED;
}

void dgm_looks_add_of(struct dgm_looks *looks, unsigned look)
{
    looks->lines++;
    for (int i = 0; i < DGM_LOOKS; i++)
        looks->with[i] += look >> i & 1;
}

void dgm_looks_add(struct dgm_looks *looks, const char *line, size_t bytes)
{
    size_t at = 0;

    while (at < bytes && is_blank(line[at]))
        at++;
    if (at < bytes)
        dgm_looks_add_of(looks, dgm_looks_of(line, bytes));
}

void dgm_looks_add_all(struct dgm_looks *looks, const struct dgm_looks *more)
{
    looks->lines += more->lines;
    for (int i = 0; i < DGM_LOOKS; i++)
        looks->with[i] += more->with[i];
}

static long long percent_of(const struct dgm_looks *looks, int look)
{
    return looks->lines > 0 ? (long long)(100 * looks->with[look] / looks->lines) : 0;
}

int dgm_looks_warn_of_pieces(struct dgm_env *env, const struct dgm_looks *looks, const char *name)
{
    const int look =
        looks->with[DGM_LOOKS_BPE] >= looks->with[DGM_LOOKS_SPM] ? DGM_LOOKS_BPE : DGM_LOOKS_SPM;
    const int is_bpe = look == DGM_LOOKS_BPE;

    if (percent_of(looks, look) < 10)
        return 0;
    dgm_log(env, DGM_LOG_WARNING,
            "%s looks cut into pieces already: %lld %% of the lines have %s; expected text as it "
            "was before (%s)",
            name, percent_of(looks, look), is_bpe ? "@@" : "U+2581",
            is_bpe ? "bpe undo" : "spm decode");
    return 1;
}

int dgm_looks_warn_of_running(struct dgm_env *env, const struct dgm_looks *looks, const char *name)
{
    if (percent_of(looks, DGM_LOOKS_RUNNING) < 50)
        return 0;
    dgm_log(env, DGM_LOG_WARNING,
            "%s looks like running text: %lld %% of the lines end in a stop that no blank sets "
            "off; with --tokenize none words and stops stay together. Try: --tokenize moses, or "
            "tok",
            name, percent_of(looks, DGM_LOOKS_RUNNING));
    return 1;
}

int dgm_looks_warn_of_unspaced(struct dgm_env *env, const struct dgm_looks *looks, const char *name)
{
    if (percent_of(looks, DGM_LOOKS_UNSPACED) < 10)
        return 0;
    dgm_log(env, DGM_LOG_WARNING,
            "%s is in a script without blanks between words: %lld %% of the lines have a row of "
            "characters that is longer than a word, and words are cut at blanks. Try: --vocab-type "
            "unigram, which learns from the text where to cut",
            name, percent_of(looks, DGM_LOOKS_UNSPACED));
    return 1;
}
