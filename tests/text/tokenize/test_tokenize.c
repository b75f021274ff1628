/* test_tokenize.c: normalisation, tokenisation and detokenisation after Moses. */
#include <stdio.h>
#include <string.h>

#include "base/lines/lines.h"
#include "test.h"
#include "text/tokenize/detokenize.h"
#include "text/tokenize/normalize.h"
#include "text/tokenize/tokenize.h"

static void check_tokens(const char *language, int aggressive, int escape, const char *text,
                         const char *want)
{
    struct dgm_tokenize_options options;
    struct dgm_buf out;

    memset(&out, 0, sizeof out);
    options.language = language;
    options.aggressive = aggressive;
    options.escape = escape;
    CHECK_STATUS(dgm_tokenize_line(test_env(), &out, text, strlen(text), &options), DGM_OK);
    CHECK_STR(out.data == NULL ? "" : out.data, want);
    dgm_buf_clear(test_env(), &out);
}

TEST(tokenize_knows_abbreviations_and_numbers)
{
    check_tokens("en", 0, 0, "Mr. Smith paid $1,000.50, i.e. a lot.",
                 "Mr. Smith paid $ 1,000.50 , i.e. a lot .");
    check_tokens("en", 0, 0, "No. 5 is alive. No. He is.", "No. 5 is alive . No . He is .");
    check_tokens("de", 0, 0, "Am 3. Mai z.B. um 5 Uhr.", "Am 3. Mai z.B. um 5 Uhr .");
    check_tokens("en", 0, 0, "a,b,c,d", "a , b , c , d");
    check_tokens("en", 0, 0, "wait... what..", "wait ... what ..");
    check_tokens("en", 0, 0, "end. he", "end. he");
}

TEST(tokenize_splits_apostrophes_by_language)
{
    check_tokens("en", 0, 0, "it's the dogs' 1990's", "it 's the dogs ' 1990 's");
    check_tokens("fr", 0, 0, "l'homme d'\xC3\xA9t\xC3\xA9", "l' homme d' \xC3\xA9t\xC3\xA9");
    check_tokens("de", 0, 0, "geht's", "geht ' s");
    check_tokens("en", 0, 0, "He said 'x.'", "He said ' x . '");
}

TEST(tokenize_escapes_and_splits_hyphens_on_request)
{
    check_tokens("en", 1, 1, "a well-known <b> & [c] | \"d\"",
                 "a well @-@ known &lt; b &gt; &amp; &#91; c &#93; &#124; &quot; d &quot;");
    check_tokens("en", 0, 0, " \t \xE3\x80\x80 ", "");
    check_tokens("en", 0, 0, "x\xFFy", "x \xEF\xBF\xBD y");
}

/* Hindi and decomposed Vietnamese; a joiner and a non-joiner; a soft hyphen; marks on symbols. */
TEST(tokenize_leaves_marks_with_what_they_follow)
{
    check_tokens("hi", 0, 0,
                 "\xE0\xA4\xB9\xE0\xA4\xBF\xE0\xA4\xA8\xE0\xA5\x8D\xE0\xA4\xA6\xE0\xA5\x80, \xE0"
                 "\xA4\xAE\xE0\xA5\x87\xE0\xA4\x82?",
                 "\xE0\xA4\xB9\xE0\xA4\xBF\xE0\xA4\xA8\xE0\xA5\x8D\xE0\xA4\xA6\xE0\xA5\x80 , \xE0"
                 "\xA4\xAE\xE0\xA5\x87\xE0\xA4\x82 ?");
    check_tokens("vi", 0, 0,
                 "Tie\xCC\x82\xCC\x81ng \"\xC4\x91"
                 "e\xCC\xA3p\".",
                 "Tie\xCC\x82\xCC\x81ng \" \xC4\x91"
                 "e\xCC\xA3p \" .");
    check_tokens("fa", 0, 0,
                 "\xD9\x85\xDB\x8C\xE2\x80\x8C\xD8\xAE\xD9\x88\xD8\xA7\xD9\x87\xD9\x85 (\xE0\xB6"
                 "\x9A\xE0\xB7\x8A\xE2\x80\x8D\xE0\xB7\x82)",
                 "\xD9\x85\xDB\x8C\xE2\x80\x8C\xD8\xAE\xD9\x88\xD8\xA7\xD9\x87\xD9\x85 ( \xE0\xB6"
                 "\x9A\xE0\xB7\x8A\xE2\x80\x8D\xE0\xB7\x82 )");
    check_tokens("de", 0, 0,
                 "Zucker\xC2\xADru\xCC\x88"
                 "be",
                 "Zucker\xC2\xADru\xCC\x88"
                 "be");
    check_tokens("en", 0, 1,
                 "a=\xCC\xB8"
                 "b, <\xCC\xB8 x",
                 "a =\xCC\xB8 b , &lt;\xCC\xB8 x");
    check_tokens("en", 1, 0, "cafe\xCC\x81-e\xCC\x81t -\xCC\x81x",
                 "cafe\xCC\x81 @-@ e\xCC\x81t -\xCC\x81x");
    check_tokens("en", 0, 0,
                 "\xCC\x81"
                 "a \xE2\x80\x8D"
                 "b",
                 "\xCC\x81"
                 "a \xE2\x80\x8D"
                 "b");
    check_tokens("fr", 0, 0, "l'e\xCC\x81te\xCC\x81 d'Ame\xCC\x81lie",
                 "l' e\xCC\x81te\xCC\x81 d' Ame\xCC\x81lie");
}

