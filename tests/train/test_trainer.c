/*
 * test_trainer.c: whole training runs on a toy corpus: the same bytes whatever the threads, the
 * stops and the resumes; and what is refused.
 */
#include <math.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file/file.h"
#include "failing_vfs.h"
#include "tensor/gguf/gguf_get.h"
#include "tensor/gguf/gguf_load.h"
#include "train/trainer.h"
#include "train/store/checkpoint.h"
#include "training_case.h"

/* ---- the same bytes -------------------------------------------------------------------------- */

static const char *const deps_shaw[] = {
    "syntax", "deps-san(rs_q=0.1)+shaw(k=2)", "accumulate", "2", "length-buckets", "3", NULL
};

static void check_threads(const char *const *extra)
{
    CHECK(write_corpus());
    CHECK_STATUS(train("one", extra, 1, 0, NULL), DGM_OK);
    CHECK_STATUS(train("two", extra, 2, 0, NULL), DGM_OK);
    CHECK_STATUS(train("three", extra, 3, 0, NULL), DGM_OK);
    check_same_files("one", "two");
    check_same_files("one", "three");
}

TEST(trainer_writes_the_same_bytes_with_any_number_of_threads)
{
    check_threads(NULL);
}

TEST(trainer_writes_the_same_bytes_of_a_syntax_model_with_any_number_of_threads)
{
    check_threads(deps_shaw);
}

/* Stops after every k-th update and resumes until the run is over. */
static void check_resume(const char *const *extra, int every)
{
    dgm_status status = DGM_INTERRUPTED;
    int calls = 0, updates, all = 0;

    if (is_double())
        TEST_SKIP("checkpoints hold floats");
    CHECK(write_corpus());
    CHECK_STATUS(train("whole", extra, 1, 0, NULL), DGM_OK);
    while (status == DGM_INTERRUPTED && calls < 100) {
        dgm_env_clear_error(test_env());
        status = train("parts", extra, 1 + calls % 2, every, &updates);
        all += updates;
        calls++;
    }
    CHECK_STATUS(status, DGM_OK);
    CHECK(calls > 2);
    CHECK_INT(all, 40);
    check_same_files("whole", "parts");
}

TEST(trainer_resumes_after_every_update_as_if_nothing_had_happened)
{
    check_resume(NULL, 1);
}

TEST(trainer_resumes_a_syntax_model_as_if_nothing_had_happened)
{
    check_resume(deps_shaw, 7);
}

TEST(trainer_resumes_with_averaging_as_if_nothing_had_happened)
{
    static const char *const extra[] = { "average", "3", "save-freq", "2e", NULL };

    check_resume(extra, 6);
}

/* With --recompute or without it, on one thread and on two, changing at every resume. */
TEST(trainer_recomputes_the_same_bytes_and_may_begin_and_end_to_at_a_resume)
{
    static const char *const never[] = {
        "syntax", "deps-san(rs_q=0.1)+shaw(k=2)", "accumulate", "2", "recompute", "false", NULL
    };
    static const char *const always[] = {
        "syntax", "deps-san(rs_q=0.1)+shaw(k=2)", "accumulate", "2", "recompute", "true", NULL
    };
    dgm_status status = DGM_INTERRUPTED;
    int calls;

    if (is_double())
        TEST_SKIP("checkpoints hold floats");
    CHECK(write_corpus());
    CHECK_STATUS(train("never", never, 1, 0, NULL), DGM_OK);
    CHECK_STATUS(train("always", always, 2, 0, NULL), DGM_OK);
    for (calls = 0; status == DGM_INTERRUPTED && calls < 100; calls++) {
        dgm_env_clear_error(test_env());
        status = train("changed", calls % 2 ? never : always, 1 + calls / 2 % 2, 5, NULL);
    }
    CHECK_STATUS(status, DGM_OK);
    CHECK(calls > 4);
    check_same_files("never", "always");
    check_same_files("never", "changed");
}

