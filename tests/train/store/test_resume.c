/*
 * test_resume.c: what a training run goes on from: texts that were changed, checkpoints whose
 * counters no run can have left so, those of older versions, another processor.
 */
#include <math.h>

#include "tensor/gguf/gguf_get.h"
#include "tensor/gguf/gguf_load.h"
#include "tensor/gguf/gguf_write.h"
#include "train/trainer.h"
#include "training_case.h"

/* ---- logs and checkpoints ------------------------------------------------------------------- */

static char heard[8000];

static void hear(void *user, dgm_level level, const char *text)
{
    (void)user;
    (void)level;
    if (strlen(heard) + strlen(text) + 2 < sizeof heard)
        strcat(strcat(heard, text), "\n");
}

static dgm_status train_aloud(const char *model, const char *const *extra, int *updates)
{
    dgm_status status;

    heard[0] = '\0';
    test_env()->log = hear;
    test_env()->log_level = DGM_LOG_NOTE;
    status = train(model, extra, 1, 0, updates);
    test_env()->log = NULL;
    return status;
}

static void check_message(const char *part)
{
    if (strstr(test_env()->error.message, part) == NULL)
        CHECK_STR(test_env()->error.message, part);
    dgm_env_clear_error(test_env());
}

static void check_heard(const char *part)
{
    if (strstr(heard, part) == NULL)
        CHECK_STR(heard, part);
}

/* What becomes of one key of a checkpoint. */
struct edit {
    const char *key;
    char what; /* 'i' and 'd': becomes this value; 'l': a list of 7 and it; '-': goes; 's': the
                * settings of the model lose the text `key` */
    int64_t value;
    double real;
};

/* The settings of the model without the text. */
static dgm_status add_without(struct dgm_gguf_writer *writer, const struct dgm_gguf *file,
                              const char *text)
{
    size_t length;
    const char *config = dgm_gguf_text(file, "dragoman.config", &length), *found;
    char left[8000];

    snprintf(left, sizeof left, "%.*s", (int)length, config);
    found = strstr(left, text);
    if (found == NULL)
        return dgm_fail(test_env(), DGM_FAILURE, "no %s in the settings", text);
    memmove(left + (found - left), found + strlen(text), strlen(found + strlen(text)) + 1);
    return dgm_gguf_add_text(test_env(), writer, "dragoman.config", left, strlen(left));
}

static dgm_status add_edited(struct dgm_gguf_writer *writer, const struct dgm_gguf *file,
                             const struct dgm_gguf_key *key, const struct edit *edit)
{
    char name[100];

    if (edit->what == 's')
        return strcmp(key->name, "dragoman.config") == 0
                   ? add_without(writer, file, edit->key)
                   : dgm_gguf_add_key(test_env(), writer, file, key);
    snprintf(name, sizeof name, "dragoman.state.%s", edit->key);
    if (strcmp(key->name, name) != 0)
        return dgm_gguf_add_key(test_env(), writer, file, key);
    if (edit->what == 'i')
        return dgm_gguf_add_i64(test_env(), writer, name, edit->value);
    if (edit->what == 'l') {
        uint64_t list[2] = { 7, (uint64_t)edit->value };
        return dgm_gguf_add_u64s(test_env(), writer, name, list, 2);
    }
    if (edit->what == 'd')
        return dgm_gguf_add_f64(test_env(), writer, name, edit->real);
    return DGM_OK;
}

/* Writes a checkpoint again, with right checksums, but for one key. */
static dgm_status edit_checkpoint(const char *from, const char *to, const struct edit *edit)
{
    struct dgm_gguf_writer writer;
    struct dgm_gguf file;
    char path[2][1200];
    dgm_status status;
    size_t i;

    memset(&writer, 0, sizeof writer);
    memset(&file, 0, sizeof file);
    status = dgm_gguf_load(test_env(), &file, in_dir(path[0], from));
    for (i = 0; i < file.key_count && status == DGM_OK; i++)
        status = add_edited(&writer, &file, &file.keys[i], edit);
    for (i = 0; i < file.tensor_count && status == DGM_OK; i++) {
        const struct dgm_gguf_tensor *t = &file.tensors[i];
        status = dgm_gguf_add_raw(test_env(), &writer, t->name, t->type, t->rank, t->dims,
                                  dgm_gguf_data(&file, t));
    }
    if (status == DGM_OK)
        status = dgm_gguf_write(test_env(), &writer, in_dir(path[1], to));
    dgm_gguf_writer_clear(test_env(), &writer);
    dgm_gguf_clear(test_env(), &file);
    return status;
}

