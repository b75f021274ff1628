/*
 * test_made_of.c: what encoded text was made of is known by content.
 */
#include "data/cache/made_of.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "test.h"

static const char *write_file(char path[1200], const char *name, const char *text)
{
    FILE *file;

    snprintf(path, 1200, "%s/%s", test_dir(), name);
    file = fopen(path, "wb");
    if (file != NULL) {
        fwrite(text, 1, strlen(text), file);
        fclose(file);
    }
    return path;
}

static void add(struct dgm_buf *lines, const char *path)
{
    int is_regular = 0;

    CHECK_STATUS(dgm_made_of_file(test_env(), lines, "source text", path, &is_regular), DGM_OK);
    CHECK(is_regular);
}

TEST(made_of_knows_a_file_by_its_content)
{
    struct dgm_buf first = { 0 }, same = { 0 }, other = { 0 };
    char path[1200];

    add(&first, write_file(path, "a", "one line\n"));
    add(&same, write_file(path, "another name", "one line\n"));
    add(&other, write_file(path, "a", "onf line\n"));
    CHECK_STR(same.data, first.data);
    CHECK(strcmp(other.data, first.data) != 0);
    CHECK(strncmp(first.data, "source text = ", 14) == 0);
    dgm_buf_clear(test_env(), &first);
    dgm_buf_clear(test_env(), &same);
    dgm_buf_clear(test_env(), &other);
}

TEST(made_of_takes_nothing_from_a_pipe)
{
    struct dgm_buf lines = { 0 };
    char path[1200];
    int is_regular = 1;

    snprintf(path, sizeof path, "%s/pipe", test_dir());
    CHECK_INT(mkfifo(path, 0600), 0);
    CHECK_STATUS(dgm_made_of_file(test_env(), &lines, "source text", path, &is_regular), DGM_OK);
    CHECK(!is_regular);
    CHECK_INT(lines.size, 0);
}

TEST(made_of_a_file_that_is_not_there_is_an_error)
{
    struct dgm_buf lines = { 0 };
    char path[1200];
    int is_regular;

    snprintf(path, sizeof path, "%s/nothing", test_dir());
    CHECK(dgm_made_of_file(test_env(), &lines, "source text", path, &is_regular) != DGM_OK);
    CHECK(strstr(test_env()->error.file, "nothing") != NULL ||
          strstr(test_env()->error.message, "nothing") != NULL);
    dgm_env_clear_error(test_env());
    dgm_buf_clear(test_env(), &lines);
}
