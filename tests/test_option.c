/* test_option.c: settings from defaults, files, the environment and the command line. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/option.h"
#include "test.h"

static const struct dgm_opt first_table[] = {
    { "beam-size", 'b', DGM_OPT_INT, "N", "6", 1, 1024, NULL, "beam", "hypotheses kept" },
    { "learning-rate", 0, DGM_OPT_REAL, "X", NULL, 0, 10, NULL, "lr learn-rate",
      "step size" },
    { "quiet", 'q', DGM_OPT_FLAG, NULL, "false", 0, 0, NULL, NULL, "no messages" },
    { "resume", 'r', DGM_OPT_FLAG, NULL, "true", 0, 0, NULL, NULL,
      "go on where it stopped" },
    { "train-sets", 't', DGM_OPT_FILES, "SRC TRG", NULL, 0, 0, NULL, NULL,
      "training text" },
    DGM_OPT_END
};
static const struct dgm_opt second_table[] = {
    { "norm", 0, DGM_OPT_CHOICE, NULL, "post", 0, 0, "post|pre", NULL,
      "where layers are normalised" },
    { "after", 0, DGM_OPT_LENGTH, "N", "50e", 0, 0, NULL, NULL, "when to stop" },
    { "model", 'm', DGM_OPT_FILE, "FILE", NULL, 0, 0, NULL, "path", "model to read" },
    { "note", 0, DGM_OPT_TEXT, "TEXT", NULL, 0, 0, NULL, NULL, "kept with the model" },
    { "bias", 0, DGM_OPT_REAL, "X", NULL, 0, 0, NULL, NULL, "any number" },
    { "config", 'c', DGM_OPT_FILE, "FILE", NULL, 0, 0, NULL, NULL, "settings file" },
    DGM_OPT_END
};
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
    return dgm_settings_arguments(test_env(), &line->settings, argc, argv, line->rest,
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
    CHECK_INT(settings.count, 11);
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
    CHECK_STATUS(
        read_line(&line,
                  "in --beam_size 4 --lr=1e-4 -qmfile.gguf --no-resume --bias -0.5 "
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

TEST(option_the_later_of_two_wins)
{
    struct dgm_env *env = test_env();
    struct line line;
    CHECK_STATUS(read_line(&line, "-b2 --beam 3 -t a b -t c"), DGM_OK);
    CHECK_INT(dgm_settings_int(&line.settings, "beam-size"), 3);
    CHECK_INT(dgm_settings_count(&line.settings, "train-sets"), 1);
    CHECK_STR(dgm_settings_item(&line.settings, "train-sets", 0), "c");
    dgm_settings_clear(env, &line.settings);
}

TEST(option_explains_what_is_wrong_with_the_command_line)
{
    check_refused("--beamsize 3", "unknown option --beamsize. Did you mean --beam-size?");
    check_refused("--lerning_rate 3", "unknown option --lerning_rate. Did you mean "
                                      "--learning-rate?");
    check_refused("--entirely-else", "unknown option --entirely-else");
    check_refused("-z", "unknown option -z");
    check_refused("--quiet=yes",
                  "option --quiet takes no value. Try: --quiet or --no-quiet");
    check_refused("--model", "option --model needs FILE. Try: --model=FILE");
    check_refused("--model --quiet", "option --model needs FILE. Try: --model=FILE");
    check_refused("-t --quiet",
                  "option --train-sets needs SRC TRG. Try: --train-sets=SRC TRG");
    check_refused("--no-model", "option --model takes a value and has no --no- form");
    check_refused("--beam-size 0", "--beam-size: expected 1..1024, got \"0\"");
    check_refused("--beam-size -1", "--beam-size: expected 1..1024, got \"-1\"");
    check_refused("--beam-size 1000000000",
                  "--beam-size: expected 1..1024, got \"1000000000\"");
    check_refused("--beam-size four",
                  "--beam-size: expected a whole number, 1..1024, got \"four\"");
    check_refused("--beam-size=",
                  "--beam-size: expected a whole number, 1..1024, got \"\"");
    check_refused(
        "--lr 0,5",
        "--learning-rate: expected a number with \".\" as decimal point, got \"0,5\"");
    check_refused("--lr nan", "--learning-rate: expected a number, 0..10, got \"nan\"");
    check_refused("--lr 0x10", "--learning-rate: expected a number, 0..10, got \"0x10\"");
    check_refused("--lr 1e999",
                  "--learning-rate: expected a number, 0..10, got \"1e999\"");
    check_refused("--bias inf", "--bias: expected a number, got \"inf\"");
    check_refused("--norm mid", "--norm: expected one of post|pre, got \"mid\"");
    check_refused("--norm po", "--norm: expected one of post|pre, got \"po\"");
    check_refused("--model=", "--model: expected a file name, got \"\"");
    check_refused("--after 5x",
                  "--after: expected a length such as 100u, 50e, 1Mt, 12h, 30m or "
                  "90s, got \"5x\"");
}

TEST(option_lengths_have_units)
{
    static const struct {
        const char *text;
        double number;
        char unit;
    } known[] = { { "100", 100, 'u' }, { "100u", 100, 'u' }, { "50e", 50, 'e' },
                  { "100Ku", 1e5, 'u' }, { "1Mt", 1e6, 't' }, { "1.5G", 1.5e9, 'u' },
                  { "12h", 12, 'h' }, { "30m", 30, 'm' }, { "90s", 90, 's' },
                  { "1e5", 1e5, 'u' }, { "1e5e", 1e5, 'e' } };
    struct dgm_env *env = test_env();
    struct dgm_settings settings;
    size_t i;
    CHECK_STATUS(dgm_settings_init(env, &settings, tables), DGM_OK);
    for (i = 0; i < sizeof known / sizeof *known; i++) {
        char unit = 0;
        CHECK_STATUS(dgm_settings_set(env, &settings, "after", known[i].text, "test"),
                     DGM_OK);
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
    CHECK_STATUS(dgm_settings_parse(env, &settings, text, bytes, "c.conf"), DGM_USAGE);
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
    CHECK_STATUS(dgm_settings_parse(env, &settings, text, sizeof text - 1, "r.conf"),
                 DGM_OK);
    CHECK_INT(dgm_settings_int(&settings, "beam-size"), 4);
    CHECK_NEAR(dgm_settings_real(&settings, "learning-rate"), 1e-4, 0);
    CHECK_STR(dgm_settings_text(&settings, "note"), "a # \"b\" \\ c");
    CHECK_STR(dgm_settings_item(&settings, "train-sets", 1), "b c.de");
    CHECK_STR(dgm_settings_text(&settings, "model"), "x#y");
    CHECK_INT(dgm_settings_flag(&settings, "quiet"), 1);
    CHECK_STATUS(dgm_settings_dump(env, &settings, &out, 1), DGM_OK);
    CHECK_STR(out.data, "beam-size = 4  # r.conf:3\n"
                        "learning-rate = 1e-4  # r.conf:4\n"
                        "quiet = true  # r.conf:8\n"
                        "resume = true  # default\n"
                        "train-sets = a.en \"b c.de\"  # r.conf:6\n"
                        "norm = post  # default\n"
                        "after = 50e  # default\n"
                        "model = \"x#y\"  # r.conf:7\n"
                        "note = \"a # \\\"b\\\" \\\\ c\"  # r.conf:5\n");
    dgm_settings_clear(env, &settings);
    /* What was dumped is read again. */
    CHECK_STATUS(dgm_settings_init(env, &settings, tables), DGM_OK);
    CHECK_STATUS(dgm_settings_parse(env, &settings, out.data, out.size, "again"), DGM_OK);
    CHECK_STR(dgm_settings_text(&settings, "note"), "a # \"b\" \\ c");
    CHECK_STR(dgm_settings_item(&settings, "train-sets", 1), "b c.de");
    dgm_settings_clear(env, &settings);
    dgm_buf_clear(env, &out);
}

