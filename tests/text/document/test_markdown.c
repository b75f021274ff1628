/* test_markdown.c: Markdown. */
#include "document_case.h"

static const struct document_row rows[] = {
    { "# a title #\n\none *two*\n__three__ `code` four\n",
      "a title|one <x1>two</x1> <x3>three</x3> <x5/> four|",
      "# A TITLE #\n\nONE *TWO* __THREE__ `code` FOUR\n" },
    { "\xEF\xBB\xBF"
      "a\r\n===\r\nb\r\n---\r\nc  \r\nd\\\r\ne",
      "a|b|c|d|e|",
      "\xEF\xBB\xBF"
      "A\r\n===\r\nB\r\n---\r\nC  \r\nD\\\r\nE" },
    { "---\ntitle: x\n---\n\ntext\n", "text|", "---\ntitle: x\n---\n\nTEXT\n" },
    { "---\n\ntext", "text|", "---\n\nTEXT" },
    { "- one\n- [ ] two\n  more\n\n  next\n\n      code\n1. three\n   1) four\n\n"
      "    code no, it is in the list\n",
      NULL,
      "- ONE\n- [ ] TWO MORE\n\n  NEXT\n\n      code\n1. THREE\n   1) FOUR\n\n"
      "    CODE NO, IT IS IN THE LIST\n" },
    { "> quote\n> goes on\n>\n> ```c\n> code\n> ```\n> end\n\n    code\n\n\tcode\nx",
      "quote goes on|end|x|",
      "> QUOTE GOES ON\n>\n> ```c\n> code\n> ```\n> END\n\n    code\n\n\tcode\nX" },
    { "~~~\n```\ncode\n~~~~\ntext\n```\ncode", "text|", "~~~\n```\ncode\n~~~~\nTEXT\n```\ncode" },
    { "see [the page](http://x.org/(a) \"t\"), ![a dog](d.png) and "
      "[that][1], [It], [it][], [no] [^1]\n"
      "\n[1]: y\n[it]: z\n[^1]: a note",
      "see <x1>the page</x1>, <x3>a dog</x3> and <x5>that</x5>, "
      "<x7/>, <x8/>, <x9>no</x9> <x11/>|a note|",

      "SEE [THE PAGE](http://x.org/(a) \"t\"), ![A DOG](d.png) AND "
      "[THAT][1], [It], [it][], [NO] [^1]\n"
      "\n[1]: y\n[it]: z\n[^1]: A NOTE" },
    { "| a | b `|` |\n|---|:-:|\n| c *d* | \\| e |\n\n| f\n", "a|b `|c <x1>d</x1>|| e|| f|", NULL },
    { "a_b_c 2 * 3 * 4 \\*x\\* snake_case **b**old ~~no~~ ~~~x",
      "a_b_c 2 * 3 * 4 *x* snake_case <x1>b</x1>old <x3>no</x3> ~~~x|",
      "A_B_C 2 * 3 * 4 \\*X\\* SNAKE_CASE **B**OLD ~~NO~~ \\~\\~\\~X" },
    { "<div align=\"x\">\n"
      "<b>bold</b> <img src=x> <br> &amp; &nosuch; <http://x.org> <!-- c -->\n</div>\n<!-- a\n"
      "b -->\n<pre>\nc\n</pre>\nd",
      "<x1>bold</x1> <x3/> <x4/> & <x5/> <x6/>|d|", NULL },
    { "a *b **c* d [e `f", "a <x1>b <x2/>c</x1> d <x4/>e `f|", NULL },
    { "* * *\n***\n_ _ _\nbad \xFF\n\nx", "x|", "* * *\n***\n_ _ _\nbad \xFF\n\nX" },
    { "In\n1986. Great\n\n\\- x \\# y", "In 1986. Great|- x # y|",
      "IN 1986. GREAT\n\n"
      "\\- X # Y" },
    { "", "", "" },
};

TEST(document_markdown_has_texts)
{
    check_rows("markdown", rows, sizeof rows / sizeof *rows);
}

/* A translation is text where the format has marks that it did not mean. */
TEST(document_markdown_escapes_what_is_no_markup)
{
    static const struct {
        const char *say, *out;
    } said[] = {
        { "# a", "\\# a" },
        { "1. a", "1\\. a" },
        { "- a", "\\- a" },
        { "> a", "\\> a" },
        { "a *b* [c] `d", "a \\*b\\* \\[c\\] \\`d" },
        { "a_b _c", "a_b \\_c" },
        { "<b> < &amp; &", "\\<b> < \\&amp; &" },
        { "a | b", "a | b" },
        { "#1 -a 1.5 1986 x", "#1 -a 1.5 1986 x" },
    };

    for (size_t i = 0; i < sizeof said / sizeof *said; i++) {
        struct dgm_document_parts document = { 0 };
        struct dgm_buf out = { 0 };

        CHECK_STATUS(dgm_document_read(test_env(), &document, "markdown", "x", 1), DGM_OK);
        CHECK_STATUS(dgm_document_put(test_env(), &document, said[i].say, strlen(said[i].say),
                                      &out),
                     DGM_OK);
        CHECK_STR(out.data, said[i].out);
        dgm_document_clear(test_env(), &document);
        dgm_buf_clear(test_env(), &out);
    }
}

TEST(document_markdown_may_be_hostile)
{
    static const char *const texts[] = {
        "<",     "[",       "]",        "](",        "[a",         "[a]",   "[a](",    "(",
        "*",     "**a",     "_",        "a_",        "a_b",        "`",     "``a",     "~",
        "> ",    ">",       "- ",       "- x",       "1. ",        "#",     "# a\n",   "\\",
        "\\\n",  "|",       "|a",       "|-\n",      "a|b\n-|-\n", "```",   "```\n",   "---\n",
        "<!--",  "<pre>\n", "[a]: b\n", "[^a]: b\n", "&",          "&x;",   "!",       "![",
        "\t",    "    a\n", "\xFF",     "<a ",       "<b>",        "a  \n", "- a\n  ", "\r\n",
        "===\n", "a\n\n",
    };

    check_hostile("markdown", texts, sizeof texts / sizeof *texts);
    check_bytes("markdown", "a\0b\n\n*\0c*", 10, NULL, NULL);
}
