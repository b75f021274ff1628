/*
 * command.h: what a sub-command is, and what it is handed.
 *
 * A command sees what any embedder sees, dragoman.h, the little that api/program.h adds, and
 * src/base for options and files. It
 * returns a status; the error lies in the context's environment, and main.c prints it.
 */
#ifndef DGM_CMD_COMMAND_H
#define DGM_CMD_COMMAND_H

#include "api/program.h"
#include "base/file/file.h"
#include "base/option/option.h"

/* A run of a command. */
struct dgm_cmd {
    dgm_context *context;
    struct dgm_env *env; /* the context's */
    const struct dgm_command *command;
    struct dgm_settings settings; /* over the command's tables and the common one */
    char **arguments;             /* what is no option */
    int argument_count;
    int progress; /* stderr is a terminal where a bar may stand */
};

/* A short form of more than one letter, as sacreBLEU has them: "-tok" for "--tokenize". */
struct dgm_spelling {
    const char *given, *meant;
};

enum { DGM_CMD_TRAINS = 2 };

/* Fields left out are NULL or 0. Texts have no full stop. */
struct dgm_command {
    const char *name;    /* "score", "bpe learn" */
    const char *summary; /* one sentence */
    const char *usage;   /* what follows the name: "[OPTION]... REFERENCE..." */
    const char *example; /* one command line for the help */
    const char *words;   /* what its first argument may be, separated by |; NULL: a file, a text */
    const char *aliases; /* other names, separated by |: "eval", "learn-bpe" */
    const struct dgm_opt *options;                /* its own, or NULL */
    const struct dgm_opt *const *(*tables)(void); /* more, from lower layers; ended by NULL */
    const struct dgm_spelling *spellings;         /* ended by NULL */
    int least, most; /* arguments that are no options; most -1: any number */
    int saves;       /* a first SIGINT, SIGTERM or SIGHUP asks it to save and end
                           * (dgm_context_stop); DGM_CMD_TRAINS: and SIGUSR1 for a line of status
                           * and a checkpoint (dgm_context_checkpoint) */
    dgm_status (*run)(struct dgm_cmd *cmd);
    int computes; /* on a device: it has the options of devices */
};

#define CMD(name) extern const struct dgm_command dgm_command_##name;
#include "cmd/cmd_list.h"
#undef CMD

/* Command i of the list, or NULL behind its end. */
const struct dgm_command *dgm_command_at(size_t i);

/*
 * The command that argv[0], or argv[0] and argv[1], names; *used tells how many words that took.
 * DGM_USAGE with the nearest name if there is none.
 */
dgm_status dgm_command_find(struct dgm_env *env, const struct dgm_command **command, int *used,
                            int argc, char *const *argv);

/* Reads the options in argv[0..argc-1] and runs the command, or writes its help. */
dgm_status dgm_command_run(dgm_context *context, const struct dgm_command *command, int argc,
                           char *const *argv, int progress);

/* Room for the tables of a command; fills it and ends it with NULL. */
enum { DGM_COMMAND_TABLES = 8 };
void dgm_command_tables(const struct dgm_command *command,
                        const struct dgm_opt *tables[DGM_COMMAND_TABLES + 1]);

/* ---- help.c ------------------------------------------------------------------------------ */

/* The help of one command; the list of all. */
dgm_status dgm_help_command(struct dgm_env *env, struct dgm_buf *out,
                            const struct dgm_command *command);
dgm_status dgm_help_overview(struct dgm_env *env, struct dgm_buf *out);
/* `command TAB --option TAB -x TAB kind` lines of every table, for scripts. */
dgm_status dgm_help_all_options(struct dgm_env *env, struct dgm_buf *out);
dgm_status dgm_help_exit_codes(struct dgm_env *env, struct dgm_buf *out);
/* Words of `text`, which begins at `column` of a line, broken before the page ends; and a LF. */
dgm_status dgm_help_add_wrapped(struct dgm_env *env, struct dgm_buf *out, const char *text,
                                size_t column);
