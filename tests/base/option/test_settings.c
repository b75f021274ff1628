/* test_settings.c: settings from defaults, files, the environment and the command line. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/option/option.h"
#include "base/option/settings.h"
#include "base/option/settings_args.h"
#include "base/option/settings_file.h"
#include "test.h"

/* clang-format off */
static const struct dgm_opt first_table[] = {
    { .name = "beam-size", .letter = 'b', .type = DGM_OPT_INT, .argument = "N", .fallback = "6",
      .low = 1, .high = 1024, .aliases = "beam", .help = "hypotheses kept" },
    { .name = "learning-rate", .type = DGM_OPT_REAL, .argument = "X", .low = 0, .high = 10,
      .aliases = "lr learn-rate", .help = "step size" },
    { .name = "quiet", .letter = 'q', .type = DGM_OPT_FLAG, .fallback = "false",
      .help = "no messages" },
    { .name = "resume", .letter = 'r', .type = DGM_OPT_FLAG, .fallback = "true",
      .help = "go on where it stopped" },
    { .name = "train-sets", .letter = 't', .type = DGM_OPT_FILES, .argument = "SRC TRG",
      .help = "training text" },
    DGM_OPT_END
};

static const struct dgm_opt second_table[] = {
    { .name = "norm", .type = DGM_OPT_CHOICE, .fallback = "post", .choices = "post|pre",
      .help = "where layers are normalised" },
    { .name = "after", .type = DGM_OPT_LENGTH, .argument = "N", .fallback = "50e",
      .help = "when to stop" },
    { .name = "model", .letter = 'm', .type = DGM_OPT_FILE, .argument = "FILE", .aliases = "path",
      .help = "model to read" },
    { .name = "note", .type = DGM_OPT_TEXT, .argument = "TEXT", .help = "kept with the model" },
    { .name = "part", .type = DGM_OPT_TEXT, .argument = "I/N", .once = 1, .help = "a part" },
    { .name = "bias", .type = DGM_OPT_REAL, .argument = "X", .help = "any number" },
    { .name = "config", .letter = 'c', .type = DGM_OPT_FILE, .argument = "FILE",
      .help = "settings file" },
    { .name = "input", .letter = 'i', .type = DGM_OPT_FILES, .argument = "FILE...",
      .help = "text" },
    { .name = "marks", .type = DGM_OPT_CHOICES, .argument = "NAME...", .fallback = "bleu",
      .choices = "bleu|chrf|ter", .help = "what counts" },
    { .name = "counts", .type = DGM_OPT_INTS, .argument = "N [N]", .fallback = "1", .low = 1,
      .high = 9, .help = "how often" },
    { .name = "seed", .type = DGM_OPT_INT, .argument = "N", .fallback = "1", .low = 0,
      .high = 9007199254740991.0, .help = "where randomness begins" },
    DGM_OPT_END
};
/* clang-format on */
static const struct dgm_opt *const tables[] = { first_table, second_table, NULL };

struct line {
    struct dgm_settings settings;
    char *rest[16];
    int rest_count;
};

enum { MOST_ARGUMENTS = 16 };

/* Splits a command line at blanks and reads it. */
static dgm_status read_line(struct line *line, const char *text)
{
    static char copy[512];
    char *argv[MOST_ARGUMENTS];
    int argc = 0;
    char *at;
    memset(line, 0, sizeof *line);
    DGM_TRY(dgm_settings_init(test_env(), &line->settings, tables));
    strcpy(copy, text);
    for (at = copy; *at != '\0' && argc < MOST_ARGUMENTS;) {
        argv[argc++] = at;
        at += strcspn(at, " ");
        if (*at == ' ')
            *at++ = '\0';
    }
    return dgm_settings_args_read(test_env(), &line->settings, argc, argv, line->rest,
                                  &line->rest_count);
}

static void check_refused(const char *arguments, const char *message)
{
    struct dgm_env *env = test_env();
    struct line line;
    CHECK_STATUS(read_line(&line, arguments), DGM_USAGE);
    CHECK_STR(env->error.message, message);
    dgm_env_clear_error(env);
    dgm_settings_clear(env, &line.settings);
}

TEST(option_settings_start_with_their_defaults)
{
    struct dgm_env *env = test_env();
    struct dgm_settings settings;
    char unit = 0;
    CHECK_STATUS(dgm_settings_init(env, &settings, tables), DGM_OK);
    CHECK_INT(settings.count, 16);
    CHECK_INT(dgm_settings_int(&settings, "beam-size"), 6);
    CHECK_INT(dgm_settings_is_set(&settings, "beam-size"), 0);
    CHECK_INT(dgm_settings_flag(&settings, "resume"), 1);
    CHECK_STR(dgm_settings_text(&settings, "model"), NULL);
    CHECK_STR(dgm_settings_text(&settings, "norm"), "post");
    CHECK_NEAR(dgm_settings_length(&settings, "after", &unit), 50, 0);
    CHECK_INT(unit, 'e');
    CHECK_INT(dgm_settings_count(&settings, "train-sets"), 0);
    dgm_settings_clear(env, &settings);
}