/* The first `count` pairs of the toy corpus alone, and their trees. */
static int shorten_corpus(int count)
{
    static const char *const names[3] = { "toy.src", "toy.trg", "toy.conllu" };
    char line[200], path[1200];
    int k, p;

    for (k = 0; k < 3; k++) {
        struct dgm_buf text = { NULL, 0, 0, 0 };
        FILE *file = fopen(in_dir(path, names[k]), "rb");
        for (p = 0; p < count && file != NULL && fgets(line, sizeof line, file) != NULL;) {
            if (dgm_buf_add(test_env(), &text, line, strlen(line)) != DGM_OK)
                return 0;
            p += k < 2 || line[0] == '\n';
        }
        if (file == NULL || fclose(file) != 0 || (file = fopen(path, "wb")) == NULL)
            return 0;
        fwrite(text.data, 1, text.size, file);
        fclose(file);
        dgm_buf_clear(test_env(), &text);
    }
    return 1;
}

/* ---- another text --------------------------------------------------------------------------- */

/* An epoch of the toy corpus has 4 batches or a few more: update 7 lies within the second one. */
static const char *const begun[] = { "after", "7u", "save-freq", "7u", NULL };
static const char *const changed[] = { "after", "20u", "save-freq", "7u", "allow-data-change",
                                       "true",  NULL };

/* Where the place in the epoch lies beyond the end of the new one, memory was read past the end of
 * its order. */
TEST(resume_on_a_shorter_text_begins_the_epoch_again)
{
    static const int pairs[] = { 1, 2, 8, 29 };
    size_t i;

    for (i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
        char one[10], other[10];
        snprintf(one, sizeof one, "a%d", (int)i);
        snprintf(other, sizeof other, "b%d", (int)i);
        CHECK(write_corpus());
        CHECK_STATUS(train(one, begun, 1, 0, NULL), DGM_OK);
        CHECK_STATUS(train(other, begun, 1, 0, NULL), DGM_OK);
        CHECK(shorten_corpus(pairs[i]));
        CHECK_STATUS(train_aloud(one, changed, NULL), DGM_OK);
        check_heard("another one than that of the checkpoints: epoch");
        check_heard("begins again, in the order of the new text");
        CHECK_STATUS(train(other, changed, 3, 0, NULL), DGM_OK);
        CHECK_INT(updates_of(one), 20);
        check_same_files(one, other);
    }
}

TEST(resume_on_another_text_leaves_a_finished_epoch_finished)
{
    static const char *const first[] = { "after", "2e", NULL };
    static const char *const again[] = { "after", "2e", "allow-data-change", "true", NULL };
    static const char *const third[] = { "after", "3e", NULL };
    int updates;

    if (is_double())
        TEST_SKIP("checkpoints hold floats");
    CHECK(write_corpus());
    CHECK_STATUS(train("m", first, 1, 0, NULL), DGM_OK);
    CHECK(shorten_corpus(8));
    CHECK_STATUS(train_aloud("m", again, &updates), DGM_OK);
    check_heard("epoch 3 begins, in the order of the new text");
    CHECK_INT(updates, 0);
    CHECK_STATUS(train("m", third, 1, 0, &updates), DGM_USAGE);
    check_message("the training text is not the one");
}

static dgm_status read_tokens(const char *name, int64_t *tokens)
{
    struct dgm_gguf file;
    char path[1200];
    dgm_status status;

    memset(&file, 0, sizeof file);
    status = dgm_gguf_load(test_env(), &file, in_dir(path, name));
    if (status == DGM_OK && !dgm_gguf_int(&file, "dragoman.state.batch_tokens", tokens))
        status = DGM_FAILURE;
    dgm_gguf_clear(test_env(), &file);
    return status;
}

