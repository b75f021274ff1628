/*
 * test_callbacks.c: functions of the caller's that call back into the context that waits for them:
 * refused, whatever they call, and the call that waits goes on; and what they may return.
 */
#include "api/program.h"
#include "api_case.h"
#include "treebank_file.h"

/* What a callback tries to use and to free. */
static struct {
    dgm_context *context;
    dgm_tokenizer *tokenizer;
    dgm_words *words;
    dgm_scorer *scorer;
    int times;
} victims;

static void use_all(void)
{
    dgm_tokenizer *made = NULL;
    const char *text = NULL;
    size_t bytes = 0;

    CHECK_STATUS(dgm_tokenizer_apply(victims.tokenizer, "a", 1, &text, &bytes), DGM_USAGE);
    CHECK_STATUS(dgm_words_add(victims.words, "b", 1), DGM_USAGE);
    CHECK_STATUS(dgm_words_set_memory(victims.words, 1 << 20), DGM_USAGE);
    CHECK_STATUS(dgm_words_write_counts(victims.words, refuse, NULL), DGM_USAGE);
    CHECK_STATUS(dgm_scorer_add(victims.scorer, "a", 1, NULL, NULL, 0), DGM_USAGE);
    CHECK_STATUS(dgm_tokenizer_new(victims.context, NULL, &made), DGM_USAGE);
    CHECK_STATUS(dgm_context_set_threads(victims.context, 2), DGM_USAGE);
    CHECK_STATUS(dgm_context_set_memory(victims.context, 1), DGM_USAGE);
    CHECK_STATUS(dgm_inspect(victims.context, "x", NULL, keep, NULL), DGM_USAGE);
    CHECK(text == NULL && made == NULL);
    CHECK_STATUS(dgm_context_error(victims.context)->status, DGM_OK);
}

static void call_back(void)
{
    victims.times++;
    use_all();
    dgm_tokenizer_free(victims.tokenizer);
    dgm_words_free(victims.words);
    dgm_scorer_free(victims.scorer);
    dgm_context_clear(victims.context);
    dgm_context_free(victims.context);
}

static void log_line(void *user, dgm_level level, const char *text)
{
    (void)user;
    (void)level;
    (void)text;
    call_back();
}

static dgm_status write_piece(void *user, const char *text, size_t bytes)
{
    call_back();
    return dgm_buf_add(test_env(), user, text, bytes);
}

static void open_victims(void)
{
    dgm_context_options options = DGM_OPTIONS(dgm_context_options);

    options.allocator = &test_env()->memory;
    options.log = log_line;
    options.log_level = DGM_LOG_NOTE;
    memset(&victims, 0, sizeof victims);
    CHECK_STATUS(dgm_context_new(&options, &victims.context), DGM_OK);
    CHECK_STATUS(dgm_tokenizer_new(victims.context, NULL, &victims.tokenizer), DGM_OK);
    CHECK_STATUS(dgm_words_new(victims.context, &victims.words), DGM_OK);
    CHECK_STATUS(dgm_scorer_new(victims.context, NULL, &victims.scorer), DGM_OK);
}

static void close_victims(void)
{
    dgm_tokenizer_free(victims.tokenizer);
    dgm_words_free(victims.words);
    dgm_scorer_free(victims.scorer);
    dgm_context_free(victims.context);
}

TEST(api_callbacks_cannot_call_back)
{
    dgm_tokenizer_options foreign = DGM_OPTIONS(dgm_tokenizer_options);
    dgm_tokenizer *other = NULL;
    struct dgm_buf out = { 0 };

    open_victims();
    CHECK_STATUS(dgm_words_add(victims.words, "a b a", 5), DGM_OK);
    CHECK_STATUS(dgm_words_write_counts(victims.words, write_piece, &out), DGM_OK);
    CHECK_INT(victims.times, 1);
    CHECK_INT(out.size, 8);
    CHECK_MEM(out.data, "a 2\nb 1\n", 8);
    foreign.language = "hi"; /* of which a warning tells */
    CHECK_STATUS(dgm_tokenizer_new(victims.context, &foreign, &other), DGM_OK);
    CHECK_INT(victims.times, 2);
    /* All is as it was, and can be freed. */
    CHECK_STATUS(dgm_words_write_counts(victims.words, refuse, NULL), DGM_FAILURE);
    dgm_context_clear(victims.context);
    CHECK_STATUS(dgm_words_add(victims.words, "a", 1), DGM_OK);
    dgm_tokenizer_free(other);
    close_victims();
    dgm_buf_clear(test_env(), &out);
}