TEST(option_config_errors_name_their_place)
{
    REFUSED("\n\n# x\nlearning-rat = 1", 4, 1,
            "unknown key \"learning-rat\"; did you mean \"learning-rate\"?");
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
    REFUSED("note = \"open", 1, 8,
            "unclosed quote; expected \" before the end of the line");
    REFUSED("note = \"a\" b", 1, 11,
            "text after the closing quote; expected the end of the line");
    REFUSED("note = \xC3\xA9\0x", 1, 9, "NUL byte; expected text");
    REFUSED("note = a\x01", 1, 8,
            "note: expected text without control bytes, got \"a\\x01\"");
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

TEST(option_config_is_loaded_where_it_stands)
{
    struct dgm_env *env = test_env();
    struct line line;
    char path[900], arguments[1000];
    FILE *file;
    snprintf(path, sizeof path, "%s/c.conf", test_dir());
    file = fopen(path, "w");
    CHECK(file != NULL);
    fputs("beam-size = 9\nlr = 2\n", file);
    CHECK_INT(fclose(file), 0);
    CHECK(strlen(path) < 400);
    snprintf(arguments, sizeof arguments, "-b 3 --config %s --lr 1", path);
    CHECK_STATUS(read_line(&line, arguments), DGM_OK);
    CHECK_INT(dgm_settings_int(&line.settings, "beam-size"), 9);
    CHECK_NEAR(dgm_settings_real(&line.settings, "learning-rate"), 1, 0);
    dgm_settings_clear(env, &line.settings);
    CHECK_STATUS(read_line(&line, "-c /no/such/file"), DGM_DATA);
    dgm_env_clear_error(env);
    dgm_settings_clear(env, &line.settings);
}

TEST(option_reads_the_environment)
{
    struct dgm_env *env = test_env();
    struct dgm_settings settings;
    struct dgm_buf out = { NULL, 0, 0, 0 };
    CHECK_INT(setenv("DRAGOMAN_BEAM_SIZE", "12", 1), 0);
    CHECK_STATUS(dgm_settings_init(env, &settings, tables), DGM_OK);
    CHECK_STATUS(dgm_settings_environment(env, &settings), DGM_OK);
    CHECK_INT(dgm_settings_int(&settings, "beam-size"), 12);
    CHECK_STATUS(dgm_settings_dump(env, &settings, &out, 1), DGM_OK);
    CHECK(strstr(out.data, "beam-size = 12  # DRAGOMAN_BEAM_SIZE\n") != NULL);
    CHECK_INT(setenv("DRAGOMAN_BEAM_SIZE", "many", 1), 0);
    CHECK_STATUS(dgm_settings_environment(env, &settings), DGM_USAGE);
    CHECK_STR(env->error.message,
              "beam-size: expected a whole number, 1..1024, got \"many\" "
              "(DRAGOMAN_BEAM_SIZE)");
    dgm_env_clear_error(env);
    dgm_settings_clear(env, &settings);
    dgm_buf_clear(env, &out);
}

TEST(option_help_is_aligned_and_wrapped)
{
    static const struct dgm_opt table[] = {
        { "beam-size", 'b', DGM_OPT_INT, "N", "6", 1, 1024, NULL, NULL,
          "hypotheses kept" },
        { "resume", 0, DGM_OPT_FLAG, NULL, "true", 0, 0, NULL, NULL,
          "go on from the newest checkpoint that can be read in full, which is what one "
          "wants" },
        { "a-name-of-some-length", 0, DGM_OPT_FILE, "FILE", NULL, 0, 0, NULL, NULL, "x" },
        DGM_OPT_END
    };
    struct dgm_env *env = test_env();
    struct dgm_buf out = { NULL, 0, 0, 0 };
    CHECK_STATUS(dgm_opt_help(env, table, &out), DGM_OK);
    CHECK_STR(out.data, "  -b, --beam-size N           hypotheses kept (default: 6)\n"
                        "      --[no-]resume           go on from the newest checkpoint "
                        "that can be read in "
                        "full,\n"
                        "                              which is what one wants\n"
                        "      --a-name-of-some-length FILE\n"
                        "                              x\n");
    dgm_buf_clear(env, &out);
}

TEST(option_nearest_takes_the_closest_word)
{
    static const char *const words[] = { "translate", "train", "score" };
    CHECK_STR(dgm_nearest("tran", words, 3), "train");
    CHECK_STR(dgm_nearest("transalte", words, 3), "translate");
    CHECK_STR(dgm_nearest("scroe", words, 3), "score");
    CHECK_STR(dgm_nearest("x", words, 3), NULL);
    CHECK_STR(dgm_nearest("completion", words, 3), NULL);
}