TEST(option_reads_every_form_of_the_command_line)
{
    struct dgm_env *env = test_env();
    struct line line;
    CHECK_STATUS(read_line(&line, "in --beam_size 4 --lr=1e-4 -qmfile.gguf --no-resume --bias -0.5 "
                                  "-t a.en a.de --norm=pre - -- -x"),
                 DGM_OK);
    CHECK_INT(dgm_settings_int(&line.settings, "beam-size"), 4);
    CHECK_INT(dgm_settings_is_set(&line.settings, "beam-size"), 1);
    CHECK_NEAR(dgm_settings_real(&line.settings, "learning-rate"), 1e-4, 0);
    CHECK_NEAR(dgm_settings_real(&line.settings, "bias"), -0.5, 0);
    CHECK_INT(dgm_settings_flag(&line.settings, "quiet"), 1);
    CHECK_INT(dgm_settings_flag(&line.settings, "resume"), 0);
    CHECK_STR(dgm_settings_text(&line.settings, "model"), "file.gguf");
    CHECK_STR(dgm_settings_text(&line.settings, "norm"), "pre");
    CHECK_INT(dgm_settings_count(&line.settings, "train-sets"), 2);
    CHECK_STR(dgm_settings_item(&line.settings, "train-sets", 1), "a.de");
    CHECK_INT(line.rest_count, 3);
    CHECK_STR(line.rest[0], "in");
    CHECK_STR(line.rest[1], "-");
    CHECK_STR(line.rest[2], "-x");
    dgm_settings_clear(env, &line.settings);
}

TEST(option_settings_are_copied_with_lists_and_origins)
{
    struct dgm_settings copy;
    struct line line;

    CHECK_STATUS(read_line(&line, "--beam-size 3 --train-sets a b --marks chrf,ter -q"), DGM_OK);
    CHECK_STATUS(dgm_settings_copy(test_env(), &copy, &line.settings), DGM_OK);
    dgm_settings_clear(test_env(), &line.settings);
    CHECK_INT(dgm_settings_int(&copy, "beam-size"), 3);
    CHECK(dgm_settings_is_typed(&copy, "beam-size") && !dgm_settings_is_set(&copy, "norm"));
    CHECK_STR(dgm_settings_text(&copy, "norm"), "post");
    CHECK_INT(dgm_settings_flag(&copy, "quiet"), 1);
    CHECK_INT(dgm_settings_count(&copy, "train-sets"), 2);
    CHECK_STR(dgm_settings_item(&copy, "train-sets", 1), "b");
    CHECK_STR(dgm_settings_item(&copy, "marks", 0), "chrf");
    CHECK(dgm_settings_text(&copy, "note") == NULL);
    dgm_settings_clear(test_env(), &copy);
}

TEST(option_the_later_of_two_wins)
{
    struct dgm_env *env = test_env();
    struct line line;
    CHECK_STATUS(read_line(&line, "-b2 --beam 3 --norm pre --norm post -q --no-quiet"), DGM_OK);
    CHECK_INT(dgm_settings_int(&line.settings, "beam-size"), 3);
    CHECK_STR(dgm_settings_text(&line.settings, "norm"), "post");
    CHECK_INT(dgm_settings_flag(&line.settings, "quiet"), 0);
    dgm_settings_clear(env, &line.settings);
}

TEST(option_that_counts_once_is_refused_twice)
{
    check_refused("--part 1/2 --part 2/2", "--part: given twice; expected once");
    check_refused("--part=1/2 -b 2 --part=1/2", "--part: given twice; expected once");
}

TEST(option_open_lists_given_twice_are_one_list)
{
    struct dgm_env *env = test_env();
    struct line line;
    CHECK_STATUS(read_line(&line, "in -i a b --norm pre --input=c -id -t x y -t z"), DGM_OK);
    CHECK_INT(dgm_settings_count(&line.settings, "input"), 4);
    CHECK_STR(dgm_settings_item(&line.settings, "input", 0), "a");
    CHECK_STR(dgm_settings_item(&line.settings, "input", 1), "b");
    CHECK_STR(dgm_settings_item(&line.settings, "input", 2), "c");
    CHECK_STR(dgm_settings_item(&line.settings, "input", 3), "d");
    CHECK_INT(dgm_settings_count(&line.settings, "train-sets"), 1);
    CHECK_STR(dgm_settings_item(&line.settings, "train-sets", 0), "z");
    CHECK_INT(line.rest_count, 1);
    dgm_settings_clear(env, &line.settings);
}

