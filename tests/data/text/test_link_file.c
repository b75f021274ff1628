/*
 * test_link_file.c: files of links between words, and links of words as links of pieces.
 */
#include "data/text/link_file.h"

#include <stdio.h>
#include <string.h>

#include "data/text/link_words.h"
#include "test.h"

static const char *put(char path[1200], const char *text)
{
    FILE *file;

    snprintf(path, 1200, "%s/links", test_dir());
    file = fopen(path, "wb");
    if (file != NULL) {
        fputs(text, file);
        fclose(file);
    }
    return path;
}

/* The first line of a file, for a pair of so many words. */
static dgm_status take(struct dgm_link_file *file, const char *text, int32_t source, int32_t target)
{
    static char path[1200];

    DGM_TRY(dgm_link_file_open(test_env(), file, put(path, text)));
    DGM_TRY(dgm_side_file_next(test_env(), &file->side, "text", 1));
    return dgm_link_file_take(test_env(), file, 1, source, target);
}

TEST(link_file_has_links_by_target_word_each_once)
{
    static const int32_t want[] = { 1, 0, 0, 2, 3, 2 };
    struct dgm_link_file file;

    CHECK_STATUS(take(&file, "3-2  0-2\t1-0 3-2 \r\n\n", 4, 3), DGM_OK);
    CHECK_INT(file.count, 3);
    CHECK_MEM(file.links, want, sizeof want);
    CHECK_STATUS(dgm_side_file_next(test_env(), &file.side, "text", 2), DGM_OK);
    CHECK_STATUS(dgm_link_file_take(test_env(), &file, 2, 0, 0), DGM_OK);
    CHECK_INT(file.count, 0);
    CHECK_STATUS(dgm_side_file_check_end(test_env(), &file.side, "text", 2), DGM_OK);
    dgm_link_file_close(test_env(), &file);
    CHECK_STATUS(dgm_link_file_open(test_env(), &file, NULL), DGM_OK);
    CHECK_STATUS(dgm_side_file_next(test_env(), &file.side, "text", 1), DGM_OK);
    CHECK_STATUS(dgm_link_file_take(test_env(), &file, 1, 9, 9), DGM_OK);
    CHECK_INT(file.count, 0);
    dgm_link_file_close(test_env(), &file);
}

TEST(link_file_refuses_what_is_no_link)
{
    static const char *const bad[] = { "0",    "0-",      "-0",    "0-0-0",
                                       "a-b",  "0:0",     "0--1",  "+0-0",
                                       "0-+0", "0-0,1-1", "0-1.0", "0-99999999999999999999",
                                       "4-0",  "0-3",     "0x0-0", "\xff-0" };
    struct dgm_link_file file;

    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        CHECK_STATUS(take(&file, bad[i], 4, 3), DGM_DATA);
        CHECK(strstr(test_env()->error.message, "link \"") != NULL);
        CHECK(strstr(test_env()->error.message, "expected") != NULL);
        dgm_env_clear_error(test_env());
        dgm_link_file_close(test_env(), &file);
    }
}

TEST(link_file_refuses_more_links_than_words_can_have)
{
    struct dgm_buf text = { 0 };
    struct dgm_link_file file;

    for (int i = 0; i < 2 * DGM_LINKS_OF_A_WORD; i++)
        CHECK_STATUS(dgm_buf_add_text(test_env(), &text, "0-0 "), DGM_OK);
    CHECK_STATUS(take(&file, text.data, 1, 1), DGM_OK);
    CHECK_INT(file.count, 1);
    dgm_link_file_close(test_env(), &file);
    CHECK_STATUS(dgm_buf_add_text(test_env(), &text, "0-0"), DGM_OK);
    CHECK_STATUS(take(&file, text.data, 1, 1), DGM_DATA);
    dgm_env_clear_error(test_env());
    dgm_link_file_close(test_env(), &file);
    dgm_buf_clear(test_env(), &text);
}

/* ---- pieces ---------------------------------------------------------------------------------- */

#define MARK "\xe2\x96\x81"

static void find(struct dgm_link_words *words, struct dgm_encoded *encoded, const char *pieces,
                 const char *line)
{
    dgm_buf_reset(&encoded->text);
    CHECK_STATUS(dgm_buf_add_text(test_env(), &encoded->text, pieces), DGM_OK);
    encoded->n_words = 1;
    for (const char *at = pieces; *at != '\0'; at++)
        encoded->n_words += *at == ' ';
    CHECK_STATUS(dgm_link_words_find(test_env(), words, encoded, 1, line, strlen(line)), DGM_OK);
}

TEST(link_words_follow_the_marks_of_pieces)
{
    static const int32_t before[] = { 0, 2, 2, 4, 4, 5, 5, 6 }, behind[] = { 0, 2, 2, 3 };
    static const int32_t spanning[] = { 0, 1, 0, 2 };
    struct dgm_link_words words = { 0 };
    struct dgm_encoded encoded = { 0 };

    find(&words, &encoded, MARK "ab c " MARK " d " MARK "e " MARK "f", "abc d\te  f");
    CHECK(words.agrees && words.count == 4);
    CHECK_MEM(words.ends, before, sizeof before);
    find(&words, &encoded, "ab c" MARK " d" MARK, "abc d");
    CHECK(words.agrees && words.count == 2);
    CHECK_MEM(words.ends, behind, sizeof behind);
    find(&words, &encoded, MARK "a" MARK "b c", "a bc");
    CHECK(words.agrees && words.count == 2);
    CHECK_MEM(words.ends, spanning, sizeof spanning);
    find(&words, &encoded, MARK "a " MARK "b",
         "a\xc2\xa0"
         "b"); /* a no-break space */
    CHECK(!words.agrees && words.count == 1);
    find(&words, &encoded, MARK "a", "a \xe2\x80\x8b"); /* a space of no width, which went */
    CHECK(!words.agrees && words.count == 2);
    dgm_link_words_clear(test_env(), &words);
    dgm_encoded_clear(test_env(), &encoded);
}

/* Word 0 of two pieces with word 1 of one; a line that does not agree has no links. */
TEST(link_words_spread_over_all_pieces_of_both)
{
    static const int32_t want[] = { 0, 2, 1, 2 };
    struct dgm_link_words words[2] = { { 0 } };
    struct dgm_encoded encoded[2] = { { 0 } };
    struct dgm_link_file file;
    int done;

    find(&words[0], &encoded[0], MARK "a b " MARK "c", "ab c");
    find(&words[1], &encoded[1], MARK "x y " MARK "z", "xy z");
    CHECK_STATUS(take(&file, "0-1", 2, 2), DGM_OK);
    CHECK_STATUS(dgm_link_words_spread(test_env(), &file, words, encoded, &done), DGM_OK);
    CHECK_INT(done, 1);
    CHECK_INT(file.count, 2);
    CHECK_MEM(file.links, want, sizeof want);
    words[1].agrees = 0;
    CHECK_STATUS(dgm_link_words_spread(test_env(), &file, words, encoded, &done), DGM_OK);
    CHECK(!done && file.count == 0);
    dgm_link_file_close(test_env(), &file);
    for (int side = 0; side < 2; side++) {
        dgm_link_words_clear(test_env(), &words[side]);
        dgm_encoded_clear(test_env(), &encoded[side]);
    }
}
