/* inspect_value.c: values of a GGUF file, fit for a terminal and for a JSON reader. */
#include <string.h>

#include "api/inspect/inspect.h"
#include "text/unicode/utf8.h"

/* Characters that steer a terminal, or turn the direction of what stands around them. */
static int is_dangerous(uint32_t code)
{
    return code < 0x20 || (code >= 0x7F && code < 0xA0) || code == 0x200E || code == 0x200F ||
           (code >= 0x2028 && code <= 0x202E) || (code >= 0x2066 && code <= 0x2069) ||
           code == 0xFEFF;
}

static dgm_status add_code(struct dgm_env *env, struct dgm_buf *out, uint32_t code)
{
    switch (code) {
    case '"': return dgm_buf_add_text(env, out, "\\\"");
    case '\\': return dgm_buf_add_text(env, out, "\\\\");
    case '\n': return dgm_buf_add_text(env, out, "\\n");
    case '\t': return dgm_buf_add_text(env, out, "\\t");
    case DGM_UTF8_BAD: return dgm_buf_add_text(env, out, "\\ufffd");
    default: return dgm_buf_add_format(env, out, "\\u%04x", (unsigned)code);
    }
}

dgm_status dgm_inspect_escape(struct dgm_env *env, struct dgm_buf *out, const char *text,
                              size_t bytes)
{
    size_t at = 0;
    while (at < bytes) {
        uint32_t code;
        size_t length = dgm_utf8_decode(&code, text + at, bytes - at);
        if (code == DGM_UTF8_BAD || code == '"' || code == '\\' || is_dangerous(code))
            DGM_TRY(add_code(env, out, code));
        else
            DGM_TRY(dgm_buf_add(env, out, text + at, length));
        at += length;
    }
    return DGM_OK;
}

dgm_status dgm_inspect_quote(struct dgm_env *env, struct dgm_buf *out, const char *text,
                             size_t bytes)
{
    DGM_TRY(dgm_buf_add_char(env, out, '"'));
    DGM_TRY(dgm_inspect_escape(env, out, text, bytes));
    return dgm_buf_add_char(env, out, '"');
}

const char *dgm_inspect_type(enum dgm_gguf_value type)
{
    static const char *const names[] = { "u8",   "i8",     "u16",   "i16", "u32", "i32", "f32",
                                         "bool", "string", "array", "u64", "i64", "f64" };
    return (unsigned)type < sizeof names / sizeof names[0] ? names[type] : "unknown";
}

/* JSON has no word for what is no finite number; they become text. */
static dgm_status add_real(struct dgm_inspect *inspect, double value)
{
    if (!(value - value <= 0.0))
        return dgm_buf_add_text(inspect->env, inspect->out,
                                value > 0.0   ? "\"inf\""
                                : value < 0.0 ? "\"-inf\""
                                              : "\"nan\"");
    return dgm_buf_add_real(inspect->env, inspect->out, value, 17);
}

dgm_status dgm_inspect_scalar(struct dgm_inspect *inspect, const struct dgm_gguf_key *key)
{
    struct dgm_env *env = inspect->env;
    uint64_t natural = 0;
    int64_t integer = 0;
    size_t length = 0;
    double real = 0.0;
    const char *text;
    int flag = 0;
    switch (key->type) {
    case DGM_GGUF_VALUE_STRING:
        text = dgm_gguf_text(inspect->file, key->name, &length);
        return dgm_inspect_quote(env, inspect->out, text, length);
    case DGM_GGUF_VALUE_BOOL:
        (void)dgm_gguf_flag(inspect->file, key->name, &flag);
        return dgm_buf_add_text(env, inspect->out, flag ? "true" : "false");
    case DGM_GGUF_VALUE_F32:
    case DGM_GGUF_VALUE_F64:
        (void)dgm_gguf_real(inspect->file, key->name, &real);
        return add_real(inspect, key->type == DGM_GGUF_VALUE_F64 ? real : (double)(float)real);
    case DGM_GGUF_VALUE_U64:
        (void)dgm_gguf_uint(inspect->file, key->name, &natural);
        return dgm_buf_add_format(env, inspect->out, "%llu", (unsigned long long)natural);
    default:
        (void)dgm_gguf_int(inspect->file, key->name, &integer);
        return dgm_buf_add_format(env, inspect->out, "%lld", (long long)integer);
    }
}

dgm_status dgm_inspect_item(struct dgm_inspect *inspect, const struct dgm_gguf_key *key, size_t i)
{
    struct dgm_env *env = inspect->env;
    const char *text;
    size_t length;
    int64_t value;
    switch (key->type) {
    case DGM_GGUF_VALUE_STRING:
        text = dgm_gguf_string_at(inspect->file, key, i, &length);
        return dgm_inspect_quote(env, inspect->out, text, length);
    case DGM_GGUF_VALUE_BOOL:
        return dgm_buf_add_text(env, inspect->out,
                                inspect->file->bytes[key->first + i] ? "true" : "false");
    case DGM_GGUF_VALUE_F32:
    case DGM_GGUF_VALUE_F64: return add_real(inspect, dgm_gguf_real_at(inspect->file, key, i));
    default:
        value = dgm_gguf_int_at(inspect->file, key, i);
        if (key->type == DGM_GGUF_VALUE_U64)
            return dgm_buf_add_format(env, inspect->out, "%llu", (unsigned long long)value);
        return dgm_buf_add_format(env, inspect->out, "%lld", (long long)value);
    }
}

int dgm_inspect_is_state(const struct dgm_gguf_tensor *tensor)
{
    return strncmp(tensor->name, "state.", 6) == 0;
}

uint64_t dgm_inspect_parameters(const struct dgm_gguf *file)
{
    uint64_t count = 0;
    size_t i;
    for (i = 0; i < file->tensor_count; i++)
        if (!dgm_inspect_is_state(&file->tensors[i]))
            count += file->tensors[i].count;
    return count;
}
