/*
 * fuzz_settings.c: any bytes as a config file.
 *
 * What is accepted is written and read again: the same settings must come out.
 */
#include "base/option/option.h"
#include "base/option/settings.h"
#include "base/option/settings_file.h"

#include "memory.h"

/* clang-format off */
static const struct dgm_opt table[] = {
    { .name = "flag", .letter = 'f', .type = DGM_OPT_FLAG, .aliases = "old-flag",
      .help = "A flag" },
    { .name = "beam", .type = DGM_OPT_INT, .argument = "N", .fallback = "5", .low = 1, .high = 1024,
      .help = "Limited" },
    { .name = "any-int", .type = DGM_OPT_INT, .argument = "N", .help = "Unlimited" },
    { .name = "rate", .type = DGM_OPT_REAL, .argument = "X", .fallback = "0.5", .low = 0, .high = 1,
      .aliases = "lr|learning-rate", .help = "Real" },
    { .name = "name", .type = DGM_OPT_TEXT, .argument = "TEXT", .help = "Text" },
    { .name = "model", .letter = 'm', .type = DGM_OPT_FILE, .argument = "FILE", .help = "File" },
    { .name = "train-sets", .type = DGM_OPT_FILES, .argument = "FILE...", .help = "Files" },
    { .name = "norm", .type = DGM_OPT_CHOICE, .argument = "WHERE", .fallback = "post",
      .choices = "post|pre", .help = "Choice" },
    { .name = "after", .type = DGM_OPT_LENGTH, .argument = "LENGTH", .help = "Length" },
    { .name = "config", .type = DGM_OPT_FILE, .argument = "FILE", .help = "Never in a file" },
    DGM_OPT_END
};
/* clang-format on */

static const struct dgm_opt *const tables[] = { table, NULL };

/* Settings of these bytes as text, or NULL data where they were refused. */
static void parse(struct dgm_env *env, const void *bytes, size_t size, struct dgm_buf *dump)
{
    struct dgm_settings settings;
    struct memory memory;

    memory_begin(&memory, env, bytes, size);
    memset(&settings, 0, sizeof settings);
    expect(dgm_settings_init(env, &settings, tables) == DGM_OK);
    if (dgm_settings_file_load(env, &settings, "input") == DGM_OK)
        expect(dgm_settings_file_dump(env, &settings, dump, 0) == DGM_OK);
    else /* DGM_DATA: of another kind than text (base/file/magic.h) */
        expect(env->error.status == DGM_USAGE || env->error.status == DGM_DATA);
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
