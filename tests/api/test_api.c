/* test_api.c: the public interface: right use, and every wrong use we could think of. */
#include <dragoman.h>

#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "base/file/file.h"
#include "base/file/writer.h"
#include "base/mem.h"
#include "gguf_more.h"
#include "tensor/gguf/gguf_get.h"
#include "tensor/gguf/gguf_load.h"
#include "tensor/gguf/gguf_write.h"
#include "test.h"

/* A context on the counted memory of the test. */
static dgm_status new_context(dgm_context **context)
{
    dgm_context_options options;
    memset(&options, 0, sizeof options);
    options.struct_size = sizeof options;
    options.allocator = &test_env()->memory;
    return dgm_context_new(&options, context);
}

static dgm_status keep(void *user, const char *text, size_t bytes)
{
    return dgm_buf_add(test_env(), user, text, bytes);
}

static dgm_status refuse(void *user, const char *text, size_t bytes)
{
    (void)user;
    (void)text;
    (void)bytes;
    return DGM_FAILURE;
}

static void path_to(char *out, const char *name)
{
    sprintf(out, "%.400s/%.60s", test_dir(), name);
}

/* A file with this content in the scratch folder. */
static void put_file(char *path, const char *name, const char *text)
{
    struct dgm_writer writer;
    path_to(path, name);
    CHECK_STATUS(dgm_writer_open(test_env(), &writer, path), DGM_OK);
    CHECK_STATUS(dgm_writer_add(test_env(), &writer, text, strlen(text)), DGM_OK);
    CHECK_STATUS(dgm_writer_close(test_env(), &writer), DGM_OK);
}

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

/* The status of a call, if the context has recorded it with a message; the context is cleared. */
static dgm_status settle(dgm_context *context, dgm_status got)
{
    const dgm_error *error = dgm_context_error(context);
    int recorded = error->status == got && (got == DGM_OK || error->message[0] != '\0');
    dgm_context_clear(context);
    return recorded && error->status == DGM_OK ? got : DGM_STATUS_COUNT;
}

#define CHECK_FAILS(context, call, want) CHECK_STATUS(settle(context, call), want)

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
    CHECK_STATUS(dgm_devices_explain(context, keep, &text), DGM_OK); /* the first alone */
    dgm_buf_clear(test_env(), &text);
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
    CHECK_FAILS(context, dgm_words_write_counts(words, NULL, NULL), DGM_USAGE);
    CHECK_FAILS(context, dgm_words_learn(words, NULL, NULL, NULL), DGM_USAGE);
    CHECK_FAILS(context, dgm_words_write_vocabulary(words, 4, 0, keep, NULL), DGM_USAGE);
    dgm_words_free(words);
    CHECK_FAILS(context, dgm_context_set_threads(context, 100000), DGM_USAGE);
    CHECK_FAILS(context, dgm_context_set_log_level(context, (dgm_level)-1), DGM_USAGE);
    CHECK_FAILS(context, dgm_inspect(context, NULL, NULL, keep, NULL), DGM_USAGE);
    CHECK_FAILS(context, dgm_inspect(context, "x", NULL, NULL, NULL), DGM_USAGE);
    CHECK_FAILS(context, dgm_average(context, NULL, 0, "x"), DGM_USAGE);
    CHECK_FAILS(context, dgm_devices(context, NULL, NULL), DGM_USAGE);
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

TEST(api_tokenizer_goes_forth_and_back)
{
    static const char line[] = "\"It's 5 & 6,\" he said.";
    dgm_tokenizer_options options = { .struct_size = sizeof options, .language = "en" };
    dgm_context *context;
    dgm_tokenizer *tokenizer;
    const char *text;
    size_t bytes;
    CHECK_STATUS(new_context(&context), DGM_OK);
    CHECK_STATUS(dgm_tokenizer_new(context, &options, &tokenizer), DGM_OK);
    CHECK_STATUS(dgm_tokenizer_apply(tokenizer, line, strlen(line), &text, &bytes), DGM_OK);
    CHECK_STR(text, "&quot; It &apos;s 5 &amp; 6 , &quot; he said .");
    CHECK_INT(bytes, strlen(text));
    CHECK_STATUS(dgm_tokenizer_undo(tokenizer, text, bytes, &text, &bytes), DGM_OK);
    CHECK_STR(text, line);
    dgm_tokenizer_free(tokenizer);
    options.language = "a language code that is far too long";
    CHECK_FAILS(context, dgm_tokenizer_new(context, &options, &tokenizer), DGM_USAGE);
    CHECK(tokenizer == NULL);
    dgm_context_free(context);
}

