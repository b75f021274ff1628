/*
 * test_agree.c: a rank with another value of an option is refused by its name, for every row of the
 * tables of training, but for those whose column says that ranks may differ.
 */
#include "train/agree.h"

#include <stdio.h>
#include <string.h>

#include "model/parser/parser.h"
#include "test.h"
#include "thread_ranks.h"
#include "train/options.h"

/* What rank 1 is told beside rank 0; threads run one after the other. */
static const struct dgm_opt *const *tables;
static const char *name, *values[2];
static char file[2][1200];

/* The message of rank 1, or "". */
static char message[1100];

static int agrees(struct dgm_env *env, struct dgm_ranks *ranks)
{
    struct dgm_settings settings;
    struct dgm_run run = { .env = env, .settings = &settings, .ranks = ranks };
    dgm_status status = dgm_settings_init(env, &settings, tables);

    if (status == DGM_OK && values[ranks->rank] != NULL)
        status = dgm_settings_set(env, &settings, name, values[ranks->rank], "test");
    if (status == DGM_OK)
        status = dgm_agree_settings(&run);
    if (ranks->rank == 1)
        snprintf(message, sizeof message, "%s", env->error.message);
    dgm_ranks_settle(env, ranks, status);
    dgm_settings_clear(env, &settings);
    return status == DGM_OK;
}

/* Whether the row takes the value, and has it not by default. */
static int takes(const struct dgm_opt *opt, const char *value)
{
    char why[DGM_OPT_WHY];

    return dgm_opt_check(opt, value, why) &&
           (opt->fallback == NULL || strcmp(opt->fallback, value));
}

/* A value of the row that is not its default, or NULL. */
static const char *another_value(const struct dgm_opt *opt)
{
    static const char *const words[] = {
        "true", "false", "1",  "0",  "2",  "3",   "0.25", "0.0002",
        "8",    "7u",    "3e", "2M", "4M", "x,y", "x",    "50000"
    };
    static char choice[80];

    for (const char *at = opt->choices; at != NULL && *at != '\0'; at += *at == '|') {
        const size_t length = strcspn(at, "|");
        snprintf(choice, sizeof choice, "%.*s", (int)length, at);
        at += length;
        if (takes(opt, choice))
            return choice;
    }
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (takes(opt, words[i]))
            return words[i];
    return NULL;
}

static int is_of_files(const struct dgm_opt *opt)
{
    return opt->type == DGM_OPT_FILE || opt->type == DGM_OPT_FILES || opt->type == DGM_OPT_OUTPUT ||
           opt->type == DGM_OPT_OUTPUTS;
}

static void check_row(const struct dgm_opt *opt)
{
    char want[200];

    name = opt->name;
    values[0] = NULL;
    values[1] = is_of_files(opt) ? file[1] : another_value(opt);
    if (values[1] == NULL)
        printf("# no other value of --%s\n", opt->name);
    CHECK(values[1] != NULL);
    CHECK_INT(run_ranks(2, agrees), opt->ranks || strcmp(name, "model") == 0);
    if (opt->ranks || strcmp(name, "model") == 0)
        return;
    snprintf(want, sizeof want, "this rank has \"%s%s", name, is_of_files(opt) ? " = " : "");
    if (strstr(message, want) == NULL || strstr(message, "rank 0 (a) has \"") == NULL)
        printf("# --%s: %s\n", name, message);
    CHECK(strstr(message, want) != NULL);
    CHECK(strstr(message, is_of_files(opt) ? " = " : values[1]) != NULL);
    CHECK(strstr(message, "rank 0 (a) has \"") != NULL);
}

static void put_files(void)
{
    for (int i = 0; i < 2; i++) {
        FILE *out;
        snprintf(file[i], sizeof file[i], "%s/file-%d", test_dir(), i);
        out = fopen(file[i], "wb");
        CHECK(out != NULL && fprintf(out, "%d\n", i) > 0 && fclose(out) == 0);
    }
}

/* Every row of every table; so many of them may differ. */
static void check_tables(const struct dgm_opt *const *all, int want_free)
{
    int may_differ = 0;

    put_files();
    tables = all;
    for (; *all != NULL; all++)
        for (const struct dgm_opt *opt = *all; opt->name != NULL; opt++) {
            check_row(opt);
            may_differ += opt->ranks;
        }
    CHECK_INT(may_differ, want_free);
}

TEST(agree_on_every_option_of_a_translation_model)
{
    check_tables(dgm_train_tables, 5);
}

TEST(agree_on_every_option_of_a_parser)
{
    check_tables(dgm_train_parser_tables, 5);
}

/* Files: by what they hold where they are read once, else that there is one. */
static void check_files_of(const struct dgm_opt *const *all, const char *option, const char *own,
                           const char *lead, int want)
{
    tables = all;
    name = option;
    values[0] = lead;
    values[1] = own;
    CHECK_INT(run_ranks(2, agrees), want);
}

static void check_files(const char *option, const char *own, const char *lead, int want)
{
    check_files_of(dgm_train_tables, option, own, lead, want);
}

TEST(agree_on_what_files_hold)
{
    char copy[1210];
    FILE *out;

    put_files();
    snprintf(copy, sizeof copy, "%s-copy", file[0]);
    out = fopen(copy, "wb");
    CHECK(out != NULL && fputs("0\n", out) >= 0 && fclose(out) == 0);
    check_files("codes", copy, file[0], 1);
    check_files("codes", file[1], file[0], 0);
    check_files("codes", "/none", "/none-either", 1);
    check_files("codes", "/none", file[0], 0);
    check_files("train-sets", file[1], file[0], 1);
    check_files("train-sets", file[1], NULL, 0);
    check_files("train-trees", "none", file[0], 0);
    check_files("trace", file[1], file[0], 1);
    check_files("train-cache", "none", NULL, 0);
    check_files_of(dgm_train_parser_tables, "vectors", copy, file[0], 1);
    check_files_of(dgm_train_parser_tables, "vectors", file[1], file[0], 0);
    CHECK(strstr(message, "this rank has \"vectors = checksum ") != NULL);
}

/* Files longer than what is read of them at once, which differ in their first line. */
TEST(agree_on_what_long_files_hold)
{
    for (int i = 0; i < 2; i++) {
        FILE *out;
        snprintf(file[i], sizeof file[i], "%s/long-%d", test_dir(), i);
        out = fopen(file[i], "wb");
        CHECK(out != NULL && fprintf(out, "%d\n%0*d\n", i, 100000, 7) > 0 && fclose(out) == 0);
    }
    check_files("codes", file[1], file[0], 0);
}

TEST(agree_on_every_word_of_a_value)
{
    check_files("min-freq", "2 3", "2 4", 0);
    check_files("min-freq", "2 3", "2 3", 1);
}

/* A variant's own options stand in the value of --syntax. */
TEST(agree_on_options_of_a_variant)
{
    check_files("syntax", "pascal(sigma=2)", "pascal", 0);
    CHECK(strstr(message,
                 "this rank has \"syntax = pascal(sigma=2)\", rank 0 (a) has \"syntax = ") != NULL);
    check_files("syntax", "pascal", "pascal", 1);
}
