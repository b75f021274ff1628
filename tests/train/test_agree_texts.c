/*
 * test_agree_texts.c: ranks that read other text under the same options, as a stale copy on one
 * node makes it, are refused: every file of training and of validation that is read more than once.
 */
#include <stdio.h>
#include <string.h>

#include "base/option/settings_file.h"
#include "open_device.h"
#include "test.h"
#include "thread_ranks.h"
#include "train/options.h"
#include "train/parsing/learner.h"
#include "train/trainer.h"
#include "train/translation/learner.h"

/* ---- files ----------------------------------------------------------------------------------- */

/* A word of a tree. */
#define ROW(id, word, head) id "\t" word "\t_\tX\t_\t_\t" head "\tnext\t_\t_\n"

/* What each rank has in a file; `other` is of the same words, so that nothing but its order tells
 * them apart. */
static const struct {
    const char *name, *text, *other;
} files[] = {
    { "en", "a b c\nb a c\n", "b a c\na b c\n" },
    { "de", "x y\ny x\n", "x y\ny x\n" },
    { "en.trees",
      ROW("1", "a", "0") ROW("2", "b", "1") ROW("3", "c", "1") "\n" ROW("1", "b", "0")
          ROW("2", "a", "1") ROW("3", "c", "1") "\n",
      ROW("1", "a", "2") ROW("2", "b", "0") ROW("3", "c", "2") "\n" ROW("1", "b", "0")
          ROW("2", "a", "1") ROW("3", "c", "1") "\n" },
    { "de.trees",
      ROW("1", "x", "0") ROW("2", "y", "1") "\n" ROW("1", "y", "0") ROW("2", "x", "1") "\n",
      ROW("1", "x", "2") ROW("2", "y", "0") "\n" ROW("1", "y", "0") ROW("2", "x", "1") "\n" },
    { "weights", "1\n2\n", "2\n1\n" },
    { "links", "0-0 1-1\n0-1 1-0\n", "0-1 1-0\n0-0 1-1\n" },
    { "brackets", "(S (N (A a) (B b)) (C c))\n(S (B b) (A a) (C c))\n",
      "(S (M (A a) (B b)) (C c))\n(S (B b) (A a) (C c))\n" },
};

enum { FILES = sizeof files / sizeof *files };

static void put(const char *name, const char *end, const char *text)
{
    char path[1200];
    FILE *out;

    snprintf(path, sizeof path, "%s/%s%s", test_dir(), name, end);
    out = fopen(path, "wb");
    CHECK(out != NULL && fputs(text, out) >= 0 && fclose(out) == 0);
}

/* NAME and, of the rank that is not up to date, NAME.other; lists of texts name the same. */
static void put_files(void)
{
    char list[2600];

    for (int i = 0; i < FILES; i++) {
        put(files[i].name, "", files[i].text);
        put(files[i].name, ".other", files[i].other);
    }
    snprintf(list, sizeof list, "%s/en\t%s/de\n", test_dir(), test_dir());
    put("list", "", list);
    snprintf(list, sizeof list, "%s/en.other\t%s/de\n", test_dir(), test_dir());
    put("list", ".other", list);
}

/* ---- ranks ----------------------------------------------------------------------------------- */

static const struct {
    const struct dgm_opt *const *tables;
    const struct dgm_learner *learner;
    const char *options; /* of all its runs */
} trainings[] = {
    { dgm_train_tables, &dgm_translation_learner,
      "dim-emb = 8\ntransformer-heads = 2\ntransformer-dim-ffn = 8\nenc-depth = 1\ndec-depth = 1\n"
      "tokenize = none\nbpe-merges = 0\nbatch-tokens = 40\nafter = 2u\nmodel = @model&\n" },
    { dgm_train_parser_tables, &dgm_parsing_learner,
      "enc-depth = 1\ndim-emb = 8\ndim-lstm = 8\ndim-piece = 4\ndim-piece-lstm = 4\ndim-arc = 8\n"
      "dim-label = 4\ndim-tag = 4\nmin-freq = 1\nbatch-tokens = 40\nafter = 2u\n"
      "model = @model&\n" },
};

#define TEXT "train-sets = @en @de\n"

