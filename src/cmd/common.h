/*
 * common.h: what the commands share: the options that all have, their input and output, and the
 * loop over lines.
 */
#ifndef DGM_CMD_COMMON_H
#define DGM_CMD_COMMON_H

#include "base/file/writer.h"
#include "cmd/command.h"

/* ---- options ------------------------------------------------------------------------------ */

/* clang-format off */
/* Rows of a command's table: --input and --output of what reads one file and writes one. */
#define DGM_CMD_INPUT                                                                            \
    { .name = "input", .letter = 'i', .type = DGM_OPT_FILE, .argument = "FILE", .fallback = "-", \
      .aliases = "src", .help = "Read this file; - is standard input", .ranks = 1 }
#define DGM_CMD_OUTPUT                                                             \
    { .name = "output", .letter = 'o', .type = DGM_OPT_OUTPUT, .argument = "FILE", \
      .fallback = "-", .aliases = "out", .help = "Write to this file; - is standard output", \
      .ranks = 1 }
/* Of what draws in characters. */
enum { DGM_CMD_LEAST_WIDTH = 60, DGM_CMD_MOST_WIDTH = 1000, DGM_CMD_USUAL_WIDTH = 100 };
#define DGM_CMD_WIDTH(text)                                                                     \
    { .name = "width", .letter = 'w', .type = DGM_OPT_CHOICE, .argument = "N",                  \
      .fallback = "auto", .choices = "auto", .low = DGM_CMD_LEAST_WIDTH,                        \
      .high = DGM_CMD_MOST_WIDTH, .help = text }
/* --language of what writes capitals. */
#define DGM_CMD_CASE_LANGUAGE                                                                    \
    { .name = "language", .letter = 'l', .type = DGM_OPT_TEXT, .argument = "CODE",               \
      .aliases = "lang", .help = "Language of the text; tr, az and nl have capitals of their own" }
/* --format of what draws. */
#define DGM_CMD_PICTURE                                                             \
    { .name = "format", .letter = 'f', .type = DGM_OPT_CHOICE, .argument = "KIND",  \
      .fallback = "auto", .choices = "auto|svg|text",                               \
      .help = "Form of the picture; auto is svg where the output file ends in .svg, else text" }
/* clang-format on */

extern const struct dgm_opt dgm_common_options[]; /* of every command */
extern const struct dgm_opt dgm_device_options[]; /* of those that compute: on what, and how */

/* The tables of a command, its own first, those above last; NULL ends them. */
enum { DGM_COMMON_TABLES = 16 };
void dgm_common_tables(const struct dgm_command *command,
                       const struct dgm_opt *tables[DGM_COMMON_TABLES + 1]);

/* Applies --quiet, --log-level, --threads and --devices to the context. */
dgm_status dgm_common_apply(struct dgm_cmd *cmd);

/* Applies --memory to the context. For commands that compute, dgm_common_apply does it. */
dgm_status dgm_cmd_limit_memory(struct dgm_cmd *cmd);

/* DGM_USAGE unless the option has a value. */
dgm_status dgm_cmd_need(struct dgm_cmd *cmd, const char *option);

/* The items of an option that lists them and, if `arguments`, the arguments behind them: an array
 * with room for one more, which the caller releases. */
dgm_status dgm_cmd_list(struct dgm_cmd *cmd, const char *option, int arguments, const char ***items,
                        size_t *count);

/* DGM_USAGE if two files that are read are both standard input. A path may be NULL. */
dgm_status dgm_cmd_read_once(struct dgm_cmd *cmd, const char *one, const char *other);

/* Part of an error that an argument is missing: names the option of the command line whose list may
 * have taken it, as in ", named before --models, which takes all files up to the next option"; or
 * "". */
enum { DGM_CMD_TAKER = 120 };
void dgm_cmd_taker(const struct dgm_cmd *cmd, char text[DGM_CMD_TAKER]);

/* Columns of a drawing: what --width says, or what the terminal has that the output goes to, within
 * the limits. */
int dgm_cmd_width(const struct dgm_settings *settings);

/* What --format says of a picture: "auto" is "svg" where the output's name ends in .svg, else
 * "text". */
const char *dgm_cmd_picture(const struct dgm_settings *settings);

/* ---- output ------------------------------------------------------------------------------- */

/* Opens --output, or standard output if the path is "-". */
dgm_status dgm_cmd_open_output(struct dgm_env *env, struct dgm_writer *writer, const char *path);
/* The same for results that take hours to compute: after a failure what there is stays, as
 * FILE.part. */
dgm_status dgm_cmd_open_long_output(struct dgm_env *env, struct dgm_writer *writer,
                                    const char *path);
/* Closes the output of a run that ended with `status`. The file is replaced only after success.
 * Returns the first failure, that of the run or that of closing. */
dgm_status dgm_cmd_close_output(struct dgm_env *env, struct dgm_writer *writer, dgm_status status);
/*
 * The same for several outputs that belong together: once all are whole, their files are replaced
 * in a row, or none is (base/file/outputs.h). Those that are not open are passed over. Opening
 * leaves nothing open after a failure.
 */
dgm_status dgm_cmd_open_outputs(struct dgm_env *env, struct dgm_writer *writers,
                                const char *const *paths, size_t count);
dgm_status dgm_cmd_close_outputs(struct dgm_env *env, struct dgm_writer *writers, size_t count,
                                 dgm_status status);
/* Returns DGM_INTERRUPTED: a signal has ended the command after `lines` lines of output. */
dgm_status dgm_cmd_stopped(struct dgm_cmd *cmd, long lines);
/* DGM_DATA if some lines of the output are empty because they had no tree. To be called at the end:
 * the whole output is written by then. */
dgm_status dgm_cmd_refused_lines(struct dgm_env *env, size_t refused);
/* Writes a whole result to a file, or to standard output if the path is "-". */
dgm_status dgm_cmd_put(struct dgm_env *env, const char *path, const struct dgm_buf *text);
/* Writes what fn adds to a text to standard output, once all of it is there. */
typedef dgm_status dgm_cmd_text_fn(struct dgm_cmd *cmd, struct dgm_buf *text);
dgm_status dgm_cmd_print(struct dgm_cmd *cmd, dgm_cmd_text_fn *fn);

/* An output that a dgm_write_fn writes to; pass it as `user`. */
struct dgm_cmd_sink {
    struct dgm_env *env;
    struct dgm_writer writer;
};
/* Opens and closes --output, as those of writers above. */
dgm_status dgm_cmd_open_sink(struct dgm_cmd *cmd, struct dgm_cmd_sink *sink);
dgm_status dgm_cmd_close_sink(struct dgm_cmd_sink *sink, dgm_status status);
dgm_status dgm_cmd_write(void *user, const char *text, size_t bytes);

/* ---- lines -------------------------------------------------------------------------------- */

/* What is written is flushed: somebody may wait for it at the other end of a pipe. */
dgm_status dgm_cmd_write_now(void *user, const char *text, size_t bytes);

/*
 * Runs every line of --input through fn into --output. Before it waits for input that has not
 * come yet, it writes out all lines so far: a partner at the other end of two pipes gets its
 * answer.
 */
dgm_status dgm_cmd_filter(struct dgm_cmd *cmd, dgm_filter_fn *fn, void *tool);

#endif
