/* test_columns.c: translations side by side in one line. */
#include <string.h>

#include "test.h"
#include "text/score/columns.h"

static void check(const char *line, size_t count, size_t column, const char *want)
{
    size_t length;
    const char *found = dgm_columns_at(line, strlen(line), column, &length);

    CHECK_INT(dgm_columns_count(line, strlen(line)), count);
    CHECK_INT(length, strlen(want));
    CHECK(memcmp(found, want, length) == 0);
}

TEST(columns_are_set_apart_by_tabs)
{
    check("", 1, 0, "");
    check("one line", 1, 0, "one line");
    check("a\tb c\td", 3, 0, "a");
    check("a\tb c\td", 3, 1, "b c");
    check("a\tb c\td", 3, 2, "d");
    check("\t\tx", 3, 0, "");
    check("\t\tx", 3, 1, "");
}

TEST(columns_end_before_white_space)
{
    check("a\t\t \t", 1, 0, "a");
    check(" a \tb\xC2\xA0\xE3\x80\x80\t", 2, 0, " a ");
    check(" a \tb\xC2\xA0\xE3\x80\x80\t", 2, 1, "b");
    check("\t\t", 1, 0, "");
}