TEST(option_lists_of_choices_and_numbers_have_blanks_or_commas)
{
    static const char *const lines[] = {
        "--marks ter bleu --counts 3 4", "--marks ter,bleu --counts 3,4",
        "--marks=ter,bleu --counts=3,4", "--marks chrf --counts 9 --marks ter , bleu --counts 3 , 4"
    };
    struct dgm_env *env = test_env();
    struct line line;
    size_t i;
    for (i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        CHECK_STATUS(read_line(&line, lines[i]), DGM_OK);
        CHECK_INT(dgm_settings_count(&line.settings, "marks"), 2);
        CHECK_STR(dgm_settings_item(&line.settings, "marks", 0), "ter");
        CHECK_STR(dgm_settings_item(&line.settings, "marks", 1), "bleu");
        CHECK_INT(dgm_settings_count(&line.settings, "counts"), 2);
        CHECK_INT(dgm_settings_item_int(&line.settings, "counts", 0), 3);
        CHECK_INT(dgm_settings_item_int(&line.settings, "counts", 1), 4);
        dgm_settings_clear(env, &line.settings);
    }
    check_refused("--marks", "option --marks needs NAME.... Try: --marks=NAME...");
    check_refused("--marks ter bleu ter",
                  "--marks: \"ter\" stands there twice; expected each once");
    check_refused("--marks ter,,bleu", "--marks: expected one of bleu|chrf|ter, got \"\"");
    check_refused("--marks ,", "--marks: expected one of bleu|chrf|ter, got \"\"");
    check_refused("--marks bleu,", "--marks: expected one of bleu|chrf|ter, got \"\"");
    check_refused("--marks tar",
                  "--marks: expected one of bleu|chrf|ter, got \"tar\"; did you mean \"ter\"?");
    check_refused("--counts 3 -1", "--counts: expected 1..9, got \"-1\"");
    check_refused("--counts x", "--counts: expected a whole number, 1..9, got \"x\"");
}

TEST(option_explains_what_is_wrong_with_the_command_line)
{
    check_refused("--beamsize 3", "unknown option --beamsize. Did you mean --beam-size?");
    check_refused("--lerning_rate 3", "unknown option --lerning_rate. Did you mean "
                                      "--learning-rate?");
    check_refused("--entirely-else", "unknown option --entirely-else");
    check_refused("--train s", "unknown option --train. Did you mean --train-sets?");
    check_refused("--learning_rat 3", "unknown option --learning_rat. Did you mean "
                                      "--learning-rate?");
    check_refused("--learn 3", "unknown option --learn. Did you mean --learn-rate?");
    check_refused("--no-resum", "unknown option --no-resum. Did you mean --no-resume?");
    check_refused("-z", "unknown option -z");
    check_refused("--quiet=yes", "option --quiet takes no value. Try: --quiet or --no-quiet");
    check_refused("--model", "option --model needs FILE. Try: --model=FILE");
    check_refused("--model --quiet", "option --model needs FILE. Try: --model=FILE");
    check_refused("-t --quiet", "option --train-sets needs SRC TRG. Try: --train-sets=SRC TRG");
    check_refused("--no-model", "option --model takes a value and has no --no- form");
    check_refused("--beam-size 0", "--beam-size: expected 1..1024, got \"0\"");
    check_refused("--beam-size -1", "--beam-size: expected 1..1024, got \"-1\"");
    check_refused("--beam-size 1000000000", "--beam-size: expected 1..1024, got \"1000000000\"");
    check_refused("--beam-size four",
                  "--beam-size: expected a whole number, 1..1024, got \"four\"");
    check_refused("--beam-size=", "--beam-size: expected a whole number, 1..1024, got \"\"");
    check_refused("--seed -1", "--seed: expected 0..9007199254740991, got \"-1\"");
    check_refused("--seed x", "--seed: expected a whole number, 0..9007199254740991, got \"x\"");
    check_refused("--lr 0,5",
                  "--learning-rate: expected a number with \".\" as decimal point, got \"0,5\"");
    check_refused("--lr nan", "--learning-rate: expected a number, 0..10, got \"nan\"");
    check_refused("--lr 0x10", "--learning-rate: expected a number, 0..10, got \"0x10\"");
    check_refused("--lr 1e999", "--learning-rate: expected a number, 0..10, got \"1e999\"");
    check_refused("--bias inf", "--bias: expected a number, got \"inf\"");
    check_refused("--norm mid", "--norm: expected one of post|pre, got \"mid\"");
    check_refused("--norm po",
                  "--norm: expected one of post|pre, got \"po\"; did you mean \"post\"?");
    check_refused("--model=", "--model: expected a file name, got \"\"");
    check_refused("--after 5x", "--after: expected a length such as 100u, 50e, 1Mt, 12h, 30m or "
                                "90s, got \"5x\"");
}

