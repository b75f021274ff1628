/*
 * test_final_model.c: the final model of a run: what becomes of it where checkpoints are missing,
 * damaged or another's.
 */
#include "train/trainer.h"
#include "training_case.h"

/* ---- hearing and harming --------------------------------------------------------------------- */

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

static void check_heard(const char *part)
{
    if (strstr(heard, part) == NULL)
        CHECK_STR(heard, part);
}

static void check_message(const char *part)
{
    if (strstr(test_env()->error.message, part) == NULL)
        CHECK_STR(test_env()->error.message, part);
}

static int lose(const char *name)
{
    char path[1200];

    return remove(in_dir(path, name)) == 0;
}

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

static int copy(const char *from, const char *to)
{
    struct dgm_buf bytes = { NULL, 0, 0, 0 };
    char path[1200];
    FILE *file = NULL;
    int done = read_model(&bytes, from) == DGM_OK;

    remove(in_dir(path, to)); /* which may be a second name of another file */
    done = done && (file = fopen(path, "wb")) != NULL &&
           fwrite(bytes.data, 1, bytes.size, file) == bytes.size;
    if (file != NULL)
        done = fclose(file) == 0 && done;
    dgm_buf_clear(test_env(), &bytes);
    return done;
}

/* ---- a mean ---------------------------------------------------------------------------------- */

static const char *const mean[] = { "average", "3", "keep-last", "4", NULL };
static const char *const lenient[] = {
    "average", "3", "keep-last", "4", "allow-missing-checkpoints", "true", NULL
};

TEST(final_mean_names_the_checkpoints_that_it_misses)
{
    static const char *const two[] = { "average", "2", "keep-last", "4", NULL };

    if (is_double())
        TEST_SKIP("checkpoints hold floats");
    CHECK(write_corpus());
    CHECK_STATUS(train("m", mean, 1, 0, NULL), DGM_OK);
    CHECK(lose("m.ckpt/update-00000030.gguf"));
    CHECK(damage("m.ckpt/update-00000020.gguf"));
    CHECK_STATUS(train("m", mean, 1, 0, NULL), DGM_MODEL);
    check_message("--average 3 lacks 2 of them: update-00000020.gguf: ");
    check_message("update-00000030.gguf: ");
    check_message("--allow-missing-checkpoints");
    dgm_env_clear_error(test_env());
    CHECK_STATUS(train("m", two, 1, 0, NULL), DGM_MODEL);
    dgm_env_clear_error(test_env());
    CHECK_STATUS(train_aloud("m", lenient, NULL), DGM_OK);
    check_heard("the mean is over 1 checkpoints instead of 3: update-00000020.gguf: ");
}

/* By a copy or a wrong name one checkpoint would count twice. */
TEST(final_mean_takes_no_checkpoint_of_another_update)
{
    if (is_double())
        TEST_SKIP("checkpoints hold floats");
    CHECK(write_corpus());
    CHECK_STATUS(train("m", mean, 1, 0, NULL), DGM_OK);
    CHECK(copy("m.ckpt/update-00000040.gguf", "m.ckpt/update-00000030.gguf"));
    CHECK_STATUS(train("m", mean, 1, 0, NULL), DGM_MODEL);
    check_message("--average 3 lacks 1 of them: update-00000030.gguf: holds update 40");
    dgm_env_clear_error(test_env());
}

/* A damaged one that was passed over is made again, and counts once. */
TEST(final_mean_is_over_what_was_made_again_too)
{
    static const char *const part[] = { "after", "30u", "average", "4", NULL };
    static const char *const four[] = { "average", "4", NULL };

    if (is_double())
        TEST_SKIP("checkpoints hold floats");
    CHECK(write_corpus());
    CHECK_STATUS(train("want", four, 1, 0, NULL), DGM_OK);
    CHECK_STATUS(train("m", part, 1, 0, NULL), DGM_OK);
    CHECK(damage("m.ckpt/update-00000030.gguf"));
    CHECK_STATUS(train("m", four, 1, 0, NULL), DGM_OK);
    check_same_files("want", "m");
}

