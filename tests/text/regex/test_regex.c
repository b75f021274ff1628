/* test_regex.c: what expressions match, as Python's re.finditer says (3.11), and what is none. */
#include "text/regex/regex.h"

#include <stdio.h>
#include <string.h>

#include "test.h"

/* The matches of an expression in a text: "0-2 2-2 ". */
static const char *matches(const char *pattern, const char *text)
{
    static char out[256];
    struct dgm_regex regex;
    struct dgm_regex_work work = { 0 };
    size_t at = 0, start, end, length = 0;
    int found = 1, advances = 0;

    out[0] = '\0';
    if (dgm_regex_compile(test_env(), &regex, pattern, strlen(pattern)) != DGM_OK)
        return "refused";
    while (found &&
           dgm_regex_find(test_env(), &regex, &work, text, strlen(text), at, advances, &start, &end,
                          &found) == DGM_OK &&
           found) {
        length += (size_t)snprintf(out + length, sizeof out - length, "%zu-%zu ", start, end);
        advances = start == end;
        at = end;
    }
    dgm_regex_work_clear(test_env(), &work);
    dgm_regex_clear(test_env(), &regex);
    return out;
}

TEST(regex_matches_what_python_matches)
{
    static const char *const cases[][3] = {
        { "\\d+", "a12b3", "1-3 4-5 " },
        { "<\\w+>", "x<b>y<é1>", "1-4 5-10 " },
        { "a|ab", "abab", "0-1 2-3 " }, /* the first, not the longest */
        { "ab|a", "aba", "0-2 2-3 " },
        { "x*", "axb", "0-0 1-2 2-2 3-3 " },
        { "x*?", "xx", "0-0 0-1 1-1 1-2 2-2 " },
        { "a{2,3}", "aaaaa", "0-3 3-5 " },
        { "a{2,3}?", "aaaaa", "0-2 2-4 " },
        { "a{,2}b", "aaab", "1-4 " },
        { "{a}{b", "{a}{b", "0-5 " }, /* braces that repeat nothing */
        { "(?:ab)+c", "ababcab", "0-5 " },
        { "(a|b)*c", "abac", "0-4 " },
        { "^a|b$", "aab", "0-1 2-3 " },
        { "a$", "a\n", "0-1 " },
        { "a\\Z", "a\n", "" },
        { "\\Aa", "aa", "0-1 " },
        { "\\bab\\b", "ab abc ab", "0-2 7-9 " },
        { "a\\B.", "ab a ", "0-2 " },
        { "\\B", "", "" },
        { "[]a-c^-]+", "]b^-d", "0-4 " },
        { "[^\\s\\d]+", "ab 1c", "0-2 4-5 " },
        { ".", "é\nb", "0-2 3-4 " },
        { "\\x41\\u00e9", "Aé", "0-3 " },
        { "\\.\\t", ".\t", "0-2 " },
        { "(?P<name>a)b", "ab", "0-2 " },
        { "\\W+", "a, b", "1-3 " },
        { "\\D\\S", "1 a", "1-3 " },
        { "", "ab", "0-0 1-1 2-2 " },
        { "()*?(?:){2}a", "ba", "1-2 " },
        { "(?:a*)*b", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaac", "" }, /* at once */
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        CHECK_STR(matches(cases[i][0], cases[i][1]), cases[i][2]);
}

static void check_refused(const char *pattern, const char *part)
{
    struct dgm_regex regex;

    CHECK_STATUS(dgm_regex_compile(test_env(), &regex, pattern, strlen(pattern)), DGM_USAGE);
    if (strstr(test_env()->error.message, part) == NULL)
        CHECK_STR(test_env()->error.message, part);
    dgm_env_clear_error(test_env());
}

TEST(regex_refuses_what_is_no_expression)
{
    check_refused("*a", "a repetition of nothing at byte 0");
    check_refused("a**", "a repetition that is repeated at byte 2");
    check_refused("a*+", "a repetition that is repeated");
    check_refused("^*", "a place that is repeated");
    check_refused("{2}", "a repetition of nothing");
    check_refused("a{3,2}", "whose most is below its least");
    check_refused("(a", "a group without its )");
    check_refused("a)", "a ) without its (");
    check_refused("[a", "a set without its ]");
    check_refused("[b-a]", "a range whose end comes before");
    check_refused("[a-\\d]", "a range whose end comes before");
    check_refused("a\\", "a backslash with nothing behind it");
    check_refused("(a)\\1", "or a backreference");
    check_refused("\\q", "an escape that is not known");
    check_refused("\\xg0", "expected hexadecimal digits");
    check_refused("(?=a)", "what looks around");
    check_refused("(?i)a", "flags");
    check_refused("a{65000}{2}", "a repetition that is repeated");
    check_refused("(?:a{999}){999}", "too many repetitions");
    check_refused("\377", "no UTF-8");
}

TEST(regex_refuses_nesting_without_end)
{
    char pattern[1001];

    memset(pattern, '(', 1000);
    pattern[1000] = '\0';
    check_refused(pattern, "too many groups within each other");
    for (int i = 0; i < 1000; i++)
        pattern[i] = i % 2 ? '|' : 'a';
    CHECK_STR(matches(pattern, "a"), "0-1 1-1 ");
}
