/*
 * test_vector_file.c: word vectors as text: what is read, what is refused and where it says so.
 */
#include "data/vectors/vector_file.h"

#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "test.h"

/* A file of these bytes. */
static const char *put(char path[1200], const char *text, size_t bytes)
{
    FILE *file;

    snprintf(path, 1200, "%s/vectors", test_dir());
    file = fopen(path, "wb");
    if (file != NULL) {
        (void)fwrite(text, 1, bytes, file);
        (void)fclose(file);
    }
    return path;
}

/* "word:sum of numbers;" */
static dgm_status note(struct dgm_env *env, void *user, const char *word, size_t bytes,
                       const double *numbers, int64_t dim)
{
    double sum = 0;

    for (int64_t i = 0; i < dim; i++)
        sum += numbers[i];
    return dgm_buf_add_format(env, user, "%.*s:%d;", (int)bytes, word, (int)(100 * sum));
}

static void check_read(const char *text, int64_t limit, const char *want)
{
    struct dgm_buf found = { NULL, 0, 0, 0 };
    char path[1200];

    CHECK_STATUS(dgm_vector_file_read(test_env(), put(path, text, strlen(text)), limit, 1000, note,
                                      &found),
                 DGM_OK);
    CHECK_STR(found.data, want);
    dgm_buf_clear(test_env(), &found);
}

/* The message begins with the line, and the column where it is told. */
static void check_bytes_refused(const char *text, size_t bytes, const char *message)
{
    struct dgm_buf found = { NULL, 0, 0, 0 };
    char path[1200], told[600];

    CHECK_STATUS(dgm_vector_file_read(test_env(), put(path, text, bytes), 100, 1000, note, &found),
                 DGM_DATA);
    snprintf(told, sizeof told, "%ld:%ld: %s", test_env()->error.line, test_env()->error.column,
             test_env()->error.message);
    if (strstr(told, message) == NULL)
        CHECK_STR(told, message);
    dgm_env_clear_error(test_env());
    dgm_buf_clear(test_env(), &found);
}

static void check_refused(const char *text, const char *message)
{
    check_bytes_refused(text, strlen(text), message);
}

TEST(vector_file_is_words_and_numbers_with_or_without_a_first_line_that_counts)
{
    check_read("2 3\nthe 0.5 1 -2\nof 1e1 .25 0\n", 100, "the:-50;of:1025;");
    check_read("the 0.5 1 -2\nof 1e1 .25 0", 100, "the:-50;of:1025;");
    check_read("2 2\nthe 1 2 \nof\t3\t4\t\n", 100, "the:300;of:700;");
    check_read("2 2\r\nthe 1 2\r\nof 3 4\r\n", 100, "the:300;of:700;");
    check_read("\xef\xbb\xbfthe 1\n</s> 2\n", 100, "the:100;</s>:200;");
    check_read("1 1\n7 7\n", 100, "7:700;");
    check_read("a\xc2\xa0z 1 1\nb 2 2\n", 100, "a\xc2\xa0z:200;b:400;");
}

TEST(vector_file_is_read_up_to_the_limit_alone)
{
    check_read("3 1\na 1\nb 2\nc nothing\n", 2, "a:100;b:200;");
    check_read("a 1\nb 2\na 1 1 1\n", 2, "a:100;b:200;");
}

TEST(vector_file_that_is_wrong_is_refused_with_its_line)
{
    check_refused("", "no word vectors");
    check_refused("2 3\n", "ends after 0 words; expected 2");
    check_refused("3 1\na 1\nb 2\n", "3:0: the file ends after 2 words; expected 3");
    check_refused("1 1\na 1\nb 2\n", "3:0: more words than the 1");
    check_refused("0 3\n", "1:0: 0 words");
    check_refused("3 0\na\n", "1:0: 0 numbers");
    check_refused("-3 2\na 1 2\n", "1:0: -3 words");
    check_refused("3 99999\na 1\n", "1:0: 99999 numbers");
    check_refused("a\n", "1:0: 0 numbers");
    check_refused("\n", "1:0: 0 numbers");
    check_refused("a 1 2\nb 1\n", "2:0: 1 numbers behind the word; expected 2");
    check_refused("a 1 2\nb 1 2 3\n", "2:0: 3 numbers behind the word; expected 2");
    check_refused("a 1 2\n\nb 1 2\n", "2:0: 0 numbers");
    check_refused("a 1 2\nb c 1 2\n", "2:0: 3 numbers");
    check_refused("a 1 2\nb 1  2\n", "2:0: 3 numbers");
    check_refused("a 1 2\n 1 2\n", "2:1: no word");
    check_refused("a 1 2\n 1 2 3\n", "2:0: 3 numbers");
    check_refused("a 1 2\n\t1\t2\n", "2:1: no word");
    check_refused("2 1\n 1\nb 1\n", "2:1: no word");
}

TEST(vector_file_has_finite_decimal_numbers)
{
    check_refused("a 1 nan\n", "1:5: \"nan\"; expected a number from -1000 to 1000");
    check_refused("a 1 2\nb inf 2\n", "2:3: \"inf\"");
    check_refused("a -Infinity 2\n", "\"-Infinity\"");
    check_refused("a 1 1e999\n", "\"1e999\"");
    check_refused("a 1 1001\n", "\"1001\"");
    check_refused("a 1 -1000.5\n", "\"-1000.5\"");
    check_refused("a 1 0x10\n", "\"0x10\"");
    check_refused("a 1 1,5\n", "\"1,5\"");
}

TEST(vector_file_has_each_word_once_in_utf8)
{
    check_refused("3 1\na 1\nb 1\na 2\n", "4:1: word \"a\" stands in line 2, too");
    check_refused("a 1\n\xc3( 1\n", "2:");
    check_bytes_refused("a 1\nb\0c 1\n", 10, "2:");
}

TEST(vector_file_without_memory_leaves_nothing)
{
    static const char text[] = "2 2\nthe 1 2\nof 3 4\n";
    struct dgm_buf found = { NULL, 0, 0, 0 };
    dgm_status status = DGM_MEMORY;
    char path[1200];

    put(path, text, strlen(text));
    for (long n = 1; status == DGM_MEMORY; n++) {
        dgm_buf_clear(test_env(), &found);
        test_env_fail_at(test_allocations() + n);
        status = dgm_vector_file_read(test_env(), path, 100, 1000, note, &found);
        test_env_fail_at(0);
        dgm_env_clear_error(test_env());
    }
    CHECK_INT(status, DGM_OK);
    CHECK_STR(found.data, "the:300;of:700;");
    dgm_buf_clear(test_env(), &found);
}
