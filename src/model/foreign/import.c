/* import.c: finding the files of another program's model, and declaring ours. */
#include "model/foreign/import.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/file/file.h"
#include "base/file/folder.h"
#include "base/file/vfs.h"
#include "base/mem.h"
#include "base/number/format.h"
#include "model/file/search_habits.h"
#include "text/tokenize/language.h"

#define IMPORT(name) extern const struct dgm_import_kind dgm_import_##name;
#include "model/foreign/import_list.h"
#undef IMPORT

const struct dgm_import_kind *const dgm_import_kinds[] = {
#define IMPORT(name) &dgm_import_##name,
#include "model/foreign/import_list.h"
#undef IMPORT
    NULL
};

/* ---- for kinds ------------------------------------------------------------------------------- */

dgm_status dgm_import_set(struct dgm_env *env, struct dgm_import *import, const char *name,
                          const char *value)
{
    return dgm_model_set(env, &import->settings, name, value);
}

dgm_status dgm_import_habit(struct dgm_env *env, struct dgm_import *import, const char *name,
                            const char *value, const char *origin)
{
    const dgm_status status = dgm_settings_set(env, &import->habits, name, value, origin);

    if (status == DGM_USAGE) /* not the user's mistake */
        env->error.status = DGM_MODEL;
    return status == DGM_USAGE ? DGM_MODEL : status;
}

dgm_status dgm_import_set_int(struct dgm_env *env, struct dgm_import *import, const char *name,
                              int64_t value)
{
    char text[24];

    snprintf(text, sizeof text, "%lld", (long long)value);
    return dgm_import_set(env, import, name, text);
}

static dgm_status read_size(struct dgm_env *env, struct dgm_import *import, const char *name,
                            const struct dgm_import_size *size, int64_t *value)
{
    *value = size->fallback;
    return (*value == 0 ? dgm_foreign_config_need : dgm_foreign_config_int)(env, &import->config,
                                                                            name, size->low,
                                                                            size->high, value);
}

dgm_status dgm_import_sizes(struct dgm_env *env, struct dgm_import *import,
                            const struct dgm_import_size *sizes)
{
    for (; sizes->theirs != NULL; sizes++) {
        int64_t value, other;

        DGM_TRY(read_size(env, import, sizes->theirs, sizes, &value));
        other = value;
        if (sizes->also != NULL)
            DGM_TRY(read_size(env, import, sizes->also, sizes, &other));
        if (value != other)
            return dgm_fail_at(env, DGM_MODEL, import->config.name, 0, 0,
                               "%s is %lld and %s %lld, which no network of ours has; expected the "
                               "same",
                               sizes->theirs, (long long)value, sizes->also, (long long)other);
        DGM_TRY(dgm_import_set_int(env, import, sizes->ours, value));
    }
    return DGM_OK;
}

dgm_status dgm_import_tie(struct dgm_env *env, struct dgm_import *import, int all, int decoder)
{
    return dgm_import_set(env, import, "tied-embeddings",
                          all ? "all" : (decoder ? "decoder" : "none"));
}

int dgm_import_has(const struct dgm_import *import, const char *name)
{
    return dgm_foreign_find(&import->weights, name) != NULL;
}

dgm_status dgm_import_rows(struct dgm_env *env, const struct dgm_import *import,
                           const char *const *names, size_t *rows)
{
    const char *const first = names[0];

    for (; *names != NULL; names++) {
        const struct dgm_foreign_tensor *tensor = dgm_foreign_find(&import->weights, *names);

        if (tensor == NULL)
            continue;
        *rows = tensor->dims[0];
        return DGM_OK;
    }
    return dgm_fail_at(env, DGM_MODEL, import->weights.name, 0, 0, "tensor \"%s\" is missing",
                       first);
}

void dgm_import_name(struct dgm_import_place *place, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    dgm_format(place->names[place->count++], DGM_IMPORT_NAME, format, args);
    va_end(args);
}

