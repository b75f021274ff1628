/*
 * test_translator.c: translating and rescoring by the public interface: right use, and wrong
 * use that must not cost more than an error.
 */
#include <dragoman.h>

#include <limits.h>
#include <math.h>

#include "training_case.h"

/* A context on the counted memory of the test. */
static dgm_status new_context(dgm_context **context)
{
    dgm_context_options options;

    memset(&options, 0, sizeof options);
    options.struct_size = sizeof options;
    options.allocator = &test_env()->memory;
    options.threads = 1;
    return dgm_context_new(&options, context);
}

/* A model trained on the toy corpus, called "m". */
static dgm_status make_model(void)
{
    return write_corpus() ? train("m", NULL, 1, 0, NULL) : DGM_FAILURE;
}

static dgm_status open_translator(dgm_context *context, dgm_translator **translator)
{
    dgm_translator_options options;
    char path[1200];
    const char *models[1];

    memset(&options, 0, sizeof options);
    options.struct_size = sizeof options;
    models[0] = in_dir(path, "m");
    options.models = models;
    options.model_count = 1;
    return dgm_translator_new(context, &options, translator);
}

static dgm_status open_rescorer(dgm_context *context, const char *penalty, dgm_rescorer **rescorer)
{
    dgm_rescorer_options options;
    char path[1200];
    const char *models[1];

    memset(&options, 0, sizeof options);
    options.struct_size = sizeof options;
    models[0] = in_dir(path, "m");
    options.models = models;
    options.model_count = 1;
    options.penalty = penalty;
    return dgm_rescorer_new(context, &options, rescorer);
}

static dgm_status add(dgm_translator *translator, const char *line)
{
    return dgm_translator_add(translator, line, strlen(line));
}

static dgm_status add_pair(dgm_rescorer *rescorer, const char *source, const char *target)
{
    return dgm_rescorer_add(rescorer, source, strlen(source), target, strlen(target));
}

/* ---- both handles ---------------------------------------------------------------------------- */

/* Scores of the translations that were found, each beside what the search says of it. */
static void check_scores(dgm_translator *translator, dgm_rescorer *rescorer)
{
    static const char *const lines[] = { "w1 w2", "", "w3 w4 w5 w6", "w7" };
    double logp, found, score;
    const char *text;
    size_t i, count, pairs;

    for (i = 0; i < 4; i++)
        CHECK_STATUS(add(translator, lines[i]), DGM_OK);
    CHECK_STATUS(dgm_translator_run(translator, &count), DGM_OK);
    CHECK_INT(count, 4);
    for (i = 0; i < 4; i++) {
        text = "v1";
        if (i != 1)
            CHECK_STATUS(dgm_translator_result(translator, i, 0, &text, NULL, NULL, NULL), DGM_OK);
        CHECK_STATUS(add_pair(rescorer, lines[i], text), DGM_OK);
    }
    CHECK_STATUS(dgm_rescorer_run(rescorer, &pairs), DGM_OK);
    CHECK_INT(pairs, 4);
    for (i = 0; i < 4; i++) {
        found = 0;
        if (i != 1)
            CHECK_STATUS(dgm_translator_result(translator, i, 0, NULL, NULL, NULL, &found), DGM_OK);
        CHECK_STATUS(dgm_rescorer_result(rescorer, i, &score, &logp), DGM_OK);
        CHECK_NEAR(logp, found, 1e-4);
        CHECK_NEAR(score, logp, 0);
    }
}

TEST(api_rescorer_agrees_with_the_search_of_a_translator)
{
    dgm_context *context;
    dgm_translator *translator = NULL;
    dgm_rescorer *rescorer = NULL;

    CHECK_STATUS(make_model(), DGM_OK);
    CHECK_STATUS(new_context(&context), DGM_OK);
    CHECK_STATUS(open_translator(context, &translator), DGM_OK);
    CHECK_STATUS(open_rescorer(context, NULL, &rescorer), DGM_OK);
    check_scores(translator, rescorer);
    check_scores(translator, rescorer);
    dgm_rescorer_free(rescorer);
    dgm_translator_free(translator);
    dgm_context_free(context);
}

