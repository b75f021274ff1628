/* buf.c: a growing byte buffer with a limit. */
#include "base/buf.h"

#include <stdarg.h>
#include <string.h>

#include "base/mem.h"
#include "base/number/format.h"
#include "base/number/number.h"

/* Room for `count` more bytes and the NUL behind them. */
static dgm_status reserve(struct dgm_env *env, struct dgm_buf *buf, size_t count)
{
    size_t limit = buf->limit > 0 ? buf->limit : DGM_BUF_LIMIT;
    size_t need, capacity;
    char *data;
    if (buf->size > limit || count > limit - buf->size)
        return dgm_fail(env, DGM_MEMORY, "text is longer than the limit of %zu bytes", limit);
    need = buf->size + count;
    if (need < buf->capacity)
        return DGM_OK;
    /* Doubling keeps the copying below two bytes for each byte added; what comes at once, and is
     * more, gets a sixteenth beside it. */
    capacity = buf->capacity < 32 ? 64 : buf->capacity;
    if (capacity <= limit / 2)
        capacity *= 2;
    if (capacity <= need)
        capacity = need + 1 + (limit - need < need / 16 ? limit - need : need / 16);
    data = dgm_resize(env, buf->data, capacity, 1);
    if (data == NULL)
        return DGM_MEMORY;
    buf->data = data;
    buf->capacity = capacity;
    return DGM_OK;
}

dgm_status dgm_buf_add(struct dgm_env *env, struct dgm_buf *buf, const void *bytes, size_t count)
{
    DGM_TRY(reserve(env, buf, count));
    if (count > 0)
        memcpy(buf->data + buf->size, bytes, count);
    buf->size += count;
    buf->data[buf->size] = '\0';
    return DGM_OK;
}

dgm_status dgm_buf_add_char(struct dgm_env *env, struct dgm_buf *buf, char c)
{
    return dgm_buf_add(env, buf, &c, 1);
}

dgm_status dgm_buf_add_text(struct dgm_env *env, struct dgm_buf *buf, const char *text)
{
    return dgm_buf_add(env, buf, text, strlen(text));
}

dgm_status dgm_buf_add_format(struct dgm_env *env, struct dgm_buf *buf, const char *format, ...)
{
    va_list args;
    size_t count;
    va_start(args, format);
    count = dgm_format(NULL, 0, format, args);
    va_end(args);
    DGM_TRY(reserve(env, buf, count));
    va_start(args, format);
    dgm_format(buf->data + buf->size, count + 1, format, args);
    va_end(args);
    buf->size += count;
    return DGM_OK;
}

dgm_status dgm_buf_add_real(struct dgm_env *env, struct dgm_buf *buf, double value, int digits)
{
    char text[32];
    size_t count = dgm_number_print(text, value, digits);
    return dgm_buf_add(env, buf, text, count);
}

void dgm_buf_reset(struct dgm_buf *buf)
{
    buf->size = 0;
    if (buf->data != NULL)
        buf->data[0] = '\0';
}

int dgm_buf_same(const struct dgm_buf *a, const struct dgm_buf *b)
{
    return a->size == b->size && (a->size == 0 || memcmp(a->data, b->data, a->size) == 0);
}

void dgm_buf_swap(struct dgm_buf *a, struct dgm_buf *b)
{
    const struct dgm_buf held = *a;

    *a = *b;
    *b = held;
}

void dgm_buf_clear(struct dgm_env *env, struct dgm_buf *buf)
{
    dgm_release(env, buf->data);
    buf->data = NULL;
    buf->size = 0;
    buf->capacity = 0;
}
