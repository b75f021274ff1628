/* test_augment.c: pairs that are changed in an epoch, and those that stay. */
#include "data/text/augment.h"

#include <string.h>

#include "test.h"

enum { PAIRS = 60 };

static const char vocabulary[] = "a 9\nb 9\nA 9\nB 9\nab 9\nba 9\n. 9\nAB 9\n";

static void open_pipeline(struct dgm_pipeline *pipeline)
{
    memset(pipeline, 0, sizeof *pipeline);
    pipeline->joint = 1;
    CHECK_STATUS(dgm_vocab_parse(test_env(), &pipeline->vocab[0], vocabulary, sizeof vocabulary - 1,
                                 "words"),
                 DGM_OK);
}

static void add_line(struct dgm_pipeline *pipeline, struct dgm_packed *side, const char *line)
{
    struct dgm_encoded encoded = { 0 };

    CHECK_STATUS(dgm_pipeline_encode(test_env(), pipeline, DGM_SOURCE, &encoded, line,
                                     strlen(line)),
                 DGM_OK);
    CHECK_STATUS(dgm_packed_add(test_env(), side, encoded.ids, encoded.words, encoded.n, NULL,
                                encoded.n_words),
                 DGM_OK);
    dgm_encoded_clear(test_env(), &encoded);
}

/* The words of the last sentence. */
static void read_last(struct dgm_pipeline *pipeline, const struct dgm_packed *side,
                      struct dgm_buf *out)
{
    const struct dgm_target_ids words = { .ids = side->ids,
                                          .from = side->offsets[side->count - 1],
                                          .n = side->offsets[side->count] };

    dgm_buf_reset(out);
    CHECK_STATUS(dgm_pipeline_decode(test_env(), pipeline, out, &words, 0), DGM_OK);
}

/* Counts what an epoch makes of pairs "ab b ." - "a", by their sources. */
static void run_epoch(const char *what, int64_t epoch, const char *line, int counts[4],
                      struct dgm_buf *all)
{
    static const char *const forms[] = { "ab b .", "AB B .", "A B ." };
    struct dgm_packed source = { 0 }, target = { 0 };
    struct dgm_batch batch = { 0 };
    struct dgm_buf text = { 0 };
    struct dgm_augment augment;
    struct dgm_pipeline pipeline;

    open_pipeline(&pipeline);
    CHECK(!test_has_failed());
    add_line(&pipeline, &source, line);
    add_line(&pipeline, &target, "a");
    CHECK(!test_has_failed());
    CHECK_STATUS(dgm_augment_init(test_env(), &augment, &pipeline, what, 7, 20), DGM_OK);
    for (int32_t p = 0; p < PAIRS; p++) {
        int form = 0, is_capital;

        CHECK_STATUS(dgm_batch_add(test_env(), &batch, &source, &target, 0, p), DGM_OK);
        CHECK_STATUS(dgm_augment_last(test_env(), &augment, epoch, &batch), DGM_OK);
        read_last(&pipeline, &batch.target, &text);
        CHECK(!test_has_failed());
        is_capital = strcmp(text.data, "A") == 0;
        read_last(&pipeline, &batch.source, &text);
        CHECK(!test_has_failed());
        CHECK_STATUS(dgm_buf_add_format(test_env(), all, "%s|", text.data), DGM_OK);
        while (form < 3 && strcmp(text.data, forms[form]) != 0)
            form++;
        CHECK_INT(is_capital, form == 1); /* the targets of capitals alone have them */
        counts[form]++;
    }
    dgm_augment_clear(test_env(), &augment);
    dgm_batch_clear(test_env(), &batch);
    dgm_packed_clear(test_env(), &source);
    dgm_packed_clear(test_env(), &target);
    dgm_buf_clear(test_env(), &text);
    dgm_pipeline_clear(test_env(), &pipeline);
}

TEST(augment_changes_its_share_alike_each_time)
{
    struct dgm_buf once = { 0 }, again = { 0 }, other = { 0 };
    int counts[4] = { 0 }, more[4] = { 0 };

    run_epoch("case=0.5", 3, "ab b .", counts, &once);
    CHECK(!test_has_failed());
    run_epoch("case=0.5", 3, "ab b .", more, &again);
    CHECK(!test_has_failed());
    CHECK_STR(again.data, once.data);
    run_epoch("case=0.5", 4, "ab b .", more, &other);
    CHECK(!test_has_failed());
    CHECK(strcmp(other.data, once.data) != 0);
    CHECK(counts[1] > 3 && counts[1] < 20); /* half of the lines, a third of them in capitals */
    CHECK(counts[0] > 20 && counts[2] + counts[3] == 0);
    dgm_buf_clear(test_env(), &once);
    dgm_buf_clear(test_env(), &again);
    dgm_buf_clear(test_env(), &other);
}

TEST(augment_leaves_what_would_be_unknown)
{
    struct dgm_buf all = { 0 };
    int counts[4] = { 0 };

    run_epoch("typo=1,punct=1", 1, "ab b .", counts, &all);
    CHECK(!test_has_failed());
    CHECK(counts[3] > 0); /* "ba b", and others; of "sb" no word is known */
    CHECK(strstr(all.data, "ba b") != NULL && strstr(all.data, "<unk>") == NULL);
    memset(counts, 0, sizeof counts);
    dgm_buf_reset(&all);
    run_epoch("case=1,typo=1,punct=1", 1, "ab xyz .", counts, &all);
    CHECK(!test_has_failed());
    CHECK_INT(counts[3], PAIRS);
    CHECK(strncmp(all.data, "ab <unk> .|ab <unk> .|", 22) == 0);
    dgm_buf_clear(test_env(), &all);
}

TEST(augment_says_what_it_expects)
{
    static const char *const bad[] = { "",
                                       "case",
                                       "case=2",
                                       "case=x",
                                       "noise=0.1",
                                       "case=0.1,",
                                       "case=.1,case=.1",
                                       "typo=-1",
                                       "case=0.1 ",
                                       "case=0.1;typo=0.1" };
    struct dgm_pipeline pipeline;
    struct dgm_augment augment;

    open_pipeline(&pipeline);
    CHECK(!test_has_failed());
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        CHECK_STATUS(dgm_augment_init(test_env(), &augment, &pipeline, bad[i], 7, 20), DGM_USAGE);
        CHECK(strstr(test_env()->error.message, "case=0.05,typo=0.02,punct=0.02") != NULL);
        dgm_env_clear_error(test_env());
        dgm_augment_clear(test_env(), &augment);
    }
    CHECK_STATUS(dgm_augment_init(test_env(), &augment, &pipeline, NULL, 7, 20), DGM_OK);
    CHECK(!augment.is_on);
    dgm_augment_clear(test_env(), &augment);
    dgm_pipeline_clear(test_env(), &pipeline);
}
