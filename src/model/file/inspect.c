/* inspect.c: a report on any GGUF file, as text for people or as one JSON object. */
#include "model/file/inspect.h"

#include <string.h>

#include "tensor/gguf/gguf_get.h"
#include "tensor/gguf/gguf_load.h"
#include "text/json_text.h"

enum { NAME_COLUMN = 36 };

struct report {
    struct dgm_env *env;
    const struct dgm_gguf *file;
    struct dgm_buf *out;
    const dgm_inspect_options *wanted;
    int has_checksums;
};

int dgm_inspect_is_state_key(const char *name)
{
    return strncmp(name, "dragoman.state", 14) == 0;
}

int dgm_inspect_is_state(const struct dgm_gguf_tensor *tensor)
{
    return strncmp(tensor->name, "state.", 6) == 0;
}

/* How many numbers the parameters are, without the state of a training run. */
static uint64_t count_parameters(const struct dgm_gguf *file)
{
    uint64_t count = 0;
    for (size_t i = 0; i < file->tensor_count; i++)
        if (!dgm_inspect_is_state(&file->tensors[i]))
            count += file->tensors[i].count;
    return count;
}

/* ---- values ------------------------------------------------------------------------------- */

/* Text stands as JSON writes it in the report for people too: see json_text.h. */

/* "u32", "string", ... */
static const char *type_name(enum dgm_gguf_value type)
{
    static const char *const names[] = { "u8",   "i8",     "u16",   "i16", "u32", "i32", "f32",
                                         "bool", "string", "array", "u64", "i64", "f64" };
    return (unsigned)type < sizeof names / sizeof names[0] ? names[type] : "unknown";
}

/* JSON has no word for infinity and NaN: they become text. */
static dgm_status add_real(struct report *report, double value)
{
    if (!(value - value <= 0.0))
        return dgm_buf_add_text(report->env, report->out,
                                value > 0.0   ? "\"inf\""
                                : value < 0.0 ? "\"-inf\""
                                              : "\"nan\"");
    return dgm_buf_add_real(report->env, report->out, value, 17);
}

/* The value of a key that is no array. */
static dgm_status add_scalar(struct report *report, const struct dgm_gguf_key *key)
{
    struct dgm_env *env = report->env;
    uint64_t natural = 0;
    int64_t integer = 0;
    size_t length = 0;
    double real = 0.0;
    const char *text;
    int flag = 0;
    switch (key->type) {
    case DGM_GGUF_VALUE_STRING:
        text = dgm_gguf_text(report->file, key->name, &length);
        return dgm_json_text_quote(env, report->out, text, length);
    case DGM_GGUF_VALUE_BOOL:
        (void)dgm_gguf_flag(report->file, key->name, &flag);
        return dgm_buf_add_text(env, report->out, flag ? "true" : "false");
    case DGM_GGUF_VALUE_F32:
    case DGM_GGUF_VALUE_F64:
        (void)dgm_gguf_real(report->file, key->name, &real);
        return add_real(report, key->type == DGM_GGUF_VALUE_F64 ? real : (double)(float)real);
    case DGM_GGUF_VALUE_U64:
        (void)dgm_gguf_uint(report->file, key->name, &natural);
        return dgm_buf_add_format(env, report->out, "%llu", (unsigned long long)natural);
    default:
        (void)dgm_gguf_int(report->file, key->name, &integer);
        return dgm_buf_add_format(env, report->out, "%lld", (long long)integer);
    }
}

/* Item i of a key that is an array. */
static dgm_status add_item(struct report *report, const struct dgm_gguf_key *key, size_t i)
{
    struct dgm_env *env = report->env;
    const char *text;
    size_t length;
    int64_t value;
    switch (key->type) {
    case DGM_GGUF_VALUE_STRING:
        text = dgm_gguf_string_at(report->file, key, i, &length);
        return dgm_json_text_quote(env, report->out, text, length);
    case DGM_GGUF_VALUE_BOOL:
        return dgm_buf_add_text(env, report->out,
                                report->file->bytes[key->first + i] ? "true" : "false");
    case DGM_GGUF_VALUE_F32:
    case DGM_GGUF_VALUE_F64: return add_real(report, dgm_gguf_real_at(report->file, key, i));
    default:
        value = dgm_gguf_int_at(report->file, key, i);
        if (key->type == DGM_GGUF_VALUE_U64)
            return dgm_buf_add_format(env, report->out, "%llu", (unsigned long long)value);
        return dgm_buf_add_format(env, report->out, "%lld", (long long)value);
    }
}

/* ---- text: names and counts --------------------------------------------------------------- */

/* A number with a comma before every third digit from the right: "1,234,567". */
static dgm_status add_count(struct report *report, uint64_t count)
{
    char digits[32];
    int at = sizeof digits, written = 0;
    do {
        if (written > 0 && written % 3 == 0)
            digits[--at] = ',';
        digits[--at] = (char)('0' + count % 10);
        count /= 10;
        written++;
    } while (count > 0);
    return dgm_buf_add(report->env, report->out, digits + at, sizeof digits - (size_t)at);
}