TEST(api_words_are_counted_written_and_learned_from)
{
    dgm_codes_options options = { sizeof options, 2, 2, 0 };
    struct dgm_buf out = { NULL, 0, 0, 0 };
    dgm_context *context;
    char path[512];
    dgm_words *words;
    CHECK_STATUS(new_context(&context), DGM_OK);
    put_file(path, "text", "ab ab ab\nabc c\n");
    CHECK_STATUS(dgm_words_new(context, &words), DGM_OK);
    CHECK_STATUS(dgm_words_read(words, path), DGM_OK);
    CHECK_STATUS(dgm_words_add(words, "ab", 2), DGM_OK);
    CHECK_STATUS(dgm_words_write_counts(words, keep, &out), DGM_OK);
    CHECK_STR(out.data, "ab 4\nabc 1\nc 1\n");
    dgm_buf_reset(&out);
    CHECK_STATUS(dgm_words_write_vocabulary(words, 5, 1, keep, &out), DGM_OK);
    CHECK_STR(out.data, "ab 4\n");
    dgm_buf_reset(&out);
    CHECK_STATUS(dgm_words_learn(words, &options, keep, &out), DGM_OK);
    CHECK_STR(out.data, "#version: 0.2\na b</w>\n");
    dgm_buf_clear(test_env(), &out);
    CHECK_FAILS(context, dgm_words_learn(words, &options, refuse, NULL), DGM_FAILURE);
    options.symbols = -1;
    CHECK_FAILS(context, dgm_words_learn(words, &options, keep, NULL), DGM_USAGE);
    options.struct_size = 1;
    CHECK_FAILS(context, dgm_words_learn(words, &options, keep, NULL), DGM_USAGE);
    dgm_words_free(words);
    dgm_context_free(context);
}

TEST(api_segmenter_cuts_and_joins)
{
    static const char *const glossaries[] = { "abab" };
    dgm_segmenter_options options;
    dgm_context *context;
    char codes[512], missing[512];
    dgm_segmenter *segmenter;
    const char *text;
    size_t bytes;
    CHECK_STATUS(new_context(&context), DGM_OK);
    put_file(codes, "codes", "#version: 0.2\na b\n");
    path_to(missing, "missing");
    memset(&options, 0, sizeof options);
    options.struct_size = sizeof options;
    options.codes = codes;
    options.glossaries = glossaries;
    options.glossary_count = 1;
    options.separator = "##";
    CHECK_STATUS(dgm_segmenter_new(context, &options, &segmenter), DGM_OK);
    CHECK_STATUS(dgm_segmenter_apply(segmenter, "abx abab", 8, &text, &bytes), DGM_OK);
    CHECK_STR(text, "ab## x abab");
    CHECK_STATUS(dgm_segmenter_undo(segmenter, text, bytes, &text, &bytes), DGM_OK);
    CHECK_STR(text, "abx abab");
    dgm_segmenter_free(segmenter);
    options.codes = NULL;
    CHECK_STATUS(dgm_segmenter_new(context, &options, &segmenter), DGM_OK);
    CHECK_FAILS(context, dgm_segmenter_apply(segmenter, "a", 1, &text, &bytes), DGM_USAGE);
    dgm_segmenter_free(segmenter);
    options.codes = missing;
    CHECK_FAILS(context, dgm_segmenter_new(context, &options, &segmenter), DGM_DATA);
    CHECK(segmenter == NULL);
    options.codes = codes;
    options.glossary_count = (size_t)-1;
    CHECK_FAILS(context, dgm_segmenter_new(context, &options, &segmenter), DGM_USAGE);
    options.glossary_count = 1;
    options.glossaries = NULL;
    CHECK_FAILS(context, dgm_segmenter_new(context, &options, &segmenter), DGM_USAGE);
    options.glossary_count = 0;
    options.separator = "a b";
    CHECK_FAILS(context, dgm_segmenter_new(context, &options, &segmenter), DGM_USAGE);
    options.separator = NULL;
    options.dropout = 1.5;
    CHECK_FAILS(context, dgm_segmenter_new(context, &options, &segmenter), DGM_USAGE);
    dgm_context_free(context);
}