/* A flag, a family, a tone of skin, a key, a flag of tags. */
TEST(tokenize_cuts_no_pictograph)
{
    check_tokens("en", 0, 0,
                 "\xF0\x9F\x91\xA8\xE2\x80\x8D\xF0\x9F\x91\xA9\xE2\x80\x8D\xF0\x9F\x91\xA7, \xF0"
                 "\x9F\x91\x8D\xF0\x9F\x8F\xBD! (\xF0\x9F\x87\xA9\xF0\x9F\x87\xAA)",
                 "\xF0\x9F\x91\xA8\xE2\x80\x8D\xF0\x9F\x91\xA9\xE2\x80\x8D\xF0\x9F\x91\xA7 , \xF0"
                 "\x9F\x91\x8D\xF0\x9F\x8F\xBD ! ( \xF0\x9F\x87\xA9\xF0\x9F\x87\xAA )");
    check_tokens("en", 0, 0,
                 "1\xEF\xB8\x8F\xE2\x83\xA3 x\xF0\x9F\x8F\xB4\xF3\xA0\x81\xA7\xF3\xA0\x81\xA2\xF3"
                 "\xA0\x81\xA5\xF3\xA0\x81\xAE\xF3\xA0\x81\xA7\xF3\xA0\x81\xBFy",
                 "1\xEF\xB8\x8F\xE2\x83\xA3 x \xF0\x9F\x8F\xB4\xF3\xA0\x81\xA7\xF3\xA0\x81\xA2\xF3"
                 "\xA0\x81\xA5\xF3\xA0\x81\xAE\xF3\xA0\x81\xA7\xF3\xA0\x81\xBF y");
}

TEST(tokenize_takes_curly_apostrophes_for_straight_ones)
{
    check_tokens("en", 0, 0, "it\xE2\x80\x99s the dogs\xE2\x80\x99 1990\xE2\x80\x99s",
                 "it \xE2\x80\x99s the dogs \xE2\x80\x99 1990 \xE2\x80\x99s");
    check_tokens("en", 0, 0, "He said \xE2\x80\x98x.\xE2\x80\x99",
                 "He said \xE2\x80\x98 x . \xE2\x80\x99");
    check_tokens("fr", 0, 0,
                 "l\xE2\x80\x99"
                 "amiti\xC3\xA9",
                 "l\xE2\x80\x99 amiti\xC3\xA9");
    check_tokens("de", 0, 0, "geht\xE2\x80\x99s", "geht \xE2\x80\x99 s");
}

/*
 * Share of lines of a file of raw text that the whole chain turns into the published
 * tokens.
 */
static double share_alike(const char *language, const char *raw_path, const char *tokens_path)
{
    struct dgm_env *env = test_env();
    struct dgm_normalize_options normal = {
        .compose = 1, .punctuation = 1, .steps = DGM_NORMAL_MOSES | DGM_NORMAL_USUAL, .lower = 1
    };
    struct dgm_tokenize_options split = { NULL, 0, 1 };
    struct dgm_lines raw, want;
    struct dgm_buf plain, tokens;
    int more = 1;
    long lines = 0, alike = 0;

    memset(&raw, 0, sizeof raw);
    memset(&want, 0, sizeof want);
    memset(&plain, 0, sizeof plain);
    memset(&tokens, 0, sizeof tokens);
    normal.language = split.language = language;
    if (dgm_lines_open(env, &raw, raw_path) == DGM_OK &&
        dgm_lines_open(env, &want, tokens_path) == DGM_OK) {
        while (dgm_lines_next(env, &raw, &more) == DGM_OK && more &&
               dgm_lines_next(env, &want, &more) == DGM_OK && more) {
            dgm_buf_reset(&plain);
            dgm_buf_reset(&tokens);
            if (dgm_normalize_line(env, &plain, raw.line.data, raw.line.size, &normal) != DGM_OK ||
                dgm_tokenize_line(env, &tokens, plain.data, plain.size, &split) != DGM_OK)
                break;
            lines++;
            alike += tokens.size == want.line.size &&
                     memcmp(tokens.data, want.line.data, tokens.size) == 0;
        }
    }
    dgm_lines_close(env, &raw);
    dgm_lines_close(env, &want);
    dgm_buf_clear(env, &plain);
    dgm_buf_clear(env, &tokens);
    return lines > 0 ? (double)alike / (double)lines : 0;
}

/* The lines that differ end in "28." or "a.", which older Moses leaves whole. */
TEST(tokenize_agrees_with_the_published_multi30k)
{
    static const char *const languages[] = { "en", "de" };
    char raw[1200], tokens[1200];
    int i;

    if (test_shared() == NULL)
        TEST_SKIP("no shared data");
    for (i = 0; i < 2; i++) {
        snprintf(raw, sizeof raw, "%s/data/multi30k/train.%s", test_shared(), languages[i]);
        snprintf(tokens, sizeof tokens, "%s/data/multi30k/tok-lc/train.%s", test_shared(),
                 languages[i]);
        CHECK(share_alike(languages[i], raw, tokens) >= 0.9995);
    }
}