static dgm_status add_padded(struct report *report, const char *name)
{
    size_t length = strlen(name);
    DGM_TRY(dgm_buf_add_text(report->env, report->out, "  "));
    DGM_TRY(dgm_json_text_escape(report->env, report->out, name, length));
    do
        DGM_TRY(dgm_buf_add_char(report->env, report->out, ' '));
    while (++length < NAME_COLUMN);
    return DGM_OK;
}

/* ---- text: metadata ----------------------------------------------------------------------- */

/* Text of several lines, each on its own: of a configuration all, else the first few. */
static dgm_status add_block(struct report *report, const struct dgm_gguf_key *key, const char *text,
                            size_t bytes)
{
    size_t limit = strcmp(key->name, "dragoman.config") == 0 ? bytes : report->wanted->items;
    size_t shown = 0, hidden = 0;
    while (bytes > 0) {
        const char *lf = memchr(text, '\n', bytes);
        size_t length = lf != NULL ? (size_t)(lf - text) : bytes;
        if (shown < limit) {
            DGM_TRY(dgm_buf_add_text(report->env, report->out, "\n    "));
            DGM_TRY(dgm_json_text_escape(report->env, report->out, text, length));
            shown++;
        } else {
            hidden++;
        }
        length += lf != NULL;
        text += length;
        bytes -= length;
    }
    if (hidden > 0)
        DGM_TRY(
            dgm_buf_add_format(report->env, report->out, "\n    ... and %zu lines more", hidden));
    return DGM_OK;
}

static dgm_status add_array(struct report *report, const struct dgm_gguf_key *key)
{
    struct dgm_env *env = report->env;
    size_t i, shown = key->count < report->wanted->items ? key->count : report->wanted->items;
    DGM_TRY(dgm_buf_add_format(env, report->out, "%s[%zu]", type_name(key->type), key->count));
    for (i = 0; i < shown; i++) {
        DGM_TRY(dgm_buf_add_text(env, report->out, i > 0 ? ", " : "  "));
        DGM_TRY(add_item(report, key, i));
    }
    return shown < key->count ? dgm_buf_add_text(env, report->out, ", ...") : DGM_OK;
}

static dgm_status add_key(struct report *report, const struct dgm_gguf_key *key)
{
    struct dgm_env *env = report->env;
    size_t length = 0;
    DGM_TRY(add_padded(report, key->name));
    if (key->is_array) {
        DGM_TRY(add_array(report, key));
    } else {
        const char *text = dgm_gguf_text(report->file, key->name, &length);
        DGM_TRY(dgm_buf_add_format(env, report->out, "%s  ", type_name(key->type)));
        if (text != NULL && memchr(text, '\n', length) != NULL)
            DGM_TRY(add_block(report, key, text, length));
        else
            DGM_TRY(add_scalar(report, key));
    }
    return dgm_buf_add_char(env, report->out, '\n');
}

/* ---- text: tensors ------------------------------------------------------------------------ */

static dgm_status add_tensor(struct report *report, const struct dgm_gguf_tensor *tensor)
{
    struct dgm_env *env = report->env;
    DGM_TRY(add_padded(report, tensor->name));
    DGM_TRY(dgm_buf_add_format(env, report->out, "%-5s ", dgm_gguf_type_name(tensor->type)));
    for (int i = 0; i < tensor->rank; i++)
        DGM_TRY(dgm_buf_add_format(env, report->out, "%s%zu", i > 0 ? " x " : "", tensor->dims[i]));
    return dgm_buf_add_char(env, report->out, '\n');
}

/* ---- text: the whole report --------------------------------------------------------------- */

static dgm_status add_head(struct report *report)
{
    const struct dgm_gguf *file = report->file;
    struct dgm_env *env = report->env;
    DGM_TRY(dgm_buf_add_text(env, report->out, "file: "));
    DGM_TRY(dgm_json_text_escape(env, report->out, file->name, strlen(file->name)));
    DGM_TRY(dgm_buf_add_text(env, report->out, "\nformat: GGUF 3, "));
    DGM_TRY(add_count(report, file->size));
    DGM_TRY(dgm_buf_add_format(env, report->out,
                               " bytes, alignment %zu\nparameters: ", file->alignment));
    DGM_TRY(add_count(report, count_parameters(file)));
    DGM_TRY(dgm_buf_add_text(env, report->out, "\nchecksums: "));
    return dgm_buf_add_text(env, report->out,
                            !report->wanted->verify  ? "not compared (--verify)\n"
                            : !report->has_checksums ? "none in this file\n"
                                                     : "good\n");
}

static dgm_status add_text(struct report *report)
{
    const struct dgm_gguf *file = report->file;
    struct dgm_env *env = report->env;
    DGM_TRY(add_head(report));
    DGM_TRY(dgm_buf_add_format(env, report->out, "\nmetadata: %zu\n", file->key_count));
    for (size_t i = 0; i < file->key_count; i++)
        DGM_TRY(add_key(report, &file->keys[i]));
    DGM_TRY(dgm_buf_add_format(env, report->out, "\ntensors: %zu\n", file->tensor_count));
    for (size_t i = 0; i < file->tensor_count && !report->wanted->no_tensors; i++)
        DGM_TRY(add_tensor(report, &file->tensors[i]));
    return DGM_OK;
}

