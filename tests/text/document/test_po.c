/* test_po.c: catalogues of messages. */
#include "document_case.h"

#define HEAD "msgid \"\"\nmsgstr \"Content-Type: text/plain; charset=UTF-8\\n\"\n\n"

static const struct document_row rows[] = {
    { HEAD "msgid \"one\"\nmsgstr \"\"\n", "one|",
      HEAD "#, fuzzy\nmsgid \"one\"\nmsgstr \"ONE\"\n" },
    /* What is translated, fuzzy or obsolete stays. */
    { "msgid \"one\"\nmsgstr \"uno\"\n\n#, fuzzy\nmsgid \"two\"\nmsgstr \"do\"\n\n"
      "#~ msgid \"x\"\n#~ msgstr \"\"\n",
      "", NULL },
    { "#. a\n#: f.c:1\n#, c-format, no-wrap\n#| msgid \"old\"\nmsgctxt \"menu\"\n"
      "msgid \"a %s\"\nmsgstr \"\"\n",
      "a <x1/>|",
      "#. a\n#: f.c:1\n#, fuzzy, c-format, no-wrap\n#| msgid \"old\"\nmsgctxt \"menu\"\n"
      "msgid \"a %s\"\nmsgstr \"A %s\"\n" },
    { "#, fuzzy\nmsgid \"a\"\nmsgstr \"\"\n", "a|", "#, fuzzy\nmsgid \"a\"\nmsgstr \"A\"\n" },
    /* Lines, escapes, strings over several lines. */
    { "msgid \"\"\n\"one\\n\"\n\"  two\\t\\\"x\\\" \\\\ \\x41\\102\\n\"\nmsgstr \"\"\n\"\"\n",
      "one|two \"x\" \\ AB|",
      "#, fuzzy\nmsgid \"\"\n\"one\\n\"\n\"  two\\t\\\"x\\\" \\\\ \\x41\\102\\n\"\nmsgstr \"\"\n"
      "\"ONE\\n\"\n\"  TWO \\\"X\\\" \\\\ AB\\n\"\n" },
    { "msgid \"end\\n\"\nmsgstr \"\"", "end|", "#, fuzzy\nmsgid \"end\\n\"\nmsgstr \"END\\n\"" },
    { "msgid \"a\"\r\nmsgstr \"\"\r\n", "a|", "#, fuzzy\r\nmsgid \"a\"\r\nmsgstr \"A\"\r\n" },
    /* Plural forms. */
    { "msgid \"a file\"\nmsgid_plural \"files\"\nmsgstr[0] \"\"\nmsgstr[1] \"\"\n"
      "msgstr[2] \"\"\n\nmsgid \"b\"\nmsgstr \"\"\n",
      "a file|files|b|",
      "#, fuzzy\nmsgid \"a file\"\nmsgid_plural \"files\"\nmsgstr[0] \"A FILE\"\n"
      "msgstr[1] \"FILES\"\nmsgstr[2] \"FILES\"\n\n"
      "#, fuzzy\nmsgid \"b\"\nmsgstr \"B\"\n" },
    { "msgid \"a file\"\nmsgid_plural \"files\"\nmsgstr[0] \"\"\n", "files|",
      "#, fuzzy\nmsgid \"a file\"\nmsgid_plural \"files\"\nmsgstr[0] \"FILES\"\n" },
    { "msgid \"1\"\nmsgid_plural \"many\"\nmsgstr[0] \"\"\nmsgstr[1] \"\"\n", "many|",
      "#, fuzzy\nmsgid \"1\"\nmsgid_plural \"many\"\nmsgstr[0] \"1\"\nmsgstr[1] \"MANY\"\n" },
    { "msgid \"a\"\nmsgid_plural \"b\"\nmsgstr[0] \"x\"\nmsgstr[1] \"\"\n", "", NULL },
    /* Keys, and what is none. */
    { "msgid \"_open\"\nmsgstr \"\"\n\nmsgid \"save &as\"\nmsgstr \"\"\n\nmsgid \"a_b\"\n"
      "msgstr \"\"\n\nmsgid \"&amp; x\"\nmsgstr \"\"\n",
      "open|save as|a_b|&amp; x|",
      "#, fuzzy\nmsgid \"_open\"\nmsgstr \"_OPEN\"\n\n#, fuzzy\nmsgid \"save &as\"\n"
      "msgstr \"&SAVE AS\"\n\n"
      "#, fuzzy\nmsgid \"a_b\"\nmsgstr \"A_B\"\n\n#, fuzzy\nmsgid \"&amp; x\"\n"
      "msgstr \"&AMP; X\"\n" },
    { "#, fuzzy\n#~ msgid \"x\"\n#~ msgstr \"\"\n\nmsgid \"a\"\nmsgstr \"\"\n", "a|",
      "#, fuzzy\n#~ msgid \"x\"\n#~ msgstr \"\"\n\n#, fuzzy\nmsgid \"a\"\nmsgstr \"A\"\n" },
    /* Broken entries. */
    { "msgid \"a\nmsgstr \"\"\n\nmsgid \"b\"\nmsgstr \"\"\n", "b|", NULL },
    { "msgid \"a\\q\"\nmsgstr \"\"\n\nmsgid a\nmsgstr \"\"\n\nmsgid \"b\" c\nmsgstr \"\"\n\n"
      "msgid \"\\xFF x\"\nmsgstr \"\"\n",
      "", NULL },
    { "msgstr \"\"\n\"x\"\nmsgid \"a\"\n\nmsgid_plural \"\"\nmsgstr[0] \"\"\n", "", NULL },
    { "", "", "" },
    { "\xEF\xBB\xBF", "", NULL },
};

