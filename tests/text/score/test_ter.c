/* test_ter.c: TER against the numbers of sacreBLEU 2.6.0. */
#include <string.h>

#include "test.h"
#include "text/score/metric.h"
#include "text/score/ter_edits.h"

static struct dgm_metric_text text_of(const char *text)
{
    return (struct dgm_metric_text){ text, strlen(text) };
}

/* flag: an option of TER, or NULL. */
static void check_ter(const char *hypothesis, const char *const *references, size_t count,
                      const char *flag, double want)
{
    struct dgm_metric_text texts[3];
    struct dgm_measure measure = { 0 };
    struct dgm_metric_count counted;
    struct dgm_settings settings;

    CHECK_STATUS(dgm_settings_init(test_env(), &settings, dgm_metric_tables), DGM_OK);
    if (flag != NULL)
        CHECK_STATUS(dgm_settings_set(test_env(), &settings, flag, "true", "test"), DGM_OK);
    CHECK_STATUS(dgm_measure_open(test_env(), &measure, "ter", &settings), DGM_OK);
    dgm_settings_clear(test_env(), &settings);
    for (size_t i = 0; i < count; i++)
        texts[i] = text_of(references[i]);
    CHECK_STATUS(dgm_measure_count(test_env(), &measure, &counted, text_of(hypothesis), texts,
                                   count),
                 DGM_OK);
    CHECK_NEAR(dgm_measure_score(&measure, counted.sums), want, 1e-12);
    dgm_measure_close(test_env(), &measure);
}

TEST(ter_equals_sacrebleu)
{
    static const struct {
        const char *hypothesis, *references[3];
        size_t count;
        double want;
    } cases[] = {
        { "aaaa bbbb cccc dddd", { "aaaa bbbb cccc dddd" }, 1, 0 },
        { "dddd eeee ffff", { "aaaa bbbb cccc" }, 1, 100 },
        { "", { "a" }, 1, 100 },
        { "a", { "" }, 1, 100 },
        { "", { "" }, 1, 0 },
        { "d e f g h a b c", { "a b c d e f g h" }, 1, 12.5 },
        { "b a d c", { "a b c d" }, 1, 50 },
        { "The CAT", { "the cat" }, 1, 0 },
        { "the cat sat", { "a cat", "the cat sat down", "" }, 3, 50 },
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        check_ter(cases[i].hypothesis, cases[i].references, cases[i].count, NULL, cases[i].want);
}

TEST(ter_cuts_as_its_options_say)
{
    static const struct {
        const char *flag, *hypothesis, *reference;
        double without, with;
    } cases[] = {
        { "ter-case-sensitive", "The cat", "the cat", 0, 50 },
        { "ter-normalized", "the dog's end.", "the dog 's end .", 80, 0 },
        { "ter-normalized", "&quot;3,14&quot; a-b 5-6", "\" 3,14 \" a-b 5 - 6", 600 / 7.0, 0 },
        { "ter-no-punct", "so, (it is) 3.14!", "so it is 314", 100, 0 },
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *const *reference = &cases[i].reference;

        check_ter(cases[i].hypothesis, reference, 1, NULL, cases[i].without);
        check_ter(cases[i].hypothesis, reference, 1, cases[i].flag, cases[i].with);
    }
}

/* The shortest way back, wherever the block stands and whatever the lengths. */
TEST(ter_counts_a_shift_as_one_edit)
{
    struct dgm_ter_edits edits = { 0 };
    uint32_t reference[60], words[60];
    int64_t found;

    for (uint32_t i = 0; i < 60; i++) {
        reference[i] = i;
        words[i] = i < 5 ? i + 40 : i < 45 ? i - 5 : i;
    }
    CHECK_STATUS(dgm_ter_count(test_env(), &edits, words, 60, reference, 60, &found), DGM_OK);
    CHECK_INT(found, 1);
    CHECK_STATUS(dgm_ter_count(test_env(), &edits, words, 1, reference, 60, &found), DGM_OK);
    CHECK_INT(found, 59);
    CHECK_STATUS(dgm_ter_count(test_env(), &edits, words, 60, reference, 1, &found), DGM_OK);
    CHECK_INT(found, 59);
    dgm_ter_edits_clear(test_env(), &edits);
}
