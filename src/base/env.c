/* env.c: the environment of every fallible function: allocator, first error, log. */
#include "base/env.h"

#include <assert.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/file/vfs.h"
#include "base/number/format.h"

enum { LOG_LINE = 2048, QUOTED_CHARACTERS = 40 };

static void *system_resize(void *user, void *block, size_t bytes)
{
    (void)user;
    return realloc(block, bytes > 0 ? bytes : 1);
}

static void system_release(void *user, void *block)
{
    (void)user;
    free(block);
}

void dgm_env_init(struct dgm_env *env)
{
    *env = (struct dgm_env){ .memory = { .resize = system_resize, .release = system_release },
                             .vfs = &dgm_vfs_system,
                             .log_level = DGM_LOG_NOTE };
    dgm_env_clear_error(env);
}

void dgm_env_clear_error(struct dgm_env *env)
{
    env->error = (dgm_error){ .offset = -1 };
}

struct dgm_env dgm_env_quiet(const struct dgm_env *env)
{
    struct dgm_env quiet = *env;

    quiet.log = NULL;
    quiet.reading = NULL;
    dgm_env_clear_error(&quiet);
    return quiet;
}

void dgm_callback_begin(struct dgm_env *env)
{
    if (env->calling != NULL)
        ++*env->calling;
}

void dgm_callback_end(struct dgm_env *env)
{
    if (env->calling != NULL)
        --*env->calling;
}

dgm_status dgm_callback_check(struct dgm_env *env, dgm_status status, const char *message)
{
    if (status == DGM_OK)
        return DGM_OK;
    if ((unsigned)status >= DGM_STATUS_COUNT)
        return dgm_fail(env, DGM_FAILURE, "%s, with %d, which is no status", message, (int)status);
    return dgm_fail(env, status, "%s", message);
}

dgm_status dgm_poll(struct dgm_env *env)
{
    return env->poll != NULL ? env->poll(env, env->poll_user) : DGM_OK;
}

dgm_status dgm_poll_saying(struct dgm_env *env, const char *message)
{
    const dgm_status status = dgm_poll(env);

    if (status != DGM_INTERRUPTED)
        return status;
    dgm_env_clear_error(env);
    return dgm_fail(env, status, "%s", message);
}

/* One line: what is too long is cut between characters, line breaks become blanks. */
DGM_FORMAT(3, 0)
static void format_line(char *out, size_t size, const char *format, va_list args)
{
    size_t length = dgm_format(out, size, format, args);
    if (length >= size)
        out[dgm_format_cut(out, size - 1)] = '\0';
    for (size_t i = 0; out[i] != '\0'; i++)
        if ((unsigned char)out[i] < 0x20 || out[i] == 0x7F)
            out[i] = ' ';
}

/* The end of a long path says more than its start. */
static void copy_path(char *out, size_t size, const char *path)
{
    size_t length = strlen(path);
    if (length < size) {
        memcpy(out, path, length + 1);
        return;
    }
    memcpy(out, "...", 3);
    memcpy(out + 3, path + length - (size - 4), size - 3);
}

DGM_FORMAT(7, 0)
static dgm_status record(struct dgm_env *env, dgm_status status, const char *file, long line,
                         long column, long long offset, const char *format, va_list args)
{
    dgm_error *error = &env->error;
    assert(status != DGM_OK);
    /* The first failure is the cause; those after it, of clean-up, would hide it. */
    if (error->status != DGM_OK)
        return error->status;
    error->status = status;
    error->line = line;
    error->column = column;
    error->offset = offset;
    copy_path(error->file, sizeof error->file, file != NULL ? file : "");
    format_line(error->message, sizeof error->message, format, args);
    return status;
}

dgm_status dgm_fail(struct dgm_env *env, dgm_status status, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    status = record(env, status, NULL, 0, 0, -1, format, args);
    va_end(args);
    return status;
}

dgm_status dgm_fail_at(struct dgm_env *env, dgm_status status, const char *file, long line,
                       long column, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    status = record(env, status, file, line, column, -1, format, args);
    va_end(args);
    return status;
}

dgm_status dgm_fail_byte(struct dgm_env *env, dgm_status status, const char *file, long long offset,
                         const char *format, ...)
{
    va_list args;
    va_start(args, format);
    status = record(env, status, file, 0, 0, offset, format, args);
    va_end(args);
    return status;
}

void dgm_log(struct dgm_env *env, dgm_level level, const char *format, ...)
{
    char line[LOG_LINE];
    va_list args;
    if (env->log == NULL || level > env->log_level)
        return;
    va_start(args, format);
    format_line(line, sizeof line, format, args);
    va_end(args);
    dgm_callback_begin(env);
    env->log(env->log_user, level, line);
    dgm_callback_end(env);
}

/* Whether a terminal would act on a character of `length` bytes, or turn around what follows:
 * U+0000..1F, 7F..9F, and the overrides of direction U+202A..2E, 2066..69. */
static int is_control(const char *bytes, size_t length)
{
    const unsigned char *c = (const unsigned char *)bytes;

    if (length == 1)
        return c[0] < 0x20 || c[0] == 0x7F;
    if (length == 2)
        return c[0] == 0xC2 && c[1] < 0xA0;
    return length == 3 && c[0] == 0xE2 &&
           ((c[1] == 0x80 && c[2] >= 0xAA && c[2] <= 0xAE) ||
            (c[1] == 0x81 && c[2] >= 0xA6 && c[2] <= 0xA9));
}

/* Appends the character at `bytes`, or one byte of it as \xHH; returns the bytes
 * consumed, or 0 when there is no room. */
static size_t quote_one(char *out, size_t room, size_t *used, const char *bytes, size_t count)
{
    size_t length = dgm_format_character(bytes, count);
    unsigned char c = (unsigned char)*bytes;
    if (length > 0 && !is_control(bytes, length)) {
        if (length > room)
            return 0;
        memcpy(out, bytes, length);
        *used = length;
        return length;
    }
    if (room < 4)
        return 0;
    out[0] = '\\';
    out[1] = 'x';
    out[2] = "0123456789ABCDEF"[c >> 4];
    out[3] = "0123456789ABCDEF"[c & 15];
    *used = 4;
    return 1;
}

void dgm_quote(char *out, size_t size, const char *bytes, size_t count)
{
    size_t at = 0, done = 0;
    assert(size >= 8);
    for (int characters = 0; done < count && characters < QUOTED_CHARACTERS; characters++) {
        size_t used = 0;
        size_t taken = quote_one(out + at, size - 4 - at, &used, bytes + done, count - done);
        if (taken == 0)
            break;
        at += used;
        done += taken;
    }
    memcpy(out + at, "...", 4);
    if (done == count)
        out[at] = '\0';
}

const char *dgm_status_name(dgm_status status)
{
    static const char *const names[] = { "ok",     "failure",  "usage",       "data",       "model",
                                         "memory", "diverged", "interrupted", "unsupported" };
    if ((unsigned)status >= sizeof names / sizeof *names)
        return "unknown";
    return names[status];
}

int dgm_status_exit_code(dgm_status status)
{
    static const int codes[] = {
#define EXIT_CODE(name, code, text) code,
        DGM_STATUS_LIST(EXIT_CODE)
#undef EXIT_CODE
    };
    return (unsigned)status < DGM_STATUS_COUNT ? codes[status] : 1;
}

const char *dgm_status_text(dgm_status status)
{
    static const char *const texts[] = {
#define TEXT(name, code, text) text,
        DGM_STATUS_LIST(TEXT)
#undef TEXT
    };
    return (unsigned)status < DGM_STATUS_COUNT ? texts[status] : "unknown status";
}
