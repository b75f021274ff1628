/*
 * foreign_shards.c: safetensors in several files, of which model.safetensors.index.json says which
 * tensor is in which: {"metadata": ..., "weight_map": {"tensor": "file", ...}}.
 *
 * The files lie beside the index. Each of their tensors must be where the index says, and nowhere
 * else: half of a model would be another one.
 */
#include <stdio.h>
#include <string.h>

#include "base/file/file.h"
#include "base/mem.h"
#include "tensor/foreign/foreign.h"
#include "text/json.h"

enum { MOST_SHARDS = 1000 };

/* The index while it is read. */
struct index {
    struct dgm_env *env;
    struct dgm_foreign *file;
    struct dgm_json json;
    struct dgm_map shards; /* entry i names shard i */
    size_t capacity;
    struct dgm_buf name, word;
};

/* ---- one shard ------------------------------------------------------------------------------- */

/* Its path, beside the index: a name that leads elsewhere is refused. */
static dgm_status find_path(const struct index *index, const char *name, char path[1024])
{
    const char *slash = strrchr(index->file->name, '/');
    const int folder = slash != NULL ? (int)(slash - index->file->name) + 1 : 0;
    char quoted[DGM_QUOTE_SIZE];

    dgm_quote(quoted, sizeof quoted, name, strlen(name));
    if (name[0] != '\0' && strchr(name, '/') == NULL && strchr(name, '\\') == NULL &&
        snprintf(path, 1024, "%.*s%s", folder, index->file->name, name) < 1024)
        return DGM_OK;
    return dgm_fail_at(index->env, DGM_MODEL, index->file->name, 0, 0,
                       "file \"%s\"; expected the name of one beside this", quoted);
}

/* Opens a shard and takes its tensors over. */
static dgm_status add_shard(struct index *index, const char *name)
{
    struct dgm_foreign *file = index->file, *shard;
    char path[1024];

    if (file->shard_count == MOST_SHARDS)
        return dgm_json_fail(&index->json, "at most 1000 files");
    DGM_TRY(find_path(index, name, path));
    DGM_TRY(dgm_grow(index->env, &file->shards, &index->capacity, file->shard_count,
                     sizeof *file->shards));
    shard = &file->shards[file->shard_count];
    DGM_TRY(dgm_foreign_open(index->env, shard, path));
    file->shard_count++;
    if (strcmp(shard->format, "safetensors") != 0)
        return dgm_fail_at(index->env, DGM_MODEL, path, 0, 0, "no safetensors file; expected one");
    for (size_t i = 0; i < shard->count; i++) {
        struct dgm_foreign_tensor tensor = shard->tensors[i];
        const char *key = dgm_foreign_name(shard, &shard->tensors[i]);

        tensor.shard = file->shard_count;
        DGM_TRY(dgm_foreign_add(index->env, file, &tensor, key, strlen(key)));
    }
    return DGM_OK;
}

/* ---- the index ------------------------------------------------------------------------------- */

/* "tensor": "file", both in index->name and index->word. */
static dgm_status check_entry(struct index *index, size_t *count)
{
    const struct dgm_foreign_tensor *tensor;
    struct dgm_map_entry *entry;
    char quoted[DGM_QUOTE_SIZE];
    int is_new;

    DGM_TRY(dgm_map_insert(index->env, &index->shards, index->word.data, index->word.size, &entry,
                           &is_new));
    if (is_new)
        DGM_TRY(add_shard(index, index->word.data));
    tensor = dgm_foreign_find(index->file, index->name.data);
    *count += 1;
    if (tensor != NULL && tensor->shard == (size_t)(entry - index->shards.entries) + 1)
        return DGM_OK;
    dgm_quote(quoted, sizeof quoted, index->name.data, index->name.size);
    return dgm_fail_at(index->env, DGM_MODEL, index->file->name, 0, 0,
                       "tensor \"%s\" is not in %s; expected it there", quoted, index->word.data);
}

static dgm_status read_map(struct index *index)
{
    size_t count = 0, items = 0;
    int more = 1;

    DGM_TRY(dgm_json_mark(&index->json, '{'));
    for (;;) {
        DGM_TRY(dgm_json_item(&index->json, '}', &items, &more));
        if (!more)
            break;
        DGM_TRY(dgm_json_name(&index->json, &index->name));
        DGM_TRY(dgm_json_string(&index->json, &index->word));
        DGM_TRY(check_entry(index, &count));
    }
    if (count == index->file->count)
        return DGM_OK;
    return dgm_fail_at(index->env, DGM_MODEL, index->file->name, 0, 0,
                       "%zu tensors, of %zu that its files hold; expected all, each once", count,
                       index->file->count);
}

/* Totals, which nobody needs. */
static dgm_status skip_object(struct index *index)
{
    size_t count = 0;
    int more = 1;
    double number;

    DGM_TRY(dgm_json_mark(&index->json, '{'));
    for (;;) {
        DGM_TRY(dgm_json_item(&index->json, '}', &count, &more));
        if (!more)
            return DGM_OK;
        DGM_TRY(dgm_json_name(&index->json, &index->name));
        DGM_TRY(dgm_json_is_string(&index->json) ? dgm_json_string(&index->json, &index->word)
                                                 : dgm_json_real(&index->json, &number));
    }
}

static dgm_status read_index(struct index *index)
{
    int more = 1, has_map = 0;
    size_t count = 0;

    DGM_TRY(dgm_json_mark(&index->json, '{'));
    for (;;) {
        DGM_TRY(dgm_json_item(&index->json, '}', &count, &more));
        if (!more)
            break;
        DGM_TRY(dgm_json_name(&index->json, &index->name));
        if (strcmp(index->name.data, "weight_map") != 0) {
            DGM_TRY(skip_object(index));
            continue;
        }
        if (has_map++)
            return dgm_json_fail(&index->json, "one weight_map");
        DGM_TRY(read_map(index));
    }
    if (!has_map)
        return dgm_json_fail(&index->json, "a weight_map");
    return dgm_json_end(&index->json);
}

dgm_status dgm_foreign_open_shards(struct dgm_env *env, struct dgm_foreign *file, const char *path)
{
    struct index index = { .env = env, .file = file };
    struct dgm_buf text = { 0 };
    dgm_status status;

    memset(file, 0, sizeof *file);
    file->fd = -1;
    file->format = "safetensors";
    snprintf(file->name, sizeof file->name, "%s", path);
    DGM_TRY_OUT(dgm_file_read_text(env, &text, path));
    dgm_json_start(&index.json, env, path, 1, text.data != NULL ? text.data : "", text.size);
    status = read_index(&index);
    if (status == DGM_DATA) /* what the reader of JSON says is about a model */
        status = env->error.status = DGM_MODEL;
out:
    dgm_buf_clear(env, &text);
    dgm_buf_clear(env, &index.name);
    dgm_buf_clear(env, &index.word);
    dgm_map_clear(env, &index.shards);
    if (status != DGM_OK)
        dgm_foreign_clear(env, file);
    return status;
}