TEST(document_po_translates_what_is_not)
{
    check_rows("po", rows, sizeof rows / sizeof *rows);
}

/* Of a message of C conversions in another order are numbered, and % is a sign. */
TEST(document_po_numbers_conversions_of_c)
{
    static const struct {
        const char *in, *say[2], *out;
    } cases[] = {
        { "a %d%% b %s", { "<x2/> b <x1/>% c" }, "%2$s b %1$d%% c" },
        { "a %d b %5.2f", { "x <x1/> <x2/>" }, "x %d %5.2f" },
        { "a %d b %*s", { "<x2/> x <x1/>" }, "%*s x %d" },
        { "a %d b %s\\nc %lu",
          { "<x2/> x <x1/>", "y <x1/>" },
          "\"\n\"%2$s x %1$d\\n\"\n\"y %3$lu" },
        { "a % d", { "50 % <x1/>" }, "50 %% % d" },
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct dgm_document_parts document = { 0 };
        struct dgm_buf in = { 0 }, out = { 0 }, want = { 0 };

        CHECK_STATUS(dgm_buf_add_format(test_env(), &in, "#, c-format\nmsgid \"%s\"\nmsgstr \"\"",
                                        cases[i].in),
                     DGM_OK);
        CHECK_STATUS(dgm_buf_add_format(test_env(), &want,
                                        "#, fuzzy, c-format\nmsgid \"%s\"\nmsgstr \"%s\"",
                                        cases[i].in, cases[i].out),
                     DGM_OK);
        CHECK_STATUS(dgm_document_read(test_env(), &document, "po", in.data, in.size), DGM_OK);
        for (size_t n = 0; n < document.count; n++)
            CHECK_STATUS(dgm_document_put(test_env(), &document, cases[i].say[n],
                                          strlen(cases[i].say[n]), &out),
                         DGM_OK);
        CHECK_STR(out.data, want.data);
        dgm_document_clear(test_env(), &document);
        dgm_buf_clear(test_env(), &in);
        dgm_buf_clear(test_env(), &out);
        dgm_buf_clear(test_env(), &want);
    }
}

TEST(document_po_may_be_hostile)
{
    static const char *const texts[] = {
        "msgid",
        "msgid \"a\"\n",
        "msgstr \"\"\n",
        "msgid \"a\"\nmsgstr \"\"\n",
        "\"",
        "\"a\"\n",
        "#\n",
        "#,\n",
        "\\",
        "msgid \"\\",
        "msgid \"a\\n\"\n",
        "msgctxt \"\"",
        "msgstr[",
        "msgstr[0] \"\"\n",
        "msgid \"a\"\nmsgid_plural \"b\"\nmsgstr[0] \"\"\n",
        "\xFF",
        "\r\n",
        "#, c-format\nmsgid \"a%d\"\nmsgstr \"\"\n",
    };

    check_hostile("po", texts, sizeof texts / sizeof *texts);
}