TEST(api_dropout_names_its_numbers_by_seed_and_line)
{
    dgm_segmenter_options options;
    dgm_context *context;
    dgm_segmenter *a, *b;
    char codes[512], first[256];
    const char *text;
    size_t bytes;
    CHECK_STATUS(new_context(&context), DGM_OK);
    put_file(codes, "codes", "#version: 0.2\na b\nab ab\nabab c\n");
    memset(&options, 0, sizeof options);
    options.struct_size = sizeof options;
    options.codes = codes;
    options.dropout = 0.5;
    options.seed = 7;
    CHECK_STATUS(dgm_segmenter_new(context, &options, &a), DGM_OK);
    CHECK_STATUS(dgm_segmenter_new(context, &options, &b), DGM_OK);
    CHECK_STATUS(dgm_segmenter_apply(a, "x", 1, &text, &bytes), DGM_OK);
    CHECK_STATUS(dgm_segmenter_apply(b, "ababcabab ababc", 15, &text, &bytes), DGM_OK);
    CHECK_STATUS(dgm_segmenter_apply(a, "ababc abab abc", 14, &text, &bytes), DGM_OK);
    CHECK(bytes < sizeof first);
    memcpy(first, text, bytes + 1);
    CHECK_STATUS(dgm_segmenter_apply(b, "ababc abab abc", 14, &text, &bytes), DGM_OK);
    CHECK_STR(text, first);
    dgm_segmenter_free(a);
    dgm_segmenter_free(b);
    dgm_context_free(context);
}

TEST(api_scorer_scores_lines_and_files)
{
    const char *references[2] = { "the cat sat on the mat .", NULL };
    size_t bytes[2] = { 24, 0 };
    dgm_context *context;
    dgm_scorer *scorer;
    char hypothesis[512], reference[512];
    const char *files[1], *text;
    double value = 0.0;
    long count = -1;
    CHECK_STATUS(new_context(&context), DGM_OK);
    CHECK_STATUS(dgm_scorer_new(context, NULL, &scorer), DGM_OK);
    CHECK_STATUS(dgm_scorer_value(scorer, NULL, &count), DGM_OK);
    CHECK_INT(count, 0);
    CHECK_FAILS(context, dgm_scorer_value(scorer, &value, NULL), DGM_DATA);
    CHECK_FAILS(context, dgm_scorer_text(scorer, DGM_SCORE_SIGNATURE, &text), DGM_DATA);
    CHECK_FAILS(context, dgm_scorer_text(scorer, DGM_SCORE_NAME, NULL), DGM_USAGE);
    CHECK_STATUS(dgm_scorer_add(scorer, references[0], 24, references, bytes, 2), DGM_OK);
    CHECK_STATUS(dgm_scorer_value(scorer, &value, &count), DGM_OK);
    CHECK_NEAR(value, 100.0, 1e-9);
    CHECK_INT(count, 1);
    references[1] = "a cat sat .";
    bytes[1] = 11;
    CHECK_STATUS(dgm_scorer_add(scorer, NULL, 0, references, bytes, 2), DGM_OK);
    CHECK_STATUS(dgm_scorer_text(scorer, DGM_SCORE_SIGNATURE, &text), DGM_OK);
    CHECK(strncmp(text, "nrefs:var|case:mixed|eff:no|tok:13a|smooth:exp|version:", 55) == 0);
    CHECK_FAILS(context, dgm_scorer_text(scorer, (dgm_score_text)99, &text), DGM_USAGE);
    CHECK_FAILS(context, dgm_scorer_add(scorer, "x", 1, references, bytes, 0), DGM_USAGE);
    CHECK_FAILS(context, dgm_scorer_add(scorer, "x", 1, references, bytes, (size_t)-1), DGM_USAGE);
    CHECK_FAILS(context, dgm_scorer_add(scorer, "x", 1, NULL, bytes, 1), DGM_USAGE);
    references[0] = references[1] = NULL;
    CHECK_FAILS(context, dgm_scorer_add(scorer, "x", 1, references, bytes, 2), DGM_DATA);
    CHECK_STATUS(dgm_scorer_reset(scorer), DGM_OK);
    put_file(hypothesis, "hypothesis", "a b c d\ne f g h\n");
    put_file(reference, "reference", "a b c d\ne f g h");
    files[0] = reference;
    CHECK_STATUS(dgm_scorer_add_files(&scorer, 1, hypothesis, files, 1, NULL, NULL), DGM_OK);
    CHECK_STATUS(dgm_scorer_value(scorer, &value, &count), DGM_OK);
    CHECK_NEAR(value, 100.0, 1e-9);
    CHECK_INT(count, 2);
    put_file(reference, "reference", "a b c d\n");
    CHECK_FAILS(context, dgm_scorer_add_files(&scorer, 1, hypothesis, files, 1, NULL, NULL),
                DGM_DATA);
    files[0] = NULL;
    CHECK_FAILS(context, dgm_scorer_add_files(&scorer, 1, hypothesis, files, 1, NULL, NULL),
                DGM_USAGE);
    dgm_scorer_free(scorer);
    dgm_context_free(context);
}

