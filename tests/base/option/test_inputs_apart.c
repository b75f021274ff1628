/* test_inputs_apart.c: no input is an output. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/option/inputs_apart.h"
#include "test.h"

enum { PATH_SIZE = 1200 };

static const char *at(char path[PATH_SIZE], const char *name)
{
    snprintf(path, PATH_SIZE, "%s/%s", test_dir(), name);
    return path;
}

static void put(const char *name, const char *text)
{
    char path[PATH_SIZE];
    FILE *file = fopen(at(path, name), "wb");

    CHECK(file != NULL);
    CHECK_INT(fputs(text, file) >= 0, 1);
    CHECK_INT(fclose(file), 0);
}

static void link_to(const char *target, const char *name)
{
    char path[PATH_SIZE];

    CHECK_INT(symlink(target, at(path, name)), 0);
}

/* clang-format off */
static const struct dgm_opt options[] = {
    { .name = "input", .type = DGM_OPT_FILE, .argument = "FILE", .help = "x" },
    { .name = "codes", .type = DGM_OPT_FILE, .argument = "FILE", .help = "x" },
    { .name = "trees", .type = DGM_OPT_FILE, .argument = "FILE", .fallback = "auto",
      .choices = "auto|none", .help = "x" },
    { .name = "sets", .type = DGM_OPT_FILES, .argument = "FILE...", .help = "x" },
    { .name = "words", .type = DGM_OPT_WORDS, .argument = "WORD...", .help = "x" },
    { .name = "output", .type = DGM_OPT_OUTPUT, .argument = "FILE", .help = "x" },
    { .name = "map", .type = DGM_OPT_OUTPUT, .argument = "FILE", .help = "x" },
    DGM_OPT_END
};
/* clang-format on */

/* What the check says of one input and one output; "" if nothing. */
static const char *check_pair(const char *option, const char *input, const char *output)
{
    static const struct dgm_opt *const tables[] = { options, NULL };
    static char said[512];
    struct dgm_env *env = test_env();
    struct dgm_settings settings;
    dgm_status status;

    memset(&settings, 0, sizeof settings);
    DGM_TRY_OUT(dgm_settings_init(env, &settings, tables));
    DGM_TRY_OUT(dgm_settings_set(env, &settings, "output", output, "test"));
    if (option != NULL)
        DGM_TRY_OUT(dgm_settings_set(env, &settings, option, input, "test"));
    DGM_TRY_OUT(dgm_inputs_apart_check(env, &settings, &input, option == NULL));
out:
    snprintf(said, sizeof said, "%s", status == DGM_OK ? "" : env->error.message);
    if (status != DGM_OK && status != DGM_USAGE)
        snprintf(said, sizeof said, "status %d", (int)status);
    dgm_env_clear_error(env);
    dgm_settings_clear(env, &settings);
    return said;
}

TEST(output_is_no_input_whatever_its_name)
{
    char a[PATH_SIZE], b[PATH_SIZE], c[PATH_SIZE];

    put("old", "old");
    put("other", "old");
    at(a, "old");
    CHECK_INT(link(a, at(b, "hard")), 0);
    link_to("old", "soft");
    at(c, "soft");
    CHECK_STR(check_pair("input", a, a),
              "input and output are the same file; expected another one");
    CHECK_STR(check_pair("codes", a, b),
              "input (--codes) and output are the same file; expected another one");
    CHECK_STR(check_pair("sets", c, b),
              "input (--sets) and output are the same file; expected another one");
    CHECK_STR(check_pair(NULL, c, a), "input and output are the same file; expected another one");
    CHECK_STR(check_pair("input", at(b, "other"), a), "");
    CHECK_STR(check_pair("words", a, a), "");
    CHECK_STR(check_pair("input", at(b, "none"), b), ""); /* neither is there */
    CHECK_STR(check_pair("input", "/dev/null", "/dev/null"), "");
    CHECK(strstr(check_pair("map", a, a), "--output and --map are both") != NULL ||
          strstr(check_pair("map", a, a), "--map and --output are both") != NULL);
    CHECK(check_pair("map", at(b, "none"), b)[0] != '\0');
    CHECK_STR(check_pair("map", at(b, "none"), a), "");
}

TEST(output_may_be_called_as_a_word_of_an_option)
{
    CHECK_INT(chdir(test_dir()), 0);
    put("auto", "old");
    CHECK_STR(check_pair("trees", "auto", "auto"), "");
    CHECK(check_pair("trees", "./auto", "auto")[0] != '\0');
}