TEST(option_lengths_have_units)
{
    static const struct {
        const char *text;
        double number;
        char unit;
    } known[] = { { "100", 100, 'u' },   { "100u", 100, 'u' }, { "50e", 50, 'e' },
                  { "100Ku", 1e5, 'u' }, { "1Mt", 1e6, 't' },  { "1.5G", 1.5e9, 'u' },
                  { "12h", 12, 'h' },    { "30m", 30, 'm' },   { "90s", 90, 's' },
                  { "1e5", 1e5, 'u' },   { "1e5e", 1e5, 'e' } };
    struct dgm_env *env = test_env();
    struct dgm_settings settings;
    size_t i;
    CHECK_STATUS(dgm_settings_init(env, &settings, tables), DGM_OK);
    for (i = 0; i < sizeof known / sizeof *known; i++) {
        char unit = 0;
        CHECK_STATUS(dgm_settings_set(env, &settings, "after", known[i].text, "test"), DGM_OK);
        CHECK_NEAR(dgm_settings_length(&settings, "after", &unit), known[i].number, 0);
        CHECK_INT(unit, known[i].unit);
    }
    CHECK_STATUS(dgm_settings_set(env, &settings, "after", "-5u", "test"), DGM_USAGE);
    dgm_env_clear_error(env);
    dgm_settings_clear(env, &settings);
}

/* ---- config files ---------------------------------------------------------------- */

static void check_file_refused(const char *text, size_t bytes, long line, long column,
                               const char *message)
{
    struct dgm_env *env = test_env();
    struct dgm_settings settings;
    CHECK_STATUS(dgm_settings_init(env, &settings, tables), DGM_OK);
    CHECK_STATUS(dgm_settings_file_parse(env, &settings, text, bytes, "c.conf"), DGM_USAGE);
    CHECK_STR(env->error.message, message);
    CHECK_STR(env->error.file, "c.conf");
    CHECK_INT(env->error.line, line);
    CHECK_INT(env->error.column, column);
    dgm_env_clear_error(env);
    dgm_settings_clear(env, &settings);
}

#define REFUSED(text, line, column, message) \
    check_file_refused(text, sizeof text - 1, line, column, message)

TEST(option_reads_config_files)
{
    static const char text[] = "\xEF\xBB\xBF# recipe\r\n\r\nbeam-size = 4 # narrow\r\n"
                               "  lr: 1e-4\n"
                               "note = \"a # \\\"b\\\" \\\\ c\"  # kept\n"
                               "train-sets = a.en \"b c.de\"\n"
                               "path=x#y\n"
                               "quiet = yes";
    struct dgm_env *env = test_env();
    struct dgm_settings settings;
    struct dgm_buf out = { NULL, 0, 0, 0 };
    CHECK_STATUS(dgm_settings_init(env, &settings, tables), DGM_OK);
    CHECK_STATUS(dgm_settings_file_parse(env, &settings, text, sizeof text - 1, "r.conf"), DGM_OK);
    CHECK_INT(dgm_settings_int(&settings, "beam-size"), 4);
    CHECK_NEAR(dgm_settings_real(&settings, "learning-rate"), 1e-4, 0);
    CHECK_STR(dgm_settings_text(&settings, "note"), "a # \"b\" \\ c");
    CHECK_STR(dgm_settings_item(&settings, "train-sets", 1), "b c.de");
    CHECK_STR(dgm_settings_text(&settings, "model"), "x#y");
    CHECK_INT(dgm_settings_flag(&settings, "quiet"), 1);
    CHECK_STATUS(dgm_settings_file_dump(env, &settings, &out, 1), DGM_OK);
    CHECK_STR(out.data, "beam-size = 4  # r.conf:3\n"
                        "learning-rate = 1e-4  # r.conf:4\n"
                        "quiet = true  # r.conf:8\n"
                        "resume = true  # default\n"
                        "train-sets = a.en \"b c.de\"  # r.conf:6\n"
                        "norm = post  # default\n"
                        "after = 50e  # default\n"
                        "model = \"x#y\"  # r.conf:7\n"
                        "note = \"a # \\\"b\\\" \\\\ c\"  # r.conf:5\n"
                        "marks = bleu  # default\n"
                        "counts = 1  # default\n"
                        "seed = 1  # default\n");
    dgm_settings_clear(env, &settings);
    /* What was dumped is read again. */
    CHECK_STATUS(dgm_settings_init(env, &settings, tables), DGM_OK);
    CHECK_STATUS(dgm_settings_file_parse(env, &settings, out.data, out.size, "again"), DGM_OK);
    CHECK_STR(dgm_settings_text(&settings, "note"), "a # \"b\" \\ c");
    CHECK_STR(dgm_settings_item(&settings, "train-sets", 1), "b c.de");
    dgm_settings_clear(env, &settings);
    dgm_buf_clear(env, &out);
}

