/*
 * test_context.c: versions, contexts, and every wrong use of the interface that we could think of.
 */
#include "api_case.h"

/* VERSION, which configure reads, and the header's macros are written by hand. */
TEST(api_versions_of_header_and_library_agree)
{
    char text[32];

    snprintf(text, sizeof text, "%d.%d.%d", DGM_VERSION_MAJOR, DGM_VERSION_MINOR,
             DGM_VERSION_PATCH);
    CHECK_STR(dgm_version(), text);
    CHECK_INT(dgm_version_number(), DGM_VERSION_NUMBER);
    CHECK(DGM_VERSION_NUMBER >= 100);
}

TEST(api_options_have_their_size_and_else_nothing)
{
    dgm_translator_options options = DGM_OPTIONS(dgm_translator_options), zero;

    memset(&zero, 0, sizeof zero);
    zero.struct_size = sizeof zero;
    CHECK_MEM(&options, &zero, sizeof zero);
}

TEST(api_version_and_statuses_have_names)
{
    int i;
    CHECK(strchr(dgm_version(), '.') != NULL);
    CHECK(strstr(dgm_build(), "compiler: ") == dgm_build());
    for (i = 0; i < DGM_STATUS_COUNT; i++) {
        CHECK(strlen(dgm_status_name((dgm_status)i)) > 0);
        CHECK(strlen(dgm_status_text((dgm_status)i)) > 0);
    }
    CHECK_INT(dgm_status_exit_code(DGM_MODEL), 4);
    CHECK_STR(dgm_status_name((dgm_status)1000), "unknown");
    CHECK_STR(dgm_status_text((dgm_status)1000), "unknown status");
    CHECK_INT(dgm_status_exit_code((dgm_status)1000), 1);
}

TEST(api_context_refuses_wrong_options)
{
    dgm_context_options options;
    dgm_allocator broken = { NULL, NULL, NULL };
    dgm_context *context = NULL;
    CHECK_STATUS(dgm_context_new(NULL, NULL), DGM_USAGE);
    memset(&options, 0, sizeof options);
    CHECK_STATUS(dgm_context_new(&options, &context), DGM_USAGE);
    options.struct_size = sizeof options + 1;
    CHECK_STATUS(dgm_context_new(&options, &context), DGM_USAGE);
    options.struct_size = (size_t)-1;
    CHECK_STATUS(dgm_context_new(&options, &context), DGM_USAGE);
    options.devices = "cpu"; /* half a pointer */
    options.struct_size = sizeof options - sizeof options.devices / 2;
    CHECK_STATUS(dgm_context_new(&options, &context), DGM_USAGE);
    options.devices = NULL;
    options.struct_size = sizeof options;
    options.threads = -1;
    CHECK_STATUS(dgm_context_new(&options, &context), DGM_USAGE);
    options.threads = 0;
    options.log_level = (dgm_level)9;
    CHECK_STATUS(dgm_context_new(&options, &context), DGM_USAGE);
    options.log_level = DGM_LOG_ERROR;
    options.isa = "an instruction set with much too long a name";
    CHECK_STATUS(dgm_context_new(&options, &context), DGM_USAGE);
    options.isa = NULL;
    options.allocator = &broken;
    CHECK_STATUS(dgm_context_new(&options, &context), DGM_USAGE);
    CHECK(context == NULL);
    /* Of an older header: only the size. */
    options.struct_size = sizeof options.struct_size;
    CHECK_STATUS(dgm_context_new(&options, &context), DGM_OK);
    dgm_context_free(context);
}

TEST(api_context_reports_failed_memory)
{
    dgm_context *context;
    test_env_fail_at(test_allocations() + 1);
    CHECK_STATUS(new_context(&context), DGM_MEMORY);
    CHECK(context == NULL);
    test_env_fail_at(0);
}

