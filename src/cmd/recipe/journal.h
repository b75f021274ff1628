/* journal.h: a file of the commands that were done, so that a course which was cut off goes on. */
#ifndef DGM_CMD_RECIPE_JOURNAL_H
#define DGM_CMD_RECIPE_JOURNAL_H

#include "base/buf.h"

/*
 * Its lines are remarks and commands, such as a shell takes. A command is done if the file has it
 * where this course comes to it, and all lines before it are those of this course, too: what was
 * done for another text, or with another choice, is done again, with all that follows from it.
 */
struct dgm_journal {
    char path[1200];
    struct dgm_buf old, text; /* the file as it was; the lines of this course so far */
};

/* Reads the file, if there is one. */
dgm_status dgm_journal_open(struct dgm_env *env, struct dgm_journal *journal, const char *path);
/* Adds a line, without its end: a remark, or a command that the file has. */
dgm_status dgm_journal_pass(struct dgm_env *env, struct dgm_journal *journal, const char *text);
/* Whether the file says that this command, which is the next, is done. */
int dgm_journal_has(const struct dgm_journal *journal, const char *command);
/* It is now: the file says so, and is on disk, before the call returns. */
dgm_status dgm_journal_add(struct dgm_env *env, struct dgm_journal *journal, const char *command);
void dgm_journal_close(struct dgm_env *env, struct dgm_journal *journal);

#endif
