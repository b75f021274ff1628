/* test_cues.c: subtitles, of SubRip and of the web. */
#include "document_case.h"

static const struct document_row srt[] = {
    { "1\n00:00:01,000 --> 00:00:02,000\nHello.\n", "Hello.|",
      "1\n00:00:01,000 --> 00:00:02,000\nHELLO.\n" },
    { "\xEF\xBB\xBF"
      "1\r\n00:00:01,000 --> 00:00:02,000\r\nOne two\r\nthree four.\r\n\r\n"
      "2\r\n00:00:03,000 --> 00:00:04,000\r\nLast",
      "One two three four.|Last|",
      "\xEF\xBB\xBF"
      "1\r\n00:00:01,000 --> 00:00:02,000\r\nONE TWO\r\nTHREE FOUR.\r\n\r\n"
      "2\r\n00:00:03,000 --> 00:00:04,000\r\nLAST" },
    { "1\n00:01 --> 00:02\n- Where to?\n- Home,\nof course.\n", "Where to?|Home, of course.|",
      "1\n00:01 --> 00:02\n- WHERE TO?\n- HOME, OF\nCOURSE.\n" },
    { "1\n00:01 --> 00:02\n{\\an8}<i>All of it</i>\n\n2\n00:03 --> 00:04\n"
      "A <b>bold</b> <font color=\"a b\">one</font>\n",
      "All of it|A <x1>bold</x1> <x3>one</x3>|",
      "1\n00:01 --> 00:02\n{\\an8}<i>ALL OF IT</i>\n\n2\n00:03 --> 00:04\n"
      "A <b>BOLD</b> <font color=\"a b\">ONE</font>\n" },
    { "1\n00:01 --> 00:02\n<i>Over two\nlines</i>\n", "Over two lines|",
      "1\n00:01 --> 00:02\n<i>OVER TWO\nLINES</i>\n" },
    /* No text, broken times, numbers and blank lines in a cue, an unclosed tag, and less-thans. */
    { "head\n1\n00:01 --> 00:02\n\n2\n00:03 -> 00:04\nx\n\n3\n00:05 --> 00:06\n2001\n\n"
      "A < b <i>c\n",
      "x|A < b <x1/>c|",
      "head\n1\n00:01 --> 00:02\n\n2\n00:03 -> 00:04\nX\n\n3\n00:05 --> 00:06\n2001\n\n"
      "A < b <i>C\n" },
    { "1\n00:01 --> 00:02\nbad \xFF\xFE bytes\n\n2\n00:01 --> 00:02\n"
      "See <x1> and <g1> <b>x</b>!\n",
      "See <x1/> and <x2/> <x3>x</x3>!|", NULL },
    { "", "", "" },
    { "\xEF\xBB\xBF", "", NULL },
};

TEST(document_srt_has_cues)
{
    check_rows("srt", srt, sizeof srt / sizeof *srt);
}

static const struct document_row vtt[] = {
    { "WEBVTT - a title\n\nNOTE no text\nhere\n\nSTYLE\n::cue { color: red }\n\nintro\n"
      "00:01.000 --> 00:02.000 align:start\n"
      "<v Mary Ann>Tom &amp; I &lt;3 <c.loud>you</c>&nbsp;!\n\nNOTE\nnone\n",
      "Tom & I <3 <x1>you</x1>\xC2\xA0!|",
      "WEBVTT - a title\n\nNOTE no text\nhere\n\nSTYLE\n::cue { color: red }\n\nintro\n"
      "00:01.000 --> 00:02.000 align:start\n"
      "<v Mary Ann>TOM &amp; I &lt;3 <c.loud>YOU</c>\xC2\xA0!\n\nNOTE\nnone\n" },
    { "WEBVTT\n\n00:01.000 --> 00:02.000\n<v A>Go <00:01.500>now\n<v B>No\n"
      "00:03.000 --> 00:04.000\nI &unknown; it",
      "Go <x1/>now|No|I <x1/> it|",
      "WEBVTT\n\n00:01.000 --> 00:02.000\n<v A>GO <00:01.500>NOW\n<v B>NO\n"
      "00:03.000 --> 00:04.000\nI &unknown; IT" },
    { "WEBVTT\n\n00:01.000 --> 00:02.000\na &lt; b &#x41; &copy 1 &lt;x1&gt; <b>c\n",
      "a < b A \xC2\xA9 1 <x1> <g1/>c|", NULL },
};

TEST(document_vtt_has_cues)
{
    check_rows("vtt", vtt, sizeof vtt / sizeof *vtt);
}

TEST(document_cues_may_be_hostile)
{
    static const char *const texts[] = {
        "<",
        "<i>",
        "</i>",
        "a",
        "-->",
        "00:01 --> 00:02\n",
        "\n",
        "\r",
        "\r\n",
        "{\\",
        "{\\a}",
        "&",
        "&amp;x",
        "<i>x",
        "00:01 --> 00:02\n<b>a</i> </b> <",
        "00:01 --> 00:02\n-",
        "1\n",
        "\xFF",
    };

    check_hostile("srt", texts, sizeof texts / sizeof *texts);
    check_hostile("vtt", texts, sizeof texts / sizeof *texts);
    check_bytes("srt", "00:01 --> 00:02\na\0b\n\0", 21, "", NULL);
}