TEST(trainer_continues_a_finished_run_when_told_to_go_further)
{
    static const char *const shorter[] = { "after", "20u", NULL };
    int updates;

    if (is_double())
        TEST_SKIP("checkpoints hold floats");
    CHECK(write_corpus());
    CHECK_STATUS(train("whole", NULL, 1, 0, NULL), DGM_OK);
    CHECK_STATUS(train("longer", shorter, 1, 0, &updates), DGM_OK);
    CHECK_INT(updates, 20);
    CHECK_STATUS(train("longer", shorter, 1, 0, &updates), DGM_OK);
    CHECK_INT(updates, 0);
    CHECK_STATUS(train("longer", NULL, 1, 0, &updates), DGM_OK);
    CHECK_INT(updates, 20);
    check_same_files("whole", "longer");
}

/* Lines with a part. */
static int count_lines(const char *text, const char *part)
{
    int count = 0;

    while ((text = strstr(text, part)) != NULL) {
        text += strcspn(text, "\n");
        count++;
    }
    return count;
}

/* With lines of health, at the end of each of 10 epochs. */
TEST(trainer_doubles_no_line_of_its_metrics)
{
    struct dgm_buf text = { NULL, 0, 0, 0 };
    dgm_status status = DGM_INTERRUPTED;
    size_t i;

    CHECK(write_corpus());
    while (status == DGM_INTERRUPTED) {
        dgm_env_clear_error(test_env());
        status = train("m", NULL, 1, 3, NULL);
    }
    CHECK_STATUS(status, DGM_OK);
    CHECK_STATUS(read_model(&text, "m.ckpt/metrics.jsonl"), DGM_OK);
    CHECK_STATUS(dgm_buf_add_char(test_env(), &text, '\0'), DGM_OK);
    CHECK_INT(count_lines(text.data, "\"update\""), 18);
    CHECK_INT(count_lines(text.data, "\"loss\""), 8);
    CHECK_INT(count_lines(text.data, "\"encoder_rms\""), 10);
    for (i = 1; i <= 8; i++) {
        char update[32];
        snprintf(update, sizeof update, "\"update\": %d,", 5 * (int)i);
        CHECK(strstr(text.data, update) != NULL);
    }
    dgm_buf_clear(test_env(), &text);
}

/* ---- when it ends and what it keeps ---------------------------------------------------------- */

TEST(trainer_stops_after_updates_epochs_tokens_and_seconds)
{
    static const char *const updates[] = { "after", "7u", NULL },
                             *const epochs[] = { "after", "2e", NULL },
                             *const tokens[] = { "after", "200t", NULL },
                             *const seconds[] = { "after", "0.001s", NULL };
    int made, first;

    CHECK(write_corpus());
    CHECK_STATUS(train("u", updates, 1, 0, &made), DGM_OK);
    CHECK_INT(made, 7);
    CHECK_INT(updates_of("u"), 7);
    CHECK_STATUS(train("e", epochs, 1, 0, &first), DGM_OK);
    CHECK(first > 4 && first % 2 == 0);
    CHECK_STATUS(train("t", tokens, 1, 0, &made), DGM_OK);
    CHECK(made > 3 && made < 10); /* batches hold at most 40 tokens of the longer side */
    CHECK_STATUS(train("s", seconds, 1, 0, &made), DGM_OK);
    CHECK(made >= 1 && made < 40);
}

TEST(trainer_saves_at_every_end_of_an_epoch_even_inside_an_update)
{
    static const char *const extra[] = { "save-freq", "1e",        "accumulate", "3", "after",
                                         "4e",        "keep-last", "50",         NULL };
    char path[1200];
    struct dgm_checkpoints checkpoints;

    CHECK(write_corpus());
    CHECK_STATUS(train("m", extra, 1, 0, NULL), DGM_OK);
    CHECK_STATUS(dgm_checkpoints_open(test_env(), &checkpoints, in_dir(path, "m"), 0), DGM_OK);
    CHECK_INT(checkpoints.regular_count, 4);
    dgm_checkpoints_close(test_env(), &checkpoints);
}