int dgm_import_split(const char *name, enum dgm_side *side, int *layer, const char **tail)
{
    static const char *const starts[] = { "encoder.layers.", "decoder.layers." };

    for (int which = 0; which < 2; which++) {
        const size_t length = strlen(starts[which]);
        const char *at = name + length;

        if (strncmp(name, starts[which], length) != 0)
            continue;
        *side = which == 0 ? DGM_SOURCE : DGM_TARGET;
        for (*layer = 0; *at >= '0' && *at <= '9'; at++)
            *layer = *layer * 10 + (*at - '0');
        *tail = at + 1;
        return *at == '.';
    }
    return 0;
}

/* ---- files ----------------------------------------------------------------------------------- */

int dgm_import_find(struct dgm_env *env, const struct dgm_import *import, const char *name,
                    char path[1024])
{
    const int length = snprintf(path, 1024, "%s/%s", import->folder, name);

    return length < 1024 && dgm_file_exists(env, path);
}

int dgm_import_ends(const char *name, const char *end)
{
    const size_t length = strlen(name), size = strlen(end);

    return length >= size && strcmp(name + length - size, end) == 0;
}

/* Files whose names have one of some ends. */
struct search {
    const char *const *ends;
    char name[256]; /* of the last one */
    int count;
};

static dgm_status note_file(struct dgm_env *env, void *user, const char *name)
{
    struct search *search = user;
    const char *const *end = search->ends;

    (void)env;
    while (*end != NULL && !dgm_import_ends(name, *end))
        end++;
    if (*end != NULL && strlen(name) < sizeof search->name) {
        strcpy(search->name, name);
        search->count++;
    }
    return DGM_OK;
}

dgm_status dgm_import_find_end(struct dgm_env *env, const struct dgm_import *import,
                               const char *const *ends, char path[1024], int *count)
{
    struct search search = { .ends = ends };

    DGM_TRY(dgm_folder_list(env, import->folder, note_file, &search));
    *count = search.count;
    if (search.count == 1 && !dgm_import_find(env, import, search.name, path))
        *count = 0;
    return DGM_OK;
}

static int is_folder(struct dgm_env *env, const char *path)
{
    struct dgm_file_info info;

    return env->vfs->info(env->vfs->user, -1, path, 1, &info) == 0 && info.kind == DGM_FILE_FOLDER;
}

/* model.bin of CTranslate2, in a package of Argos Translate one folder below. */
static int find_ctranslate2(struct dgm_env *env, struct dgm_import *import)
{
    return dgm_import_find(env, import, "model.bin", import->weights_path) ||
           dgm_import_find(env, import, "model/model.bin", import->weights_path);
}

/* model.safetensors or the index of several, model.bin, or the only .npz. */
static dgm_status find_weights(struct dgm_env *env, struct dgm_import *import)
{
    static const char *const ends[] = { ".npz", NULL };
    const char *folder = import->folder;
    int count;

    if (dgm_import_find(env, import, "model.safetensors", import->weights_path) ||
        dgm_import_find(env, import, "model.safetensors.index.json", import->weights_path) ||
        find_ctranslate2(env, import))
        return DGM_OK;
    DGM_TRY(dgm_import_find_end(env, import, ends, import->weights_path, &count));
    if (count == 1)
        return DGM_OK;
    if (count > 1)
        return dgm_fail_at(env, DGM_USAGE, folder, 0, 0,
                           "%d files .npz; expected the name of one of them", count);
    if (dgm_import_find(env, import, "pytorch_model.bin", import->weights_path))
        return dgm_fail_at(env, DGM_MODEL, import->weights_path, 0, 0,
                           "a pickle, which we do not execute; expected model.safetensors "
                           "(scripts/export-checkpoint.py makes it)");
    return dgm_fail_at(env, DGM_MODEL, folder, 0, 0,
                       "no model.safetensors, no model.bin and no .npz here; expected one of them");
}