/* The kinds of --encoder and --decoder with their options; help_encoders.c. */
dgm_status dgm_help_encoders(struct dgm_env *env, struct dgm_buf *out);
/* The variants of --syntax with their options; help_syntax.c. */
dgm_status dgm_help_syntax(struct dgm_env *env, struct dgm_buf *out);

/* ---- bar.c ------------------------------------------------------------------------------- */

/* Progress on a terminal: a dgm_progress_fn, at most ten times a second: "[####....] 12/80 batches,
 * TEXT". The cursor stays at the beginning of the line, which the next log line erases. */
struct dgm_cmd_bar {
    struct dgm_env *env;
    const char *unit; /* "batches" */
    double shown_at;
};
void dgm_cmd_show_bar(void *bar, int64_t done, int64_t total, const char *text);
/* "[####....] WORDS" for a share of 0..1, below 0 the words alone; at most ten times a second, but
 * the last time. */
void dgm_cmd_draw_bar(struct dgm_cmd_bar *bar, double share, const char *words, int is_last);
/* Seconds since some moment. */
double dgm_cmd_clock(void);

/* line_bar.c: "[####....] 1200 sentences, 85.3/s, 0:02:10 left"; a file whose size is not known has
 * neither cells nor an end. */
struct dgm_cmd_line_bar {
    struct dgm_cmd_bar bar;
    const struct dgm_lines *lines; /* being read */
    int64_t written;               /* lines before those at work, */
    long long bytes;               /* and the bytes of the file that they took */
    double started;
};
void dgm_cmd_line_bar_begin(struct dgm_cmd_line_bar *bar, struct dgm_env *env,
                            const struct dgm_lines *lines);
/* A dgm_progress_fn over the lines that were read since the last step. */
void dgm_cmd_line_bar_show(void *bar, int64_t done, int64_t total, const char *text);
/* All lines read so far are written. */
void dgm_cmd_line_bar_step(struct dgm_cmd_line_bar *bar, int64_t written);
/* Erases it. */
void dgm_cmd_line_bar_end(struct dgm_cmd_line_bar *bar);

/* ---- common.c ---------------------------------------------------------------------------- */

extern const struct dgm_opt dgm_common_options[];
/* What computes, and how: only of commands that do. */
extern const struct dgm_opt dgm_device_options[];

/* Applies --quiet, --log-level, --threads and --devices to the context. */
dgm_status dgm_common_apply(struct dgm_cmd *cmd);

/* DGM_USAGE unless the option has a value. */
dgm_status dgm_cmd_need(struct dgm_cmd *cmd, const char *option);

/* DGM_USAGE where two things that are read are both standard input. A path may be NULL. */
dgm_status dgm_cmd_read_once(struct dgm_cmd *cmd, const char *one, const char *other);

/* Opens --output, or standard output if the option is "-"; its errors say which. */
dgm_status dgm_cmd_open_output(struct dgm_env *env, struct dgm_writer *writer, const char *path);
/* The same of what takes hours to compute: after a failure the part so far stays, as FILE.part. */
dgm_status dgm_cmd_open_long_output(struct dgm_env *env, struct dgm_writer *writer,
                                    const char *path);
/* Closes it after a run that ended with `status`, and returns the first of the two failures: the
 * file is replaced only if there was none. */
dgm_status dgm_cmd_close_output(struct dgm_env *env, struct dgm_writer *writer, dgm_status status);
/* DGM_INTERRUPTED: a signal ended the command when `lines` lines were written. */
dgm_status dgm_cmd_stopped(struct dgm_cmd *cmd, long lines);
/* The whole result at once, to standard output. */
dgm_status dgm_cmd_print(struct dgm_env *env, const struct dgm_buf *text);

/* What a dgm_write_fn needs to write to a writer; pass &sink as `user`. */
struct dgm_cmd_sink {
    struct dgm_env *env;
    struct dgm_writer *writer;
};
dgm_status dgm_cmd_write(void *user, const char *text, size_t bytes);

/* One line in, one line out; *out is valid until the next call. */
typedef dgm_status dgm_cmd_line_fn(void *tool, const char *line, size_t bytes, const char **out,
                                   size_t *out_bytes);

/*
 * Runs every line of --input through fn into --output. Before it waits for input that has not
 * come yet, it writes out all lines so far: a partner at the other end of two pipes gets its
 * answer.
 */