TEST(api_null_is_never_more_than_an_error)
{
    const char *text;
    size_t bytes;
    double value;
    long count;
    dgm_context_free(NULL);
    dgm_context_clear(NULL);
    dgm_context_stop(NULL);
    dgm_tokenizer_free(NULL);
    dgm_words_free(NULL);
    dgm_segmenter_free(NULL);
    dgm_scorer_free(NULL);
    CHECK(dgm_context_error(NULL) == NULL);
    CHECK_STATUS(dgm_context_set_threads(NULL, 1), DGM_USAGE);
    CHECK_STATUS(dgm_context_set_log_level(NULL, DGM_LOG_ERROR), DGM_USAGE);
    CHECK_STATUS(dgm_tokenizer_new(NULL, NULL, NULL), DGM_USAGE);
    CHECK_STATUS(dgm_tokenizer_apply(NULL, "", 0, &text, &bytes), DGM_USAGE);
    CHECK_STATUS(dgm_tokenizer_undo(NULL, "", 0, &text, &bytes), DGM_USAGE);
    CHECK_STATUS(dgm_words_new(NULL, NULL), DGM_USAGE);
    CHECK_STATUS(dgm_words_add(NULL, "", 0), DGM_USAGE);
    CHECK_STATUS(dgm_words_read(NULL, "x"), DGM_USAGE);
    CHECK_STATUS(dgm_words_read_counts(NULL, "x"), DGM_USAGE);
    CHECK_STATUS(dgm_words_read_sample(NULL, &text, 1, 1), DGM_USAGE);
    CHECK_STATUS(dgm_words_set_memory(NULL, 0), DGM_USAGE);
    CHECK_STATUS(dgm_words_write_counts(NULL, keep, NULL), DGM_USAGE);
    CHECK_STATUS(dgm_words_write_vocabulary(NULL, 0, 0, keep, NULL), DGM_USAGE);
    CHECK_STATUS(dgm_words_learn(NULL, NULL, keep, NULL), DGM_USAGE);
    CHECK_STATUS(dgm_segmenter_new(NULL, NULL, NULL), DGM_USAGE);
    CHECK_STATUS(dgm_segmenter_apply(NULL, "", 0, &text, &bytes), DGM_USAGE);
    CHECK_STATUS(dgm_segmenter_undo(NULL, "", 0, &text, &bytes), DGM_USAGE);
    CHECK_STATUS(dgm_scorer_new(NULL, NULL, NULL), DGM_USAGE);
    CHECK_STATUS(dgm_scorer_add(NULL, "", 0, NULL, NULL, 1), DGM_USAGE);
    CHECK_STATUS(dgm_scorer_add_files(NULL, 1, "x", NULL, 1, NULL, NULL), DGM_USAGE);
    CHECK_STATUS(dgm_scorer_reset(NULL), DGM_USAGE);
    CHECK_STATUS(dgm_scorer_value(NULL, &value, &count), DGM_USAGE);
    CHECK_STATUS(dgm_scorer_text(NULL, DGM_SCORE_NAME, &text), DGM_USAGE);
    CHECK_STATUS(dgm_inspect(NULL, "x", NULL, keep, NULL), DGM_USAGE);
    CHECK_STATUS(dgm_average(NULL, NULL, 0, NULL), DGM_USAGE);
    CHECK_STATUS(dgm_devices(NULL, keep, NULL), DGM_USAGE);
}