/* ---- what no run can have left so ------------------------------------------------------------ */

static const int64_t large = (int64_t)1 << 31;

TEST(resume_refuses_counters_that_no_run_can_have_left)
{
    const struct edit edits[] = { { "batch", 'i', large, 0 },
                                  { "batch", 'i', -1, 0 },
                                  { "batch", 'i', 7, 0 },
                                  { "batch", 'i', INT64_MIN, 0 },
                                  { "batch", 'i', INT64_MAX, 0 },
                                  { "batch", '-', 0, 0 },
                                  { "batches", 'i', large, 0 },
                                  { "batches", 'i', -1, 0 },
                                  { "batches", 'i', 3, 0 },
                                  { "updates", 'i', large, 0 },
                                  { "updates", 'i', -1, 0 },
                                  { "updates", 'i', INT64_MAX, 0 },
                                  { "updates", 'd', 0, 7 },
                                  { "epoch", 'i', large, 0 },
                                  { "epoch", 'i', 0, 0 },
                                  { "epoch", 'i', -1, 0 },
                                  { "epoch", 'i', INT64_MAX, 0 },
                                  { "labels", 'i', large, 0 },
                                  { "labels", 'i', -1, 0 },
                                  { "sentences", 'i', large, 0 },
                                  { "sentences", 'i', -1, 0 },
                                  { "sentences", 'i', 1, 0 },
                                  { "best_update", 'i', large, 0 },
                                  { "best_update", 'i', -1, 0 },
                                  { "stalled", 'i', large, 0 },
                                  { "stalled", 'i', 8, 0 },
                                  { "stalled", 'i', -1, 0 },
                                  { "log_bytes", 'i', large, 0 },
                                  { "log_bytes", 'i', -1, 0 },
                                  { "log_bytes", 'i', INT64_MAX, 0 },
                                  { "best", 'd', 0, (double)NAN },
                                  { "best", 'd', 0, HUGE_VAL },
                                  { "cost", 'd', 0, (double)NAN },
                                  { "cost_labels", 'd', 0, (double)NAN },
                                  { "cost_labels", 'd', 0, -1 },
                                  { "cost_labels", 'd', 0, 1e300 },
                                  { "elapsed", 'd', 0, (double)NAN },
                                  { "elapsed", 'd', 0, -1 },
                                  { "elapsed", '-', 0, 0 },
                                  { "train_checksum", '-', 0, 0 },
                                  { "train_checksum", 'd', 0, 1 },
                                  { "saves", 'i', large, 0 },
                                  { "saves", 'i', -1, 0 },
                                  { "saves", 'i', 0, 0 },
                                  { "saves", '-', 0, 0 },
                                  { "checkpoints", 'i', 1, 0 },
                                  { "checkpoints", 'l', 7, 0 },
                                  { "checkpoints", 'l', 6, 0 },
                                  { "checkpoints", 'l', 8, 0 },
                                  { "checkpoints", 'l', -1, 0 },
                                  { "best_checksum", 'd', 0, 1 },
                                  { "valid_checksum", 'd', 0, 1 },
                                  { "finished", 'i', 1, 0 } };
    static const char *const good = "good.gguf", *const bad = "m.ckpt/update-00000007.gguf";
    static const char *const on[] = { "after", "20u", "save-freq", "7u", NULL };
    char path[2][1200], key[60];
    size_t i;

    CHECK(write_corpus());
    CHECK_STATUS(train("m", begun, 1, 0, NULL), DGM_OK);
    CHECK(rename(in_dir(path[0], bad), in_dir(path[1], good)) == 0);
    for (i = 0; i < 2 * sizeof edits / sizeof edits[0]; i++) {
        const struct edit *edit = &edits[i / 2];
        snprintf(key, sizeof key, "key dragoman.state.%s", edit->key);
        CHECK_STATUS(edit_checkpoint(good, bad, edit), DGM_OK);
        CHECK_STATUS(train("m", on, 1, 0, NULL), DGM_MODEL);
        if (strstr(test_env()->error.file, "update-00000007.gguf") == NULL)
            CHECK_STR(test_env()->error.file, "update-00000007.gguf");
        check_message(key);
    }
}