TEST(trainer_keeps_the_newest_checkpoints_and_as_many_as_it_averages)
{
    static const char *const average[] = { "average", "3", NULL };

    CHECK(write_corpus());
    CHECK_STATUS(train("two", NULL, 1, 0, NULL), DGM_OK);
    CHECK(!exists("two.ckpt/update-00000020.gguf"));
    CHECK(exists("two.ckpt/update-00000030.gguf"));
    CHECK(exists("two.ckpt/update-00000040.gguf"));
    CHECK_STATUS(train("three", average, 1, 0, NULL), DGM_OK);
    CHECK(!exists("three.ckpt/update-00000010.gguf"));
    CHECK(exists("three.ckpt/update-00000020.gguf"));
    CHECK(exists("three.ckpt/update-00000040.gguf"));
}

/* G10. With a rate of 0 all checkpoints are the same. */
TEST(trainer_average_of_equal_checkpoints_is_each_of_them)
{
    static const char *const still[] = { "lr", "0", "warmup-init-lr", "0", NULL };
    static const char *const mean[] = { "lr", "0", "warmup-init-lr", "0", "average", "3", NULL };

    CHECK(write_corpus());
    CHECK_STATUS(train("last", still, 1, 0, NULL), DGM_OK);
    CHECK_STATUS(train("mean", mean, 1, 0, NULL), DGM_OK);
    check_same_files("last", "mean");
}

TEST(trainer_validates_without_trees_between_updates_with_trees)
{
    static char sets[2500];
    const char *extra[] = { "syntax",      "deps-san",       "valid-sets", sets,    "valid-freq",
                            "3u",          "early-stopping", "4",          "after", "30u",
                            "valid-trees", "none",           NULL };
    const char *silent[] = { "syntax", "deps-san", "valid-sets", sets, "after", "1u", NULL };
    const char *neither[] = { "syntax", "deps-san",    "valid-sets", sets, "after",
                              "1u",     "train-trees", "none",       NULL };
    char path[2][1200];

    CHECK(write_corpus());
    snprintf(sets, sizeof sets, "%s %s", in_dir(path[0], "toy.src"), in_dir(path[1], "toy.trg"));
    CHECK_STATUS(train("m", extra, 1, 0, NULL), DGM_OK);
    CHECK(exists("m.ckpt/best.gguf"));
    CHECK_STATUS(train("not", silent, 1, 0, NULL), DGM_USAGE);
    CHECK(strstr(test_env()->error.message, "--valid-trees none") != NULL);
    dgm_env_clear_error(test_env());
    CHECK_STATUS(train("neither", neither, 1, 0, NULL), DGM_OK);
}

TEST(trainer_learns_to_translate_the_toy_corpus)
{
    static const char *const extra[] = { "after", "300u",      "dropout", "0", "attention-dropout",
                                         "0",     "save-freq", "300u",    NULL };
    struct dgm_buf text = { NULL, 0, 0, 0 };
    const char *last;

    CHECK(write_corpus());
    CHECK_STATUS(train("m", extra, 2, 0, NULL), DGM_OK);
    CHECK_STATUS(read_model(&text, "m.ckpt/metrics.jsonl"), DGM_OK);
    CHECK_STATUS(dgm_buf_add_char(test_env(), &text, '\0'), DGM_OK);
    last = strstr(text.data, "\"update\": 300,");
    CHECK(last != NULL);
    last = strstr(last, "\"loss\": ");
    CHECK(last != NULL);
    CHECK(strtod(last + 8, NULL) < 0.9); /* 0.1 of smoothing alone costs about 0.6 */
    dgm_buf_clear(test_env(), &text);
}

/* Writes `times` copies of a file of the test's folder. */
static void repeat(const char *from, const char *to, int times)
{
    struct dgm_buf text = { NULL, 0, 0, 0 };
    char path[1200];
    FILE *file = fopen(in_dir(path, to), "wb");

    CHECK(file != NULL);
    CHECK_STATUS(read_model(&text, from), DGM_OK);
    while (times-- > 0)
        CHECK_INT(fwrite(text.data, 1, text.size, file), text.size);
    CHECK_INT(fclose(file), 0);
    dgm_buf_clear(test_env(), &text);
}