static dgm_status find_files(struct dgm_env *env, struct dgm_import *import)
{
    const char *path = import->request->path, *slash = strrchr(path, '/');

    if (strlen(path) >= sizeof import->folder)
        return dgm_fail_at(env, DGM_USAGE, path, 0, 0, "a path of more than %d bytes",
                           (int)sizeof import->folder - 1);
    if (is_folder(env, path)) {
        strcpy(import->folder, path);
        DGM_TRY(find_weights(env, import));
    } else {
        snprintf(import->folder, sizeof import->folder, "%.*s",
                 slash == NULL ? 1 : (int)(slash - path + (slash == path)),
                 slash == NULL ? "." : path);
        strcpy(import->weights_path, path);
    }
    DGM_TRY((dgm_import_ends(import->weights_path, ".index.json")
                 ? dgm_foreign_open_shards
                 : dgm_foreign_open)(env, &import->weights, import->weights_path));
    import->has_weights = 1;
    return dgm_new(env, &import->used, import->weights.count + 1, 1);
}

/* ---- kinds ----------------------------------------------------------------------------------- */

/* config.json beside safetensors. */
static dgm_status read_json_config(struct dgm_env *env, struct dgm_import *import)
{
    char path[1024];

    if (!dgm_import_find(env, import, "config.json", path))
        return dgm_fail_at(env, DGM_MODEL, import->folder, 0, 0,
                           "no config.json beside the weights; expected it there");
    DGM_TRY(dgm_file_read_text(env, &import->text, path));
    return dgm_foreign_config_json(env, &import->config, path, import->text.data,
                                   import->text.size);
}

static dgm_status fail_type(struct dgm_env *env, const struct dgm_import *import, const char *type)
{
    char known[160] = "";
    char quoted[DGM_QUOTE_SIZE];

    for (size_t i = 0; dgm_import_kinds[i] != NULL; i++)
        if (dgm_import_kinds[i]->type != NULL)
            snprintf(known + strlen(known), sizeof known - strlen(known), "%s%s",
                     known[0] != '\0' ? ", " : "", dgm_import_kinds[i]->type);
    dgm_quote(quoted, sizeof quoted, type, strlen(type));
    return dgm_fail_at(env, DGM_MODEL, import->config.name, 0, 0,
                       "model_type is \"%s\", which no network of ours is; expected one of %s",
                       quoted, known);
}

/* CTranslate2's, which older versions of it do without. */
static dgm_status read_own_config(struct dgm_env *env, struct dgm_import *import)
{
    const char *slash = strrchr(import->weights_path, '/');
    const int folder = slash != NULL ? (int)(slash - import->weights_path) + 1 : 0;
    char path[1024];

    snprintf(import->config.name, sizeof import->config.name, "%s", import->weights_path);
    if (snprintf(path, sizeof path, "%.*sconfig.json", folder, import->weights_path) >=
            (int)sizeof path ||
        !dgm_file_exists(env, path))
        return DGM_OK;
    DGM_TRY(dgm_file_read_text(env, &import->text, path));
    return dgm_foreign_config_json(env, &import->config, path, import->text.data,
                                   import->text.size);
}

static dgm_status find_kind(struct dgm_env *env, struct dgm_import *import)
{
    const char *format = import->weights.format, *type = NULL;

    if (strcmp(format, "safetensors") == 0) {
        DGM_TRY(read_json_config(env, import));
        type = dgm_foreign_config_text(&import->config, "model_type");
        type = type != NULL ? type : "";
    }
    if (strcmp(format, "ctranslate2") == 0)
        DGM_TRY(read_own_config(env, import));
    for (size_t i = 0; dgm_import_kinds[i] != NULL; i++) {
        const struct dgm_import_kind *kind = dgm_import_kinds[i];

        if (strcmp(kind->format, format) == 0 && (type == NULL || strcmp(kind->type, type) == 0))
            import->kind = kind;
    }
    if (import->kind == NULL)
        return fail_type(env, import, type);
    if (strcmp(import->request->from, "auto") != 0 &&
        strcmp(import->request->from, import->kind->family) != 0)
        return dgm_fail_at(env, DGM_USAGE, import->weights_path, 0, 0,
                           "--from %s, but this is a model of %s; expected --from %s or auto",
                           import->request->from, import->kind->family, import->kind->family);
    return DGM_OK;
}