/* What --batch-tokens auto chose when the run began: on any machine all of the toy corpus. */
static const char *const chosen[] = {
    "after", "7u", "save-freq", "7u", "batch-tokens", "auto", NULL
};

TEST(resume_refuses_batch_tokens_that_nothing_can_have_chosen)
{
    const struct edit edits[] = {
        { "batch_tokens", 'i', 0, 0 },        { "batch_tokens", 'i', -1, 0 },
        { "batch_tokens", 'i', 16777217, 0 }, { "batch_tokens", 'i', INT64_MAX, 0 },
        { "batch_tokens", 'd', 0, 7 },        { "batch_tokens", '-', 0, 0 },
        { "batch_tokens", 'i', 1, 0 }
    }; /* too few for its labels */
    static const char *const good = "good.gguf", *const bad = "m.ckpt/update-00000007.gguf";
    static const char *const on[] = { "after",        "20u",  "save-freq", "7u",
                                      "batch-tokens", "auto", NULL };
    char path[2][1200];

    CHECK(write_corpus());
    CHECK_STATUS(train("m", chosen, 1, 0, NULL), DGM_OK);
    CHECK(rename(in_dir(path[0], bad), in_dir(path[1], good)) == 0);
    for (size_t i = 0; i < sizeof edits / sizeof edits[0]; i++) {
        CHECK_STATUS(edit_checkpoint(good, bad, &edits[i]), DGM_OK);
        CHECK_STATUS(train("m", on, 1, 0, NULL), DGM_MODEL);
        check_message("key dragoman.state.");
    }
    CHECK(rename(in_dir(path[0], good), in_dir(path[1], bad)) == 0);
    CHECK_STATUS(train("m", on, 1, 0, NULL), DGM_OK);
}

/* Another text may be larger, and the memory smaller: the number stays. */
TEST(resume_on_another_text_keeps_the_batch_tokens_that_were_chosen)
{
    static const char *const on[] = {
        "after", "20u", "save-freq", "7u", "batch-tokens", "auto", "allow-data-change", "true", NULL
    };
    int64_t before = 0, after = 0;

    CHECK(write_corpus());
    CHECK(shorten_corpus(8));
    CHECK_STATUS(train("m", chosen, 1, 0, NULL), DGM_OK);
    CHECK_STATUS(read_tokens("m.ckpt/update-00000007.gguf", &before), DGM_OK);
    CHECK(write_corpus());
    CHECK_STATUS(train("m", on, 1, 0, NULL), DGM_OK);
    CHECK_STATUS(read_tokens("m.ckpt/update-00000020.gguf", &after), DGM_OK);
    CHECK(before > 0 && before <= 64);
    CHECK_INT(after, before);
}

/* A new text does not make them right. */
TEST(resume_on_another_text_refuses_such_counters_too)
{
    const struct edit edits[] = { { "batch", 'i', large, 0 }, { "epoch", 'i', large, 0 } };
    static const char *const good = "good.gguf", *const bad = "m.ckpt/update-00000007.gguf";
    char path[2][1200];
    size_t i;

    CHECK(write_corpus());
    CHECK_STATUS(train("m", begun, 1, 0, NULL), DGM_OK);
    CHECK(rename(in_dir(path[0], bad), in_dir(path[1], good)) == 0);
    CHECK(shorten_corpus(8));
    for (i = 0; i < 2; i++) {
        CHECK_STATUS(edit_checkpoint(good, bad, &edits[i]), DGM_OK);
        CHECK_STATUS(train("m", changed, 1, 0, NULL), DGM_MODEL);
        check_message("key dragoman.state.");
    }
}

/* ---- older versions -------------------------------------------------------------------------- */

static void drop(const char *file, const char *key)
{
    struct edit edit = { NULL, '-', 0, 0 };

    edit.key = key;
    CHECK_STATUS(edit_checkpoint(file, file, &edit), DGM_OK);
}

