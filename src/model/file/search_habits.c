/*
 * search_habits.c: how the program that a model comes from searches, in the model's file.
 */
#include "model/file/search_habits.h"

#include "base/buf.h"
#include "base/option/option.h"
#include "base/option/settings_file.h"
#include "tensor/gguf/gguf_get.h"
#include "tensor/gguf/gguf_load.h"
#include "tensor/gguf/gguf_write.h"

/* Named as the options of `translate`; what a rule or a penalty may be is the search's to say. */
static const struct dgm_opt options[] = {
    { .name = "beam-size", .type = DGM_OPT_INT, .low = 1, .high = 64 },
    { .name = "beam-rule", .type = DGM_OPT_TEXT },
    { .name = "penalty", .type = DGM_OPT_TEXT },
    { .name = "normalize", .type = DGM_OPT_REAL, .low = 0, .high = 10 },
    { .name = "max-length-factor", .type = DGM_OPT_REAL, .low = 0.1, .high = 100 },
    { .name = "max-length-extra", .type = DGM_OPT_INT, .low = 0, .high = 65536 },
    DGM_OPT_END
};

static const struct dgm_opt *const tables[] = { options, NULL };

dgm_status dgm_search_habits_init(struct dgm_env *env, struct dgm_settings *habits)
{
    return dgm_settings_init(env, habits, tables);
}

dgm_status dgm_search_habits_read(struct dgm_env *env, struct dgm_settings *habits,
                                  const struct dgm_gguf *file)
{
    size_t length;
    const char *text = dgm_gguf_text(file, DGM_SEARCH_HABITS, &length);

    DGM_TRY(dgm_search_habits_init(env, habits));
    if (text != NULL)
        return dgm_settings_file_parse(env, habits, text, length, file->name);
    if (dgm_gguf_find_key(file, DGM_SEARCH_HABITS) == NULL)
        return DGM_OK;
    return dgm_fail_at(env, DGM_MODEL, file->name, 0, 0,
                       "key " DGM_SEARCH_HABITS " is no text; expected lines `name = value`, or no "
                       "such key");
}

dgm_status dgm_search_habits_write(struct dgm_env *env, const struct dgm_settings *habits,
                                   struct dgm_gguf_writer *writer)
{
    struct dgm_buf text = { 0 };
    dgm_status status = dgm_settings_file_dump(env, habits, &text, 0);

    if (status == DGM_OK && text.size > 0)
        status = dgm_gguf_add_text(env, writer, DGM_SEARCH_HABITS, text.data, text.size);
    dgm_buf_clear(env, &text);
    return status;
}