/* ---- languages ------------------------------------------------------------------------------- */

/* Their names of a language, of which a tokenizer has one; it may be a code that ours stands in. */
static dgm_status take_language(struct dgm_env *env, struct dgm_import *import,
                                struct dgm_foreign_config *config, int side)
{
    static const char *const names[2][2] = { { "source_lang", "src_lang" },
                                             { "target_lang", "tgt_lang" } };
    static const char *const options[2] = { "source-lang", "target-lang" };
    const char *said = dgm_foreign_config_text(config, names[side][0]);
    char code[DGM_LANGUAGE_SIZE], quoted[DGM_QUOTE_SIZE];

    if (import->request->languages[side] != NULL)
        return dgm_import_set(env, import, options[side], import->request->languages[side]);
    if (said == NULL || said[0] == '\0')
        said = dgm_foreign_config_text(config, names[side][1]);
    if (said == NULL || said[0] == '\0')
        return DGM_OK;
    if (dgm_language_code(said, code))
        return dgm_import_set(env, import, options[side], code);
    dgm_quote(quoted, sizeof quoted, said, strlen(said));
    dgm_log(env, DGM_LOG_NOTE, "%s: %s is \"%s\", which is no language; --%s names one",
            config->name, names[side][0], quoted, options[side]);
    return DGM_OK;
}

/* The user's languages, or those of the folder's own tokenizer. */
static dgm_status set_languages(struct dgm_env *env, struct dgm_import *import)
{
    struct dgm_foreign_config config = { .name = "" };
    dgm_status status = DGM_OK;
    char path[1024];

    if (dgm_import_find(env, import, "tokenizer_config.json", path)) {
        DGM_TRY_OUT(dgm_file_read_text(env, &import->text, path));
        DGM_TRY_OUT(
            dgm_foreign_config_json(env, &config, path, import->text.data, import->text.size));
    }
    for (int side = 0; side < 2; side++)
        DGM_TRY_OUT(take_language(env, import, &config, side));
out:
    dgm_foreign_config_clear(env, &config);
    return status;
}

/* What all kinds have. */
static dgm_status set_common(struct dgm_env *env, struct dgm_import *import)
{
    DGM_TRY(dgm_settings_init(env, &import->settings, dgm_model_tables));
    DGM_TRY(dgm_search_habits_init(env, &import->habits));
    DGM_TRY(dgm_import_set(env, import, "encoder", "transformer"));
    DGM_TRY(dgm_import_set(env, import, "decoder", "transformer"));
    return set_languages(env, import);
}

dgm_status dgm_import_open(struct dgm_env *env, struct dgm_import *import,
                           const struct dgm_import_request *request)
{
    memset(import, 0, sizeof *import);
    import->request = request;
    DGM_TRY(find_files(env, import));
    DGM_TRY(set_common(env, import));
    DGM_TRY(find_kind(env, import));
    DGM_TRY(import->kind->read(env, import));
    DGM_TRY(dgm_foreign_config_refuse_rest(env, &import->config));
    DGM_TRY(dgm_model_make(env, &import->model, &import->settings, &import->pipeline));
    import->model.has_links = import->has_links;
    import->model.habits = import->habits;
    memset(&import->habits, 0, sizeof import->habits);
    return DGM_OK;
}

void dgm_import_clear(struct dgm_env *env, struct dgm_import *import)
{
    if (import->has_weights)
        dgm_foreign_clear(env, &import->weights);
    dgm_foreign_config_clear(env, &import->config);
    dgm_settings_clear(env, &import->settings);
    dgm_settings_clear(env, &import->habits);
    dgm_foreign_vocab_clear(env, &import->vocab[DGM_SOURCE]);
    dgm_foreign_vocab_clear(env, &import->vocab[DGM_TARGET]);
    dgm_pipeline_clear(env, &import->pipeline);
    dgm_model_clear(env, &import->model);
    dgm_release(env, import->used);
    dgm_buf_clear(env, &import->text);
    memset(import, 0, sizeof *import);
}