/* "xx" and "yy" are no words of the model. */
TEST(api_rescorer_tells_the_unknown_words_of_a_pair)
{
    static const char *const pairs[][2] = { { "w1 xx w2", "yy yy v1" },
                                            { "", "yy" },
                                            { "w3", "" } };
    static const int64_t want[][4] = { { 3, 1, 3, 2 }, { 0, 0, 1, 1 }, { 1, 0, 0, 0 } };
    int64_t words[2], unknown[2];
    dgm_rescorer *rescorer = NULL;
    dgm_context *context;
    size_t count;

    CHECK_STATUS(make_model(), DGM_OK);
    CHECK_STATUS(new_context(&context), DGM_OK);
    CHECK_STATUS(open_rescorer(context, NULL, &rescorer), DGM_OK);
    for (int round = 0; round < 2; round++) {
        for (size_t i = 0; i < 3; i++)
            CHECK_STATUS(add_pair(rescorer, pairs[i][0], pairs[i][1]), DGM_OK);
        if (round == 1) /* it does not depend on a run */
            CHECK_STATUS(dgm_rescorer_run(rescorer, &count), DGM_OK);
        for (size_t i = 0; i < 3; i++) {
            CHECK_STATUS(dgm_rescorer_unknown(rescorer, i + 3 * (size_t)round, words, unknown),
                         DGM_OK);
            for (int side = 0; side < 2; side++) {
                CHECK_INT(words[side], want[i][2 * side]);
                CHECK_INT(unknown[side], want[i][2 * side + 1]);
            }
        }
    }
    CHECK_STATUS(dgm_rescorer_unknown(rescorer, 0, NULL, NULL), DGM_OK);
    CHECK_STATUS(dgm_rescorer_unknown(rescorer, 6, words, unknown), DGM_USAGE);
    CHECK_STATUS(dgm_rescorer_unknown(NULL, 0, words, unknown), DGM_USAGE);
    dgm_rescorer_free(rescorer);
    dgm_context_free(context);
}

/* Three lines to be translated and one pair to be scored: each handle has its own. In one queue,
 * they made it run over the ends of arrays. */
TEST(api_lines_and_pairs_do_not_meet_in_one_queue)
{
    dgm_context *context;
    dgm_translator *translator = NULL;
    dgm_rescorer *rescorer = NULL;
    size_t lines = 0, pairs = 0, count = 0;

    CHECK_STATUS(make_model(), DGM_OK);
    CHECK_STATUS(new_context(&context), DGM_OK);
    CHECK_STATUS(open_translator(context, &translator), DGM_OK);
    CHECK_STATUS(open_rescorer(context, "gnmt", &rescorer), DGM_OK);
    CHECK_STATUS(add(translator, "w1 w2 w3"), DGM_OK);
    CHECK_STATUS(add(translator, "w4"), DGM_OK);
    CHECK_STATUS(add(translator, "w5 w6"), DGM_OK);
    CHECK_STATUS(add_pair(rescorer, "w1", "v4"), DGM_OK);
    CHECK_STATUS(add(translator, "w7"), DGM_OK);
    CHECK_STATUS(dgm_translator_run(translator, &lines), DGM_OK);
    CHECK_STATUS(dgm_rescorer_run(rescorer, &pairs), DGM_OK);
    CHECK_INT(lines, 4);
    CHECK_INT(pairs, 1);
    CHECK_STATUS(dgm_translator_count(translator, 3, &count), DGM_OK);
    CHECK_INT(count, 1);
    CHECK_STATUS(dgm_rescorer_result(rescorer, 1, NULL, NULL), DGM_USAGE);
    dgm_rescorer_free(rescorer);
    dgm_translator_free(translator);
    dgm_context_free(context);
}