static void progress(void *user, int64_t done, int64_t total, const char *text)
{
    (void)user;
    (void)text;
    CHECK(done <= total);
    call_back();
}

/* Vectors have a note and a report of progress, then a result. */
TEST(api_callbacks_of_learning_vectors_cannot_call_back)
{
    struct dgm_vectors_learning learning = { .dim = 2,
                                             .window = 1,
                                             .negatives = 1,
                                             .epochs = 1,
                                             .min_count = 1,
                                             .rate = 0.05,
                                             .progress = progress };
    struct dgm_buf out = { 0 };
    char path[1200];
    const char *paths[1] = { path };

    CHECK_STATUS(put_treebank(path, "text", "a b a\nb a b\n"), DGM_OK);
    open_victims();
    CHECK_STATUS(dgm_vectors_learn(victims.context, &learning, paths, 1, write_piece, &out),
                 DGM_OK);
    CHECK(victims.times > 2);
    CHECK(out.size > 8);
    close_victims();
    dgm_buf_clear(test_env(), &out);
}

/* ---- what a callback returns ----------------------------------------------------------------- */

static dgm_status answer; /* of both functions below */

static dgm_status answer_piece(void *user, const char *text, size_t bytes)
{
    (void)user;
    (void)text;
    (void)bytes;
    return answer;
}

/* It frees what the call needs, and uses a scorer. */
static dgm_status answer_line(void *user, long line)
{
    double score;

    (void)user;
    (void)line;
    victims.times += dgm_scorer_value(victims.scorer, &score, NULL) == DGM_OK;
    dgm_scorer_free(victims.scorer);
    dgm_context_free(victims.context);
    return answer;
}

/* The call ends with `want`, and tells of a number that is no status. */
static void check_answer(dgm_status status, dgm_status want)
{
    const struct dgm_error *error = dgm_context_error(victims.context);
    const int is_known = (unsigned)answer < DGM_STATUS_COUNT;

    CHECK_STATUS(status, want);
    CHECK_STATUS(error->status, want);
    CHECK_INT(strstr(error->message, "refused") != NULL, want != DGM_OK);
    CHECK_INT(strstr(error->message, "which is no status") != NULL, !is_known);
    dgm_context_clear(victims.context);
}

TEST(api_callbacks_that_return_no_status_are_failures)
{
    static const int answers[] = {
        DGM_OK, DGM_DATA, DGM_INTERRUPTED, DGM_UNSUPPORTED, DGM_STATUS_COUNT, 99, -1
    };
    char path[1200];
    const char *paths[1] = { path };

    CHECK_STATUS(put_treebank(path, "text", "a b a\n"), DGM_OK);
    open_victims();
    CHECK_STATUS(dgm_words_add(victims.words, "a", 1), DGM_OK);
    for (size_t i = 0; i < sizeof answers / sizeof *answers; i++) {
        const int is_known = (unsigned)answers[i] < DGM_STATUS_COUNT;
        const dgm_status want = is_known ? (dgm_status)answers[i] : DGM_FAILURE;

        memcpy(&answer, &answers[i], sizeof answer);
        check_answer(dgm_words_write_counts(victims.words, answer_piece, NULL), want);
        check_answer(dgm_scorer_add_files(&victims.scorer, 1, path, paths, 1, answer_line, NULL),
                     want);
    }
    CHECK(victims.times >= (int)(sizeof answers / sizeof *answers));
    close_victims();
}