/* Behind the next `key` from *at on, which moves there. */
static double next_number(const char **at, const char *key)
{
    *at = *at != NULL ? strstr(*at, key) : NULL;
    *at = *at != NULL ? *at + strlen(key) : NULL;
    return *at != NULL ? strtod(*at, NULL) : -1;
}

/* Of one batch or of many, the cost is the mean over all labels: copies do not change it. */
TEST(trainer_validates_on_all_batches)
{
    static char sets[2500];
    static const char *const extra[] = { "after", "1u", "valid-sets", sets, NULL };
    struct dgm_buf text = { NULL, 0, 0, 0 };
    double cost[2];
    char path[2][1200];
    int k;

    CHECK(write_corpus());
    snprintf(sets, sizeof sets, "%s %s", in_dir(path[0], "v.src"), in_dir(path[1], "v.trg"));
    for (k = 0; k < 2; k++) {
        const char *at;
        repeat("toy.src", "v.src", 1 + 2 * k);
        repeat("toy.trg", "v.trg", 1 + 2 * k);
        CHECK_STATUS(train(k == 0 ? "a" : "b", extra, 1, 0, NULL), DGM_OK);
        CHECK_STATUS(read_model(&text, k == 0 ? "a.ckpt/metrics.jsonl" : "b.ckpt/metrics.jsonl"),
                     DGM_OK);
        CHECK_STATUS(dgm_buf_add_char(test_env(), &text, '\0'), DGM_OK);
        at = text.data;
        next_number(&at, "\"ce-mean-words\"");
        cost[k] = next_number(&at, "\"value\": ");
    }
    CHECK(cost[0] > 0.5 && cost[0] < 4); /* log 12, before anything is learnt, is 2.5 */
    CHECK_NEAR(cost[1], cost[0], 1e-6);
    dgm_buf_clear(test_env(), &text);
}

/* The length of the first gradient of a run whose cost is a mean of this kind. */
static double first_norm(const char *cost, double *labels)
{
    const char *const extra[] = { "after", "1u", "disp-freq", "1u", "cost-type", cost, NULL };
    struct dgm_buf text = { NULL, 0, 0, 0 };
    char name[100];
    const char *at;
    double norm = -1;

    snprintf(name, sizeof name, "%s.ckpt/metrics.jsonl", cost);
    if (train(cost, extra, 1, 0, NULL) == DGM_OK && read_model(&text, name) == DGM_OK &&
        dgm_buf_add_char(test_env(), &text, '\0') == DGM_OK) {
        at = text.data;
        *labels = next_number(&at, "\"labels\": ");
        norm = next_number(&at, "\"gnorm\": ");
    }
    dgm_buf_clear(test_env(), &text);
    return norm;
}

/* Of the same update: a mean over sentences is that over words times the words of a sentence. */
TEST(trainer_divides_costs_by_words_or_by_sentences)
{
    double labels[2], words, sentences, count;

    CHECK(write_corpus());
    words = first_norm("mean-words", &labels[0]);
    sentences = first_norm("mean", &labels[1]);
    CHECK(words > 0 && sentences > 0 && labels[0] == labels[1]);
    count = labels[0] * words / sentences;
    CHECK_NEAR(count, (int)(count + 0.5), 0.01);
    CHECK(count * 3 <= labels[0] && labels[0] <= count * 7); /* 2..6 words and their end */
}

