/*
 * ter.c: TER (Snover and others, AMTA 2006), the edits that a hypothesis needs, for each word of
 * its references, in percent; with the numbers of sacreBLEU.
 */
#include <string.h>

#include "base/map.h"
#include "base/mem.h"
#include "text/score/metric.h"
#include "text/score/mteval.h"
#include "text/score/numpy_mean.h"
#include "text/score/ter_edits.h"
#include "text/unicode/unicode.h"
#include "text/unicode/utf8.h"

/* The mean length of several references is a fraction: lengths are counted in parts of a word that
 * can be shared among up to 22 without a rest. */
#define PARTS INT64_C(232792560)

enum { EDITS, LENGTH, WIDTH };

struct ter {
    int case_sensitive, normalized, no_punct, asian_support;
    struct dgm_map numbers; /* of words, from sentence to sentence */
    struct dgm_buf lowered, cut, kept;
    uint32_t *words, *reference;
    size_t word_capacity, reference_capacity;
    struct dgm_ter_edits edits;
};

/* ---- words ----------------------------------------------------------------------------------- */

/* In each list `first, last` of ranges, ended by 0. The last of the scripts is as wide in
 * sacreBLEU. */
static const uint32_t asian_punct[][2] = {
    { 0x3001, 0x3002 }, { 0x3008, 0x3011 }, { 0x3014, 0x301F }, { 0x30FB, 0x30FB },
    { 0xFF01, 0xFF02 }, { 0xFF08, 0xFF09 }, { 0xFF0C, 0xFF0C }, { 0xFF0E, 0xFF0E },
    { 0xFF1A, 0xFF1B }, { 0xFF1F, 0xFF1F }, { 0xFF61, 0xFF65 }, { 0, 0 }
};
static const uint32_t asian_letters[][2] = { { 0x2E80, 0x2EFF },
                                             { 0x31C0, 0x31EF },
                                             { 0x3200, 0x4DBF },
                                             { 0x4E00, 0x9FFF },
                                             { 0xF900, 0xFAFF },
                                             { 0xFE30, 0xFE4F },
                                             { 0, 0 } };

static int is_in(uint32_t code, const uint32_t (*ranges)[2])
{
    for (; (*ranges)[0] != 0; ranges++)
        if (code >= (*ranges)[0] && code <= (*ranges)[1])
            return 1;
    return 0;
}

/* What becomes of a character: taken out, set apart, or neither. */
enum fate { STAYS, GOES, STANDS_ALONE };

static enum fate fate_of(const struct ter *ter, uint32_t code)
{
    const int is_punct = code < 0x80 ? code != 0 && strchr(".,?:;!\"()", (int)code) != NULL
                                     : ter->asian_support && is_in(code, asian_punct);

    if (ter->no_punct && is_punct)
        return GOES;
    return code >= 0x80 && ter->normalized && ter->asian_support &&
                   (is_punct || is_in(code, asian_letters))
               ? STANDS_ALONE
               : STAYS;
}

/* Appends the characters of ter->cut that are not taken out to ter->kept. */
static dgm_status keep(struct dgm_env *env, struct ter *ter)
{
    const struct dgm_buf *text = &ter->cut;
    size_t at, used;
    uint32_t code;

    dgm_buf_reset(&ter->kept);
    for (at = 0; at < text->size; at += used) {
        enum fate fate;

        used = dgm_utf8_decode(&code, text->data + at, text->size - at);
        fate = fate_of(ter, code);
        if (fate == GOES)
            continue;
        if (fate == STANDS_ALONE)
            DGM_TRY(dgm_buf_add_char(env, &ter->kept, ' '));
        DGM_TRY(dgm_buf_add(env, &ter->kept, text->data + at, used));
        if (fate == STANDS_ALONE)
            DGM_TRY(dgm_buf_add_char(env, &ter->kept, ' '));
    }
    return DGM_OK;
}

/* Leaves a text in ter->kept as its words are compared. */
static dgm_status prepare(struct dgm_env *env, struct ter *ter, struct dgm_metric_text text)
{
    text.bytes = dgm_mteval_end(text.data, text.bytes);
    dgm_buf_reset(&ter->lowered);
    dgm_buf_reset(&ter->cut);
    DGM_TRY(ter->case_sensitive
                ? dgm_buf_add(env, &ter->lowered, text.data, text.bytes)
                : dgm_unicode_lower_text(env, &ter->lowered, text.data, text.bytes));
    if (ter->normalized)
        DGM_TRY(dgm_mteval_tercom(env, &ter->cut, &ter->lowered));
    else
        dgm_buf_swap(&ter->cut, &ter->lowered);
    if (ter->no_punct || (ter->normalized && ter->asian_support))
        return keep(env, ter);
    dgm_buf_swap(&ter->kept, &ter->cut);
    return DGM_OK;
}