TEST(api_translator_and_rescorer_refuse_wrong_calls)
{
    dgm_context *context;
    dgm_translator *translator = NULL;
    dgm_rescorer *rescorer = NULL;
    size_t count;

    dgm_translator_free(NULL);
    dgm_rescorer_free(NULL);
    CHECK_STATUS(dgm_translator_add(NULL, "", 0), DGM_USAGE);
    CHECK_STATUS(dgm_rescorer_new(NULL, NULL, NULL), DGM_USAGE);
    CHECK_STATUS(dgm_rescorer_add(NULL, "", 0, "", 0), DGM_USAGE);
    CHECK_STATUS(dgm_rescorer_run(NULL, &count), DGM_USAGE);
    CHECK_STATUS(dgm_rescorer_result(NULL, 0, NULL, NULL), DGM_USAGE);
    CHECK_STATUS(new_context(&context), DGM_OK);
    CHECK_STATUS(dgm_rescorer_new(context, NULL, &rescorer), DGM_USAGE);
    CHECK(rescorer == NULL);
    dgm_context_clear(context);
    CHECK_STATUS(make_model(), DGM_OK);
    CHECK_STATUS(open_rescorer(context, "other", &rescorer), DGM_USAGE);
    dgm_context_clear(context);
    CHECK_STATUS(open_rescorer(context, "none", &rescorer), DGM_OK);
    CHECK_STATUS(dgm_rescorer_result(rescorer, 0, NULL, NULL), DGM_USAGE);
    dgm_context_clear(context);
    CHECK_STATUS(dgm_rescorer_run(rescorer, NULL), DGM_USAGE);
    dgm_context_clear(context);
    CHECK_STATUS(dgm_rescorer_add(rescorer, NULL, 3, "", 0), DGM_USAGE);
    dgm_context_clear(context);
    CHECK_STATUS(open_translator(context, &translator), DGM_OK);
    CHECK_STATUS(dgm_translator_run(translator, NULL), DGM_USAGE);
    dgm_translator_free(translator);
    dgm_rescorer_free(rescorer);
    dgm_context_free(context);
}

/* ---- documents ------------------------------------------------------------------------------- */

/* What a document becomes; `left`: how many calls are taken before one fails. */
struct written {
    struct dgm_buf text;
    int left;
};

static dgm_status write_document(void *user, const char *text, size_t bytes)
{
    struct written *written = user;

    if (written->left-- == 0)
        return DGM_FAILURE;
    return dgm_buf_add(test_env(), &written->text, text, bytes);
}

static dgm_status translate_document(dgm_translator *translator, const char *format,
                                     const struct dgm_buf *document, struct written *written)
{
    dgm_buf_reset(&written->text);
    return dgm_translator_document(translator, format, document->data, document->size,
                                   write_document, written);
}

enum { MESSAGES = 1100 };

/* More messages than are translated at a time, and what they become. */
static void make_messages(dgm_translator *translator, struct dgm_buf *in, struct dgm_buf *want)
{
    const char *text;
    size_t lines;
    char line[40];

    for (int i = 0; i < MESSAGES; i++) {
        snprintf(line, sizeof line, "w%d w%d", i % 9, i / 9 % 9);
        CHECK_STATUS(add(translator, line), DGM_OK);
        CHECK_STATUS(dgm_buf_add_format(test_env(), in, "msgid \"%s\"\nmsgstr \"\"\n\n", line),
                     DGM_OK);
    }
    CHECK_STATUS(dgm_translator_run(translator, &lines), DGM_OK);
    for (int i = 0; i < MESSAGES; i++) {
        snprintf(line, sizeof line, "w%d w%d", i % 9, i / 9 % 9);
        CHECK_STATUS(dgm_translator_result(translator, (size_t)i, 0, &text, NULL, NULL, NULL),
                     DGM_OK);
        CHECK_STATUS(dgm_buf_add_format(test_env(), want,
                                        "#, fuzzy\nmsgid \"%s\"\nmsgstr \"%s\"\n\n", line, text),
                     DGM_OK);
    }
}

