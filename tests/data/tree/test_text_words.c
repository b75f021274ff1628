/*
 * test_text_words.c: the words of a parser laid over the tokens that a translation model makes of
 * the same line: cases of several languages and tokenisers.
 */
#include "data/tree/text_words.h"

#include <string.h>

#include "test.h"

enum { MOST = 40 };

/*
 * A line as the parser cut it. cut: its tokens, single blanks between; one that is several words
 * with these behind it, "don't/do/n't". Heads as CoNLL-U counts them.
 */
struct line {
    const char *text, *cut;
    const int32_t *heads;
};

/* The next token of `cut`: its form in `forms`, or its words; *bytes: of the form. */
static const char *next_token(const char *cut, char *forms, size_t *bytes, int32_t *count)
{
    size_t length = strcspn(cut, " ");

    memcpy(forms, cut, length);
    forms[length] = '\0';
    *bytes = strcspn(forms, "/");
    *count = 1;
    if (forms[*bytes] != '\0') {
        memmove(forms, forms + *bytes + 1, length - *bytes);
        for (char *at = forms; (at = strchr(at, '/')) != NULL; *at++ = '\0')
            ++*count;
    }
    return cut + length + (cut[length] == ' ');
}

static dgm_status add_tokens(struct dgm_text_words *words, const struct line *line)
{
    char forms[200];
    size_t at = 0, bytes;
    int32_t count;

    DGM_TRY(dgm_text_words_begin(test_env(), words, line->text, strlen(line->text)));
    for (const char *cut = line->cut, *next; *cut != '\0'; cut = next) {
        next = next_token(cut, forms, &bytes, &count);
        while (line->text[at] == ' ')
            at++;
        DGM_TRY(dgm_text_words_add(test_env(), words, at, at + bytes, forms, count));
        at += bytes;
    }
    return DGM_OK;
}

static int32_t count_words(const char *text)
{
    int32_t words = 1;

    for (; *text != '\0'; text++)
        words += *text == ' ';
    return words;
}

/* Whether the tokens of the model, blanks between, get these heads, as CoNLL-U counts them. */
static int lays(const struct line *line, const char *tokens, const int32_t *want)
{
    struct dgm_text_words words = { .is_one_text = 0 };
    struct dgm_overlay overlay = { .kept = 0 };
    const int32_t count = count_words(tokens);
    int32_t heads[MOST];
    struct dgm_tree tree = { heads, 0, 1 };
    int good = add_tokens(&words, line) == DGM_OK &&
               dgm_text_words_end(test_env(), &words, tokens, strlen(tokens), count) == DGM_OK;

    tree.count = (int32_t)words.word_count;
    for (int32_t w = 0; w < tree.count; w++)
        heads[w] = line->heads[w] == 0 ? w : line->heads[w] - 1;
    good = good && (int32_t)words.token_count == count &&
           dgm_overlay_lay(test_env(), &overlay, &tree, words.words, words.tokens, words.joins,
                           count) == DGM_OK;
    for (int32_t t = 0; good && t < count; t++)
        good = overlay.head[t] == (want[t] == 0 ? t : want[t] - 1);
    dgm_overlay_clear(test_env(), &overlay);
    dgm_text_words_clear(test_env(), &words);
    return good;
}

TEST(text_words_of_clitics)
{
    static const int32_t heads[] = { 4, 4, 4, 0, 4 };
    static const struct line line = { "I don't know.", "I don't/do/n't know .", heads };
    static const int32_t same[] = { 4, 4, 4, 0, 4 }, joined[] = { 3, 3, 0, 3 };

    CHECK(lays(&line, "I do n't know .", same));
    CHECK(lays(&line, "I don 't know .", same));
    CHECK(lays(&line, "i don &apos;t know .", same));
    CHECK(lays(&line, "i don \xE2\x80\x99t know .", same));
    CHECK(lays(&line, "I don't know .", joined));
}

