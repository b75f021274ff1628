/* commands.c: the list of all commands, and finding one by its name. */
#include "cmd/commands.h"

#include <string.h>

#include "base/near.h"

enum { MAX_COMMANDS = 64 };

static const struct dgm_command *const commands[] = {
#define CMD(name) &dgm_command_##name,
#include "cmd/cmd_list.h"
#undef CMD
    NULL,
};

const struct dgm_command *dgm_commands_at(size_t i)
{
    return i < sizeof commands / sizeof commands[0] ? commands[i] : NULL;
}

/* ---- names -------------------------------------------------------------------------------- */

/* Whether `word` is one of the words that | separates. */
static int is_among(const char *words, const char *word)
{
    size_t length = strlen(word);
    while (words != NULL && *words != '\0') {
        size_t size = strcspn(words, "|");
        if (size == length && memcmp(words, word, size) == 0)
            return 1;
        words += size;
        words += *words == '|';
    }
    return 0;
}

/* How many of the words in argv name the command: 2 for "bpe learn"; 1 for "score", an alias, or
 * "bpe-learn", which is the name of a link to the program; 0: it is another one. */
static int matches(const struct dgm_command *command, int argc, char *const *argv)
{
    const char *blank = strchr(command->name, ' ');
    size_t first = blank != NULL ? (size_t)(blank - command->name) : 0;
    if (blank != NULL && strncmp(argv[0], command->name, first) == 0) {
        if (argv[0][first] == '\0' && argc > 1 && strcmp(argv[1], blank + 1) == 0)
            return 2;
        if (argv[0][first] == '-' && strcmp(argv[0] + first + 1, blank + 1) == 0)
            return 1;
    }
    return strcmp(command->name, argv[0]) == 0 || is_among(command->aliases, argv[0]);
}

/* Whether some command's name begins with this word and a blank. */
static int is_first_word(const char *word)
{
    size_t i, length = strlen(word);
    for (i = 0; commands[i] != NULL; i++)
        if (strncmp(commands[i]->name, word, length) == 0 && commands[i]->name[length] == ' ')
            return 1;
    return 0;
}

/* The error of "bpe" alone, or with a second word that no command has. */
static dgm_status refuse_second(struct dgm_env *env, int argc, char *const *argv)
{
    const char *names[MAX_COMMANDS];
    char quoted[DGM_QUOTE_SIZE], list[256] = "";
    size_t i, count = 0, length = strlen(argv[0]);
    const char *near;
    for (i = 0; commands[i] != NULL && count < MAX_COMMANDS; i++) {
        const char *name = commands[i]->name;
        if (strncmp(name, argv[0], length) != 0 || name[length] != ' ')
            continue;
        names[count++] = name + length + 1;
        if (strlen(list) + strlen(name) + 3 < sizeof list) {
            if (count > 1)
                strcat(list, ", ");
            strcat(list, name + length + 1);
        }
    }
    if (argc < 2 || argv[1][0] == '-')
        return dgm_fail(env, DGM_USAGE, "%s needs one of: %s. Try: dragoman help %s", argv[0], list,
                        argv[0]);
    dgm_quote(quoted, sizeof quoted, argv[1], strlen(argv[1]));
    near = dgm_nearest(argv[1], names, count);
    if (near == NULL)
        return dgm_fail(env, DGM_USAGE, "unknown command \"%s %s\"; expected one of: %s", argv[0],
                        quoted, list);
    return dgm_fail(env, DGM_USAGE, "unknown command \"%s %s\". Did you mean \"%s %s\"?", argv[0],
                    quoted, argv[0], near);
}

/* Tries names and aliases; of "bpe learn" the first word. */
static void find_near(struct dgm_near *near, const char *word)
{
    size_t i;
    dgm_near_begin(near, word, strlen(word));
    for (i = 0; commands[i] != NULL; i++) {
        dgm_near_try(near, commands[i]->name, strcspn(commands[i]->name, " "));
        dgm_near_try_list(near, commands[i]->aliases, '|');
    }
}

dgm_status dgm_commands_find(struct dgm_env *env, const struct dgm_command **command, int *used,
                             int argc, char *const *argv)
{
    char quoted[DGM_QUOTE_SIZE];
    struct dgm_near near;
    size_t i;
    for (i = 0; commands[i] != NULL; i++) {
        *used = matches(commands[i], argc, argv);
        if (*used > 0) {
            *command = commands[i];
            return DGM_OK;
        }
    }
    if (is_first_word(argv[0]))
        return refuse_second(env, argc, argv);
    dgm_quote(quoted, sizeof quoted, argv[0], strlen(argv[0]));
    find_near(&near, argv[0]);
    if (near.best == NULL)
        return dgm_fail(env, DGM_USAGE, "unknown command \"%s\". Try: dragoman help", quoted);
    return dgm_fail(env, DGM_USAGE, "unknown command \"%s\". Did you mean \"%.*s\"?", quoted,
                    (int)near.best_length, near.best);
}