TEST(api_scorer_compares_systems)
{
    const char *reference = "the cat sat on the mat";
    const char *said[2] = { "the cat sat on the mat", "a dog sat on the mat" };
    dgm_scorer_options options;
    dgm_scorer *scorers[2], *bare;
    dgm_paired results[2];
    dgm_context *context;
    size_t bytes = 22;
    int i, line;
    memset(&options, 0, sizeof options);
    options.struct_size = sizeof options;
    options.keep_sentences = 1;
    CHECK_STATUS(new_context(&context), DGM_OK);
    CHECK_STATUS(dgm_scorer_new(context, NULL, &bare), DGM_OK);
    for (i = 0; i < 2; i++) {
        CHECK_STATUS(dgm_scorer_new(context, &options, &scorers[i]), DGM_OK);
        CHECK_STATUS(dgm_scorer_add(scorers[i], "x", 1, &reference, &bytes, 1), DGM_OK);
        CHECK_STATUS(dgm_scorer_reset(scorers[i]), DGM_OK);
        for (line = 0; line < 50; line++)
            CHECK_STATUS(dgm_scorer_add(scorers[i], said[i], strlen(said[i]), &reference, &bytes,
                                        1),
                         DGM_OK);
    }
    CHECK_STATUS(dgm_scorer_paired(scorers, 2, 99, 1, results), DGM_OK);
    CHECK_NEAR(results[0].score, 100, 1e-9);
    CHECK_NEAR(results[0].p, 1, 0);
    CHECK(results[1].score < 90);
    CHECK_NEAR(results[1].mean, results[1].score, 1e-9);
    CHECK_NEAR(results[1].p, 0.01, 1e-12);
    CHECK_STATUS(dgm_scorer_paired(NULL, 2, 99, 1, results), DGM_USAGE);
    CHECK_FAILS(context, dgm_scorer_paired(scorers, 2, 99, 1, NULL), DGM_USAGE);
    CHECK_FAILS(context, dgm_scorer_paired(scorers, 2, 0, 1, results), DGM_USAGE);
    CHECK_FAILS(context, dgm_scorer_paired(&bare, 1, 99, 1, results), DGM_USAGE);
    CHECK_STATUS(dgm_scorer_add(scorers[1], "x", 1, &reference, &bytes, 1), DGM_OK);
    CHECK_FAILS(context, dgm_scorer_paired(scorers, 2, 99, 1, results), DGM_DATA);
    for (i = 0; i < 2; i++)
        dgm_scorer_free(scorers[i]);
    dgm_scorer_free(bare);
    dgm_context_free(context);
}

TEST(api_scorer_refuses_unknown_words)
{
    dgm_context *context;
    dgm_scorer_options options;
    dgm_scorer *scorer;
    CHECK_STATUS(new_context(&context), DGM_OK);
    memset(&options, 0, sizeof options);
    options.struct_size = sizeof options;
    options.metric = "blue";
    CHECK_FAILS(context, dgm_scorer_new(context, &options, &scorer), DGM_USAGE);
    options.metric = "bleu";
    options.tokenize = "14b";
    CHECK_FAILS(context, dgm_scorer_new(context, &options, &scorer), DGM_USAGE);
    options.tokenize = NULL;
    options.smooth = "soft";
    CHECK_FAILS(context, dgm_scorer_new(context, &options, &scorer), DGM_USAGE);
    options.smooth = NULL;
    options.max_order = 7;
    CHECK_FAILS(context, dgm_scorer_new(context, &options, &scorer), DGM_USAGE);
    options.max_order = 0;
    options.word_order = -1;
    CHECK_FAILS(context, dgm_scorer_new(context, &options, &scorer), DGM_USAGE);
    options.word_order = 0;
    options.has_smooth_value = 1;
    options.smooth_value = -0.1;
    CHECK_FAILS(context, dgm_scorer_new(context, &options, &scorer), DGM_USAGE);
    CHECK(scorer == NULL);
    dgm_context_free(context);
}

/* ---- model files ------------------------------------------------------------------------- */