/* An option whose file stands at the %, and what rank 1 is told where it has another. */
static const struct reread {
    int training;
    const char *option, *settings, *file, *told;
} rereads[] = {
    { 0, "train-sets", "train-sets = @% @de\n", "en", "checksum of the training text" },
    { 0, "train-list", "train-list = @%\n", "list", "checksum of the training text" },
    { 0, "valid-sets", TEXT "valid-sets = @% @de\n", "en", "checksum of the validation text" },
    { 0, "train-trees", TEXT "train-trees = @%\nsyntax = pascal\n", "en.trees",
      "checksum of the training text" },
    { 0, "train-target-trees",
      TEXT "train-trees = @en.trees\ntrain-target-trees = @%\n"
           "syntax = dbsa(enc_layer=0,dec_layer=1)\n",
      "de.trees", "checksum of the training text" },
    { 0, "valid-trees",
      TEXT "valid-sets = @en @de\ntrain-trees = @en.trees\nvalid-trees = @%\nsyntax = pascal\n",
      "en.trees", "checksum of the validation text" },
    { 0, "sentence-weights", TEXT "sentence-weights = @%\n", "weights",
      "checksum of the training text" },
    { 0, "guided-alignment", TEXT "guided-alignment = @%\n", "links",
      "checksum of the training text" },
    { 0, "train-brackets", TEXT "multitask = true\ntrain-brackets = @%\n", "brackets",
      "checksum of the training text" },
    { 1, "train-sets", "train-sets = @%\n", "en.trees", "checksum of the training text" },
    { 1, "valid-sets", "train-sets = @en.trees\nvalid-sets = @%\n", "en.trees",
      "checksum of the validation text" },
};

enum { REREADS = sizeof rereads / sizeof *rereads, VALID = 2 };

/* What runs now, and whether rank 1 has another file; how many runs there were; what it is told. */
static const struct reread *now;
static int is_stale, runs;
static char message[1100];

/* Settings of a rank: @ is the folder, % the file, & the number of the run. */
static dgm_status write_settings(struct dgm_env *env, struct dgm_buf *out, const char *file,
                                 const char *text)
{
    for (; *text != '\0'; text++)
        if (*text == '@')
            DGM_TRY(dgm_buf_add_format(env, out, "%s/", test_dir()));
        else if (*text == '%')
            DGM_TRY(dgm_buf_add_text(env, out, file));
        else if (*text == '&')
            DGM_TRY(dgm_buf_add_format(env, out, "%d", runs));
        else
            DGM_TRY(dgm_buf_add_char(env, out, *text));
    return DGM_OK;
}

static dgm_status set_up(struct dgm_env *env, struct dgm_settings *settings, int rank)
{
    struct dgm_buf text = { 0 };
    char file[40];
    dgm_status status;

    snprintf(file, sizeof file, "%s%s", now->file, rank == 1 && is_stale ? ".other" : "");
    DGM_TRY(dgm_settings_init(env, settings, trainings[now->training].tables));
    DGM_TRY_OUT(write_settings(env, &text, file, trainings[now->training].options));
    DGM_TRY_OUT(write_settings(env, &text, file, now->settings));
    status = dgm_settings_file_parse(env, settings, text.data, text.size, "test");
out:
    dgm_buf_clear(env, &text);
    return status;
}

static dgm_status train_rank(struct dgm_env *env, struct dgm_ranks *ranks)
{
    struct dgm_train_hooks hooks = { .ranks = ranks };
    struct dgm_devices devices = { .count = 1 };
    struct dgm_settings settings;
    dgm_status status;

    DGM_TRY_OUT(set_up(env, &settings, ranks->rank));
    DGM_TRY_OUT(open_device(env, &devices.items[0], 1));
    status = dgm_trainer_run(env, &devices, &settings, &hooks, trainings[now->training].learner);
    dgm_device_close(env, devices.items[0]);
out:
    dgm_settings_clear(env, &settings);
    return status;
}

static int ends_as_it_should(struct dgm_env *env, struct dgm_ranks *ranks)
{
    const dgm_status status = train_rank(env, ranks);

    if (ranks->rank == 1)
        snprintf(message, sizeof message, "%s", env->error.message);
    return status == (is_stale ? DGM_USAGE : DGM_OK);
}

static int is_told(const char *what)
{
    if (strstr(message, what) == NULL)
        printf("# --%s: %s\n", now->option, message);
    return strstr(message, what) != NULL;
}

/* ---- tests ----------------------------------------------------------------------------------- */

TEST(agree_on_texts_that_are_the_same)
{
    put_files();
    is_stale = 0;
    now = &rereads[VALID];
    CHECK_STR(now->option, "valid-sets");
    CHECK(run_ranks(2, ends_as_it_should));
}

TEST(agree_on_every_text_that_is_read_again)
{
    is_stale = 1;
    put_files();
    for (now = rereads; now < rereads + REREADS; now++, runs++) {
        const int all = run_ranks(2, ends_as_it_should);
        CHECK(is_told(now->told));
        CHECK(all);
    }
}

static int is_tried(int training, const char *option)
{
    for (int i = 0; i < REREADS; i++)
        if (rereads[i].training == training && strcmp(rereads[i].option, option) == 0)
            return 1;
    return 0;
}

TEST(agree_on_texts_has_all_rows)
{
    for (int t = 0; t < 2; t++)
        for (const struct dgm_opt *const *table = trainings[t].tables; *table != NULL; table++)
            for (const struct dgm_opt *opt = *table; opt->name != NULL; opt++)
                if (opt->reread && !is_tried(t, opt->name))
                    CHECK_STR(opt->name, "an option that is tried above");
}
