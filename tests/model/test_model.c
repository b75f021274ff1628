/*
 * test_model.c: what a model file means that was written before an option came, or got another
 * default.
 */
#include "model/file/model.h"

#include "tensor/gguf/gguf_write.h"
#include "training_case.h"

/* Takes the line of an option out of a configuration. */
static void cut_line(char *config, const char *name)
{
    char *line = config, *end;

    while (strncmp(line, name, strlen(name)) != 0)
        line = strchr(line, '\n') + 1;
    end = strchr(line, '\n') + 1;
    memmove(line, end, strlen(end) + 1);
}

static dgm_status add_key(struct dgm_gguf_writer *writer, const struct dgm_gguf *file,
                          const struct dgm_gguf_key *key, const char *option)
{
    char config[4000];
    size_t length;
    const char *text;

    if (strcmp(key->name, "dragoman.config") != 0)
        return dgm_gguf_add_key(test_env(), writer, file, key);
    text = dgm_gguf_text(file, key->name, &length);
    snprintf(config, sizeof config, "%.*s", (int)length, text);
    cut_line(config, option);
    return dgm_gguf_add_text(test_env(), writer, key->name, config, strlen(config));
}

/* Writes the model `from` again without the line of an option. */
static dgm_status forget_option(const char *from, const char *to, const char *option)
{
    struct dgm_gguf_writer writer;
    struct dgm_gguf file;
    char path[2][1200];
    dgm_status status;

    memset(&writer, 0, sizeof writer);
    memset(&file, 0, sizeof file);
    status = dgm_gguf_load(test_env(), &file, in_dir(path[0], from));
    for (size_t i = 0; i < file.key_count && status == DGM_OK; i++)
        status = add_key(&writer, &file, &file.keys[i], option);
    for (size_t i = 0; i < file.tensor_count && status == DGM_OK; i++) {
        const struct dgm_gguf_tensor *t = &file.tensors[i];
        status = dgm_gguf_add_raw(test_env(), &writer, t->name, t->type, t->rank, t->dims,
                                  dgm_gguf_data(&file, t));
    }
    if (status == DGM_OK)
        status = dgm_gguf_write(test_env(), &writer, in_dir(path[1], to));
    dgm_gguf_writer_clear(test_env(), &writer);
    dgm_gguf_clear(test_env(), &file);
    return status;
}

static void check_no_parse(const char *name, enum dgm_no_parse want)
{
    struct dgm_device *device;
    struct dgm_model model;
    char path[1200];

    CHECK_STATUS(open_device(test_env(), &device, 1), DGM_OK);
    CHECK_STATUS(dgm_model_load(test_env(), &model, in_dir(path, name), device, 0, NULL), DGM_OK);
    CHECK_INT(model.net.config.recurrent.no_parse, want);
    dgm_model_clear(test_env(), &model);
    dgm_device_close(test_env(), device);
}

TEST(model_files_without_no_parse_mean_chains)
{
    static const char *const none[] = { "after", "0u", NULL };

    CHECK(write_corpus());
    CHECK_STATUS(train("new", none, 1, 0, NULL), DGM_OK);
    check_no_parse("new", DGM_NO_PARSE_STAR);
    CHECK_STATUS(forget_option("new", "old", "no-parse = "), DGM_OK);
    check_no_parse("old", DGM_NO_PARSE_CHAIN);
}
