/*
 * main.c: the program around the commands: standard streams, signals, messages, exit code.
 *
 * Nothing else in the project exits, prints a message or handles a signal.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/env.h"
#include "cmd/commands.h"
#include "cmd/run.h"
#include "cmd/unfinished.h"

static int terminal;   /* messages go to one that can erase a line */
static int colors;     /* and they may be coloured there */
static int is_journal; /* they are the log of a training run: notes begin with the time */

/* ---- messages ---------------------------------------------------------------------------- */

/* File names and arguments are not ours: what could steer a terminal becomes \xHH. */
static void put_text(const char *text)
{
    for (; *text != '\0'; text++) {
        unsigned char c = (unsigned char)*text;
        if (c < 0x20 || c == 0x7F)
            fprintf(stderr, "\\x%02X", c);
        else
            putc(c, stderr);
    }
}

static void put_kind(const char *kind, const char *color)
{
    if (colors)
        fprintf(stderr, "\033[1;%sm%s:\033[0m ", color, kind);
    else
        fprintf(stderr, "%s: ", kind);
}

/* "[2026-11-22 10:49:12] ", as Marian's log lines begin. */
static void put_time(void)
{
    time_t now = time(NULL);
    struct tm parts;
    char text[64];
    if (localtime_r(&now, &parts) != NULL &&
        strftime(text, sizeof text, "[%Y-%m-%d %H:%M:%S] ", &parts) > 0)
        fputs(text, stderr);
}

/* Erases a bar, if there is one. */
static void put_start(void)
{
    if (terminal)
        fputs("\033[K", stderr);
}

/* What the work waits for: a line that the next one takes the place of. */
static void put_wait(void *user, const char *text)
{
    (void)user;
    put_start();
    if (text != NULL) {
        put_text(text);
        putc('\r', stderr);
    }
    fflush(stderr);
}

/* A log of training reads as Marian's does: notes are the log, anything worse says what it is. */
static void put_log(void *user, dgm_level level, const char *text)
{
    static const char *const kinds[] = { "error", "warning", "note", "debug" };
    static const char *const shades[] = { "31", "35", "36", "34" };
    (void)user;
    put_start();
    if (is_journal)
        put_time();
    else
        fputs("dragoman: ", stderr);
    if (!is_journal || level != DGM_LOG_NOTE)
        put_kind(kinds[level], shades[level]);
    put_text(text);
    putc('\n', stderr);
}

/* `file:line:column: error: message`, as editors understand it; or `dragoman: error: message`. */
static void put_error(const dgm_error *error)
{
    put_start();
    if (error->file[0] == '\0')
        fputs("dragoman", stderr);
    else
        put_text(strcmp(error->file, "-") == 0 ? "standard input" : error->file);
    if (error->line > 0)
        fprintf(stderr, ":%ld", error->line);
    if (error->line > 0 && error->column > 0)
        fprintf(stderr, ":%ld", error->column);
    if (error->offset >= 0)
        fprintf(stderr, ":@0x%llX", (unsigned long long)error->offset);
    fputs(": ", stderr);
    put_kind("error", "31");
    put_text(error->message);
    putc('\n', stderr);
}

/* ---- streams ----------------------------------------------------------------------------- */

/*
 * The next file that is opened would get the number of a closed standard descriptor, and results or
 * messages would end up in that file. So each closed one gets a stand-in, opened such that its use
 * is an error, as the use of a closed descriptor is.
 */
static void fill_standard_streams(void)
{
    int fd;
    for (fd = 0; fd <= 2; fd++)
        if (fcntl(fd, F_GETFD) < 0 && errno == EBADF)
            (void)open("/dev/null", fd == 1 ? O_RDONLY : O_WRONLY);
}

/* Whether the reader of our output has gone, as `head` does once it has enough. */
static int reader_is_gone(void)
{
    struct pollfd output;
    output.fd = 1;
    output.events = POLLOUT;
    output.revents = 0;
    return poll(&output, 1, 0) > 0 && (output.revents & POLLERR) != 0;
}

static void ask_terminal(void)
{
    const char *term = getenv("TERM"), *no_color = getenv("NO_COLOR");
    terminal = isatty(2) && term != NULL && term[0] != '\0' && strcmp(term, "dumb") != 0;
    colors = terminal && (no_color == NULL || no_color[0] == '\0');
}

/* ---- signals ----------------------------------------------------------------------------- */

static dgm_context *volatile running;   /* set before the handlers are; NULL at the end */
static volatile sig_atomic_t signalled; /* the first signal */

/* Ends by the signal, without the temporary files that a failure would have removed. */
static void end_now(int number)
{
    if (dgm_unfinished_waits(number))
        return;
    dgm_unfinished_remove();
    signal(number, SIG_DFL);
    raise(number);
}

/* The first signal asks the command to save and end; a second one, of any of these kinds, ends. */
static void on_signal(int number)
{
    if (signalled != 0)
        end_now(number);
    signalled = number;
    if (running != NULL)
        dgm_context_stop_by(running, number);
}

static void on_request(int number)
{
    (void)number;
    if (running != NULL)
        dgm_context_checkpoint(running);
}