TEST(api_context_takes_devices)
{
    struct dgm_buf text = { NULL, 0, 0, 0 };
    dgm_context_options options;
    dgm_context *context = NULL;
    char name[200];
    memset(&options, 0, sizeof options);
    options.struct_size = sizeof options;
    options.devices = "0,,1";
    CHECK_STATUS(dgm_context_new(&options, &context), DGM_USAGE);
    options.devices = "no such device";
    CHECK_STATUS(dgm_context_new(&options, &context), DGM_OK);
    CHECK_FAILS(context, dgm_devices_explain(context, keep, NULL), DGM_UNSUPPORTED);
    CHECK_FAILS(context, dgm_devices_tune(context, keep, NULL, NULL, NULL), DGM_UNSUPPORTED);
    CHECK_FAILS(context, dgm_context_set_devices(context, ""), DGM_USAGE);
    memset(name, 'x', sizeof name);
    name[sizeof name - 1] = '\0';
    CHECK_FAILS(context, dgm_context_set_devices(context, name), DGM_USAGE);
    CHECK_FAILS(context, dgm_devices_explain(context, keep, NULL), DGM_UNSUPPORTED);
    CHECK_STATUS(dgm_context_set_devices(context, "cpu,no such device"), DGM_OK);
    CHECK_FAILS(context, dgm_devices_explain(context, keep, &text), DGM_UNSUPPORTED);
    CHECK_INT(text.size, 0);
    CHECK_STATUS(dgm_context_set_devices(context, "cpu"), DGM_OK);
    CHECK_FAILS(context, dgm_devices_tune(context, keep, NULL, NULL, NULL), DGM_USAGE);
    CHECK_STATUS(dgm_context_set_devices(context, NULL), DGM_OK);
    CHECK_FAILS(context, dgm_devices_explain(context, NULL, NULL), DGM_USAGE);
    CHECK_FAILS(context, dgm_devices_tune(context, NULL, NULL, NULL, NULL), DGM_USAGE);
    CHECK_FAILS(context, dgm_devices_explain(context, refuse, NULL), DGM_FAILURE);
    dgm_context_free(context);
}

TEST(api_missing_arguments_are_usage_errors)
{
    dgm_context *context;
    dgm_tokenizer *tokenizer = NULL;
    dgm_words *words = NULL;
    const char *text;
    size_t bytes;
    CHECK_STATUS(new_context(&context), DGM_OK);
    CHECK_FAILS(context, dgm_tokenizer_new(context, NULL, NULL), DGM_USAGE);
    CHECK_STATUS(dgm_tokenizer_new(context, NULL, &tokenizer), DGM_OK);
    CHECK_FAILS(context, dgm_tokenizer_apply(tokenizer, NULL, 1, &text, &bytes), DGM_USAGE);
    CHECK_FAILS(context, dgm_tokenizer_apply(tokenizer, "a", 1, NULL, &bytes), DGM_USAGE);
    CHECK_FAILS(context, dgm_tokenizer_apply(tokenizer, "a", 1, &text, NULL), DGM_USAGE);
    CHECK_FAILS(context, dgm_tokenizer_undo(tokenizer, "a", (size_t)-1, &text, &bytes), DGM_USAGE);
    CHECK_STATUS(dgm_tokenizer_apply(tokenizer, NULL, 0, &text, &bytes), DGM_OK);
    CHECK_STR(text, "");
    dgm_tokenizer_free(tokenizer);
    CHECK_FAILS(context, dgm_words_new(context, NULL), DGM_USAGE);
    CHECK_STATUS(dgm_words_new(context, &words), DGM_OK);
    CHECK_FAILS(context, dgm_words_add(words, NULL, 3), DGM_USAGE);
    CHECK_FAILS(context, dgm_words_read(words, NULL), DGM_USAGE);
    CHECK_FAILS(context, dgm_words_read(words, "."), DGM_DATA);
    CHECK_FAILS(context, dgm_words_read_sample(words, NULL, 1, 1), DGM_USAGE);
    CHECK_FAILS(context, dgm_words_set_memory(words, 1000), DGM_USAGE);
    CHECK_FAILS(context, dgm_words_set_memory(words, -1), DGM_USAGE);
    CHECK_FAILS(context, dgm_words_write_counts(words, NULL, NULL), DGM_USAGE);
    CHECK_FAILS(context, dgm_words_learn(words, NULL, NULL, NULL), DGM_USAGE);
    CHECK_FAILS(context, dgm_words_write_vocabulary(words, 4, 0, keep, NULL), DGM_USAGE);
    dgm_words_free(words);
    CHECK_FAILS(context, dgm_context_set_threads(context, 100000), DGM_USAGE);
    CHECK_FAILS(context, dgm_context_set_memory(context, -1), DGM_USAGE);
    /* More than a machine of 32 bits has addresses for. */
    CHECK_FAILS(context, dgm_context_set_memory(context, (int64_t)1 << 40),
                sizeof(size_t) > 4 ? DGM_OK : DGM_USAGE);
    CHECK_STATUS(dgm_context_set_memory(context, 0), DGM_OK);
    CHECK_FAILS(context, dgm_context_set_log_level(context, (dgm_level)-1), DGM_USAGE);
    CHECK_FAILS(context, dgm_inspect(context, NULL, NULL, keep, NULL), DGM_USAGE);
    CHECK_FAILS(context, dgm_inspect(context, "x", NULL, NULL, NULL), DGM_USAGE);
    CHECK_FAILS(context, dgm_average(context, NULL, 0, "x"), DGM_USAGE);
    CHECK_FAILS(context, dgm_devices(context, NULL, NULL), DGM_USAGE);
    dgm_context_free(context);
}

