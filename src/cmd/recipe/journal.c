/* journal.c: a file of the commands that were done, so that a course which was cut off goes on. */
#include "cmd/recipe/journal.h"

#include <stdio.h>
#include <string.h>

#include "base/file/file.h"
#include "base/file/writer.h"

dgm_status dgm_journal_open(struct dgm_env *env, struct dgm_journal *journal, const char *path)
{
    memset(journal, 0, sizeof *journal);
    snprintf(journal->path, sizeof journal->path, "%s", path);
    return dgm_file_exists(env, path) ? dgm_file_read(env, &journal->old, path) : DGM_OK;
}

dgm_status dgm_journal_pass(struct dgm_env *env, struct dgm_journal *journal, const char *text)
{
    return dgm_buf_add_format(env, &journal->text, "%s\n", text);
}

int dgm_journal_has(const struct dgm_journal *journal, const char *command)
{
    const struct dgm_buf *old = &journal->old, *text = &journal->text;
    const size_t length = strlen(command);

    return text->size + length < old->size && memcmp(old->data, text->data, text->size) == 0 &&
           memcmp(old->data + text->size, command, length) == 0 &&
           old->data[text->size + length] == '\n';
}

dgm_status dgm_journal_add(struct dgm_env *env, struct dgm_journal *journal, const char *command)
{
    struct dgm_writer writer;

    DGM_TRY(dgm_journal_pass(env, journal, command));
    DGM_TRY(dgm_writer_open_own(env, &writer, journal->path));
    if (dgm_writer_add(env, &writer, journal->text.data, journal->text.size) == DGM_OK)
        return dgm_writer_close(env, &writer);
    dgm_writer_abandon(env, &writer);
    return env->error.status;
}

void dgm_journal_close(struct dgm_env *env, struct dgm_journal *journal)
{
    dgm_buf_clear(env, &journal->old);
    dgm_buf_clear(env, &journal->text);
}