/* A signal that was ignored when we began stays ignored: SIGHUP below nohup, SIGINT in the
 * background of a shell. Without SA_RESTART in `flags` the signal ends a read that waits: a stop
 * does that, and a request for a line of status; a request for a checkpoint does not. */
static void handle_signal(int number, void (*handler)(int), int flags)
{
    struct sigaction action;
    if (sigaction(number, NULL, &action) == 0 && action.sa_handler == SIG_IGN)
        return;
    memset(&action, 0, sizeof action);
    action.sa_handler = handler;
    action.sa_flags = flags;
    sigemptyset(&action.sa_mask);
    sigaction(number, &action, NULL);
}

/* A command that has nothing to save ends at once; SIGQUIT ends any. Batch systems send SIGUSR1 or
 * SIGUSR2 a while before they stop or kill: both ask for a line of status, and training to save. */
static void handle_signals(const struct dgm_command *command)
{
    void (*handler)(int) = command->saves ? on_signal : end_now;
    const int request = command->saves == DGM_CMD_TRAINS ? SA_RESTART : 0;
    handle_signal(SIGINT, handler, 0);
    handle_signal(SIGTERM, handler, 0);
    handle_signal(SIGHUP, handler, 0);
    handle_signal(SIGQUIT, end_now, 0);
    handle_signal(SIGUSR1, on_request, request);
    handle_signal(SIGUSR2, on_request, request);
}

/* Ends as the signal would have ended us, so that shells see it. */
static int end_by(int number)
{
    fflush(NULL);
    signal(number, SIG_DFL);
    raise(number);
    return 128 + number;
}

/* ---- the program ------------------------------------------------------------------------- */

/* The name after "dragoman-" when the program was called by a link such as dragoman-score. */
static char *link_name(char *program)
{
    char *slash = strrchr(program, '/');
    char *name = slash != NULL ? slash + 1 : program;
    return strncmp(name, "dragoman-", 9) == 0 && name[9] != '\0' ? name + 9 : NULL;
}

static int is_help(const char *word)
{
    return strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0;
}

/* argv[0] is the command's name by now. */
static dgm_status run(dgm_context *context, int argc, char **argv)
{
    struct dgm_env *env = dgm_context_env(context);
    const struct dgm_command *command;
    int used;
    static char help[] = "help";
    if (argc == 0)
        return dgm_fail(env, DGM_USAGE, "no command. Try: dragoman help");
    if (is_help(argv[0]))
        argv[0] = help;
    if (argc == 2 && is_help(argv[1]) && strcmp(argv[0], "bpe") == 0) {
        argv[1] = argv[0];
        argv[0] = help;
    }
    DGM_TRY(dgm_commands_find(env, &command, &used, argc, argv));
    running = context;
    if (terminal)
        env->wait = put_wait;
    handle_signals(command);
    is_journal = command->saves == DGM_CMD_TRAINS;
    return dgm_run_command(context, command, argc - used, argv + used, terminal);
}

/* The command has stopped as the signal asked: that is a note, no error. */
static int end_stopped(dgm_context *context, int number)
{
    struct dgm_env *env = dgm_context_env(context);
    if (env->log_level >= DGM_LOG_NOTE && !dgm_context_is_told(context))
        put_log(NULL, DGM_LOG_NOTE, env->error.message);
    return 128 + number;
}

static int finish(dgm_context *context, dgm_status status)
{
    const dgm_error *error = dgm_context_error(context);
    if (status == DGM_OK)
        return 0;
    if (status == DGM_INTERRUPTED && dgm_context_stopped_by(context) != 0)
        return end_stopped(context, dgm_context_stopped_by(context));
    if (dgm_context_is_told(context))
        return dgm_status_exit_code(status);
    if (error->file[0] != '\0' && strcmp(error->file, "standard output") == 0 && reader_is_gone())
        return end_by(SIGPIPE);
    if (error->status == DGM_OK)
        fprintf(stderr, "dragoman: error: %s\n", dgm_status_text(status));
    else
        put_error(error);
    return dgm_status_exit_code(status);
}

int main(int argc, char **argv)
{
    dgm_context_options options;
    dgm_context *context;
    dgm_status status;
    int code, has_left;
    memset(&options, 0, sizeof options);
    options.struct_size = sizeof options;
    options.log = put_log;
    options.log_level = DGM_LOG_NOTE;
    options.isa = getenv("DGM_CPU");
    fill_standard_streams();
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN);
    ask_terminal();
    status = dgm_context_new(&options, &context);
    if (status != DGM_OK) {
        fprintf(stderr, "dragoman: error: %s%s\n", dgm_status_text(status),
                status == DGM_USAGE ? " in the variable DGM_CPU" : "");
        return dgm_status_exit_code(status);
    }
    if (argc > 0 && link_name(argv[0]) != NULL) {
        argv[0] = link_name(argv[0]);
    } else {
        argv += argc > 0;
        argc -= argc > 0;
    }
    code = finish(context, run(context, argc, argv));
    running = NULL; /* a signal may come later still */
    has_left = dgm_context_has_left(context);
    dgm_context_free(context);
    if (has_left) {
        fflush(NULL);
        _exit(code);
    }
    return code;
}