TEST(resume_takes_checkpoints_that_lack_the_newer_keys)
{
    static const char *const file = "m.ckpt/update-00000007.gguf";
    static const char *const on[] = { "after", "20u", "save-freq", "7u", NULL };

    if (is_double())
        TEST_SKIP("checkpoints hold floats");
    CHECK(write_corpus());
    CHECK_STATUS(train("whole", on, 1, 0, NULL), DGM_OK);
    CHECK_STATUS(train("m", begun, 1, 0, NULL), DGM_OK);
    drop(file, "batches");
    drop(file, "valid_checksum");
    drop(file, "devices");
    drop(file, "best_checksum");
    drop(file, "checkpoints");
    drop(file, "saves");
    CHECK_STATUS(train("m", on, 1, 0, NULL), DGM_OK);
    check_same_files("whole", "m");
}

/* A run begun by a version with another default goes on as it was begun. */
TEST(resume_keeps_what_was_the_default)
{
    static const char *const old[] = { "no-parse", "chain", "after", "3u", NULL };
    static const char *const on[] = { "after", "6u", NULL };
    static const char *const other[] = { "no-parse", "star", "after", "9u", NULL };
    int updates;

    CHECK(write_corpus());
    CHECK_STATUS(train("m", old, 1, 0, NULL), DGM_OK);
    CHECK_STATUS(train("m", on, 1, 0, &updates), DGM_OK);
    CHECK_INT(updates, 3);
    CHECK_STATUS(train("m", other, 1, 0, NULL), DGM_USAGE);
    check_message("another setting than \"no-parse = star\"");
    CHECK_STATUS(train("n", on, 1, 0, NULL), DGM_OK);
    CHECK_STATUS(train("n", old, 1, 0, NULL), DGM_USAGE);
    check_message("another setting than \"no-parse = chain\"");
}

/* The text of --syntax names what has another default than in older versions. A text that does not
 * is theirs, and a run that was begun with it goes on with what it meant: layer 4. */
TEST(resume_keeps_what_was_the_default_of_a_variant)
{
    static const char *const named[] = {
        "enc-depth", "4", "syntax", "dbsa(dec-layer=0,enc-layer=4)", "after", "8u", NULL
    };
    static const char *const old[] = { "enc-depth", "4",  "syntax", "dbsa(dec-layer=0,enc-layer=4)",
                                       "after",     "4u", NULL };
    static const char *const on[] = { "enc-depth", "4",  "syntax", "dbsa(dec-layer=0)",
                                      "after",     "8u", NULL };
    static const char *const again[] = { "enc-depth", "4",  "syntax", "dbsa(dec-layer=0)",
                                         "after",     "9u", NULL };
    static const struct edit edit = { ",enc-layer=4", 's', 0, 0 };

    if (is_double())
        TEST_SKIP("checkpoints hold floats");
    CHECK(write_corpus());
    CHECK_STATUS(train("whole", named, 1, 0, NULL), DGM_OK);
    CHECK_STATUS(train("m", old, 1, 0, NULL), DGM_OK);
    CHECK_STATUS(train("m", on, 1, 0, NULL), DGM_USAGE);
    check_message("another setting than \"syntax = ");
    CHECK_STATUS(edit_checkpoint("m.ckpt/update-00000004.gguf", "m.ckpt/update-00000004.gguf",
                                 &edit),
                 DGM_OK);
    CHECK_STATUS(train("m", on, 1, 0, NULL), DGM_OK);
    CHECK_STATUS(edit_checkpoint("whole", "whole", &edit), DGM_OK);
    check_same_files("whole", "m");
    /* New runs have the new default, and go on with it. */
    CHECK_STATUS(train("n", on, 1, 0, NULL), DGM_OK);
    CHECK_STATUS(train("n", again, 1, 0, NULL), DGM_OK);
    CHECK_STATUS(train("n", named, 1, 0, NULL), DGM_USAGE);
    dgm_env_clear_error(test_env());
}

/* A text of older versions may be as long as it likes. */
#define FIFTY_ZEROS "00000000000000000000000000000000000000000000000000"
#define LONG_DBSA "dbsa(dec-layer=0,lambda-enc=0.5" FIFTY_ZEROS FIFTY_ZEROS FIFTY_ZEROS