/* BLEU is better the higher it is. */
TEST(trainer_takes_the_highest_bleu_for_the_best)
{
    static char sets[2500];
    static const char *const extra[] = { "after",
                                         "120u",
                                         "valid-sets",
                                         sets,
                                         "valid-freq",
                                         "30u",
                                         "valid-metrics",
                                         "bleu",
                                         "beam-size",
                                         "1",
                                         "dropout",
                                         "0",
                                         "attention-dropout",
                                         "0",
                                         NULL };
    struct dgm_buf text = { NULL, 0, 0, 0 };
    struct dgm_gguf file;
    double best = -1, score = -1, first = -1, saved;
    char path[2][1200];
    const char *at;
    int k;

    CHECK(write_corpus());
    snprintf(sets, sizeof sets, "%s %s", in_dir(path[0], "toy.src"), in_dir(path[1], "toy.trg"));
    CHECK_STATUS(train("m", extra, 1, 0, NULL), DGM_OK);
    CHECK_STATUS(read_model(&text, "m.ckpt/metrics.jsonl"), DGM_OK);
    CHECK_STATUS(dgm_buf_add_char(test_env(), &text, '\0'), DGM_OK);
    at = text.data;
    for (k = 0; k < 4; k++) {
        next_number(&at, "\"bleu\"");
        score = next_number(&at, "\"value\": ");
        CHECK(score >= 0 && score <= 100);
        first = k == 0 ? score : first;
        best = score > best ? score : best;
    }
    CHECK(best > first); /* it learns */
    memset(&file, 0, sizeof file);
    CHECK_STATUS(dgm_gguf_load(test_env(), &file, in_dir(path[0], "m.ckpt/best.gguf")), DGM_OK);
    CHECK(dgm_gguf_real(&file, "dragoman.state.best", &saved));
    CHECK_NEAR(saved, best, 1e-6);
    dgm_gguf_clear(test_env(), &file);
    dgm_buf_clear(test_env(), &text);
}

/* ---- what is refused ------------------------------------------------------------------------- */

static void check_refused(const char *const *extra, dgm_status want, const char *part)
{
    CHECK_STATUS(train("m", extra, 1, 0, NULL), want);
    if (strstr(test_env()->error.message, part) == NULL)
        CHECK_STR(test_env()->error.message, part);
    dgm_env_clear_error(test_env());
}

TEST(trainer_refuses_to_resume_with_other_settings_and_names_them)
{
    static const char *const first[] = { "after", "5u", NULL };
    static const char *const rate[] = { "lr", "0.02", NULL },
                             *const width[] = { "dim-emb", "8", NULL },
                             *const shown[] = { "disp-freq", "7u", "after", "6u", NULL },
                             *const again[] = { "lr", "0.02", "overwrite", "true", NULL };

    CHECK(write_corpus());
    CHECK_STATUS(train("m", first, 1, 0, NULL), DGM_OK);
    check_refused(rate, DGM_USAGE, "lr = 0.02");
    check_refused(width, DGM_USAGE, "dim-emb = 8");
    CHECK_STATUS(train("m", shown, 1, 0, NULL), DGM_OK);
    CHECK_STATUS(train("m", again, 1, 0, NULL), DGM_OK);
}

TEST(trainer_refuses_to_resume_on_another_text)
{
    static const char *const first[] = { "after", "5u", NULL };
    static const char *const anyway[] = { "allow-data-change", "true", NULL };
    char path[1200];
    FILE *file;

    CHECK(write_corpus());
    CHECK_STATUS(train("m", first, 1, 0, NULL), DGM_OK);
    file = fopen(in_dir(path, "toy.trg"), "r+b");
    CHECK(file != NULL);
    fputs("v8", file);
    fclose(file);
    check_refused(NULL, DGM_USAGE, "--allow-data-change");
    CHECK_STATUS(train("m", anyway, 1, 0, NULL), DGM_OK);
}

/* What `name` holds, and that no folder of checkpoints was made beside it. */
static void check_untouched(const char *name, const char *start)
{
    struct dgm_buf text = { NULL, 0, 0, 0 };
    char path[1200], folder[1300];

    CHECK_STATUS(dgm_file_read(test_env(), &text, in_dir(path, name)), DGM_OK);
    CHECK_MEM(text.data, start, strlen(start));
    dgm_buf_clear(test_env(), &text);
    snprintf(folder, sizeof folder, "%s.ckpt", path);
    CHECK(!dgm_file_exists(test_env(), folder));
}

