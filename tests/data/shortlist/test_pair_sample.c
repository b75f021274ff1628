/*
 * test_pair_sample.c: pairs spread over a corpus, each with its partner, however long the corpus
 * is.
 */
#include "data/shortlist/pair_sample.h"

#include "data/text/pipeline_learn.h"
#include "shortlist_case.h"

enum { LINES = 100 };

static char paths[2][1200];

/* Lines 0 .. LINES-1: "w<n>" and "v<n> v<n>"; lines 10 and 11 are blank on one side, line 12 is too
 * long by a word, line 13 by none. */
static dgm_status write_corpus(void)
{
    for (int side = 0; side < 2; side++) {
        FILE *file;

        snprintf(paths[side], sizeof paths[side], "%s/%d", test_dir(), side);
        file = fopen(paths[side], "wb");
        if (file == NULL)
            return DGM_FAILURE;
        for (int i = 0; i < LINES; i++)
            if (i == 10 + side)
                fprintf(file, "\n");
            else if (i == 12 && side == 0)
                fprintf(file, "w w w w w w w w w\n");
            else if (i == 13 && side == 0)
                fprintf(file, "w13 w w w w w w w\n");
            else if (side == 0)
                fprintf(file, "w%d\n", i);
            else
                fprintf(file, "v%d v%d\n", i, i);
        fclose(file);
    }
    return DGM_OK;
}

static dgm_status make_pipeline(struct dgm_pipeline *pipeline)
{
    static const struct dgm_opt *const tables[] = { dgm_pipeline_options, NULL };
    struct dgm_pipeline_learn_options options;
    struct dgm_text text = { .path = { paths[0], paths[1] } };
    const struct dgm_text_list texts = { .items = &text, .count = 1 };
    struct dgm_settings settings;
    dgm_status status = dgm_settings_init(test_env(), &settings, tables);

    memset(&options, 0, sizeof options);
    memset(pipeline, 0, sizeof *pipeline);
    options.min_count[DGM_SOURCE] = options.min_count[DGM_TARGET] = 1;
    if (status == DGM_OK)
        status = dgm_settings_set(test_env(), &settings, "tokenize", "none", "test");
    if (status == DGM_OK)
        status = dgm_pipeline_init(test_env(), pipeline, &settings, 0);
    if (status == DGM_OK)
        status = dgm_pipeline_learn(test_env(), pipeline, &texts, &options);
    dgm_settings_clear(test_env(), &settings);
    return status;
}

/* The number in the first token of a sentence. */
static int number_of(const struct dgm_pipeline *pipeline, int side, const struct dgm_packed *packed,
                     int32_t s)
{
    const uint32_t id = (uint32_t)packed->ids[packed->offsets[s]];
    int number = -1;

    sscanf(dgm_vocab_token(dgm_pipeline_vocab(pipeline, side), id, NULL) + 1, "%d", &number);
    return number;
}

/* *first, *last: numbers of the lines that were taken. */
static void check_sample(int32_t most, long stride, int32_t count, int *first, int *last)
{
    struct dgm_pair_sample sample = { 0 };
    struct dgm_pipeline pipeline;
    int before = -1;

    CHECK_STATUS(make_pipeline(&pipeline), DGM_OK);
    CHECK_STATUS(dgm_pair_sample_read(test_env(), &sample, &pipeline, paths[0], paths[1], most, 8),
                 DGM_OK);
    CHECK_INT(sample.lines, LINES);
    CHECK_INT(sample.stride, stride);
    CHECK_INT(sample.source.count, count);
    CHECK_INT(sample.target.count, count);
    for (int32_t s = 0; s < count; s++) {
        const int number = number_of(&pipeline, DGM_SOURCE, &sample.source, s);

        CHECK_INT(number_of(&pipeline, DGM_TARGET, &sample.target, s), number);
        CHECK(number > before && number != 10 && number != 11 && number != 12);
        before = number;
        *first = s == 0 ? number : *first;
    }
    *last = before;
    dgm_pair_sample_clear(test_env(), &sample);
    dgm_pipeline_clear(test_env(), &pipeline);
}

TEST(pair_sample_takes_all_of_a_short_corpus)
{
    int first, last;

    CHECK_STATUS(write_corpus(), DGM_OK);
    check_sample(LINES, 1, LINES - 3, &first, &last);
    CHECK_INT(first, 0);
    CHECK_INT(last, LINES - 1);
}

TEST(pair_sample_is_spread_over_a_long_corpus)
{
    int first, last;

    CHECK_STATUS(write_corpus(), DGM_OK);
    check_sample(50, 2, 49, &first, &last);
    CHECK_INT(first, 0);
    CHECK(last >= 96);
    check_sample(1, 128, 1, &first, &last);
    CHECK_INT(first, 0);
}

TEST(pair_sample_refuses_files_of_different_length)
{
    struct dgm_pair_sample sample = { 0 };
    struct dgm_pipeline pipeline;
    FILE *file;

    CHECK_STATUS(write_corpus(), DGM_OK);
    CHECK_STATUS(make_pipeline(&pipeline), DGM_OK);
    file = fopen(paths[1], "ab");
    CHECK(file != NULL);
    fprintf(file, "one more\n");
    fclose(file);
    CHECK_STATUS(dgm_pair_sample_read(test_env(), &sample, &pipeline, paths[0], paths[1], LINES, 8),
                 DGM_DATA);
    dgm_env_clear_error(test_env());
    dgm_pair_sample_clear(test_env(), &sample);
    dgm_pipeline_clear(test_env(), &pipeline);
}