TEST(final_mean_without_a_checkpoint_is_that_of_the_others)
{
    static const char *const two[] = { "average", "2", "save-freq", "20u", NULL };
    static const char *const thirds[] = { "average", "3", "save-freq", "20u", NULL };
    static const char *const ten[] = { "average", "3", "after", "20u", NULL };

    if (is_double())
        TEST_SKIP("checkpoints hold floats");
    CHECK(write_corpus());
    CHECK_STATUS(train("want", two, 1, 0, NULL), DGM_OK);
    CHECK_STATUS(train_aloud("m", mean, NULL), DGM_OK);
    CHECK(lose("m.ckpt/update-00000030.gguf"));
    CHECK_STATUS(train("m", lenient, 1, 0, NULL), DGM_OK);
    check_same_files("want", "m");
    CHECK_STATUS(train_aloud("few", thirds, NULL), DGM_OK); /* no more than two were saved */
    check_heard("the run has saved 2 checkpoints: the mean is over them");
    check_same_files("want", "few");
    CHECK_STATUS(train_aloud("short", ten, NULL), DGM_OK);
    check_heard("--average 3: the run has saved 2 checkpoints");
}

/* What was lost and would have been removed before the end is not missed. */
TEST(final_mean_does_not_miss_what_is_too_old_for_it)
{
    static const char *const part[] = { "average", "3", "after", "20u", "keep-last", "4", NULL };
    static const char *const longer[] = { "average", "3", "after", "50u", "keep-last", "4", NULL };

    if (is_double())
        TEST_SKIP("checkpoints hold floats");
    CHECK(write_corpus());
    CHECK_STATUS(train("want", longer, 1, 0, NULL), DGM_OK);
    CHECK_STATUS(train("m", part, 1, 0, NULL), DGM_OK);
    CHECK(lose("m.ckpt/update-00000010.gguf"));
    CHECK_STATUS(train("m", mean, 1, 0, NULL), DGM_OK);
    CHECK(lose("m.ckpt/update-00000020.gguf"));
    CHECK_STATUS(train("m", longer, 1, 0, NULL), DGM_OK);
    check_same_files("want", "m");
}

TEST(final_mean_says_that_too_few_checkpoints_were_kept)
{
    static const char *const last[] = { "keep-last", "2", NULL };

    if (is_double())
        TEST_SKIP("checkpoints hold floats");
    CHECK(write_corpus());
    CHECK_STATUS(train("m", last, 1, 0, NULL), DGM_OK);
    CHECK_STATUS(train("m", mean, 1, 0, NULL), DGM_MODEL);
    check_message("--average 3 lacks 1 of them: --keep-last: fewer were kept");
    dgm_env_clear_error(test_env());
    CHECK_STATUS(train("m", lenient, 1, 0, NULL), DGM_OK);
}

/* The number is the user's, also where the run has saved fewer. */
TEST(final_mean_names_the_number_that_was_asked_for)
{
    static const char *const last[] = { "keep-last", "2", NULL };
    static const char *const many[] = { "average", "1000", NULL };
    static const char *const anyhow[] = { "average", "1000", "allow-missing-checkpoints", "true",
                                          NULL };

    if (is_double())
        TEST_SKIP("checkpoints hold floats");
    CHECK(write_corpus());
    CHECK_STATUS(train("m", last, 1, 0, NULL), DGM_OK);
    CHECK_STATUS(train("m", many, 1, 0, NULL), DGM_MODEL);
    check_message("--average 1000, of which the run has saved 4, lacks 2 of them: --keep-last: ");
    dgm_env_clear_error(test_env());
    CHECK_STATUS(train_aloud("m", anyhow, NULL), DGM_OK);
    check_heard("--average 1000: the run has saved 4 checkpoints: the mean is over them");
    check_heard("the mean is over 2 checkpoints instead of 4: --keep-last: ");
}

/* ---- the best one ---------------------------------------------------------------------------- */

static char sets[2500];
#define RUN "valid-sets", sets, "valid-freq", "10u", "keep-last", "5", "after", "30u"
static const char *const best[] = { RUN, NULL }, *const other[] = { RUN, "seed", "2", NULL };
static const char *const anyway[] = { RUN, "allow-missing-checkpoints", "true", NULL };

/* A text on which the model becomes worse the more it learns: the first of three checkpoints is the
 * best. */
static int write_validation(void)
{
    char path[2][1200];
    FILE *source = fopen(in_dir(path[0], "valid.src"), "wb");
    FILE *target = fopen(in_dir(path[1], "valid.trg"), "wb");
    int p, w;

    snprintf(sets, sizeof sets, "%s %s", path[0], path[1]);
    if (source == NULL || target == NULL)
        return 0;
    for (p = 0; p < 9; p++) {
        fprintf(source, "w%d\n", p);
        for (w = 0; w < 17; w++) /* of 6 words at most, as it learns */
            fprintf(target, "%sv%d", w > 0 ? " " : "", p);
        fputs("\n", target);
    }
    return fclose(source) == 0 && fclose(target) == 0;
}

#define FIRST "m.ckpt/update-00000010.gguf"
#define BEST "m.ckpt/best.gguf"