/* A translation may be shorter or longer: as many lines, of about one length, broken at blanks. */
TEST(document_cues_are_broken_again)
{
    static const struct {
        const char *in, *say, *out;
    } rows[] = {
        { "aa bb\ncc", "one two three four", "one two\nthree four" },
        { "aa\nbb\ncc", "one two three four five six", "one two\nthree four\nfive six" },
        { "aa\nbb\ncc", "one", "one" },
        { "aa\nbb", "extraordinarily so", "extraordinarily\nso" },
        { "aa\nbb\ncc", "one two", "one\ntwo" },
        { "<i>aa</i>\nbb", "<x1>one two</x1> three", "<i>one two</i>\nthree" },
        { "aa\nbb", "\xE6\x97\xA5\xE6\x9C\xAC", "\xE6\x97\xA5\xE6\x9C\xAC" },
    };

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct dgm_document_parts document = { 0 };
        struct dgm_buf in = { 0 }, out = { 0 };

        CHECK_STATUS(dgm_buf_add_format(test_env(), &in, "0:1 --> 0:2\n%s", rows[i].in), DGM_OK);
        CHECK_STATUS(dgm_document_read(test_env(), &document, "srt", in.data, in.size), DGM_OK);
        CHECK_INT(document.count, 1);
        CHECK_STATUS(dgm_document_put(test_env(), &document, rows[i].say, strlen(rows[i].say),
                                      &out),
                     DGM_OK);
        CHECK_STATUS(dgm_document_finish(test_env(), &document, &out), DGM_OK);
        CHECK_STR(out.data + 12, rows[i].out);
        dgm_document_clear(test_env(), &document);
        dgm_buf_clear(test_env(), &in);
        dgm_buf_clear(test_env(), &out);
    }
}

/* A translation that has lost a tag, has it twice or crosses others is none. */
TEST(document_translation_keeps_its_tags)
{
    static const char *const said[] = {
        "a <x1>b</x1>",
        "a <x1>b</x1> <x3/> <x3/>",
        "<x1>a <x3/>",
        "</x1>a<x1> <x3/>",
        "a",
        "",
        "<x1>a</x1> <x3>",
        "<x1>a</x1> <x4/>",
        "<x1>a</x2><x3/>",
        "<x1>a</x1> </x3>",
        "<x01>a</x1> <x99999999999/>",
    };
    static const char in[] = "0:1 --> 0:2\na <b>b</b> <i>c";

    for (size_t i = 0; i < sizeof said / sizeof *said; i++) {
        struct dgm_document_parts document = { 0 };
        struct dgm_buf out = { 0 };

        CHECK_STATUS(dgm_document_read(test_env(), &document, "srt", in, strlen(in)), DGM_OK);
        CHECK_STATUS(dgm_document_put(test_env(), &document, said[i], strlen(said[i]), &out),
                     DGM_OK);
        CHECK_STATUS(dgm_document_finish(test_env(), &document, &out), DGM_OK);
        CHECK_STR(out.data, in);
        CHECK_INT(document.lost, said[i][0] != '\0');
        dgm_document_clear(test_env(), &document);
        dgm_buf_clear(test_env(), &out);
    }
}

TEST(document_of_no_known_format)
{
    struct dgm_document_parts document = { 0 };

    CHECK_STATUS(dgm_document_read(test_env(), &document, "doc", "", 0), DGM_USAGE);
    CHECK_STR(test_env()->error.message, "format \"doc\" of a document; "
                                         "expected html, markdown, srt, vtt or po");
    dgm_document_clear(test_env(), &document);
}

/* Reads, shouts and writes with allocation n failing; returns the status, and all is released. */
static dgm_status try_all(const char *format, const char *in)
{
    struct dgm_document_parts document = { 0 };
    struct dgm_buf out = { 0 };
    dgm_status status = dgm_document_read(test_env(), &document, format, in, strlen(in));

    for (size_t i = 0; i < document.count && status == DGM_OK; i++) {
        const struct dgm_segment *segment = &document.segments[i];

        document.texts.data[segment->text] = '?'; /* what is said is new */
        status = dgm_document_put(test_env(), &document, dgm_segment_text(&document, segment) + 1,
                                  segment->text_bytes - 1, &out);
    }
    if (status == DGM_OK)
        status = dgm_document_finish(test_env(), &document, &out);
    dgm_buf_clear(test_env(), &out);
    dgm_document_clear(test_env(), &document);
    return status;
}

TEST(document_lives_without_memory)
{
    static const char *const documents[][2] = {
        { "srt", "1:1 --> 1:2\nab <i>c</i>\nd\n\n1:3 --> 1:4\n- ef\n- gh" },
        { "vtt", "1:1 --> 1:2\nab &amp; <c>x</c> y" },
        { "po", "msgid \"ab\\ncd\"\nmsgid_plural \"ef\"\nmsgstr[0] \"\"\nmsgstr[1] \"\"" },
        { "html", "<p title='ab'>cd <b>ef</b><img alt=gh> ij<p>kl" },
        { "markdown", "# ab\n\ncd *ef* [gh](x)\n\n[ij]: kl\n" },
    };

    for (size_t i = 0; i < sizeof documents / sizeof *documents; i++) {
        dgm_status status = DGM_MEMORY;

        for (int n = 1; status != DGM_OK; n++) {
            test_env_fail_at(test_allocations() + n);
            status = try_all(documents[i][0], documents[i][1]);
            test_env_fail_at(0);
            CHECK(status == DGM_OK || status == DGM_MEMORY);
            CHECK_INT(test_live_blocks(), 0);
            CHECK(n < 1000);
            dgm_env_clear_error(test_env());
        }
    }
}