TEST(trainer_destroys_no_input_and_no_file_of_others)
{
    char path[1200];
    const char *const model[] = { "model", path, "overwrite", "true", NULL };
    const char *const anew[] = { "model", path, NULL };
    FILE *file;

    CHECK(write_corpus());
    in_dir(path, "toy.src");
    check_refused(model, DGM_USAGE, "input (--train-sets) and output (--model)");
    check_untouched("toy.src", "w");
    in_dir(path, "toy.conllu");
    check_refused(model, DGM_USAGE, "input (--train-trees) and output (--model)");
    check_untouched("toy.conllu", "1\t");
    in_dir(path, "notes");
    file = fopen(path, "wb");
    CHECK(file != NULL && fputs("notes", file) >= 0 && fclose(file) == 0);
    check_refused(anew, DGM_USAGE, "is no model");
    check_untouched("notes", "notes");
    strcpy(path, test_dir());
    check_refused(model, DGM_USAGE, "a folder");
}

TEST(trainer_says_which_files_it_misses)
{
    static const char *const one[] = { "train-sets", "only-one", NULL },
                             *const stop[] = { "early-stopping", "3", NULL },
                             *const input[] = { "train-sets", "a -", NULL },
                             *const trees[] = { "train-trees", "-", NULL };

    CHECK(write_corpus());
    check_refused(one, DGM_USAGE, "--train-sets names 1 file; expected two for each text");
    check_refused(stop, DGM_USAGE, "--early-stopping needs --valid-sets");
    check_refused(input, DGM_USAGE, "--train-sets names standard input");
    check_refused(trees, DGM_USAGE, "--train-trees names standard input");
}

TEST(trainer_that_diverges_says_so_and_keeps_its_checkpoints)
{
    static const char *const extra[] = { "lr",        "1000",         "lr-schedule",
                                         "constant",  "weight-decay", "1",
                                         "save-freq", "2u",           NULL };

    CHECK(write_corpus());
    check_refused(extra, DGM_DIVERGED, "is not finite");
    CHECK(exists("m.ckpt/update-00000002.gguf") || exists("m.ckpt/update-00000004.gguf") ||
          exists("m.ckpt/update-00000008.gguf") || exists("m.ckpt/update-00000012.gguf"));
    CHECK(!exists("m"));
}

/* Logs that were heard, for warnings. */
static char heard[2000];

static void hear(void *user, dgm_level level, const char *text)
{
    (void)user;
    if (level == DGM_LOG_WARNING && strlen(heard) + strlen(text) + 2 < sizeof heard)
        strcat(strcat(heard, text), "\n");
}

/* Overwrites some bytes of the moments of a checkpoint. */
static int damage(const char *name)
{
    char path[1200];
    FILE *file = fopen(in_dir(path, name), "r+b");

    if (file == NULL)
        return 0;
    fseek(file, -3000, SEEK_END);
    fputs("damage", file);
    return fclose(file) == 0;
}

TEST(trainer_passes_over_a_damaged_checkpoint_with_a_warning)
{
    static const char *const part[] = { "after", "30u", "average", "2", NULL };
    static const char *const rest[] = { "average", "2", NULL };
    int updates;

    if (is_double())
        TEST_SKIP("checkpoints hold floats");
    CHECK(write_corpus());
    CHECK_STATUS(train("whole", rest, 1, 0, NULL), DGM_OK);
    CHECK_STATUS(train("m", part, 1, 0, NULL), DGM_OK);
    CHECK(damage("m.ckpt/update-00000030.gguf"));
    test_env()->log = hear;
    test_env()->log_level = DGM_LOG_WARNING;
    CHECK_STATUS(train("m", rest, 1, 0, &updates), DGM_OK);
    test_env()->log = NULL;
    CHECK_INT(updates, 20);
    CHECK(strstr(heard, "update-00000030.gguf") != NULL);
    CHECK(strstr(heard, "trying an older checkpoint") != NULL);
    check_same_files("whole", "m");
}

TEST(trainer_overwrites_nothing_when_no_checkpoint_is_whole)
{
    static const char *const part[] = { "after", "20u", NULL };

    CHECK(write_corpus());
    CHECK_STATUS(train("m", part, 1, 0, NULL), DGM_OK);
    CHECK(damage("m.ckpt/update-00000010.gguf"));
    CHECK(damage("m.ckpt/update-00000020.gguf"));
    check_refused(NULL, DGM_MODEL, "no checkpoint is whole");
    CHECK(exists("m.ckpt/update-00000020.gguf"));
}