TEST(option_flags_in_config_files_have_eight_spellings)
{
    static const char *const yes[] = { "true", "yes", "on", "1" };
    static const char *const no[] = { "false", "no", "off", "0" };
    struct dgm_env *env = test_env();
    struct dgm_settings settings;
    char text[60];
    size_t i;
    for (i = 0; i < 4; i++) {
        int length = snprintf(text, sizeof text, "quiet = %s\nresume = %s\n", yes[i], no[i]);
        CHECK_STATUS(dgm_settings_init(env, &settings, tables), DGM_OK);
        CHECK_STATUS(dgm_settings_file_parse(env, &settings, text, (size_t)length, "c.conf"),
                     DGM_OK);
        CHECK_INT(dgm_settings_flag(&settings, "quiet"), 1);
        CHECK_INT(dgm_settings_flag(&settings, "resume"), 0);
        dgm_settings_clear(env, &settings);
    }
}

TEST(option_lists_in_config_files_keep_any_name)
{
    static const char text[] = "train-sets = \"a \\\"b\\\" \\\\ c\" plain \"#d\"\n";
    struct dgm_env *env = test_env();
    struct dgm_buf out = { NULL, 0, 0, 0 };
    int again;
    CHECK_STATUS(dgm_buf_add(env, &out, text, sizeof text - 1), DGM_OK);
    for (again = 0; again < 2; again++) { /* as written, and as dumped */
        struct dgm_settings settings;
        CHECK_STATUS(dgm_settings_init(env, &settings, tables), DGM_OK);
        CHECK_STATUS(dgm_settings_file_parse(env, &settings, out.data, out.size, "c.conf"), DGM_OK);
        CHECK_INT(dgm_settings_count(&settings, "train-sets"), 3);
        CHECK_STR(dgm_settings_item(&settings, "train-sets", 0), "a \"b\" \\ c");
        CHECK_STR(dgm_settings_item(&settings, "train-sets", 1), "plain");
        CHECK_STR(dgm_settings_item(&settings, "train-sets", 2), "#d");
        dgm_buf_reset(&out);
        CHECK_STATUS(dgm_settings_file_dump(env, &settings, &out, 0), DGM_OK);
        dgm_settings_clear(env, &settings);
    }
    dgm_buf_clear(env, &out);
}

/* A file stays as it was before there was the option. */
TEST(option_that_is_unsaid_at_its_default_is_named_otherwise)
{
    static const struct dgm_opt table[] = { { .name = "form",
                                              .type = DGM_OPT_CHOICE,
                                              .fallback = "old",
                                              .choices = "old|new",
                                              .unsaid = 1,
                                              .help = "which" },
                                            DGM_OPT_END };
    static const struct dgm_opt *const one[] = { table, NULL };
    struct dgm_env *env = test_env();
    struct dgm_settings settings;
    struct dgm_buf out = { NULL, 0, 0, 0 };

    CHECK_STATUS(dgm_settings_init(env, &settings, one), DGM_OK);
    CHECK_STATUS(dgm_settings_file_dump(env, &settings, &out, 0), DGM_OK);
    CHECK_INT(out.size, 0);
    CHECK_STATUS(dgm_settings_set(env, &settings, "form", "old", "test"), DGM_OK);
    CHECK_STATUS(dgm_settings_file_dump(env, &settings, &out, 0), DGM_OK);
    CHECK_INT(out.size, 0);
    CHECK_STATUS(dgm_settings_file_dump(env, &settings, &out, 1), DGM_OK);
    CHECK_STR(out.data, "form = old  # test\n");
    dgm_buf_reset(&out);
    CHECK_STATUS(dgm_settings_set(env, &settings, "form", "new", "test"), DGM_OK);
    CHECK_STATUS(dgm_settings_file_dump(env, &settings, &out, 0), DGM_OK);
    CHECK_STR(out.data, "form = new\n");
    dgm_settings_clear(env, &settings);
    dgm_buf_clear(env, &out);
}