/* ---- JSON --------------------------------------------------------------------------------- */

static dgm_status add_json_key(struct report *report, const struct dgm_gguf_key *key)
{
    struct dgm_env *env = report->env;
    size_t i, shown = key->count < report->wanted->items ? key->count : report->wanted->items;
    DGM_TRY(dgm_buf_add_text(env, report->out, "\n  "));
    DGM_TRY(dgm_json_text_quote(env, report->out, key->name, strlen(key->name)));
    DGM_TRY(dgm_buf_add_format(env, report->out, ": {\"type\": \"%s\", ", type_name(key->type)));
    if (!key->is_array) {
        DGM_TRY(dgm_buf_add_text(env, report->out, "\"value\": "));
        DGM_TRY(add_scalar(report, key));
        return dgm_buf_add_char(env, report->out, '}');
    }
    DGM_TRY(dgm_buf_add_format(env, report->out, "\"count\": %zu, \"items\": [", key->count));
    for (i = 0; i < shown; i++) {
        if (i > 0)
            DGM_TRY(dgm_buf_add_text(env, report->out, ", "));
        DGM_TRY(add_item(report, key, i));
    }
    return dgm_buf_add_text(env, report->out, "]}");
}

static dgm_status add_json_tensor(struct report *report, const struct dgm_gguf_tensor *tensor)
{
    struct dgm_env *env = report->env;
    DGM_TRY(dgm_buf_add_text(env, report->out, "\n  {\"name\": "));
    DGM_TRY(dgm_json_text_quote(env, report->out, tensor->name, strlen(tensor->name)));
    DGM_TRY(dgm_buf_add_format(env, report->out, ", \"type\": \"%s\", \"shape\": [",
                               dgm_gguf_type_name(tensor->type)));
    for (int i = 0; i < tensor->rank; i++)
        DGM_TRY(dgm_buf_add_format(env, report->out, "%s%zu", i > 0 ? ", " : "", tensor->dims[i]));
    return dgm_buf_add_format(env, report->out, "], \"offset\": %zu, \"bytes\": %zu}", tensor->at,
                              tensor->bytes);
}

static dgm_status add_json(struct report *report)
{
    const struct dgm_gguf *file = report->file;
    struct dgm_env *env = report->env;
    struct dgm_buf *out = report->out;
    DGM_TRY(dgm_buf_add_text(env, out, "{\n \"file\": "));
    DGM_TRY(dgm_json_text_quote(env, out, file->name, strlen(file->name)));
    DGM_TRY(dgm_buf_add_format(env, out,
                               ",\n \"format\": \"gguf 3\",\n \"bytes\": %zu,\n"
                               " \"alignment\": %zu,\n \"parameters\": %llu,\n",
                               file->size, file->alignment,
                               (unsigned long long)count_parameters(file)));
    if (report->wanted->verify)
        DGM_TRY(dgm_buf_add_format(env, out, " \"checksums\": \"%s\",\n",
                                   report->has_checksums ? "good" : "none"));
    DGM_TRY(dgm_buf_add_text(env, out, " \"metadata\": {"));
    for (size_t i = 0; i < file->key_count; i++) {
        if (i > 0)
            DGM_TRY(dgm_buf_add_char(env, out, ','));
        DGM_TRY(add_json_key(report, &file->keys[i]));
    }
    DGM_TRY(dgm_buf_add_format(env, out, "},\n \"tensor_count\": %zu", file->tensor_count));
    if (!report->wanted->no_tensors)
        DGM_TRY(dgm_buf_add_text(env, out, ",\n \"tensors\": ["));
    for (size_t i = 0; i < file->tensor_count && !report->wanted->no_tensors; i++) {
        if (i > 0)
            DGM_TRY(dgm_buf_add_char(env, out, ','));
        DGM_TRY(add_json_tensor(report, &file->tensors[i]));
    }
    return dgm_buf_add_text(env, out, report->wanted->no_tensors ? "\n}\n" : "]\n}\n");
}

/* ---- the file ----------------------------------------------------------------------------- */

dgm_status dgm_inspect_file(struct dgm_env *env, const char *path,
                            const dgm_inspect_options *wanted, struct dgm_buf *out)
{
    struct dgm_gguf file;
    struct report report = { .env = env, .file = &file, .out = out, .wanted = wanted };
    dgm_status status;

    memset(&file, 0, sizeof file);
    DGM_TRY_OUT(dgm_gguf_load(env, &file, path));
    if (wanted->verify)
        DGM_TRY_OUT(dgm_gguf_verify(env, &file, &report.has_checksums));
    status = wanted->json ? add_json(&report) : add_text(&report);
out:
    dgm_gguf_clear(env, &file);
    return status;
}
