/* import.c: a model of another program as one of ours (model/foreign/import.h). */

#include "api/context.h"
#include "model/file/model_output.h"
#include "model/foreign/import.h"
#include "tensor/gguf/gguf_write.h"

static dgm_status read_options(struct dgm_env *env, const dgm_import_options *options,
                               struct dgm_import_request *request)
{
    static const char *const families[] = { "auto",    "marian",  "huggingface",
                                            "fairseq", "opennmt", "ctranslate2" };
    int family;

    DGM_TRY(dgm_options_choose(env, &family, "from", options->from, families, 6));
    DGM_TRY(dgm_texts_check(env, options->spm, options->spm_count, "spm"));
    DGM_TRY(dgm_texts_check(env, options->vocabs, options->vocab_count, "vocabs"));
    if (options->spm_count > 2 || options->vocab_count > 2)
        return dgm_fail(env, DGM_USAGE, "%zu files --spm and %zu --vocabs; expected at most 2",
                        options->spm_count, options->vocab_count);
    request->from = families[family];
    request->codes = options->codes;
    request->spm_count = options->spm_count;
    request->vocab_count = options->vocab_count;
    for (size_t i = 0; i < options->spm_count; i++)
        request->spm[i] = options->spm[i];
    for (size_t i = 0; i < options->vocab_count; i++)
        request->vocabs[i] = options->vocabs[i];
    request->languages[0] = options->source_lang;
    request->languages[1] = options->target_lang;
    request->tokenize = options->tokenize;
    return DGM_OK;
}

/* The files that are read are none that is written. */
static dgm_status find_output(struct dgm_env *env, const struct dgm_import *import,
                              struct dgm_output *output, const char *out)
{
    const struct dgm_import_request *request = import->request;
    const char *paths[8];
    size_t count = 0;

    paths[count++] = import->weights_path;
    for (int i = 0; i < 2; i++) {
        if (request->spm[i] != NULL)
            paths[count++] = request->spm[i];
        if (import->vocab[i].name[0] != '\0')
            paths[count++] = import->vocab[i].name;
    }
    if (request->codes != NULL)
        paths[count++] = request->codes;
    return dgm_model_output_find(env, output, out, paths, count);
}

static dgm_status write_model(struct dgm_env *env, const struct dgm_model *model, const char *path)
{
    struct dgm_gguf_writer writer = { 0 };
    dgm_real *values = NULL;
    dgm_status status;

    status = dgm_model_save(env, model, &writer, &values);
    if (status == DGM_OK)
        status = dgm_gguf_write(env, &writer, path);
    dgm_gguf_writer_clear(env, &writer);
    dgm_release(env, values);
    return status;
}

/* On a device of its own, which clears it, too. */
static dgm_status load_and_write(dgm_context *context, struct dgm_import *import, const char *out)
{
    struct dgm_env *env = &context->env;
    struct dgm_device *device = NULL;
    struct dgm_output output;
    dgm_status status;

    DGM_TRY(find_output(env, import, &output, out));
    DGM_TRY(dgm_import_check(env, import, NULL));
    DGM_TRY(dgm_context_open_device(context, &device));
    DGM_TRY_OUT(dgm_import_load(env, import, device));
    DGM_TRY_OUT(write_model(env, &import->model, output.path));
out:
    dgm_import_clear(env, import);
    dgm_device_close(env, device);
    return status;
}

static dgm_status report(struct dgm_env *env, struct dgm_import *import, dgm_write_fn write,
                         void *user)
{
    struct dgm_buf text = { 0 };
    dgm_status status;

    DGM_TRY_OUT(dgm_model_config_text(env, &import->model, &text));
    DGM_TRY_OUT(dgm_buf_add_char(env, &text, '\n'));
    status = dgm_import_check(env, import, &text);
out:
    return dgm_report_made(env, write, user, &text, status);
}

dgm_status dgm_import(dgm_context *context, const char *path, const dgm_import_options *options,
                      const char *out, dgm_write_fn write, void *user)
{
    struct dgm_import_request request = { .path = path };
    dgm_import_options taken;
    struct dgm_import import = { 0 };
    struct dgm_env *env;
    dgm_status status;

    DGM_ENTER(context);
    env = &context->env;
    DGM_TRY(dgm_argument_check(env, path, "path"));
    if (out == NULL)
        DGM_TRY(dgm_write_check(env, write));
    DGM_TRY(dgm_options_take(env, &taken, sizeof taken, options, "dgm_import_options"));
    DGM_TRY(read_options(env, &taken, &request));
    DGM_TRY_OUT(dgm_import_open(env, &import, &request));
    status =
        out != NULL ? load_and_write(context, &import, out) : report(env, &import, write, user);
out:
    dgm_import_clear(env, &import);
    return status;
}