/* What a model file brings along is no choice of whoever runs the command. */
TEST(option_from_a_model_is_not_set_by_the_user)
{
    struct dgm_env *env = test_env();
    struct dgm_settings settings;
    CHECK_STATUS(dgm_settings_init(env, &settings, tables), DGM_OK);
    CHECK_STATUS(dgm_settings_set(env, &settings, "beam-size", "4", "model"), DGM_OK);
    CHECK_INT(dgm_settings_int(&settings, "beam-size"), 4);
    CHECK_INT(dgm_settings_is_set(&settings, "beam-size"), 0);
    CHECK_STATUS(dgm_settings_set(env, &settings, "beam-size", "5", "command line"), DGM_OK);
    CHECK_INT(dgm_settings_is_set(&settings, "beam-size"), 1);
    dgm_settings_clear(env, &settings);
}

TEST(option_config_errors_name_their_place)
{
    REFUSED("\n\n# x\nlearning-rat = 1", 4, 1,
            "unknown key \"learning-rat\"; did you mean \"learning-rate\"?");
    REFUSED("beam_siz = 1", 1, 1, "unknown key \"beam_siz\"; did you mean \"beam-size\"?");
    REFUSED("train = 1", 1, 1, "unknown key \"train\"; did you mean \"train-sets\"?");
    REFUSED("xyzzyplugh = 1", 1, 1, "unknown key \"xyzzyplugh\"");
    REFUSED("lr = 1\nquiet = 1\nlearn_rate = 2\n", 3, 1,
            "duplicate key \"learn_rate\"; line 1 has set it already");
    REFUSED("lr = 0,5", 1, 6,
            "learning-rate: expected a number with \".\" as decimal point, got \"0,5\"");
    REFUSED("lr = -1", 1, 6, "learning-rate: expected 0..10, got \"-1\"");
    REFUSED("lr =", 1, 5, "learning-rate: expected a number, 0..10, got \"\"");
    REFUSED("beam-size = 0", 1, 13, "beam-size: expected 1..1024, got \"0\"");
    REFUSED("quiet = maybe", 1, 9, "quiet: expected true or false, got \"maybe\"");
    REFUSED("quiet", 1, 6, "no \"=\" after \"quiet\"; expected key = value");
    REFUSED("beam size = 3", 1, 6, "no \"=\" after \"beam\"; expected key = value");
    REFUSED("= 3", 1, 1, "no key; expected key = value");
    REFUSED("note = \"open", 1, 8, "unclosed quote; expected \" before the end of the line");
    REFUSED("note = \"a\" b", 1, 11, "text after the closing quote; expected the end of the line");
    REFUSED("note = \xC3\xA9\0x", 1, 9, "NUL byte; expected text");
    REFUSED("note = a\x01", 1, 8, "note: expected text without control bytes, got \"a\\x01\"");
    REFUSED("train-sets =", 1, 13, "train-sets: expected a file name, got \"\"");
    REFUSED("config = x", 1, 1,
            "\"config\" in a config file; expected it on the command line only");
}

TEST(option_refuses_a_value_of_a_megabyte)
{
    struct dgm_env *env = test_env();
    struct dgm_buf text = { NULL, 0, 0, 0 };
    int i;
    CHECK_STATUS(dgm_buf_add_text(env, &text, "note = "), DGM_OK);
    for (i = 0; i < 1 << 14; i++)
        CHECK_STATUS(dgm_buf_add(env, &text,
                                 "0123456789abcdef0123456789abcdef0123456789abcdef"
                                 "0123456789abcdef",
                                 64),
                     DGM_OK);
    check_file_refused(text.data, text.size, 1, 8,
                       "value of 1048576 bytes; expected at most 65536");
    dgm_buf_clear(env, &text);
}

static void write_config(char *path, size_t size, const char *name, const char *text)
{
    FILE *file;
    snprintf(path, size, "%s/%s", test_dir(), name);
    CHECK(strlen(path) < 299);
    file = fopen(path, "w");
    CHECK(file != NULL);
    fputs(text, file);
    CHECK_INT(fclose(file), 0);
}

static void check_origin(const struct line *line, const char *name, const char *origin)
{
    size_t i;
    for (i = 0; strcmp(line->settings.items[i].opt->name, name) != 0; i++)
        CHECK(i < line->settings.count);
    CHECK_STR(line->settings.items[i].origin, origin);
}

