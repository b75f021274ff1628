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
#include <unistd.h>

#include "cmd/command.h"

static int colors; /* messages may be coloured */

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

static void put_log(void *user, dgm_level level, const char *text)
{
    static const char *const kinds[] = { "error", "warning", "note", "debug" };
    static const char *const shades[] = { "31", "35", "36", "34" };
    (void)user;
    fputs("dragoman: ", stderr);
    put_kind(kinds[level], shades[level]);
    put_text(text);
    putc('\n', stderr);
}

/* `file:line:column: error: message`, as editors understand it; or `dragoman: error: message`. */
static void put_error(const dgm_error *error)
{
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
 * A closed standard descriptor would be given to the next file opened, and results or messages
 * would end up in it. Each gets a stand-in whose use is an error, as the use of a closed one is.
 */
static void fill_standard_streams(void)
{
    int fd;
    for (fd = 0; fd <= 2; fd++)
        if (fcntl(fd, F_GETFD) < 0 && errno == EBADF)
            (void)open("/dev/null", fd == 1 ? O_RDONLY : O_WRONLY);
}

/* Whether whoever read our output has gone, as `head` does once it has enough. */
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
    colors = isatty(2) && (no_color == NULL || no_color[0] == '\0') && term != NULL &&
             strcmp(term, "dumb") != 0;
}

/* ---- signals ----------------------------------------------------------------------------- */

static dgm_context *running;            /* set before the handlers are */
static volatile sig_atomic_t signalled; /* the first signal */

/* The first signal asks the command to save and end; a second one, of either kind, ends. */
static void on_signal(int number)
{
    if (signalled != 0) {
        signal(number, SIG_DFL);
        raise(number);
    }
    signalled = number;
    dgm_context_stop(running);
}

static void handle_signals(void)
{
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = on_signal;
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
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
    DGM_TRY(dgm_command_find(env, &command, &used, argc, argv));
    if (command->saves) {
        running = context;
        handle_signals();
    }
    return dgm_command_run(context, command, argc - used, argv + used, isatty(2));
}

static int finish(dgm_context *context, dgm_status status)
{
    const dgm_error *error = dgm_context_error(context);
    if (status == DGM_OK)
        return 0;
    if (error->file[0] != '\0' && strcmp(error->file, "standard output") == 0 && reader_is_gone())
        return end_by(SIGPIPE);
    if (error->status == DGM_OK)
        fprintf(stderr, "dragoman: error: %s\n", dgm_status_text(status));
    else
        put_error(error);
    if (status == DGM_INTERRUPTED && signalled != 0)
        return 128 + (int)signalled;
    return dgm_status_exit_code(status);
}

int main(int argc, char **argv)
{
    dgm_context_options options;
    dgm_context *context;
    dgm_status status;
    int code;
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
    dgm_context_free(context);
    return code;
}