/* Whether a child process may not train "m". */
static int other_process_is_refused(void)
{
    int state;
    pid_t child;

    fflush(stdout);
    child = fork();
    if (child == 0) {
        int refused = train("m", NULL, 1, 0, NULL) == DGM_FAILURE &&
                      strstr(test_env()->error.message, "in use by process") != NULL;
        _exit(refused ? 0 : 1);
    }
    return child > 0 && waitpid(child, &state, 0) == child && WIFEXITED(state) &&
           WEXITSTATUS(state) == 0;
}

TEST(trainer_has_its_folder_to_itself)
{
    struct dgm_checkpoints checkpoints;
    char path[1200];

    CHECK(write_corpus());
    CHECK_STATUS(dgm_checkpoints_open(test_env(), &checkpoints, in_dir(path, "m"), 0), DGM_OK);
    CHECK(other_process_is_refused());
    dgm_checkpoints_close(test_env(), &checkpoints);
}

/* Nor are two trainers of one process, whatever name the second has for the folder; and the first
 * keeps its lock against others when the second is refused. */
TEST(trainer_has_its_folder_to_itself_inside_a_process)
{
    struct dgm_checkpoints first, second;
    char path[3][1200];
    int i;

    CHECK(write_corpus());
    CHECK_STATUS(dgm_checkpoints_open(test_env(), &first, in_dir(path[0], "m"), 0), DGM_OK);
    in_dir(path[1], "m");
    CHECK(symlink("m.ckpt", in_dir(path[2], "n.ckpt")) == 0);
    in_dir(path[2], "n");
    for (i = 1; i < 3; i++) {
        CHECK_STATUS(dgm_checkpoints_open(test_env(), &second, path[i], 0), DGM_FAILURE);
        CHECK(strstr(test_env()->error.message, "which is this one") != NULL);
        dgm_env_clear_error(test_env());
        dgm_checkpoints_close(test_env(), &second);
    }
    CHECK(other_process_is_refused());
    dgm_checkpoints_close(test_env(), &first);
    CHECK_STATUS(dgm_checkpoints_open(test_env(), &second, path[1], 0), DGM_OK);
    dgm_checkpoints_close(test_env(), &second);
}

/* ---- a file system that can do less ---------------------------------------------------------- */

/* exFAT and many network mounts have no hard links: the best model is a copy. */
TEST(trainer_needs_no_hard_links)
{
    static char sets[2500];
    const char *extra[] = { "valid-sets", sets, "valid-freq", "5u", "after", "30u", NULL };
    char path[2][1200];

    if (is_double())
        TEST_SKIP("checkpoints hold floats");
    CHECK(write_corpus());
    snprintf(sets, sizeof sets, "%s %s", in_dir(path[0], "toy.src"), in_dir(path[1], "toy.trg"));
    CHECK_STATUS(train("linked", extra, 1, 0, NULL), DGM_OK);
    failing_begin(test_env(), 0, "link", EPERM);
    CHECK_STATUS(train("copied", extra, 1, 7, NULL), DGM_INTERRUPTED);
    dgm_env_clear_error(test_env());
    CHECK_STATUS(train("copied", extra, 1, 0, NULL), DGM_OK);
    failing_end(test_env());
    CHECK_STR(failing.failed, "link");
    CHECK_INT(failing.open, 0);
    check_same_files("linked", "copied");
}

/* Without locks it refuses and leaves nothing, or goes on when it is told to. */
TEST(trainer_needs_no_locks_when_it_is_told_so)
{
    static const char *const plain[] = { "after", "5u", NULL };
    static const char *const without[] = { "after", "5u", "lock", "false", NULL };

    CHECK(write_corpus());
    failing_begin(test_env(), 0, "lock", ENOLCK);
    check_refused(plain, DGM_FAILURE, "this file system has no locks");
    CHECK(!exists("m.ckpt"));
    CHECK_STATUS(train("m", without, 1, 0, NULL), DGM_OK);
    failing_end(test_env());
    CHECK_INT(failing.open, 0);
}