/* A model of one matrix, one vector of half numbers and one of whole numbers, and a state. */
static void put_model(char *path, const char *name, const char *config, double weight, size_t cols,
                      int update)
{
    struct dgm_env *env = test_env();
    struct dgm_gguf_writer writer;
    size_t dims[2], i;
    dgm_real matrix[6], vector[3], state[2] = { 9, 9 };
    int32_t whole[2] = { 4, 5 };
    memset(&writer, 0, sizeof writer);
    for (i = 0; i < 6; i++)
        matrix[i] = (dgm_real)(weight + (double)i);
    for (i = 0; i < 3; i++)
        vector[i] = (dgm_real)(weight / 2);
    path_to(path, name);
    dims[0] = 2;
    dims[1] = cols;
    CHECK_STATUS(dgm_gguf_add_text(env, &writer, "dragoman.config", config, strlen(config)),
                 DGM_OK);
    CHECK_STATUS(gguf_add_u32(env, &writer, "dragoman.state.update", (uint32_t)update), DGM_OK);
    CHECK_STATUS(gguf_add_u32(env, &writer, "general.number", (uint32_t)update), DGM_OK);
    CHECK_STATUS(dgm_gguf_add_reals(env, &writer, "m", DGM_GGUF_F32, 2, dims, matrix), DGM_OK);
    dims[0] = 3;
    CHECK_STATUS(dgm_gguf_add_reals(env, &writer, "v", DGM_GGUF_F16, 1, dims, vector), DGM_OK);
    dims[0] = 2;
    CHECK_STATUS(dgm_gguf_add_raw(env, &writer, "whole", DGM_GGUF_I32, 1, dims, whole), DGM_OK);
    CHECK_STATUS(dgm_gguf_add_reals(env, &writer, "state.m", DGM_GGUF_F32, 1, dims, state), DGM_OK);
    CHECK_STATUS(dgm_gguf_write(env, &writer, path), DGM_OK);
    dgm_gguf_writer_clear(env, &writer);
}

TEST(api_average_is_the_mean_with_the_last_metadata)
{
    struct dgm_env *env = test_env();
    char a[512], b[512], c[512], out[512];
    const char *paths[3];
    dgm_context *context;
    struct dgm_gguf file;
    dgm_real values[6];
    int32_t whole[2];
    int64_t number = 0;
    int i;
    CHECK_STATUS(new_context(&context), DGM_OK);
    put_model(a, "a", "dim = 2", 1.0, 3, 100);
    put_model(b, "b", "dim = 2", 2.0, 3, 200);
    put_model(c, "c", "dim = 2", 6.0, 3, 300);
    path_to(out, "out");
    paths[0] = a;
    paths[1] = b;
    paths[2] = c;
    CHECK_STATUS(dgm_average(context, paths, 3, out), DGM_OK);
    memset(&file, 0, sizeof file);
    CHECK_STATUS(dgm_gguf_load(env, &file, out), DGM_OK);
    CHECK_STATUS(dgm_gguf_verify(env, &file, NULL), DGM_OK);
    CHECK_STATUS(dgm_gguf_read_reals(env, &file, dgm_gguf_find_tensor(&file, "m"), values, 6),
                 DGM_OK);
    for (i = 0; i < 6; i++)
        CHECK_NEAR(values[i], 3.0 + i, 0.0);
    CHECK_STATUS(dgm_gguf_read_reals(env, &file, dgm_gguf_find_tensor(&file, "v"), values, 3),
                 DGM_OK);
    CHECK_NEAR(values[2], 1.5, 0.0);
    CHECK_INT(dgm_gguf_find_tensor(&file, "v")->type, DGM_GGUF_F16);
    CHECK_STATUS(gguf_read_ints(env, &file, dgm_gguf_find_tensor(&file, "whole"), whole, 2),
                 DGM_OK);
    CHECK_INT(whole[1], 5);
    CHECK(dgm_gguf_find_tensor(&file, "state.m") == NULL);
    CHECK(dgm_gguf_find_key(&file, "dragoman.state.update") == NULL);
    CHECK(dgm_gguf_int(&file, "general.number", &number));
    CHECK_INT(number, 300);
    dgm_gguf_clear(env, &file);
    dgm_context_free(context);
}