TEST(text_words_of_abbreviations_and_hyphens)
{
    static const int32_t heads[] = { 2, 3, 0, 3 }, shirt[] = { 4, 4, 4, 0 };
    static const struct line line = { "The U.S. wins!", "The U.S. wins !", heads };
    static const struct line hyphen = { "a T-shirt", "a T - shirt", shirt };
    static const int32_t parts[] = { 3, 3, 4, 0, 4 }, aggressive[] = { 4, 4, 4, 0 },
                         whole[] = { 2, 0 };

    CHECK(lays(&line, "the u.s. wins !", heads));
    CHECK(lays(&line, "The U.S . wins !", parts));
    CHECK(lays(&hyphen, "a T-shirt", whole));
    CHECK(lays(&hyphen, "a T @-@ shirt", aggressive));
}

/* A text with an escape of its own, which Moses escapes once more, and cuts: one character. */
TEST(text_words_of_escapes_in_the_text)
{
    static const int32_t heads[] = { 0, 4, 4, 5, 1, 1 };
    static const struct line line = { "speaks at a Q&amp;A.", "speaks at a Q&amp ;A .", heads };
    static const int32_t cut[] = { 0, 7, 7, 5, 6, 7, 8, 1, 1 }, whole[] = { 0, 4, 4, 1, 1 };

    CHECK(lays(&line, "speaks at a Q &amp; amp ; A .", cut));
    CHECK(lays(&line, "speaks at a Q & amp ; A .", cut));
    CHECK(lays(&line, "speaks at a Q&amp;A .", whole));
    CHECK(lays(&line, "speaks at a Q&amp;amp;A .", whole));
}

TEST(text_words_of_german)
{
    static const int32_t heads[] = { 3, 3, 0, 5, 3 }, house[] = { 4, 4, 4, 0 };
    static const struct line line = { "Im Haus, Stra\xC3\x9F"
                                      "e",
                                      "Im/In/dem Haus , Stra\xC3\x9F"
                                      "e",
                                      heads };
    static const struct line zum = { "Er zum Haus", "Er zum/zu/dem Haus", house };
    static const int32_t joined[] = { 2, 0, 4, 2 }, folded[] = { 3, 3, 0, 6, 6, 3 },
                         pieces[] = { 4, 3, 4, 0 };

    CHECK(lays(&line,
               "Im Haus , Stra\xC3\x9F"
               "e",
               joined));
    CHECK(lays(&line, "\xE2\x96\x81im \xE2\x96\x81 haus , \xE2\x96\x81str asse", folded));
    /* Both words have all of "zum": the first of two equally near ones takes its pieces. */
    CHECK(lays(&zum,
               "\xE2\x96\x81"
               "Er \xE2\x96\x81zu m \xE2\x96\x81Haus",
               pieces));
}

/* What is written longer does not move what follows. */
TEST(text_words_behind_a_changed_word_keep_their_places)
{
    static const int32_t heads[] = { 0, 3, 1, 3 },
                         parts[] = { 0, 3, 4, 1, 4 }; /* the last of "an" stands for it */
    static const struct line line = { "Stra\xC3\x9F\xC3\x9F\xC3\x9F"
                                      "e an See x",
                                      "Stra\xC3\x9F\xC3\x9F\xC3\x9F"
                                      "e an See x",
                                      heads };

    CHECK(lays(&line, "strasssssse an see x", heads));
    CHECK(lays(&line, "strasssssse a n see x", parts));
}

TEST(text_words_of_pieces)
{
    /* An address in parts, and U+1F600 in bytes. */
    static const int32_t heads[] = { 2, 0, 2 };
    static const struct line line = { "See x.yz:c \xF0\x9F\x98\x80", "See x.yz:c \xF0\x9F\x98\x80",
                                      heads };
    static const int32_t pieces[] = { 4, 3, 4, 0, 6, 7, 8, 9, 4 };

    CHECK(lays(&line,
               "\xE2\x96\x81See \xE2\x96\x81x . yz:c \xE2\x96\x81 <0xF0> <0x9F> <0x98> <0x80>",
               pieces));
}

