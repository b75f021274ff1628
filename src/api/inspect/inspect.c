/* inspect.c: a report on any GGUF file for people. */
#include "api/inspect/inspect.h"

#include <string.h>

#include "api/context.h"

enum { ITEMS = 8, NAME_COLUMN = 36 };

/* A number with a comma before every third digit from the right: "1,234,567". */
static dgm_status add_count(struct dgm_inspect *inspect, uint64_t count)
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
    return dgm_buf_add(inspect->env, inspect->out, digits + at, sizeof digits - (size_t)at);
}

static dgm_status add_padded(struct dgm_inspect *inspect, const char *name)
{
    size_t length = strlen(name);
    DGM_TRY(dgm_buf_add_text(inspect->env, inspect->out, "  "));
    DGM_TRY(dgm_inspect_escape(inspect->env, inspect->out, name, length));
    do
        DGM_TRY(dgm_buf_add_char(inspect->env, inspect->out, ' '));
    while (++length < NAME_COLUMN);
    return DGM_OK;
}

/* ---- metadata ---------------------------------------------------------------------------- */

/* Text of several lines, each below the other; of anything but a configuration the first. */
static dgm_status add_block(struct dgm_inspect *inspect, const struct dgm_gguf_key *key,
                            const char *text, size_t bytes)
{
    size_t limit = strcmp(key->name, "dragoman.config") == 0 ? bytes : inspect->items;
    size_t shown = 0, hidden = 0;
    while (bytes > 0) {
        const char *lf = memchr(text, '\n', bytes);
        size_t length = lf != NULL ? (size_t)(lf - text) : bytes;
        if (shown < limit) {
            DGM_TRY(dgm_buf_add_text(inspect->env, inspect->out, "\n    "));
            DGM_TRY(dgm_inspect_escape(inspect->env, inspect->out, text, length));
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
            dgm_buf_add_format(inspect->env, inspect->out, "\n    ... and %zu lines more", hidden));
    return DGM_OK;
}

static dgm_status add_array(struct dgm_inspect *inspect, const struct dgm_gguf_key *key)
{
    struct dgm_env *env = inspect->env;
    size_t i, shown = key->count < inspect->items ? key->count : inspect->items;
    DGM_TRY(
        dgm_buf_add_format(env, inspect->out, "%s[%zu]", dgm_inspect_type(key->type), key->count));
    for (i = 0; i < shown; i++) {
        DGM_TRY(dgm_buf_add_text(env, inspect->out, i > 0 ? ", " : "  "));
        DGM_TRY(dgm_inspect_item(inspect, key, i));
    }
    return shown < key->count ? dgm_buf_add_text(env, inspect->out, ", ...") : DGM_OK;
}

static dgm_status add_key(struct dgm_inspect *inspect, const struct dgm_gguf_key *key)
{
    struct dgm_env *env = inspect->env;
    size_t length = 0;
    DGM_TRY(add_padded(inspect, key->name));
    if (key->is_array) {
        DGM_TRY(add_array(inspect, key));
    } else {
        const char *text = dgm_gguf_text(inspect->file, key->name, &length);
        DGM_TRY(dgm_buf_add_format(env, inspect->out, "%s  ", dgm_inspect_type(key->type)));
        if (text != NULL && memchr(text, '\n', length) != NULL)
            DGM_TRY(add_block(inspect, key, text, length));
        else
            DGM_TRY(dgm_inspect_scalar(inspect, key));
    }
    return dgm_buf_add_char(env, inspect->out, '\n');
}

/* ---- tensors ----------------------------------------------------------------------------- */

static dgm_status add_tensor(struct dgm_inspect *inspect, const struct dgm_gguf_tensor *tensor)
{
    struct dgm_env *env = inspect->env;
    int i;
    DGM_TRY(add_padded(inspect, tensor->name));
    DGM_TRY(dgm_buf_add_format(env, inspect->out, "%-5s ", dgm_gguf_type_name(tensor->type)));
    for (i = 0; i < tensor->rank; i++)
        DGM_TRY(
            dgm_buf_add_format(env, inspect->out, "%s%zu", i > 0 ? " x " : "", tensor->dims[i]));
    return dgm_buf_add_char(env, inspect->out, '\n');
}

/* ---- the report -------------------------------------------------------------------------- */

static dgm_status add_head(struct dgm_inspect *inspect)
{
    const struct dgm_gguf *file = inspect->file;
    struct dgm_env *env = inspect->env;
    DGM_TRY(dgm_buf_add_text(env, inspect->out, "file: "));
    DGM_TRY(dgm_inspect_escape(env, inspect->out, file->name, strlen(file->name)));
    DGM_TRY(dgm_buf_add_text(env, inspect->out, "\nformat: GGUF 3, "));
    DGM_TRY(add_count(inspect, file->size));
    DGM_TRY(dgm_buf_add_format(env, inspect->out,
                               " bytes, alignment %zu\nparameters: ", file->alignment));
    DGM_TRY(add_count(inspect, dgm_inspect_parameters(file)));
    DGM_TRY(dgm_buf_add_text(env, inspect->out, "\nchecksums: "));
    return dgm_buf_add_text(env, inspect->out,
                            !inspect->verify          ? "not compared (--verify)\n"
                            : !inspect->has_checksums ? "none in this file\n"
                                                      : "good\n");
}

static dgm_status add_report(struct dgm_inspect *inspect)
{
    const struct dgm_gguf *file = inspect->file;
    struct dgm_env *env = inspect->env;
    size_t i;
    DGM_TRY(add_head(inspect));
    DGM_TRY(dgm_buf_add_format(env, inspect->out, "\nmetadata: %zu\n", file->key_count));
    for (i = 0; i < file->key_count; i++)
        DGM_TRY(add_key(inspect, &file->keys[i]));
    DGM_TRY(dgm_buf_add_format(env, inspect->out, "\ntensors: %zu\n", file->tensor_count));
    for (i = 0; i < file->tensor_count && !inspect->no_tensors; i++)
        DGM_TRY(add_tensor(inspect, &file->tensors[i]));
    return DGM_OK;
}

dgm_status dgm_inspect(dgm_context *context, const char *path, const dgm_inspect_options *options,
                       dgm_write_fn write, void *user)
{
    struct dgm_buf text = { NULL, 0, 0, 0 };
    struct dgm_inspect inspect = { NULL, NULL, NULL, ITEMS, 0, 0, 0 };
    dgm_inspect_options chosen;
    struct dgm_gguf file;
    struct dgm_env *env;
    dgm_status status;
    DGM_ENTER(context);
    env = &context->env;
    DGM_TRY(dgm_argument_check(env, path, "path"));
    if (write == NULL)
        return dgm_argument_check(env, NULL, "write");
    DGM_TRY(dgm_options_take(env, &chosen, sizeof chosen, options, "dgm_inspect_options"));
    memset(&file, 0, sizeof file);
    inspect.env = env;
    inspect.file = &file;
    inspect.out = &text;
    inspect.items = chosen.items > 0 ? chosen.items : ITEMS;
    inspect.verify = chosen.verify;
    inspect.no_tensors = chosen.no_tensors;
    DGM_TRY_OUT(dgm_gguf_load(env, &file, path));
    if (chosen.verify)
        DGM_TRY_OUT(dgm_gguf_verify(env, &file, &inspect.has_checksums));
    DGM_TRY_OUT(chosen.json ? dgm_inspect_json(&inspect) : add_report(&inspect));
    status = dgm_report_write(env, write, user, &text);
out:
    dgm_gguf_clear(env, &file);
    dgm_buf_clear(env, &text);
    return status;
}