TEST(option_the_command_line_wins_over_config_files)
{
    struct dgm_env *env = test_env();
    struct line line;
    char path[300], arguments[500];
    write_config(path, sizeof path, "c.conf",
                 "beam-size = 9\nlr = 2\nresume = yes\ntrain-sets = x y\nnote = n\ninput = u v\n");
    snprintf(arguments, sizeof arguments,
             "-b 3 -t a --no-resume --config %s --lr 1 -i w --no-quiet in", path);
    CHECK_STATUS(read_line(&line, arguments), DGM_OK);
    CHECK_INT(dgm_settings_int(&line.settings, "beam-size"), 3);
    CHECK_NEAR(dgm_settings_real(&line.settings, "learning-rate"), 1, 0);
    CHECK_INT(dgm_settings_flag(&line.settings, "resume"), 0);
    CHECK_INT(dgm_settings_count(&line.settings, "train-sets"), 1);
    CHECK_STR(dgm_settings_item(&line.settings, "train-sets", 0), "a");
    CHECK_INT(dgm_settings_count(&line.settings, "input"), 1); /* no file of the config's goes on */
    CHECK_STR(dgm_settings_item(&line.settings, "input", 0), "w");
    CHECK_STR(dgm_settings_text(&line.settings, "note"), "n");
    check_origin(&line, "beam-size", "command line");
    CHECK_INT(line.rest_count, 1);
    CHECK_STR(line.rest[0], "in");
    dgm_settings_clear(env, &line.settings);
    CHECK_STATUS(read_line(&line, "-c /no/such/file"), DGM_DATA);
    dgm_env_clear_error(env);
    dgm_settings_clear(env, &line.settings);
    snprintf(arguments, sizeof arguments, "-b 0 -c%s", path);
    check_refused(arguments, "--beam-size: expected 1..1024, got \"0\"");
}

/* A path that is cut in front would name another file. */
TEST(option_the_origin_of_a_value_is_never_cut)
{
    struct dgm_env *env = test_env();
    char path[300], arguments[500], origin[320], name[170];
    struct line line;
    memset(name, 'n', 160);
    strcpy(name + 160, ".conf");
    write_config(path, sizeof path, name, "beam-size = 9\n");
    snprintf(arguments, sizeof arguments, "--config %s in", path);
    CHECK_STATUS(read_line(&line, arguments), DGM_OK);
    snprintf(origin, sizeof origin, "%s:1", path);
    check_origin(&line, "beam-size", origin);
    dgm_settings_clear(env, &line.settings);
}

TEST(option_the_later_of_two_config_files_wins)
{
    struct dgm_env *env = test_env();
    struct line line;
    char one[300], two[300], arguments[1000];
    write_config(one, sizeof one, "one.conf", "beam-size = 9\nlr = 2\ntrain-sets = x y\n");
    write_config(two, sizeof two, "two.conf", "beam-size = 7\ntrain-sets = z\nnorm = pre\n");
    snprintf(arguments, sizeof arguments, "--config %s --norm post --config=%s", one, two);
    CHECK_STATUS(read_line(&line, arguments), DGM_OK);
    CHECK_INT(dgm_settings_int(&line.settings, "beam-size"), 7);
    CHECK_NEAR(dgm_settings_real(&line.settings, "learning-rate"), 2, 0);
    CHECK_INT(dgm_settings_count(&line.settings, "train-sets"), 1);
    CHECK_STR(dgm_settings_text(&line.settings, "norm"), "post");
    dgm_settings_clear(env, &line.settings);
}

TEST(option_reads_the_environment)
{
    struct dgm_env *env = test_env();
    struct dgm_settings settings;
    struct dgm_buf out = { NULL, 0, 0, 0 };
    CHECK_INT(setenv("DRAGOMAN_BEAM_SIZE", "12", 1), 0);
    CHECK_STATUS(dgm_settings_init(env, &settings, tables), DGM_OK);
    CHECK_STATUS(dgm_settings_args_environment(env, &settings, NULL), DGM_OK);
    CHECK_INT(dgm_settings_int(&settings, "beam-size"), 12);
    CHECK_STATUS(dgm_settings_file_dump(env, &settings, &out, 1), DGM_OK);
    CHECK(strstr(out.data, "beam-size = 12  # DRAGOMAN_BEAM_SIZE\n") != NULL);
    CHECK_INT(setenv("DRAGOMAN_BEAM_SIZE", "many", 1), 0);
    CHECK_STATUS(dgm_settings_args_environment(env, &settings, NULL), DGM_USAGE);
    CHECK_STR(env->error.message, "beam-size: expected a whole number, 1..1024, got \"many\" "
                                  "(DRAGOMAN_BEAM_SIZE)");
    dgm_env_clear_error(env);
    dgm_settings_clear(env, &settings);
    dgm_buf_clear(env, &out);
}

/* It would be passed over, as the variables of other commands are. */
TEST(option_refuses_a_variable_that_begins_with_no)
{
    struct dgm_env *env = test_env();
    struct dgm_settings settings;
    CHECK_INT(setenv("DRAGOMAN_NO_BEAM_SIZE", "1", 1), 0);
    CHECK_STATUS(dgm_settings_init(env, &settings, tables), DGM_OK);
    CHECK_STATUS(dgm_settings_args_environment(env, &settings, NULL), DGM_OK);
    CHECK_INT(setenv("DRAGOMAN_NO_RESUME", "1", 1), 0);
    CHECK_STATUS(dgm_settings_args_environment(env, &settings, NULL), DGM_USAGE);
    CHECK_STR(env->error.message, "DRAGOMAN_NO_RESUME: no variable of this name; expected "
                                  "DRAGOMAN_RESUME=false");
    dgm_env_clear_error(env);
    CHECK_INT(unsetenv("DRAGOMAN_NO_RESUME"), 0);
    dgm_settings_clear(env, &settings);
}

