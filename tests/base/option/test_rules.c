/* test_rules.c: which options go together: clauses of rows, and settings that break them. */
#include <string.h>

#include "base/option/clause.h"
#include "base/option/rules.h"
#include "test.h"

/* clang-format off */
static const struct dgm_opt table[] = {
    { .name = "model", .type = DGM_OPT_FILE },
    { .name = "note", .type = DGM_OPT_TEXT, .needs = "model" },
    { .name = "form", .type = DGM_OPT_CHOICE, .fallback = "raw", .choices = "raw|lines|words" },
    { .name = "language", .type = DGM_OPT_TEXT, .fallback = "en",
      .needs = "form=raw|lines, which has words" },
    { .name = "bias", .type = DGM_OPT_REAL },
    { .name = "seed", .type = DGM_OPT_INT, .fallback = "1", .needs = "model bias" },
    { .name = "patience", .type = DGM_OPT_REAL, .fallback = "0", .needs = "!~model" },
    { .name = "marks", .type = DGM_OPT_CHOICES, .choices = "bleu|chrf|ter" },
    { .name = "order", .type = DGM_OPT_INT, .needs = "marks=chrf|ter" },
    { .name = "quiet", .type = DGM_OPT_FLAG, .fallback = "false" },
    { .name = "links", .type = DGM_OPT_FILES,
      .excludes = "!quiet, which has none; form=lines words, which are short" },
    { .name = "words", .type = DGM_OPT_FLAG, .fallback = "false", .needs = "bias; model" },
    DGM_OPT_END
};
/* clang-format on */

/* Sets what a line says, "note=x seed=2": as typed, or where it stands after "|" as of a file. */
static void set_all(struct dgm_settings *settings, const char *line)
{
    static const struct dgm_opt *const tables[] = { table, NULL };
    const char *origin = "command line";
    char copy[128], *word;

    CHECK_STATUS(dgm_settings_init(test_env(), settings, tables), DGM_OK);
    strcpy(copy, line);
    for (word = strtok(copy, " "); word != NULL; word = strtok(NULL, " ")) {
        char *value = strchr(word, '=');

        if (value == NULL) {
            origin = "recipe.conf:1";
            continue;
        }
        *value++ = '\0';
        CHECK_STATUS(dgm_settings_set(test_env(), settings, word, value, origin), DGM_OK);
    }
}

/* expected: the message, or NULL. */
static void check(const char *line, const char *expected)
{
    struct dgm_env *env = test_env();
    struct dgm_settings settings;

    set_all(&settings, line);
    CHECK_STATUS(dgm_rules_check(env, &settings), expected != NULL ? DGM_USAGE : DGM_OK);
    CHECK_STR(env->error.message, expected != NULL ? expected : "");
    dgm_env_clear_error(env);
    dgm_settings_clear(env, &settings);
}

/* What is typed needs its partner, from wherever; what a file or a variable gives does not. */
TEST(rules_option_that_is_typed_needs_its_partner)
{
    check("note=x", "--note goes with --model, which is not given");
    check("note=x | model=m", NULL);
    check("| note=x", NULL);
    check("seed=2", "--seed goes with --model or --bias, none of which is given");
    check("seed=1", "--seed goes with --model or --bias, none of which is given");
    check("seed=2 bias=0", NULL);
    check("words=true bias=1", "--words goes with --model, which is not given");
    check("words=false", NULL);
}

TEST(rules_marks_say_where_a_clause_holds)
{
    check("| patience=2", "--patience goes with --model, which is not given");
    check("patience=0", NULL);
    check("patience=0.00", NULL);
    check("patience=2 model=m", NULL);
}

TEST(rules_partner_may_need_a_value)
{
    check("language=de", NULL);
    check("language=en | form=lines", NULL);
    check("language=en | form=words",
          "--language with --form words, which has words; expected --form raw or lines");
    check("order=2", "--order goes with --marks chrf or ter, which is not given");
    check("order=2 marks=bleu", "--order with --marks bleu; expected --marks chrf or ter");
    check("order=2 marks=bleu,chrf", NULL);
}

TEST(rules_excluded_options_say_why)
{
    check("links=a", NULL);
    check("links=a quiet=false", NULL);
    check("links=none quiet=true", NULL);
    check("| links=a quiet=true", "--links with --quiet, which has none; expected one of the two");
    check("links=a form=lines",
          "--links with --form lines, which are short; expected one of the two");
    check("links=a form=raw", NULL);
    check("links=a words=true model=m bias=1",
          "--links with --words, which are short; expected one of the two");
}

TEST(rules_clauses_are_spelled_out)
{
    char text[DGM_CLAUSE_SIZE];
    struct dgm_clause clause;
    const char *next = dgm_clause_read(&clause, "!~form=raw|lines note, of; bias");

    dgm_clause_print(text, &clause);
    CHECK_STR(text, "--form raw or lines or --note");
    CHECK(clause.is_for_all && clause.is_changed);
    CHECK_INT(clause.reason_length, strlen(", of"));
    CHECK_STR(next, "bias");
    CHECK(dgm_clause_read(&clause, next) == NULL);
    CHECK(!clause.is_for_all && !clause.is_changed && clause.reason_length == 0);
}
