/* test_cleaner.c: each rule drops what it should and nothing else, through the public interface. */
#include "api_case.h"

static const char *judge(dgm_cleaner *cleaner, const char *source, const char *target)
{
    dgm_clean_reason reason = DGM_CLEAN_COUNT;

    (void)dgm_cleaner_judge(cleaner, source, strlen(source), target, strlen(target), &reason);
    return dgm_clean_reason_name(reason);
}

TEST(api_cleaner_names_the_first_rule_that_a_pair_breaks)
{
    dgm_cleaner_options rules = DGM_OPTIONS(dgm_cleaner_options);
    dgm_context *context;
    dgm_cleaner *cleaner;

    rules.min_length = 2;
    rules.max_length = 7;
    rules.max_word_length = 5;
    rules.source_lang = "en";
    rules.target_lang = "ru";
    CHECK_STATUS(new_context(&context), DGM_OK);
    CHECK_STATUS(dgm_cleaner_new(context, &rules, &cleaner), DGM_OK);
    CHECK_STR(judge(cleaner, "a b", "\xD0\xB0 \xD0\xB1"), "kept");
    CHECK_STR(judge(cleaner, "a b", "\xD0\xB0 \xD0\xB1"), "duplicate");
    CHECK_STR(judge(cleaner, "a b", "\xD0\xB0 \xD0\xB2"), "kept");
    CHECK_STR(judge(cleaner, "", "\xFF"), "utf-8");
    CHECK_STR(judge(cleaner, " ", "1 2"), "empty");
    CHECK_STR(judge(cleaner, "1", " "), "empty");
    CHECK_STR(judge(cleaner, "1", "1 2"), "short");
    CHECK_STR(judge(cleaner, "1 2", "1 2 3 4 5 6 7 8"), "long");
    CHECK_STR(judge(cleaner, "1 2", "1 2 3 4 5 6 7"), "ratio");
    CHECK_STR(judge(cleaner, "1 2 3 4 5 6 7", "1 2"), "ratio");
    CHECK_STR(judge(cleaner, "1 2", "1 2 3 4 5 6"), "kept");
    CHECK_STR(judge(cleaner, "1 123456", "1 2"), "word");
    CHECK_STR(judge(cleaner, "a b", "a b"), "script");
    CHECK_STR(judge(cleaner, "\xD0\xB0 \xD0\xB1", "\xD0\xB0 \xD0\xB1"), "script");
    CHECK_STR(judge(cleaner, "1 2", "1 2"), "copy");
    CHECK_STR(judge(cleaner, "a \xD0\xB1", "a \xD0\xB1 "), "kept"); /* half of the letters do */
    dgm_cleaner_free(cleaner);
    dgm_context_free(context);
}

TEST(api_cleaner_holds_out_sources_and_targets)
{
    dgm_context *context;
    dgm_cleaner *cleaner;

    CHECK_STATUS(new_context(&context), DGM_OK);
    CHECK_STATUS(dgm_cleaner_new(context, NULL, &cleaner), DGM_OK);
    CHECK_STR(judge(cleaner, "a", "b"), "kept");
    CHECK_STATUS(dgm_cleaner_hold_out(cleaner, 0, "a", 1), DGM_OK);
    CHECK_STATUS(dgm_cleaner_hold_out(cleaner, 1, "d", 1), DGM_OK);
    CHECK_STATUS(dgm_cleaner_hold_out(cleaner, 1, NULL, 0), DGM_OK);
    CHECK_STR(judge(cleaner, "a", "b"), "held-out");
    CHECK_STR(judge(cleaner, "c", "d"), "held-out");
    CHECK_STR(judge(cleaner, "d", "a"), "kept");
    CHECK_STR(judge(cleaner, "c", ""), "empty");
    CHECK_STATUS(dgm_cleaner_hold_out(cleaner, 2, "a", 1), DGM_USAGE);
    dgm_cleaner_free(cleaner);
    dgm_context_free(context);
}

TEST(api_cleaner_rules_can_be_switched_off)
{
    dgm_cleaner_options rules = DGM_OPTIONS(dgm_cleaner_options);
    dgm_context *context;
    dgm_cleaner *cleaner;

    rules.min_length = rules.max_length = rules.max_word_length = -1;
    rules.max_ratio = rules.min_script = -1;
    rules.source_lang = "ru";
    rules.keep_bad_utf8 = rules.keep_copies = 1;
    rules.duplicates = "none";
    CHECK_STATUS(new_context(&context), DGM_OK);
    CHECK_STATUS(dgm_cleaner_new(context, &rules, &cleaner), DGM_OK);
    CHECK_STR(judge(cleaner, "a", "a"), "kept");
    CHECK_STR(judge(cleaner, "a", "a"), "kept");
    CHECK_STR(judge(cleaner, "", "a\xFF"), "kept");
    CHECK_STR(judge(cleaner, "", ""), "kept");
    CHECK_STR(judge(cleaner, "a", "b b b b b b b b b b b b b b b b b b b b"), "kept");
    dgm_cleaner_free(cleaner);
    /* Pairs of empty lines, as between documents, stay: no rule for text holds for them. */
    memset(&rules, 0, sizeof rules);
    rules.struct_size = sizeof rules;
    rules.min_length = -1;
    CHECK_STATUS(dgm_cleaner_new(context, &rules, &cleaner), DGM_OK);
    CHECK_STR(judge(cleaner, "", ""), "kept");
    CHECK_STR(judge(cleaner, "", ""), "kept");
    CHECK_STR(judge(cleaner, "", "a"), "ratio");
    dgm_cleaner_free(cleaner);
    dgm_context_free(context);
}

