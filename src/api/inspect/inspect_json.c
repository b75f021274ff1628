/* inspect_json.c: the report on a GGUF file as one JSON object. */
#include <string.h>

#include "api/inspect/inspect.h"

static dgm_status add_key(struct dgm_inspect *inspect, const struct dgm_gguf_key *key)
{
    struct dgm_env *env = inspect->env;
    size_t i, shown = key->count < inspect->items ? key->count : inspect->items;
    DGM_TRY(dgm_buf_add_text(env, inspect->out, "\n  "));
    DGM_TRY(dgm_inspect_quote(env, inspect->out, key->name, strlen(key->name)));
    DGM_TRY(dgm_buf_add_format(env, inspect->out, ": {\"type\": \"%s\", ",
                               dgm_inspect_type(key->type)));
    if (!key->is_array) {
        DGM_TRY(dgm_buf_add_text(env, inspect->out, "\"value\": "));
        DGM_TRY(dgm_inspect_scalar(inspect, key));
        return dgm_buf_add_char(env, inspect->out, '}');
    }
    DGM_TRY(dgm_buf_add_format(env, inspect->out, "\"count\": %zu, \"items\": [", key->count));
    for (i = 0; i < shown; i++) {
        if (i > 0)
            DGM_TRY(dgm_buf_add_text(env, inspect->out, ", "));
        DGM_TRY(dgm_inspect_item(inspect, key, i));
    }
    return dgm_buf_add_text(env, inspect->out, "]}");
}

static dgm_status add_tensor(struct dgm_inspect *inspect, const struct dgm_gguf_tensor *tensor)
{
    struct dgm_env *env = inspect->env;
    int i;
    DGM_TRY(dgm_buf_add_text(env, inspect->out, "\n  {\"name\": "));
    DGM_TRY(dgm_inspect_quote(env, inspect->out, tensor->name, strlen(tensor->name)));
    DGM_TRY(dgm_buf_add_format(env, inspect->out, ", \"type\": \"%s\", \"shape\": [",
                               dgm_gguf_type_name(tensor->type)));
    for (i = 0; i < tensor->rank; i++)
        DGM_TRY(dgm_buf_add_format(env, inspect->out, "%s%zu", i > 0 ? ", " : "", tensor->dims[i]));
    return dgm_buf_add_format(env, inspect->out, "], \"offset\": %zu, \"bytes\": %zu}", tensor->at,
                              tensor->bytes);
}

dgm_status dgm_inspect_json(struct dgm_inspect *inspect)
{
    const struct dgm_gguf *file = inspect->file;
    struct dgm_env *env = inspect->env;
    struct dgm_buf *out = inspect->out;
    size_t i;
    DGM_TRY(dgm_buf_add_text(env, out, "{\n \"file\": "));
    DGM_TRY(dgm_inspect_quote(env, out, file->name, strlen(file->name)));
    DGM_TRY(dgm_buf_add_format(env, out,
                               ",\n \"format\": \"gguf 3\",\n \"bytes\": %zu,\n"
                               " \"alignment\": %zu,\n \"parameters\": %llu,\n",
                               file->size, file->alignment,
                               (unsigned long long)dgm_inspect_parameters(file)));
    if (inspect->verify)
        DGM_TRY(dgm_buf_add_format(env, out, " \"checksums\": \"%s\",\n",
                                   inspect->has_checksums ? "good" : "none"));
    DGM_TRY(dgm_buf_add_text(env, out, " \"metadata\": {"));
    for (i = 0; i < file->key_count; i++) {
        if (i > 0)
            DGM_TRY(dgm_buf_add_char(env, out, ','));
        DGM_TRY(add_key(inspect, &file->keys[i]));
    }
    DGM_TRY(dgm_buf_add_format(env, out, "},\n \"tensor_count\": %zu", file->tensor_count));
    if (!inspect->no_tensors)
        DGM_TRY(dgm_buf_add_text(env, out, ",\n \"tensors\": ["));
    for (i = 0; i < file->tensor_count && !inspect->no_tensors; i++) {
        if (i > 0)
            DGM_TRY(dgm_buf_add_char(env, out, ','));
        DGM_TRY(add_tensor(inspect, &file->tensors[i]));
    }
    return dgm_buf_add_text(env, out, inspect->no_tensors ? "\n}\n" : "]\n}\n");
}