TEST(option_help_is_aligned_and_wrapped)
{
    static const struct dgm_opt table[] = {
        { .name = "beam-size",
          .letter = 'b',
          .type = DGM_OPT_INT,
          .argument = "N",
          .fallback = "6",
          .low = 1,
          .high = 1024,
          .help = "hypotheses kept" },
        { .name = "resume",
          .type = DGM_OPT_FLAG,
          .fallback = "true",
          .help = "go on from the newest checkpoint that can be read in full, which is what one "
                  "wants" },
        { .name = "a-name-of-some-length", .type = DGM_OPT_FILE, .argument = "FILE", .help = "x" },
        DGM_OPT_END
    };
    struct dgm_env *env = test_env();
    struct dgm_buf out = { NULL, 0, 0, 0 };
    for (const struct dgm_opt *opt = table; opt->name != NULL; opt++)
        CHECK_STATUS(dgm_opt_help(env, opt, &out), DGM_OK);
    CHECK_STR(out.data, "  -b, --beam-size N           hypotheses kept (default: 6)\n"
                        "      --[no-]resume           go on from the newest checkpoint that can "
                        "be read\n"
                        "                              in full, which is what one wants\n"
                        "      --a-name-of-some-length FILE\n"
                        "                              x\n");
    dgm_buf_clear(env, &out);
}

TEST(settings_sizes_are_read_and_written_in_powers_of_1024)
{
    static const struct {
        const char *text;
        int64_t bytes;
        const char *printed;
    } cases[] = {
        { "0", 0, "0" },
        { "1023", 1023, "1023" },
        { "64K", 65536, "64K" },
        { "1.5G", 1610612736, "1536M" },
        { "1048576", 1048576, "1M" },
        { "3T", INT64_C(3298534883328), "3T" },
    };
    static const char *const wrong[] = { "", "K", "-1", "1KB", "1k", "1 M", "nan", "5e6T" };
    char printed[DGM_OPT_BYTES_SIZE];
    int64_t bytes;
    size_t i;

    for (i = 0; i < sizeof cases / sizeof *cases; i++) {
        CHECK(dgm_opt_bytes(cases[i].text, &bytes));
        CHECK_INT(bytes, cases[i].bytes);
        dgm_opt_print_bytes(printed, bytes);
        CHECK_STR(printed, cases[i].printed);
    }
    for (i = 0; i < sizeof wrong / sizeof *wrong; i++)
        CHECK(!dgm_opt_bytes(wrong[i], &bytes));
}

/* A choice with limits is a whole number, too: --ranks. */
TEST(option_choices_with_limits_take_numbers)
{
    static const struct dgm_opt ranks = {
        .name = "ranks", .type = DGM_OPT_CHOICE, .choices = "auto|off", .low = 1, .high = 64
    };
    static const char *const bad[] = { "0", "65", "-1", "2.5", "on", "", "1 " };
    char why[DGM_OPT_WHY];
    unsigned i;

    CHECK(dgm_opt_check(&ranks, "auto", why));
    CHECK(dgm_opt_check(&ranks, "1", why));
    CHECK(dgm_opt_check(&ranks, "64", why));
    for (i = 0; i < sizeof bad / sizeof bad[0]; i++)
        CHECK(!dgm_opt_check(&ranks, bad[i], why));
    CHECK_STR(why, "expected one of auto|off, or 1..64, got \"1 \"");
    CHECK(!dgm_opt_check(&ranks, "auot", why));
    CHECK_STR(why, "expected one of auto|off, or 1..64, got \"auot\"; did you mean \"auto\"?");
}

/* All digits of the limits, and no list of one. */
TEST(option_of_one_choice_and_numbers)
{
    static const struct dgm_opt tokens = { .name = "batch-tokens",
                                           .type = DGM_OPT_CHOICE,
                                           .choices = "auto",
                                           .low = 1,
                                           .high = 16777216 };
    char why[DGM_OPT_WHY];

    CHECK(dgm_opt_check(&tokens, "auto", why));
    CHECK(dgm_opt_check(&tokens, "16777216", why));
    CHECK(!dgm_opt_check(&tokens, "16777217", why));
    CHECK_STR(why, "expected auto, or 1..16777216, got \"16777217\"");
}