TEST(api_average_refuses_models_that_differ)
{
    char a[512], b[512], c[512], out[512];
    const char *paths[2];
    dgm_context *context;
    CHECK_STATUS(new_context(&context), DGM_OK);
    put_model(a, "a", "dim = 2", 1.0, 3, 1);
    put_model(b, "b", "dim = 3", 1.0, 3, 1);
    put_model(c, "c", "dim = 2", 1.0, 2, 1);
    path_to(out, "out");
    paths[0] = a;
    paths[1] = b;
    CHECK_FAILS(context, dgm_average(context, paths, 2, out), DGM_MODEL);
    paths[1] = c;
    CHECK_FAILS(context, dgm_average(context, paths, 2, out), DGM_MODEL);
    paths[1] = NULL;
    CHECK_FAILS(context, dgm_average(context, paths, 2, out), DGM_USAGE);
    paths[1] = a;
    dgm_context_stop(context);
    CHECK_FAILS(context, dgm_average(context, paths, 2, out), DGM_INTERRUPTED);
    CHECK(!dgm_file_exists(test_env(), out));
    dgm_context_free(context);
}

/* Neither an input nor a text is written over; another model is, and what was read in one call may be
 * written by the next. */
TEST(api_average_destroys_nothing)
{
    char a[512], b[512], text[512];
    const char *paths[2];
    dgm_context *context;
    FILE *file;
    CHECK_STATUS(new_context(&context), DGM_OK);
    put_model(a, "a", "dim = 2", 1.0, 3, 1);
    put_model(b, "b", "dim = 2", 3.0, 3, 1);
    path_to(text, "text");
    file = fopen(text, "wb");
    CHECK(file != NULL && fputs("text", file) >= 0 && fclose(file) == 0);
    paths[0] = a;
    paths[1] = b;
    CHECK_FAILS(context, dgm_average(context, paths, 2, b), DGM_USAGE);
    CHECK_FAILS(context, dgm_average(context, paths, 2, text), DGM_USAGE);
    CHECK_FAILS(context, dgm_average(context, paths, 2, "-"), DGM_USAGE);
    CHECK_FAILS(context, dgm_average(context, paths, 2, test_dir()), DGM_USAGE);
    CHECK_STATUS(dgm_average(context, paths, 1, b), DGM_OK);
    CHECK_STATUS(dgm_average(context, paths + 1, 1, a), DGM_OK);
    dgm_context_free(context);
}

TEST(api_inspect_reports_what_a_model_holds)
{
    dgm_inspect_options options = { .struct_size = sizeof options, .verify = 1 };
    struct dgm_buf out = { NULL, 0, 0, 0 };
    dgm_context *context;
    char path[512];
    CHECK_STATUS(new_context(&context), DGM_OK);
    put_model(path, "model", "dim = 2\nheads = 1\n\033[31m", 1.0, 3, 1);
    CHECK_STATUS(dgm_inspect(context, path, &options, keep, &out), DGM_OK);
    CHECK(strstr(out.data, "\nparameters: 11\nchecksums: good\n") != NULL);
    CHECK(strstr(out.data, "string  \n    dim = 2\n    heads = 1\n    \\u001b[31m\n") != NULL);
    CHECK(strstr(out.data, " f32   2 x 3\n") != NULL);
    dgm_buf_reset(&out);
    options.json = 1;
    CHECK_STATUS(dgm_inspect(context, path, &options, keep, &out), DGM_OK);
    CHECK(strstr(out.data, "\"value\": \"dim = 2\\nheads = 1\\n\\u001b[31m\"") != NULL);
    CHECK(strstr(out.data, "\"checksums\": \"good\"") != NULL);
    dgm_buf_clear(test_env(), &out);
    CHECK_FAILS(context, dgm_inspect(context, path, &options, refuse, NULL), DGM_FAILURE);
    dgm_context_free(context);
}

TEST(api_devices_names_the_kernels_in_use)
{
    struct dgm_buf out = { NULL, 0, 0, 0 };
    dgm_context *context;
    dgm_context_options options;
    CHECK_STATUS(new_context(&context), DGM_OK);
    CHECK_STATUS(dgm_devices(context, keep, &out), DGM_OK);
    CHECK(strncmp(out.data, "cpu: ", 5) == 0);
    CHECK(strstr(out.data, "used\n") != NULL);
    dgm_buf_clear(test_env(), &out);
    dgm_context_free(context);
    memset(&options, 0, sizeof options);
    options.struct_size = sizeof options;
    options.isa = "avx9";
    CHECK_STATUS(dgm_context_new(&options, &context), DGM_OK);
    CHECK_FAILS(context, dgm_devices(context, keep, NULL), DGM_USAGE);
    dgm_context_free(context);
}
