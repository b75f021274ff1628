/* test_casing.c: lines in capitals and titles become sentences that the model knows, and back. */
#include "api/translate/casing.h"

#include <string.h>

#include "test.h"

/* The more frequent word first: "Mann" is a noun, "The" stands at heads. */
static const char words[] =
    "the 9\nThe 8\na 7\nMann 6\nBerlin 5\nNASA 5\nfriend 5\nshows 5\nman 5\n"
    "mann 1\nrides 1\nhis 1\nhorse 1\nof 1\n3D 1\n";

static void open_casing(struct dgm_casing *casing, struct dgm_pipeline *pipeline, const char *how)
{
    memset(pipeline, 0, sizeof *pipeline);
    memset(casing, 0, sizeof *casing);
    pipeline->joint = 1;
    strcpy(pipeline->language[DGM_SOURCE], "en");
    strcpy(pipeline->language[DGM_TARGET], "de");
    CHECK_STATUS(dgm_vocab_parse(test_env(), &pipeline->vocab[0], words, sizeof words - 1, "words"),
                 DGM_OK);
    CHECK_STATUS(dgm_casing_open(test_env(), casing, how, pipeline, 0), DGM_OK);
}

static void close_casing(struct dgm_casing *casing, struct dgm_pipeline *pipeline)
{
    dgm_casing_clear(test_env(), casing);
    dgm_pipeline_clear(test_env(), pipeline);
}

/* The sentence of a line, and what becomes of a translation that is `translation`. */
static void check(struct dgm_casing *casing, const char *line, const char *sentence,
                  const char *translation, const char *back)
{
    struct dgm_buf text = { 0 };
    size_t bytes = strlen(line);

    CHECK_STATUS(dgm_casing_take(test_env(), casing, 3, &line, &bytes), DGM_OK);
    CHECK_STATUS(dgm_buf_add(test_env(), &text, line, bytes), DGM_OK);
    CHECK_STR(text.data, sentence);
    dgm_buf_reset(&text);
    CHECK_STATUS(dgm_buf_add_text(test_env(), &text, translation), DGM_OK);
    CHECK_STATUS(dgm_casing_put_back(test_env(), casing, 3, &text), DGM_OK);
    CHECK_STR(text.data, back);
    dgm_buf_clear(test_env(), &text);
}

TEST(casing_lowers_capitals_and_raises_translations)
{
    struct dgm_pipeline pipeline;
    struct dgm_casing casing;

    open_casing(&casing, &pipeline, "auto");
    check(&casing, "THE FRIEND SHOWS NASA A MANN.", "The friend shows NASA a Mann.",
          "Der Freund zeigt Stra\xC3\x9F"
          "en &quot;3D&quot;",
          "DER FREUND ZEIGT STRASSEN &quot;3D&quot;");
    check(&casing, "A MAN! THE XYZ, O'MAN", "a man! The xyz, o'man", "x y", "X Y");
    check(&casing, "NASA", "NASA", "Nasa", "Nasa"); /* one word is an abbreviation */
    check(&casing, "The Friend", "The Friend", "Der Freund", "Der Freund");
    check(&casing, "I", "I", "Ich", "Ich");
    check(&casing, "", "", "x", "x");
    check(&casing, "3 \xE6\x97\xA5 \xFF", "3 \xE6\x97\xA5 \xFF", "x", "x");
    close_casing(&casing, &pipeline);
}

TEST(casing_lowers_titles_that_are_no_lists_of_names)
{
    struct dgm_pipeline pipeline;
    struct dgm_casing casing;

    open_casing(&casing, &pipeline, "auto");
    check(&casing, "The Man Rides His Horse", "The man rides his horse", "Der Mann reitet auf ihm",
          "Der Mann Reitet Auf Ihm");
    check(&casing, "Friend of Berlin Shows a Horse Man", "friend of Berlin shows a horse man",
          "Freund aus Berlin zeigt es", "Freund aus Berlin Zeigt es");
    check(&casing, "The Xenia Yvonne Zoe Berlin", "The Xenia Yvonne Zoe Berlin", "a b", "a b");
    check(&casing, "The Man rides his Horse", "The Man rides his Horse", "a b", "a b");
    strcpy(pipeline.language[DGM_SOURCE], "de"); /* whose nouns have capitals */
    check(&casing, "The Man Rides His Horse", "The Man Rides His Horse", "a b", "a b");
    close_casing(&casing, &pipeline);
}

TEST(casing_keeps_what_nobody_wants_changed)
{
    struct dgm_pipeline pipeline;
    struct dgm_casing casing;

    open_casing(&casing, &pipeline, NULL);
    check(&casing, "A MAN", "A MAN", "x", "x");
    CHECK_STATUS(dgm_casing_open(test_env(), &casing, "title", &pipeline, 0), DGM_USAGE);
    dgm_env_clear_error(test_env());
    close_casing(&casing, &pipeline);
}
