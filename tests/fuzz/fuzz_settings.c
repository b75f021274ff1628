/*
 * fuzz_settings.c: any bytes as a config file.
 *
 * What is accepted is written and read again: the same settings must come out.
 */
#include "base/option/option.h"

#include "memory.h"

static const struct dgm_opt table[] = {
    { "flag", 'f', DGM_OPT_FLAG, NULL, NULL, 0, 0, NULL, "old-flag", "A flag" },
    { "beam", 0, DGM_OPT_INT, "N", "5", 1, 1024, NULL, NULL, "Limited" },
    { "any-int", 0, DGM_OPT_INT, "N", NULL, 0, 0, NULL, NULL, "Unlimited" },
    { "rate", 0, DGM_OPT_REAL, "X", "0.5", 0, 1, NULL, "lr|learning-rate", "Real" },
    { "name", 0, DGM_OPT_TEXT, "TEXT", NULL, 0, 0, NULL, NULL, "Text" },
    { "model", 'm', DGM_OPT_FILE, "FILE", NULL, 0, 0, NULL, NULL, "File" },
    { "train-sets", 0, DGM_OPT_FILES, "FILE...", NULL, 0, 0, NULL, NULL, "Files" },
    { "norm", 0, DGM_OPT_CHOICE, "WHERE", "post", 0, 0, "post|pre", NULL, "Choice" },
    { "after", 0, DGM_OPT_LENGTH, "LENGTH", NULL, 0, 0, NULL, NULL, "Length" },
    { "config", 0, DGM_OPT_FILE, "FILE", NULL, 0, 0, NULL, NULL, "Never in a file" },
    DGM_OPT_END
};

static const struct dgm_opt *const tables[] = { table, NULL };

/* Settings of these bytes as text, or NULL data where they were refused. */
static void parse(struct dgm_env *env, const void *bytes, size_t size, struct dgm_buf *dump)
{
    struct dgm_settings settings;
    struct memory memory;

    memory_begin(&memory, env, bytes, size);
    memset(&settings, 0, sizeof settings);
    expect(dgm_settings_init(env, &settings, tables) == DGM_OK);
    if (dgm_settings_load(env, &settings, "input") == DGM_OK)
        expect(dgm_settings_dump(env, &settings, dump, 0) == DGM_OK);
    else
        expect(env->error.status == DGM_USAGE);
    dgm_settings_clear(env, &settings);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct dgm_buf first = { NULL, 0, 0, 0 }, second = { NULL, 0, 0, 0 };
    struct dgm_env env;

    parse(&env, data, size, &first);
    if (first.data != NULL) {
        parse(&env, first.data, first.size, &second);
        expect(second.size == first.size);
        expect(memcmp(second.data, first.data, first.size) == 0);
    }
    dgm_buf_clear(&env, &first);
    dgm_buf_clear(&env, &second);
    return 0;
}