/* Nothing is added to such a NULL, not even 0: sanitizers see it. */
TEST(api_takes_null_as_a_line_of_no_bytes)
{
    dgm_cleaner_options cleaning = DGM_OPTIONS(dgm_cleaner_options);
    dgm_segmenter_options cutting = DGM_OPTIONS(dgm_segmenter_options);
    dgm_context *context;
    dgm_segmenter *segmenter = NULL;
    dgm_cleaner *cleaner = NULL;
    dgm_scorer *scorer = NULL;
    dgm_clean_reason reason;
    const char *text, *references[] = { "a" };
    const size_t sizes[] = { 1 };
    size_t bytes;
    char codes[1200];

    put_file(codes, "codes", "#version: 0.2\na b</w>\n");
    cutting.codes = codes;
    cleaning.min_length = -1;
    CHECK_STATUS(new_context(&context), DGM_OK);
    CHECK_STATUS(dgm_segmenter_new(context, &cutting, &segmenter), DGM_OK);
    CHECK_STATUS(dgm_segmenter_apply(segmenter, NULL, 0, &text, &bytes), DGM_OK);
    CHECK_INT(bytes, 0);
    CHECK_STATUS(dgm_segmenter_undo(segmenter, NULL, 0, &text, &bytes), DGM_OK);
    CHECK_STR(text, "");
    CHECK_STATUS(dgm_cleaner_new(context, &cleaning, &cleaner), DGM_OK);
    CHECK_STATUS(dgm_cleaner_judge(cleaner, NULL, 0, NULL, 0, &reason), DGM_OK);
    CHECK_STATUS(dgm_scorer_new(context, NULL, &scorer), DGM_OK);
    CHECK_STATUS(dgm_scorer_add(scorer, NULL, 0, references, sizes, 1), DGM_OK);
    dgm_scorer_free(scorer);
    dgm_cleaner_free(cleaner);
    dgm_segmenter_free(segmenter);
    dgm_context_free(context);
}

TEST(api_first_error_sticks_until_it_is_cleared)
{
    dgm_context *context;
    dgm_tokenizer *tokenizer = NULL;
    dgm_words *words = NULL;
    const char *text = NULL;
    char message[512];
    size_t bytes = 0;
    CHECK_STATUS(new_context(&context), DGM_OK);
    CHECK_STATUS(dgm_tokenizer_new(context, NULL, &tokenizer), DGM_OK);
    CHECK_STATUS(dgm_context_set_threads(context, -7), DGM_USAGE);
    strcpy(message, dgm_context_error(context)->message);
    CHECK_STATUS(dgm_tokenizer_apply(tokenizer, "a", 1, &text, &bytes), DGM_USAGE);
    CHECK(text == NULL);
    CHECK_STATUS(dgm_words_new(context, &words), DGM_USAGE);
    CHECK(words == NULL);
    CHECK_STATUS(dgm_inspect(context, "/", NULL, keep, NULL), DGM_USAGE);
    CHECK_STR(dgm_context_error(context)->message, message);
    dgm_context_clear(context);
    CHECK_STATUS(dgm_tokenizer_apply(tokenizer, "a", 1, &text, &bytes), DGM_OK);
    CHECK_STR(text, "a");
    dgm_tokenizer_free(tokenizer);
    dgm_context_free(context);
}
