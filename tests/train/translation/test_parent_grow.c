/* test_parent_grow.c: values of entries that a vocabulary has grown by. */
#include "train/translation/parent.h"

#include <string.h>

#include "data/text/pipeline_tags.h"
#include "test.h"

/* <s> <pad> </s> <unk> a b, then what is appended; rows of two columns, of which the first six are
 * 100, 100, 100, 100, (1,-2), (4,0). */
struct table {
    struct dgm_pipeline pipeline;
    struct dgm_vocab vocab;
    dgm_real rows[20];
    double mean[2];
};

static void append(struct table *table, const char *token)
{
    int is_new;

    CHECK_STATUS(dgm_vocab_append(test_env(), &table->vocab, token, strlen(token), &is_new),
                 DGM_OK);
    CHECK(is_new);
}

static void add_tag(struct table *table, const char *tag)
{
    CHECK_STATUS(dgm_pipeline_add_tag(test_env(), &table->pipeline, tag, strlen(tag)), DGM_OK);
    append(table, tag);
}

static void begin(struct table *table)
{
    memset(table, 0, sizeof *table);
    CHECK_STATUS(dgm_vocab_parse(test_env(), &table->vocab, "a 1\nb 1\n", 8, "v"), DGM_OK);
    for (int i = 0; i < 8; i++)
        table->rows[i] = 100;
    table->rows[8] = 1;
    table->rows[9] = -2;
    table->rows[10] = 4;
}

static void end(struct table *table)
{
    dgm_vocab_clear(test_env(), &table->vocab);
    dgm_map_clear(test_env(), &table->pipeline.tags);
}

static void check_row(const struct table *table, int row, double first, double second)
{
    CHECK_NEAR(table->rows[2 * row], first, 0);
    CHECK_NEAR(table->rows[2 * row + 1], second, 0);
}

TEST(new_entries_begin_as_the_mean_of_words)
{
    struct table t;

    begin(&t);
    append(&t, "c");
    add_tag(&t, "<de>");
    dgm_parent_new_rows(&t.pipeline, &t.vocab, t.rows, 2, 6, t.mean);
    check_row(&t, 4, 1, -2);
    check_row(&t, 6, 2.5, -1);
    check_row(&t, 7, 2.5, -1);
    end(&t);
}

TEST(a_new_tag_begins_as_the_mean_of_tags)
{
    struct table t;

    begin(&t);
    add_tag(&t, "<de>");
    add_tag(&t, "<fr>");
    t.rows[12] = 7;
    t.rows[14] = 9;
    append(&t, "c");
    add_tag(&t, "<it>");
    dgm_parent_new_rows(&t.pipeline, &t.vocab, t.rows, 2, 8, t.mean);
    check_row(&t, 7, 9, 0);
    check_row(&t, 8, 2.5, -1);
    check_row(&t, 9, 8, 0);
    end(&t);
}

/* A vocabulary without a word has no mean: its new rows are zero, not NaN. */
TEST(a_mean_of_nothing_is_zero)
{
    struct table t;

    begin(&t);
    append(&t, "c");
    dgm_parent_new_rows(&t.pipeline, &t.vocab, t.rows, 2, 4, t.mean);
    check_row(&t, 4, 0, 0);
    check_row(&t, 6, 0, 0);
    end(&t);
}
