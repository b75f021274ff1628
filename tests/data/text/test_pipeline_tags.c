/* test_pipeline_tags.c: the tag at the head of a line, however it is written. */
#include "data/text/pipeline_tags.h"

#include <string.h>

#include "test.h"

static void open_pipeline(struct dgm_pipeline *pipeline)
{
    static const char *const tags[] = { "<de>", "<fra>" };
    static const char entries[] = "<de> 0\n<fra> 0\na 1\n";

    memset(pipeline, 0, sizeof *pipeline);
    pipeline->joint = 1;
    CHECK_STATUS(dgm_vocab_parse(test_env(), &pipeline->vocab[0], entries, sizeof entries - 1,
                                 "entries"),
                 DGM_OK);
    for (int i = 0; i < 2; i++)
        CHECK_STATUS(dgm_pipeline_add_tag(test_env(), pipeline, tags[i], strlen(tags[i])), DGM_OK);
}

TEST(tag_at_the_head_of_a_line)
{
    enum { DE = DGM_VOCAB_SPECIALS, FRA };
    static const struct {
        const char *line;
        size_t start, end; /* end 0: no tag */
        int32_t tag;
    } cases[] = {
        { "<de> a", 0, 4, DE },    { ">>de<< a", 0, 6, DE },
        { ">>fra<<a", 0, 7, FRA }, { "  \t<fra>\ta", 3, 8, FRA },
        { "<fra>", 0, 5, FRA },    { "<fr> a", 0, 4, 0 },
        { ">>fr<<a", 0, 6, 0 },    { "<de>a", 0, 0, 0 },
        { "<b>a</b>", 0, 0, 0 },   { "a <de>", 0, 0, 0 },
        { ">> de << a", 0, 0, 0 }, { ">>de< a", 0, 0, 0 },
        { ">>de", 0, 0, 0 },       { ">><<", 0, 0, 0 },
        { "<> a", 0, 0, 0 },       { "<unk> a", 0, 0, 0 },
        { "<", 0, 0, 0 },          { ">>", 0, 0, 0 },
        { "__de__ a", 0, 6, DE },  { " __fra__", 1, 8, FRA },
        { "__de__a", 0, 0, 0 },    { "__fr__ a", 0, 0, 0 },
        { "__", 0, 0, 0 },         { "____ a", 0, 0, 0 },
        { "_de_ a", 0, 0, 0 },     { "<de__ a", 0, 0, 0 },
        { " ", 0, 0, 0 },          { "", 0, 0, 0 },
    };
    struct dgm_pipeline pipeline;

    open_pipeline(&pipeline);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        size_t start = 0;
        int32_t tag = 0;

        CHECK_INT(dgm_pipeline_tag_at_head(&pipeline, cases[i].line, strlen(cases[i].line), &start,
                                           &tag),
                  cases[i].end);
        CHECK_INT(start, cases[i].start);
        CHECK_INT(tag, cases[i].tag);
    }
    CHECK_STATUS(dgm_pipeline_set_tag(test_env(), &pipeline, ">>de<<"), DGM_OK);
    CHECK_INT(pipeline.tag, DE);
    CHECK_STATUS(dgm_pipeline_set_tag(test_env(), &pipeline, ">>fr<<"), DGM_USAGE);
    CHECK_STATUS(dgm_pipeline_set_tag(test_env(), &pipeline, "__fra__"), DGM_OK);
    CHECK_INT(pipeline.tag, FRA);
    dgm_pipeline_clear(test_env(), &pipeline);
}