static void train_best(void)
{
    CHECK(write_corpus());
    CHECK(write_validation());
    CHECK_STATUS(train_aloud("m", best, NULL), DGM_OK);
    check_heard("Up. 30 : ce-mean-words");
    check_heard("stalled 2 times");
    CHECK(copy("m", "want"));
    CHECK_STATUS(train("s", other, 1, 0, NULL), DGM_OK);
}

TEST(final_model_is_the_best_wherever_it_is_found)
{
    static const char *const names[3] = { "m.ckpt/update-00000020.gguf",
                                          "s.ckpt/update-00000010.gguf", NULL };
    int i;

    if (is_double())
        TEST_SKIP("checkpoints hold floats");
    train_best();
    for (i = 0; i < 3; i++) { /* of another update, of another run, missing */
        CHECK(names[i] != NULL ? copy(names[i], BEST) : lose(BEST));
        CHECK_STATUS(train("m", best, 1, 0, NULL), DGM_OK);
        check_same_files("want", "m");
        CHECK(exists(BEST));
    }
    CHECK(damage(BEST)); /* which is a second name of the other now */
    CHECK_STATUS(train("m", best, 1, 0, NULL), DGM_MODEL);
    check_message("best.gguf: ");
}

TEST(final_model_is_not_the_last_where_the_best_is_missing)
{
    if (is_double())
        TEST_SKIP("checkpoints hold floats");
    train_best();
    CHECK(copy("s.ckpt/update-00000010.gguf", BEST));
    CHECK(lose(FIRST));
    CHECK_STATUS(train("m", best, 1, 0, NULL), DGM_MODEL);
    check_message("the best model, that of update 10, is not there: best.gguf: other values than "
                  "the best had; update-00000010.gguf: ");
    check_message("--allow-missing-checkpoints");
    dgm_env_clear_error(test_env());
    check_same_files("want", "m");
    CHECK_STATUS(train_aloud("m", anyway, NULL), DGM_OK);
    check_heard("the final model is the last and not the best, that of update 10: best.gguf: ");
    CHECK(copy("m", "last"));
    CHECK(lose(BEST));
    CHECK_STATUS(train("m", best, 1, 0, NULL), DGM_MODEL);
    dgm_env_clear_error(test_env());
    CHECK_STATUS(train("m", anyway, 1, 0, NULL), DGM_OK);
    check_same_files("last", "m");
}

/* Killed between the checkpoint and its second name: the resume gives it that name, before the
 * first one goes. */
TEST(final_model_is_the_best_also_where_a_kill_left_it_unnamed)
{
    static const char *const first[] = { "valid-sets", sets,    "valid-freq", "10u", "keep-last",
                                         "2",          "after", "10u",        NULL };
    static const char *const on[] = { "valid-sets", sets,    "valid-freq", "10u", "keep-last",
                                      "2",          "after", "30u",        NULL };

    if (is_double())
        TEST_SKIP("checkpoints hold floats");
    CHECK(write_corpus());
    CHECK(write_validation());
    CHECK_STATUS(train("want", on, 1, 0, NULL), DGM_OK);
    CHECK_STATUS(train("m", first, 1, 0, NULL), DGM_OK);
    CHECK(lose(BEST));
    CHECK_STATUS(train("m", on, 1, 0, NULL), DGM_OK);
    CHECK(!exists(FIRST));
    check_same_files("want", "m");
}

/* A mean of one is no mean. */
TEST(final_model_is_the_best_also_with_a_mean_of_one)
{
    static const char *const one[] = { RUN, "average", "1", NULL };

    if (is_double())
        TEST_SKIP("checkpoints hold floats");
    CHECK(write_corpus());
    CHECK(write_validation());
    CHECK_STATUS(train("want", best, 1, 0, NULL), DGM_OK);
    CHECK_STATUS(train("m", one, 1, 0, NULL), DGM_OK);
    check_same_files("want", "m");
}

/* ---- when there is no progress --------------------------------------------------------------- */

/* Two validations without progress after the best end a run of patience 2, and it has ended for
 * good. */
TEST(final_update_is_the_one_at_which_patience_ends)
{
    static const char *const patient[] = { "valid-sets",     sets, "valid-freq", "10u",
                                           "keep-last",      "5",  "after",      "60u",
                                           "early-stopping", "2",  NULL };
    int updates;

    CHECK(write_corpus());
    CHECK(write_validation());
    CHECK_STATUS(train_aloud("m", patient, &updates), DGM_OK);
    CHECK_INT(updates, 30);
    check_heard("stalled 2 times");
    CHECK_STATUS(train("m", patient, 1, 0, &updates), DGM_OK);
    CHECK_INT(updates, 0);
}
