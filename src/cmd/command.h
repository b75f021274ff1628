/*
 * command.h: what a sub-command is, and what it gets to work with.
 *
 * A command uses the public interface, dragoman.h, the little that api/program.h adds, and src/base
 * for options and files. It returns a status. The error lies in the context's environment, and
 * main.c prints it. doc/adding-a-command.md shows how to write one.
 */
#ifndef DGM_CMD_COMMAND_H
#define DGM_CMD_COMMAND_H

#include "api/program.h"
#include "base/option/option.h"
#include "base/option/settings.h"

/* A run of a command. */
struct dgm_cmd {
    dgm_context *context;
    struct dgm_env *env; /* the context's */
    const struct dgm_command *command;
    struct dgm_settings settings; /* over the command's tables and the common one */
    char **arguments;             /* those that are no options */
    int argument_count;
    int progress; /* stderr is a terminal that can show a bar */
};

/* A short form of more than one letter, as sacreBLEU has them: "-tok" for "--tokenize". */
struct dgm_spelling {
    const char *given, *meant;
};

/* Values of `saves`. */
enum {
    DGM_CMD_SAVES = 1, /* a first SIGINT, SIGTERM or SIGHUP asks it to save and end
                        * (dgm_context_stop); without this a signal ends the program at once */
    DGM_CMD_TRAINS = 2 /* and SIGUSR1 and SIGUSR2, which ask every command for a line of status
                        * (dgm_context_checkpoint), ask it for a checkpoint, too; its log begins
                        * each line with the time */
};

/* Fields left out are NULL or 0. Texts have no full stop. */
struct dgm_command {
    const char *name;    /* "score", "bpe learn" */
    const char *summary; /* one sentence */
    const char *usage;   /* what follows the name: "[OPTION]... REFERENCE..." */
    const char *example; /* one command line for the help */
    const char *words;   /* what its first argument may be, separated by |; NULL: a file, a text */
    const char *aliases; /* other names, separated by |: "eval|learn-bpe" */
    const struct dgm_opt *options;                /* its own, or NULL */
    const struct dgm_opt *const *(*tables)(void); /* more, from lower layers; ended by NULL */
    const struct dgm_spelling *spellings;         /* ended by NULL */
    int least, most; /* arguments that are no options; most -1: any number */
    int saves;
    int computes; /* on a device: it has the options of devices */
    /* What its run makes of the settings before anything else, for --dump-config; NULL: nothing. */
    dgm_status (*settle)(dgm_context *context, struct dgm_settings *settled,
                         const struct dgm_settings *settings);
    dgm_status (*run)(struct dgm_cmd *cmd);
    /* Instead of `run`: what it does alone, with `ranks` NULL, or as one of several ranks
     * (together.h). */
    dgm_status (*run_ranks)(struct dgm_cmd *cmd, struct dgm_ranks *ranks);
};

#define CMD(name) extern const struct dgm_command dgm_command_##name;
#include "cmd/cmd_list.h"
#undef CMD

#endif