static dgm_status number_words(struct dgm_env *env, struct ter *ter, struct dgm_metric_text text,
                               uint32_t **words, size_t *capacity, size_t *count)
{
    const char *word;
    size_t at = 0, length;

    *count = 0;
    DGM_TRY(prepare(env, ter, text));
    while (ter->kept.size > 0 &&
           dgm_mteval_next(ter->kept.data, ter->kept.size, &at, &word, &length)) {
        DGM_TRY(dgm_grow(env, words, capacity, *count, sizeof **words));
        DGM_TRY(dgm_map_number(env, &ter->numbers, word, length, &(*words)[(*count)++]));
    }
    return DGM_OK;
}

/* ---- as a metric ----------------------------------------------------------------------------- */

static dgm_status configure(struct dgm_env *env, void *state, const struct dgm_settings *settings)
{
    struct ter *ter = state;

    (void)env;
    ter->case_sensitive = dgm_settings_flag(settings, "ter-case-sensitive");
    ter->normalized = dgm_settings_flag(settings, "ter-normalized");
    ter->no_punct = dgm_settings_flag(settings, "ter-no-punct");
    ter->asian_support = dgm_settings_flag(settings, "ter-asian-support");
    return DGM_OK;
}

/* The fewest edits to any of the references, and the mean of their lengths. */
static dgm_status count_sentence(struct dgm_env *env, void *state, struct dgm_metric_count *count,
                                 struct dgm_metric_text hypothesis,
                                 const struct dgm_metric_text *references, size_t reference_count)
{
    struct ter *ter = state;
    size_t words, length, lengths = 0, present = 0;
    int64_t edits;

    DGM_TRY(number_words(env, ter, hypothesis, &ter->words, &ter->word_capacity, &words));
    for (size_t i = 0; i < reference_count; i++) {
        if (references[i].data == NULL)
            continue;
        DGM_TRY(number_words(env, ter, references[i], &ter->reference, &ter->reference_capacity,
                             &length));
        DGM_TRY(dgm_ter_count(env, &ter->edits, ter->words, words, ter->reference, length, &edits));
        if (present++ == 0 || edits < count->sums[EDITS])
            count->sums[EDITS] = edits;
        lengths += length;
    }
    if (present == 0)
        return dgm_fail(env, DGM_DATA, "a sentence without a reference; expected at least one");
    count->sums[LENGTH] = (int64_t)lengths * PARTS / (int64_t)present;
    return DGM_OK;
}

static double score_sums(const void *state, const int64_t *sums)
{
    (void)state;
    if (sums[LENGTH] == 0)
        return sums[EDITS] > 0 ? 100 : 0;
    return 100 * ((double)sums[EDITS] / ((double)sums[LENGTH] / (double)PARTS));
}

static double score_sample(const void *state, const int64_t *sums)
{
    if (sums[LENGTH] == 0)
        return score_sums(state, sums);
    return dgm_single(100 * dgm_single((double)sums[EDITS] /
                                           dgm_single((double)sums[LENGTH] / (double)PARTS, 1),
                                       1),
                      1);
}

static void clear(struct dgm_env *env, void *state)
{
    struct ter *ter = state;

    dgm_map_clear(env, &ter->numbers);
    dgm_buf_clear(env, &ter->lowered);
    dgm_buf_clear(env, &ter->cut);
    dgm_buf_clear(env, &ter->kept);
    dgm_release(env, ter->words);
    dgm_release(env, ter->reference);
    dgm_ter_edits_clear(env, &ter->edits);
}

static dgm_status print_signature(struct dgm_env *env, struct dgm_buf *out, const void *state,
                                  int is_short)
{
    const struct ter *ter = state;

    return dgm_buf_add_format(env, out,
                              is_short ? "c:%s|t:tercom|nr:%s|pn:%s|as:%s"
                                       : "case:%s|tok:tercom|norm:%s|punct:%s|asian:%s",
                              ter->case_sensitive ? "mixed" : "lc", ter->normalized ? "yes" : "no",
                              ter->no_punct ? "no" : "yes", ter->asian_support ? "yes" : "no");
}

/* clang-format off */
const struct dgm_metric dgm_metric_ter = {
    .name = "ter",
    .title = "TER",
    .curve = "validation: TER (%)",
    .is_error = 1,
    .options = {
        { .name = "ter-case-sensitive", .type = DGM_OPT_FLAG, .section = "TER",
          .help = "Let case count in TER" },
        { .name = "ter-normalized", .type = DGM_OPT_FLAG,
          .help = "Set punctuation apart in TER, and undo escapes" },
        { .name = "ter-no-punct", .type = DGM_OPT_FLAG,
          .help = "Leave punctuation out of TER" },
        { .name = "ter-asian-support", .type = DGM_OPT_FLAG,
          .help = "Let --ter-normalized set Chinese characters apart, and both know the "
                  "punctuation of Chinese and Japanese" },
    },
    .width = WIDTH,
    .state_bytes = sizeof(struct ter),
    .configure = configure,
    .count = count_sentence,
    .score = score_sums,
    .sample = score_sample,
    .samples_are_single = 1,
    .clear = clear,
    .print_signature = print_signature,
};
/* clang-format on */