TEST(api_cleaner_finds_duplicates_of_a_side)
{
    static const char *const what[] = { "pairs", "source", "target", "sides" };
    /* For the pairs a-x, a-y, b-x, c-y, c-z: the words of what is kept. */
    static const char *const want[] = { "kkkkk", "kdkkd", "kkddk", "kddkd" };
    static const char *const pairs[5][2] = {
        { "a", "x" }, { "a", "y" }, { "b", "x" }, { "c", "y" }, { "c", "z" },
    };
    dgm_cleaner_options rules = DGM_OPTIONS(dgm_cleaner_options);
    dgm_context *context;
    dgm_cleaner *cleaner;
    char got[6] = "";
    int i, k;

    CHECK_STATUS(new_context(&context), DGM_OK);
    for (i = 0; i < 4; i++) {
        rules.duplicates = what[i];
        CHECK_STATUS(dgm_cleaner_new(context, &rules, &cleaner), DGM_OK);
        for (k = 0; k < 5; k++)
            got[k] = judge(cleaner, pairs[k][0], pairs[k][1])[0];
        CHECK_STR(got, want[i]);
        dgm_cleaner_free(cleaner);
    }
    dgm_context_free(context);
}

TEST(api_cleaner_judges_one_side_alone)
{
    dgm_cleaner_options rules = DGM_OPTIONS(dgm_cleaner_options);
    dgm_clean_reason reason;
    dgm_context *context;
    dgm_cleaner *cleaner;

    rules.sides = 1;
    CHECK_STATUS(new_context(&context), DGM_OK);
    CHECK_STATUS(dgm_cleaner_new(context, &rules, &cleaner), DGM_OK);
    CHECK_STATUS(dgm_cleaner_judge(cleaner, "a b", 3, NULL, 0, &reason), DGM_OK);
    CHECK_INT(reason, DGM_CLEAN_KEPT);
    CHECK_STATUS(dgm_cleaner_judge(cleaner, "a b", 3, NULL, 0, &reason), DGM_OK);
    CHECK_INT(reason, DGM_CLEAN_DUPLICATE);
    CHECK_STATUS(dgm_cleaner_judge(cleaner, NULL, 0, NULL, 0, &reason), DGM_OK);
    CHECK_INT(reason, DGM_CLEAN_EMPTY);
    dgm_cleaner_free(cleaner);
    rules.duplicates = "sides";
    CHECK_FAILS(context, dgm_cleaner_new(context, &rules, &cleaner), DGM_USAGE);
    rules.duplicates = NULL;
    rules.target_lang = "de";
    CHECK_FAILS(context, dgm_cleaner_new(context, &rules, &cleaner), DGM_USAGE);
    dgm_context_free(context);
}

TEST(api_cleaner_refuses_rules_and_calls_that_mean_nothing)
{
    dgm_cleaner_options rules = DGM_OPTIONS(dgm_cleaner_options);
    dgm_clean_reason reason;
    dgm_context *context;
    dgm_cleaner *cleaner;

    CHECK_STATUS(new_context(&context), DGM_OK);
    rules.max_ratio = 0.5;
    CHECK_FAILS(context, dgm_cleaner_new(context, &rules, &cleaner), DGM_USAGE);
    rules.max_ratio = 0;
    rules.min_script = 1.5;
    CHECK_FAILS(context, dgm_cleaner_new(context, &rules, &cleaner), DGM_USAGE);
    rules.min_script = 0;
    rules.min_length = 9;
    rules.max_length = 8;
    CHECK_FAILS(context, dgm_cleaner_new(context, &rules, &cleaner), DGM_USAGE);
    rules.min_length = 0;
    rules.duplicates = "all";
    CHECK_FAILS(context, dgm_cleaner_new(context, &rules, &cleaner), DGM_USAGE);
    rules.duplicates = NULL;
    rules.source_lang = "xx";
    CHECK_FAILS(context, dgm_cleaner_new(context, &rules, &cleaner), DGM_USAGE);
    rules.source_lang = NULL;
    rules.sides = 3;
    CHECK_FAILS(context, dgm_cleaner_new(context, &rules, &cleaner), DGM_USAGE);
    CHECK(cleaner == NULL);
    CHECK_STATUS(dgm_cleaner_new(context, NULL, &cleaner), DGM_OK);
    CHECK_FAILS(context, dgm_cleaner_judge(cleaner, "a\nb", 3, "c", 1, &reason), DGM_USAGE);
    CHECK_FAILS(context, dgm_cleaner_judge(cleaner, "a", 1, "c", 1, NULL), DGM_USAGE);
    CHECK_STATUS(dgm_cleaner_judge(NULL, "a", 1, "c", 1, &reason), DGM_USAGE);
    dgm_cleaner_free(cleaner);
    dgm_cleaner_free(NULL);
    dgm_context_free(context);
    CHECK_STR(dgm_clean_reason_name(DGM_CLEAN_RATIO), "ratio");
    CHECK_STR(dgm_clean_reason_name(DGM_CLEAN_COUNT), "unknown");
    CHECK(dgm_clean_reason_text(DGM_CLEAN_COUNT)[0] != '\0');
}