TEST(text_words_of_japanese)
{
    /* Four words, no blanks; pieces that end elsewhere; full-width digits. */
    static const int32_t heads[] = { 4, 1, 4, 0 };
    static const struct line line = { "\xE7\x8C\xAB\xE3\x81\xAF\xEF\xBC\x91\xE5\x8C\xB9",
                                      "\xE7\x8C\xAB \xE3\x81\xAF \xEF\xBC\x91 \xE5\x8C\xB9",
                                      heads };
    static const int32_t joined[] = { 2, 0 }, blank[] = { 2, 3, 0 };

    CHECK(lays(&line, "\xE7\x8C\xAB\xE3\x81\xAF 1\xE5\x8C\xB9", joined));
    CHECK(lays(&line, "\xE2\x96\x81 \xE7\x8C\xAB\xE3\x81\xAF 1\xE5\x8C\xB9", blank));
}

TEST(text_words_of_many_sentences_stand_one_behind_the_other)
{
    static const int32_t heads[] = { 0, 1 };
    static const struct line line = { "a b", "a b", heads };
    struct dgm_text_words words = { .is_one_text = 0 };

    for (int i = 0; i < 3; i++) {
        CHECK_STATUS(add_tokens(&words, &line), DGM_OK);
        CHECK_STATUS(dgm_text_words_end(test_env(), &words, "ab", 2, 1), DGM_OK);
    }
    CHECK_INT(words.word_count, 6);
    CHECK_INT(words.token_count, 3);
    for (int i = 0; i < 3; i++) {
        CHECK_INT(words.words[2 * i + 1].start, 1);
        CHECK_INT(words.words[2 * i + 1].end, 2);
        CHECK_INT(words.tokens[i].end, 2);
    }
    /* Fewer tokens than was said: the rest have no characters. */
    CHECK_STATUS(add_tokens(&words, &line), DGM_OK);
    CHECK_STATUS(dgm_text_words_end(test_env(), &words, "ab", 2, 3), DGM_OK);
    CHECK_INT(words.token_count, 6);
    CHECK_INT(words.tokens[5].start, words.tokens[5].end);
    dgm_text_words_clear(test_env(), &words);
}

TEST(text_words_tell_whether_the_line_is_the_same_text)
{
    static const struct line line = { "We don't see them.", "We don't/do/n't see them .", NULL };
    static const struct line hyphen = { "T-shirt", "T - shirt", NULL };
    static const struct line escape = { "a Q&amp;A", "a Q&amp ;A", NULL };
    struct dgm_text_words words = { .is_one_text = 0 };

    CHECK_STATUS(add_tokens(&words, &line), DGM_OK);
    CHECK_STATUS(dgm_text_words_end(test_env(), &words, "we don 't see them .", 20, 6), DGM_OK);
    CHECK(words.is_one_text);
    CHECK_STATUS(add_tokens(&words, &line), DGM_OK);
    CHECK_STATUS(dgm_text_words_end(test_env(), &words, "we do not like those .", 22, 6), DGM_OK);
    CHECK(!words.is_one_text);
    CHECK_STATUS(add_tokens(&words, &hyphen), DGM_OK);
    CHECK_STATUS(dgm_text_words_end(test_env(), &words, "T @-@ shirt", 11, 3), DGM_OK);
    CHECK(words.is_one_text);
    CHECK_STATUS(add_tokens(&words, &escape), DGM_OK);
    CHECK_STATUS(dgm_text_words_end(test_env(), &words, "a Q &amp; amp ; A", 17, 6), DGM_OK);
    CHECK(words.is_one_text);
    dgm_text_words_clear(test_env(), &words);
}