TEST(resume_keeps_what_was_the_default_of_a_variant_in_a_long_text)
{
    static const char *const old[] = { "enc-depth", "4",  "syntax", LONG_DBSA ",enc-layer=4)",
                                       "after",     "4u", NULL };
    static const char *const on[] = {
        "enc-depth", "4", "syntax", LONG_DBSA ")", "after", "5u", NULL
    };
    static const struct edit edit = { ",enc-layer=4", 's', 0, 0 };

    if (is_double())
        TEST_SKIP("checkpoints hold floats");
    CHECK(write_corpus());
    CHECK_STATUS(train("m", old, 1, 0, NULL), DGM_OK);
    CHECK_STATUS(edit_checkpoint("m.ckpt/update-00000004.gguf", "m.ckpt/update-00000004.gguf",
                                 &edit),
                 DGM_OK);
    CHECK_STATUS(train("m", on, 1, 0, NULL), DGM_OK);
}

/* ---- another processor ----------------------------------------------------------------------- */

TEST(resume_says_that_another_processor_rounds_differently)
{
    static const char *const on[] = { "after", "9u", "save-freq", "7u", NULL };
    struct dgm_device_options options;
    struct dgm_device *device;
    dgm_status status;

    CHECK(write_corpus());
    memset(&options, 0, sizeof options);
    options.threads = 1;
    options.isa = "c";
    CHECK_STATUS(dgm_device_open(test_env(), &device, "cpu", &options), DGM_OK);
    status = train_on(device, "m", begun, 0, NULL);
    dgm_device_close(test_env(), device);
    CHECK_STATUS(status, DGM_OK);
    CHECK_STATUS(train_aloud("m", on, NULL), DGM_OK);
    if (strstr(heard, "device: CPU, c,") != NULL) {
        CHECK(strstr(heard, "round differently") == NULL);
        TEST_SKIP("this processor has one instruction set");
    }
    check_heard("trained on CPU, c: they round differently");
    CHECK_STATUS(train_aloud("m", on, NULL), DGM_OK);
    CHECK(strstr(heard, "round differently") == NULL);
}

/* ---- the validation text --------------------------------------------------------------------- */

static void change_validation(const char *text)
{
    char path[1200];
    FILE *file = fopen(in_dir(path, "valid.src"), "wb");

    CHECK(file != NULL);
    fputs(text, file);
    fclose(file);
    file = fopen(in_dir(path, "valid.trg"), "wb");
    CHECK(file != NULL);
    fputs("v1 v2\nv3\n", file);
    fclose(file);
}

/* A text to validate by where there was none, and one more behind the first. */
TEST(resume_goes_on_with_added_validation)
{
    static char sets[2500], more[5000];
    const char *none[] = { "after", "9u", NULL };
    const char *one[] = { "valid-sets", sets, "valid-freq", "3u", "after", "12u", NULL };
    const char *two[] = { "valid-sets", more, "valid-freq", "3u", "after", "15u", NULL };
    const char *other[] = { "valid-sets", more, "valid-freq", "3u", "after", "18u", NULL };
    char path[4][1200];

    CHECK(write_corpus());
    change_validation("w1 w2\nw3\n");
    snprintf(sets, sizeof sets, "%s %s", in_dir(path[0], "valid.src"),
             in_dir(path[1], "valid.trg"));
    snprintf(more, sizeof more, "%s %s %s", sets, path[1], path[0]);
    CHECK_STATUS(train("m", none, 1, 0, NULL), DGM_OK);
    CHECK_STATUS(train("m", one, 1, 0, NULL), DGM_OK);
    CHECK_STATUS(train("m", two, 1, 0, NULL), DGM_OK);
    snprintf(more, sizeof more, "%s %s %s", path[1], path[0], sets);
    CHECK_STATUS(train("m", other, 1, 0, NULL), DGM_USAGE);
    check_message("the validation text is not the one");
}