TEST(api_document_has_the_translations_of_its_lines)
{
    struct dgm_buf in = { NULL, 0, 0, 0 }, want = { NULL, 0, 0, 0 };
    struct written written = { .left = -1 };
    dgm_context *context;
    dgm_translator *translator = NULL;

    CHECK_STATUS(make_model(), DGM_OK);
    CHECK_STATUS(new_context(&context), DGM_OK);
    CHECK_STATUS(open_translator(context, &translator), DGM_OK);
    make_messages(translator, &in, &want);
    CHECK_STATUS(translate_document(translator, "po", &in, &written), DGM_OK);
    CHECK_STR(written.text.data, want.data);
    written.left = 1; /* the second time */
    CHECK_STATUS(translate_document(translator, "po", &in, &written), DGM_FAILURE);
    CHECK(written.text.size > 0 && written.text.size < want.size);
    CHECK_MEM(written.text.data, want.data, written.text.size);
    dgm_context_clear(context);
    written.left = -1;
    CHECK_STATUS(translate_document(translator, "doc", &in, &written), DGM_USAGE);
    dgm_context_clear(context);
    CHECK_STATUS(translate_document(translator, NULL, &in, &written), DGM_USAGE);
    dgm_context_clear(context);
    CHECK_STATUS(dgm_translator_document(translator, "po", NULL, 1, write_document, &written),
                 DGM_USAGE);
    dgm_context_clear(context);
    CHECK_STATUS(dgm_translator_document(translator, "po", NULL, 0, NULL, &written), DGM_USAGE);
    dgm_context_clear(context);
    CHECK_STATUS(dgm_translator_document(NULL, "po", NULL, 0, write_document, &written), DGM_USAGE);
    CHECK_STATUS(dgm_translator_document(translator, "po", NULL, 0, write_document, &written),
                 DGM_OK);
    CHECK_STATUS(add(translator, "w1"), DGM_OK);
    CHECK_STATUS(translate_document(translator, "po", &in, &written), DGM_USAGE);
    dgm_buf_clear(test_env(), &in);
    dgm_buf_clear(test_env(), &want);
    dgm_buf_clear(test_env(), &written.text);
    dgm_translator_free(translator);
    dgm_context_free(context);
}

/* ---- options --------------------------------------------------------------------------------- */

/* The context's error is DGM_USAGE and names `field`; it is cleared. */
static int refused(dgm_context *context, dgm_status got, const char *field)
{
    const dgm_error *error = dgm_context_error(context);
    int good = got == DGM_USAGE && error->status == got && strstr(error->message, field) != NULL;

    if (!good)
        printf("status %d: %s\n", (int)got, error->message);
    dgm_context_clear(context);
    return good;
}

/* Options that are refused before any file is looked at. */
static int refuses_translator(dgm_context *context, const dgm_translator_options *from,
                              const char *field)
{
    static const char *const models[] = { "no such file" };
    dgm_translator_options options = *from;
    dgm_translator *translator = NULL;

    options.struct_size = sizeof options;
    options.models = models;
    options.model_count = 1;
    return refused(context, dgm_translator_new(context, &options, &translator), field) &&
           translator == NULL;
}

static void check_whole_numbers(dgm_context *context)
{
    static const int wrong[] = { -1, INT_MIN };
    dgm_translator_options options;

    for (int i = 0; i < 2; i++) {
        memset(&options, 0, sizeof options);
        options.beam = wrong[i];
        CHECK(refuses_translator(context, &options, "beam"));
        options.beam = 0;
        options.n_best = wrong[i];
        CHECK(refuses_translator(context, &options, "n_best"));
        options.n_best = 0;
        options.batch_tokens = wrong[i];
        CHECK(refuses_translator(context, &options, "batch_tokens"));
    }
    memset(&options, 0, sizeof options);
    options.beam = 65;
    CHECK(refuses_translator(context, &options, "beam"));
    options.beam = 2;
    options.n_best = 3;
    CHECK(refuses_translator(context, &options, "n_best"));
    options.n_best = 0;
    options.allow_unk = options.no_allow_unk = 1;
    CHECK(refuses_translator(context, &options, "allow_unk and no_allow_unk"));
    options.allow_unk = options.no_allow_unk = 0;
    options.replace_unk = options.no_replace_unk = 1;
    CHECK(refuses_translator(context, &options, "replace_unk and no_replace_unk"));
}

static void check_real_numbers(dgm_context *context)
{
    double wrong[4] = { -1, 1e9, 0, 0 };
    dgm_translator_options options;

    wrong[2] = HUGE_VAL;
    wrong[3] = HUGE_VAL - HUGE_VAL; /* not a number */
    for (int i = 0; i < 4; i++) {
        memset(&options, 0, sizeof options);
        options.length_factor = wrong[i];
        CHECK(refuses_translator(context, &options, "length_factor"));
        options.length_factor = 0;
        options.has_alpha = 1;
        options.alpha = wrong[i];
        CHECK(refuses_translator(context, &options, "alpha"));
    }
}

