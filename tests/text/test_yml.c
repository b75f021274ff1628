/* test_yml.c: the YAML that Marian writes: quotes, escapes, lists; and what is refused. */
#include <string.h>

#include "base/buf.h"
#include "test.h"
#include "text/yml.h"

/* Writes key=value, with - for items and " for what was quoted. */
static dgm_status note(struct dgm_env *env, void *user, const struct dgm_yml_item *item)
{
    return dgm_buf_add_format(env, user, "%s%s=%s%s;", item->is_item ? "-" : "", item->key,
                              item->is_quoted ? "\"" : "", item->value);
}

static void check_good(const char *text, const char *want)
{
    struct dgm_buf out = { NULL, 0, 0, 0 };

    CHECK_STATUS(dgm_yml_read(test_env(), "f", text, strlen(text), note, &out), DGM_OK);
    CHECK_STR(out.data, want);
    dgm_buf_clear(test_env(), &out);
}

static void check_bad(const char *text, long line)
{
    struct dgm_buf out = { NULL, 0, 0, 0 };

    CHECK_STATUS(dgm_yml_read(test_env(), "f", text, strlen(text), note, &out), DGM_DATA);
    CHECK_INT(test_env()->error.line, line);
    dgm_env_clear_error(test_env());
    dgm_buf_clear(test_env(), &out);
}

TEST(yml_reads_scalars)
{
    check_good("a: 1\r\n---\nb: x y # z\n\nc: a#b", "a=1;b=x y;c=a#b;");
    check_good("\"\\\"\": 1\n'''': 2\n\"\\x41\\u00e9\\t\": 3\n</s>: 0\na:b: 4\n",
               "\"=1;'=2;A\xC3\xA9\t=3;</s>=0;a:b=4;");
    check_good("e: \"\"\nn:\nm: 'x'", "e=\";m=\"x;");
}

TEST(yml_reads_lists)
{
    check_good("d:\n  - 10\n- 'x'\nf: [a, \"b, c\" ]\nnone:\n  []\ng: []\nh: 1\n",
               "-d=10;-d=\"x;-f=a;-f=\"b, c;h=1;");
}

/* As PyYAML and yaml-cpp write names that they call complex. */
TEST(yml_reads_names_behind_question_marks)
{
    check_good("a: 1\n? \"\\x85\"\n: 7\n? b c # d\n\n# e\n:\n- 2\n- 3\n?: 4\n? x\n:\t5\n",
               "a=1;\xC2\x85=7;-b c=2;-b c=3;?=4;x=5;");
}

/* JSON, and what PyYAML calls flow style; names indented alike. */
TEST(yml_reads_mappings_in_braces_and_indented)
{
    check_good("{\"a\":1,\"b c\": 2}", "a=1;b c=2;");
    check_good("# c\n---\n{\n  \"a\": 1,\r\n  d: x y,\n 'e': '',}\n\n", "a=1;d=x y;e=\";");
    check_good("{? \"\\x41\"\n : 1, b:\n 2}", "A=1;b=2;");
    check_good("{\"\\ud83d\\ude00\": 1}", "\xF0\x9F\x98\x80=1;");
    check_good("  a: 1\n  ? b\n  : 2\n  c:\n    - 3\n", "a=1;b=2;-c=3;");
    check_bad("{\n\"a\": 1\n\"b\": 2}", 3);
    check_bad("{\"a\": {}}", 1);
    check_bad("{\n\"a\"\n1}", 3);
    check_bad("{\"a\": 1\n\n", 3);
    check_bad("{\"a\n\": 1}", 1);
    check_bad("{\"a\": 1} b", 1);
    check_bad("{\"\\ud83d\\u0041\": 1}", 1);
    check_bad("  a: 1\n b: 2\n", 2);
    check_bad("  a: 1\nb: 2\n", 2);
    check_bad("a: 1\n{b: 2}\n", 2);
}

/* As PyYAML breaks names of 128 characters and more, and tags what it quotes for no need. */
TEST(yml_reads_texts_of_several_lines_and_tags)
{
    check_good("? \"\\x41\\\n  \\x42 \\\n  c\"\n: 1\nd: 2\n", "AB c=1;d=2;");
    check_good("? \"a \\  \r\n  b\\t\n   c\"\n: 1\n", "a   b\t c=1;");
    check_good("? 'a ''\n  b'\n: 1\n? c\n  d e\n  f # g\n: 2\n", "a ' b=1;c d e f=2;");
    check_good("\"a\": !!int \"1\"\n!!str b: !!str 2\n", "a=\"1;b=2;");
    check_good("---\n!!map {\n  ? !!str \"a\\\n    b\"\n  : !!int \"0\",\n}\n", "ab=\"0;");
    check_good("!!map \na: 1\n", "a=1;");
    check_bad("? \"a\\\nb\"\n: 1\n", 1);
    check_bad("? \"a\n", 1);
    check_bad("? \"a\\\n  b\n: 1\n", 2);
    check_bad("? a\n  b: 1\n", 2);
    check_bad("? \"a\"\n  b\n: 1\n", 2);
    check_bad("? \"a\\\n  \xff\"\n: 1\n", 2);
    check_bad("a: !!binary YQ==\n", 1);
    check_bad("a: !b c\n", 1);
}

TEST(yml_refuses_the_rest)
{
    check_bad("? a\nb: 1\n", 2);
    check_bad("? a\n  : 1\n", 2);
    check_bad("? a\n? b\n: 1\n", 2);
    check_bad("? a: b\n: 1\n", 1);
    check_bad("?\n: 1\n", 1);
    check_bad("a: 1\n? b\n", 2);
    check_bad(": 1\n", 1);
    check_bad("a: 1\nb:\n  c: 2\n", 3);
    check_bad("a: &x 1\n", 1);
    check_bad("a: *x\n", 1);
    check_bad("a: |\n  x\n", 1);
    check_bad("a: {b: c}\n", 1);
    check_bad("- a\n", 1);
    check_bad("\"a: 1\n", 1);
    check_bad("a: \"\\ud800\"\n", 1);
    check_bad("a: [1, [2]]\n", 1);
    check_bad("a: [1\n", 1);
    check_bad("a 1\n", 1);
    check_bad("a: \xff\n", 1);
}