TEST(resume_refuses_another_validation_text)
{
    static char sets[2500];
    const char *first[] = { "valid-sets", sets, "valid-freq", "3u", "after", "9u", NULL };
    const char *on[] = { "valid-sets", sets, "valid-freq", "3u", "after", "12u", NULL };
    const char *anyway[] = { "valid-sets",        sets,   "valid-freq", "3u", "after", "12u",
                             "allow-data-change", "true", NULL };
    static const char *const without[] = { "valid-freq", "3u", "after", "12u", NULL };
    char path[2][1200];
    int updates;

    CHECK(write_corpus());
    snprintf(sets, sizeof sets, "%s %s", in_dir(path[0], "valid.src"),
             in_dir(path[1], "valid.trg"));
    change_validation("w1 w2\nw3\n");
    CHECK_STATUS(train("m", first, 1, 0, NULL), DGM_OK);
    CHECK_STATUS(train("m", first, 1, 0, NULL), DGM_OK);
    CHECK_STATUS(train("m", without, 1, 0, NULL), DGM_USAGE);
    check_message("expected --valid-sets");
    change_validation("w1 w2\nw4\n");
    CHECK_STATUS(train("m", on, 1, 0, NULL), DGM_USAGE);
    check_message("the validation text is not the one");
    CHECK_STATUS(train_aloud("m", anyway, &updates), DGM_OK);
    CHECK_INT(updates, 3);
    check_heard("the best score is forgotten");
    check_heard("Up. 12 : ce-mean-words");
    check_heard(": new best");
    CHECK_STATUS(train_aloud("m", on, &updates), DGM_OK);
    CHECK_INT(updates, 0);
}

/* ---- time ------------------------------------------------------------------------------------ */

static double elapsed_of(const char *name)
{
    struct dgm_gguf file;
    char path[1200];
    double elapsed = -1;

    memset(&file, 0, sizeof file);
    if (dgm_gguf_load(test_env(), &file, in_dir(path, name)) == DGM_OK &&
        !dgm_gguf_real(&file, "dragoman.state.elapsed", &elapsed))
        elapsed = -1;
    dgm_gguf_clear(test_env(), &file);
    return elapsed;
}

/* --after 12h are hours of the whole run, however often it was interrupted. */
TEST(resume_counts_the_seconds_of_the_runs_before)
{
    static const char *const on[] = { "after", "14u", "save-freq", "7u", NULL };
    struct edit edit = { "elapsed", 'd', 0, 5000 };
    static const char *const hour[] = { "after", "1h", "save-freq", "7u", NULL };
    static const char *const first = "m.ckpt/update-00000007.gguf";
    double before;
    int updates;

    CHECK(write_corpus());
    CHECK_STATUS(train("m", begun, 1, 0, NULL), DGM_OK);
    before = elapsed_of(first);
    CHECK(before > 0 && before < 1000);
    CHECK_STATUS(edit_checkpoint(first, first, &edit), DGM_OK);
    CHECK_STATUS(train("m", hour, 1, 0, &updates), DGM_OK);
    CHECK_INT(updates, 0);
    CHECK_STATUS(train("m", on, 1, 0, NULL), DGM_OK);
    CHECK(elapsed_of("m.ckpt/update-00000014.gguf") > 5000);
}

/* ---- no update ------------------------------------------------------------------------------- */

TEST(resume_after_no_update_at_all_is_as_from_the_beginning)
{
    static const char *const none[] = { "after", "0u", NULL }, *const never[] = { "after", "0e",
                                                                                  NULL };
    int updates;

    if (is_double())
        TEST_SKIP("checkpoints hold floats");
    CHECK(write_corpus());
    CHECK_STATUS(train("whole", NULL, 1, 0, NULL), DGM_OK);
    CHECK_STATUS(train("m", none, 1, 0, &updates), DGM_OK);
    CHECK_INT(updates, 0);
    CHECK_INT(updates_of("m"), 0);
    CHECK_STATUS(train("m", never, 1, 0, &updates), DGM_OK);
    CHECK_INT(updates, 0);
    CHECK_STATUS(train("m", NULL, 1, 0, &updates), DGM_OK);
    CHECK_INT(updates, 40);
    check_same_files("whole", "m");
    CHECK_STATUS(train("m", none, 1, 0, &updates), DGM_OK);
    CHECK_INT(updates, 0);
    CHECK_INT(updates_of("m"), 40);
}