TEST(api_translator_options_outside_their_ranges_are_named)
{
    dgm_context *context;
    dgm_translator_options options;
    dgm_translator *translator;

    CHECK_STATUS(new_context(&context), DGM_OK);
    check_whole_numbers(context);
    check_real_numbers(context);
    memset(&options, 0, sizeof options);
    options.struct_size = sizeof options;
    options.model_count = 1;
    CHECK(refused(context, dgm_translator_new(context, &options, &translator), "models"));
    options.models = (const char *const[]){ NULL };
    CHECK(refused(context, dgm_translator_new(context, &options, &translator), "models"));
    dgm_context_free(context);
}

TEST(api_rescorer_annotator_and_training_options_are_named)
{
    dgm_context *context;
    dgm_rescorer_options rescoring;
    dgm_annotator_options annotating;
    dgm_train_options training;
    dgm_rescorer *rescorer;
    dgm_annotator *annotator;

    CHECK_STATUS(new_context(&context), DGM_OK);
    memset(&rescoring, 0, sizeof rescoring);
    rescoring.struct_size = sizeof rescoring;
    rescoring.batch_tokens = -1;
    CHECK(refused(context, dgm_rescorer_new(context, &rescoring, &rescorer), "batch_tokens"));
    rescoring.batch_tokens = 0;
    rescoring.has_alpha = 1;
    rescoring.alpha = HUGE_VAL - HUGE_VAL;
    CHECK(refused(context, dgm_rescorer_new(context, &rescoring, &rescorer), "alpha"));
    memset(&annotating, 0, sizeof annotating);
    annotating.struct_size = sizeof annotating;
    annotating.model = "no such file";
    annotating.batch_words = INT_MIN;
    CHECK(refused(context, dgm_annotator_new(context, &annotating, &annotator), "batch_words"));
    memset(&training, 0, sizeof training);
    training.struct_size = sizeof training;
    training.count = 1;
    CHECK(refused(context, dgm_train(context, &training), "names"));
    training.names = (const char *const[]){ "model" };
    CHECK(refused(context, dgm_train(context, &training), "values"));
    training.values = (const char *const[]){ NULL };
    CHECK(refused(context, dgm_train_parser(context, &training), "values"));
    dgm_context_free(context);
}

/* ---- lines ----------------------------------------------------------------------------------- */

/* A line that holds a line end would shift all that follow; what was queued before it stays. */
TEST(api_lines_with_a_line_end_are_refused)
{
    dgm_context *context;
    dgm_translator *translator = NULL;
    dgm_rescorer *rescorer = NULL;
    size_t count = 0;

    CHECK_STATUS(make_model(), DGM_OK);
    CHECK_STATUS(new_context(&context), DGM_OK);
    CHECK_STATUS(open_translator(context, &translator), DGM_OK);
    CHECK_STATUS(open_rescorer(context, NULL, &rescorer), DGM_OK);
    CHECK_STATUS(add(translator, "w1"), DGM_OK);
    CHECK(refused(context, add(translator, "w1\nw2"), "byte 2"));
    CHECK(refused(context, add(translator, "w1\n"), "byte 2"));
    CHECK_STATUS(dgm_translator_run(translator, &count), DGM_OK);
    CHECK_INT(count, 1);
    CHECK_STATUS(add_pair(rescorer, "w1", "v1"), DGM_OK);
    CHECK(refused(context, add_pair(rescorer, "w1\n", "v1"), "byte 2")); /* and forgets the pair */
    CHECK_STATUS(add_pair(rescorer, "w2", "v2"), DGM_OK);
    CHECK_STATUS(dgm_rescorer_run(rescorer, &count), DGM_OK);
    CHECK_INT(count, 1);
    CHECK(refused(context, add_pair(rescorer, "w1", "\nv1"), "byte 0"));
    dgm_rescorer_free(rescorer);
    dgm_translator_free(translator);
    dgm_context_free(context);
}

/* Keeps the warnings, each on a line. */
static void keep_warning(void *user, dgm_level level, const char *text)
{
    struct dgm_buf *log = user;

    if (level == DGM_LOG_WARNING && dgm_buf_add_text(test_env(), log, text) == DGM_OK)
        (void)dgm_buf_add_char(test_env(), log, '\n');
}