dgm_status dgm_cmd_filter(struct dgm_cmd *cmd, dgm_cmd_line_fn *fn, void *tool);

/* The file that --trees names, or NULL for auto and none, which *none tells apart; a file of one
 * of those names is ./auto or ./none. */
const char *dgm_cmd_choose_trees(const struct dgm_settings *settings, int *none);

/* What --no-parse says, or NULL for auto. */
const char *dgm_cmd_no_parse(const struct dgm_settings *settings);
/* DGM_DATA if some lines of the output are empty for want of a tree; all of it is written by then. */
dgm_status dgm_cmd_refused_lines(struct dgm_env *env, size_t refused);

/* The format of a picture: "auto" is "svg" where the output's name ends in .svg, else "text". */
const char *dgm_cmd_picture(const char *format, const char *output);

/* The option whose list has taken more than one argument, perhaps one too many, as a part of a
 * sentence: ", named before --models, which takes all files up to the next option"; or "". */
enum { DGM_CMD_TAKER = 120 };
void dgm_cmd_taker(const struct dgm_cmd *cmd, char text[DGM_CMD_TAKER]);

/* ---- models.c ---------------------------------------------------------------------------- */

/* The files of --models. DGM_USAGE without any, and where one behind the first is no model: it was
 * meant for something else. */
enum { DGM_CMD_MODELS = 16 };
dgm_status dgm_cmd_models(struct dgm_cmd *cmd, const char *names[DGM_CMD_MODELS], size_t *count);

/* ---- unfinished.c ------------------------------------------------------------------------ */

/* Temporary files that a signal which ends the program must not leave behind. */
void dgm_unfinished_add(const char *path);
void dgm_unfinished_drop(void);
/* Removes them; for signal handlers. */
void dgm_unfinished_remove(void);

/* ---- annotator.c ------------------------------------------------------------------------- */

/* Options that `parse` and `annotate` share, beside --input and --output. */
/* clang-format off */
#define DGM_CMD_PARSER                                                                             \
    { .name = "model", .letter = 'm', .type = DGM_OPT_FILE, .argument = "FILE", .aliases = "path", \
      .help = "Parser to use, or a translation model with one inside or in its attention; "        \
              "needed" },                                                                          \
    { .name = "format", .letter = 'f', .type = DGM_OPT_CHOICE, .argument = "KIND",                 \
      .fallback = "raw", .choices = "raw|tokens|conllu", .aliases = "input-format",                \
      .help = "What comes in: running text, words between blanks, or CoNLL-U" },                   \
    { .name = "language", .type = DGM_OPT_TEXT, .argument = "CODE", .fallback = "en",              \
      .aliases = "source-lang", .help = "Language of running text: how it is cut into words" },    \
    { .name = "projective", .type = DGM_OPT_FLAG, .fallback = "false",                             \
      .help = "The best tree without crossing arcs" },                                             \
    { .name = "batch-tokens", .type = DGM_OPT_INT, .argument = "N", .fallback = "2000", .low = 1,  \
      .high = 1000000, .aliases = "mini-batch-words",                                              \
      .help = "Words parsed together; results never depend on it" }

/* Fills in what these options say; DGM_USAGE without a model. The rest is zero. */
dgm_status dgm_cmd_parser_options(struct dgm_cmd *cmd, dgm_annotator_options *options);
/* Parses --input into --output. */
dgm_status dgm_cmd_annotate(struct dgm_cmd *cmd, const dgm_annotator_options *options);

/* ---- in and out -------------------------------------------------------------------------- */

/* The options --input and --output of such a filter. */
#define DGM_CMD_INPUT                                                                            \
    { .name = "input", .letter = 'i', .type = DGM_OPT_FILE, .argument = "FILE", .fallback = "-", \
      .aliases = "src", .help = "Read this file; - is standard input" }
#define DGM_CMD_OUTPUT                                                             \
    { .name = "output", .letter = 'o', .type = DGM_OPT_OUTPUT, .argument = "FILE", \
      .fallback = "-", .aliases = "out", .help = "Write to this file; - is standard output" }
/* clang-format on */

#endif