static dgm_status new_logging_context(dgm_context **context, struct dgm_buf *log)
{
    dgm_context_options options;

    memset(&options, 0, sizeof options);
    options.struct_size = sizeof options;
    options.threads = 1;
    options.log = keep_warning;
    options.log_user = log;
    options.log_level = DGM_LOG_WARNING;
    return dgm_context_new(&options, context);
}

/* What no text holds is read as U+FFFD, and said once of each kind, with its line. */
TEST(api_bytes_that_are_no_text_are_warned_of_once)
{
    dgm_context *context;
    dgm_translator *translator = NULL;
    struct dgm_buf log = { NULL, 0, 0, 0 };
    size_t count;

    CHECK_STATUS(make_model(), DGM_OK);
    CHECK_STATUS(new_logging_context(&context, &log), DGM_OK);
    CHECK_STATUS(open_translator(context, &translator), DGM_OK);
    CHECK_STATUS(add(translator, "w1 \xC3\xA4"), DGM_OK);
    CHECK_INT(log.size, 0);
    CHECK_STATUS(dgm_translator_add(translator, "w1\0 w2", 6), DGM_OK);
    CHECK_STATUS(dgm_translator_add(translator, "w1\0 \xFF", 5), DGM_OK);
    CHECK_STATUS(add(translator, "\xC3"), DGM_OK);
    CHECK_STATUS(dgm_translator_add(translator, "\0", 1), DGM_OK);
    CHECK_STATUS(dgm_translator_run(translator, &count), DGM_OK);
    CHECK_INT(count, 5);
    CHECK_STR(log.data, "line 2 has a NUL in column 3: read as U+FFFD (said once)\n"
                        "line 3 has ill-formed UTF-8 in column 5, \"\\xFF\": read as U+FFFD "
                        "(said once)\n");
    dgm_translator_free(translator);
    dgm_context_free(context);
    dgm_buf_clear(test_env(), &log);
}

/* ---- stopping -------------------------------------------------------------------------------- */

enum { LINES = 40 };

/* Stops the context at the third batch, and keeps what it was told. */
struct stop_after {
    dgm_context *context;
    int calls, last;
    int64_t done, total;
    dgm_translator *translator;
};

/* A function of progress may not use what waits for it. */
static void call_back(dgm_translator *translator)
{
    size_t count = 0;

    CHECK_STATUS(add(translator, "w1"), DGM_USAGE);
    CHECK_STATUS(dgm_translator_run(translator, &count), DGM_USAGE);
    CHECK_STATUS(dgm_translator_count(translator, 0, &count), DGM_USAGE);
    dgm_translator_free(translator);
}

static void count_batch(void *user, int64_t done, int64_t total, const char *text)
{
    struct stop_after *stop = user;

    (void)text;
    call_back(stop->translator);
    if (done <= stop->done)
        stop->calls = -1000; /* it never goes back */
    stop->done = done;
    stop->total = total;
    if (++stop->calls == stop->last)
        dgm_context_stop(stop->context);
}

static dgm_status open_watched(struct stop_after *stop, dgm_translator **translator)
{
    dgm_translator_options options;
    char path[1200];
    const char *models[1];

    memset(&options, 0, sizeof options);
    options.struct_size = sizeof options;
    models[0] = in_dir(path, "m");
    options.models = models;
    options.model_count = 1;
    options.batch_tokens = 12; /* at most two lines with a beam of five */
    options.progress = count_batch;
    options.progress_user = stop;
    DGM_TRY(dgm_translator_new(stop->context, &options, translator));
    stop->translator = *translator;
    return DGM_OK;
}

/* Three words a line: batches go through them in order. */
static dgm_status add_lines(dgm_translator *translator)
{
    char line[40];

    for (int i = 0; i < LINES; i++) {
        snprintf(line, sizeof line, "w%d w%d w%d", i % 9, i / 9, (i * 5) % 9);
        DGM_TRY(add(translator, line));
    }
    return DGM_OK;
}

/* All translations, or those of the first lines of a run that was stopped. */
static dgm_status translate_lines(struct stop_after *stop, struct dgm_buf *out, size_t *lines)
{
    dgm_translator *translator = NULL;
    const char *text;
    dgm_status status, after = DGM_OK;

    DGM_TRY(open_watched(stop, &translator));
    status = add_lines(translator);
    if (status == DGM_OK)
        status = dgm_translator_run(translator, lines);
    dgm_context_clear(stop->context);
    for (size_t i = 0; i < *lines && after == DGM_OK; i++) {
        after = dgm_translator_result(translator, i, 0, &text, NULL, NULL, NULL);
        if (after == DGM_OK)
            after = dgm_buf_add_format(test_env(), out, "%s\n", text);
    }
    if (after == DGM_OK &&
        dgm_translator_result(translator, *lines, 0, &text, NULL, NULL, NULL) != DGM_USAGE)
        after = DGM_FAILURE;
    dgm_translator_free(translator);
    dgm_context_clear(stop->context);
    return after != DGM_OK ? after : status;
}

TEST(api_stop_ends_a_translation_and_leaves_its_first_lines)
{
    struct stop_after whole = { NULL, 0, -1, 0, 0, NULL }, part = { NULL, 0, 3, 0, 0, NULL };
    struct dgm_buf all = { NULL, 0, 0, 0 }, some = { NULL, 0, 0, 0 };
    size_t lines = 0;

    CHECK_STATUS(make_model(), DGM_OK);
    CHECK_STATUS(new_context(&whole.context), DGM_OK);
    CHECK_STATUS(new_context(&part.context), DGM_OK);
    CHECK_STATUS(translate_lines(&whole, &all, &lines), DGM_OK);
    CHECK_INT(lines, LINES);
    CHECK(whole.calls >= LINES / 2);
    CHECK_INT(whole.done, LINES);
    CHECK_INT(whole.total, LINES);
    CHECK_STATUS(translate_lines(&part, &some, &lines), DGM_INTERRUPTED);
    CHECK_INT(part.calls, 3);
    CHECK_INT(lines, part.done);
    CHECK(lines >= 3 && lines < LINES);
    CHECK_MEM(some.data, all.data, some.size);
    dgm_buf_clear(test_env(), &all);
    dgm_buf_clear(test_env(), &some);
    dgm_context_free(whole.context);
    dgm_context_free(part.context);
}

static dgm_status keep_nothing(void *user, const char *text, size_t bytes)
{
    (void)user;
    (void)text;
    (void)bytes;
    return DGM_OK;
}

/* A parser of two updates on one sentence, called "parser". */
static dgm_status make_parser(dgm_context *context)
{
    static const char *const names[] = { "model",    "train-sets", "min-freq",  "after",  "dim-emb",
                                         "dim-lstm", "dim-arc",    "dim-label", "dim-tag" };
    char path[2][1200];
    const char *values[] = { in_dir(path[0], "parser"),
                             in_dir(path[1], "tree.conllu"),
                             "1",
                             "2u",
                             "8",
                             "8",
                             "8",
                             "8",
                             "8" };
    dgm_train_options options;
    FILE *trees = fopen(path[1], "wb");

    if (trees == NULL)
        return DGM_FAILURE;
    fputs("1\tw1\t_\tX\t_\t_\t0\troot\t_\t_\n2\tw2\t_\tX\t_\t_\t1\tdep\t_\t_\n\n", trees);
    fclose(trees);

    memset(&options, 0, sizeof options);
    options.struct_size = sizeof options;
    options.names = names;
    options.values = values;
    options.count = sizeof names / sizeof *names;
    return dgm_train_parser(context, &options);
}

/* What needs no model. */
static void check_stopped_files(dgm_context *context)
{
    dgm_scorer_options options;
    dgm_scorer *scorer[2];
    dgm_paired results[2];
    const char *reference = "the dog bit the man", *references[1];
    size_t bytes = strlen(reference);
    char path[1200];

    memset(&options, 0, sizeof options);
    options.struct_size = sizeof options;
    options.keep_sentences = 1;
    for (int i = 0; i < 2; i++) {
        CHECK_STATUS(dgm_scorer_new(context, &options, &scorer[i]), DGM_OK);
        CHECK_STATUS(dgm_scorer_add(scorer[i], reference, bytes, &reference, &bytes, 1), DGM_OK);
    }
    CHECK_STATUS(dgm_scorer_paired(scorer, 2, 1000000, 1, results), DGM_INTERRUPTED);
    dgm_context_clear(context);
    references[0] = in_dir(path, "toy.src");
    CHECK_STATUS(dgm_scorer_add_files(scorer, 1, references[0], references, 1, NULL, NULL),
                 DGM_INTERRUPTED);
    dgm_context_clear(context);
    for (int i = 0; i < 2; i++)
        dgm_scorer_free(scorer[i]);
    in_dir(path, "tree.conllu");
    CHECK_STATUS(dgm_parse_eval(context, path, path, NULL, keep_nothing, NULL), DGM_INTERRUPTED);
    dgm_context_clear(context);
}

TEST(api_stop_ends_every_long_call)
{
    dgm_context *context;
    dgm_translator *translator = NULL;
    dgm_rescorer *rescorer = NULL;
    dgm_annotator *annotator = NULL;
    dgm_annotator_options options;
    char path[1200];
    size_t count;

    CHECK_STATUS(make_model(), DGM_OK);
    CHECK_STATUS(new_context(&context), DGM_OK);
    CHECK_STATUS(make_parser(context), DGM_OK);
    CHECK_STATUS(open_translator(context, &translator), DGM_OK);
    CHECK_STATUS(open_rescorer(context, NULL, &rescorer), DGM_OK);
    memset(&options, 0, sizeof options);
    options.struct_size = sizeof options;
    options.model = in_dir(path, "parser");
    options.input = "tokens";
    CHECK_STATUS(dgm_annotator_new(context, &options, &annotator), DGM_OK);
    CHECK_STATUS(add(translator, "w1 w2"), DGM_OK);
    CHECK_STATUS(add_pair(rescorer, "w1 w2", "v4 v8"), DGM_OK);
    dgm_context_stop(context);
    CHECK_STATUS(dgm_translator_run(translator, &count), DGM_INTERRUPTED);
    CHECK_INT(count, 0);
    dgm_context_clear(context);
    CHECK_STATUS(dgm_rescorer_run(rescorer, &count), DGM_INTERRUPTED);
    CHECK_INT(count, 0);
    dgm_context_clear(context);
    CHECK_STATUS(dgm_annotator_file(annotator, in_dir(path, "toy.src"), keep_nothing, NULL),
                 DGM_INTERRUPTED);
    dgm_context_clear(context);
    check_stopped_files(context);
    dgm_annotator_free(annotator);
    dgm_rescorer_free(rescorer);
    dgm_translator_free(translator);
    dgm_context_free(context);
}

/* ---- what fails half-way --------------------------------------------------------------------- */

/* Memory that runs out between a source and its target leaves no source alone: allocation `at`
 * from the first pair on is the last that succeeds. */
static void check_out_of_memory(dgm_context *context, dgm_rescorer *rescorer, long at)
{
    size_t pairs = 0;
    double logp = 1;

    CHECK_STATUS(dgm_rescorer_run(rescorer, &pairs), DGM_OK);
    test_env_fail_at(test_allocations() + at);
    if (add_pair(rescorer, "w1 w2 w3", "v4 v8 v3") == DGM_OK)
        (void)dgm_rescorer_run(rescorer, &pairs);
    test_env_fail_at(0);
    dgm_context_clear(context);
    CHECK_STATUS(add_pair(rescorer, "w5", "v2"), DGM_OK);
    CHECK_STATUS(dgm_rescorer_run(rescorer, &pairs), DGM_OK);
    CHECK(pairs >= 1);
    CHECK_STATUS(dgm_rescorer_result(rescorer, pairs - 1, NULL, &logp), DGM_OK);
    CHECK(logp < 0);
}

TEST(api_rescorer_keeps_pairs_together_when_memory_runs_out)
{
    dgm_context *context;
    dgm_rescorer *rescorer;

    CHECK_STATUS(make_model(), DGM_OK);
    CHECK_STATUS(new_context(&context), DGM_OK);
    for (long at = 1; at <= 40; at++) {
        CHECK_STATUS(open_rescorer(context, "none", &rescorer), DGM_OK);
        check_out_of_memory(context, rescorer, at);
        dgm_rescorer_free(rescorer);
    }
    dgm_context_free(context);
}
