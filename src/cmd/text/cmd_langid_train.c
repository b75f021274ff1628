/* cmd_langid_train.c: `langid train`: a model that tells languages apart, from text in each. */
#include <string.h>

#include "base/mem.h"
#include "cmd/model/models.h"

/* clang-format off */
static const struct dgm_opt options[] = {
    { .name = "output", .letter = 'o', .type = DGM_OPT_OUTPUT, .argument = "FILE", .aliases = "out",
      .help = "Write the model to this new file; needed" },
    { .name = "grams", .type = DGM_OPT_INT, .argument = "N", .fallback = "65536", .low = 1,
      .high = 4194304,
      .help = "Most n-grams of characters to tell them by; each takes 4 bytes, and one for each "
              "language" },
    { .name = "overwrite", .type = DGM_OPT_FLAG, .fallback = "false",
      .help = "Replace a model that is there already" },
    { .name = "memory", .type = DGM_OPT_BYTES, .argument = "LIMIT", .fallback = "0",
      .help = "Use at most this much memory, 2G or 500M, or fail; 0: no limit" },
    DGM_OPT_END
};
/* clang-format on */

/* "en=FILE": cut there, so that both are texts. */
static dgm_status cut(struct dgm_env *env, char *argument, dgm_langid_text *text)
{
    char *sign = strchr(argument, '='), quoted[DGM_QUOTE_SIZE];

    dgm_quote(quoted, sizeof quoted, argument, strlen(argument));
    if (sign == NULL || sign == argument || sign[1] == '\0')
        return dgm_fail(env, DGM_USAGE, "\"%s\": expected a language and its text, as in en=FILE",
                        quoted);
    *sign = '\0';
    text->language = argument;
    text->path = sign + 1;
    return DGM_OK;
}

static dgm_status run(struct dgm_cmd *cmd)
{
    const struct dgm_settings *settings = &cmd->settings;
    const size_t count = (size_t)cmd->argument_count;
    dgm_langid_text *texts;
    dgm_status status;

    DGM_TRY(dgm_cmd_new_model(cmd));
    DGM_TRY(dgm_cmd_limit_memory(cmd));
    DGM_TRY(dgm_new(cmd->env, &texts, count, sizeof *texts));
    for (size_t i = 0; i < count; i++)
        DGM_TRY_OUT(cut(cmd->env, cmd->arguments[i], &texts[i]));
    status =
        dgm_langid_train(cmd->context, texts, count, (size_t)dgm_settings_int(settings, "grams"),
                         dgm_settings_text(settings, "output"));
out:
    dgm_release(cmd->env, texts);
    return status;
}

const struct dgm_command dgm_command_langid_train = {
    .name = "langid train",
    .summary = "Learn to tell languages apart, from text in each of them",
    .usage = "-o MODEL LANGUAGE=FILE LANGUAGE=FILE...",
    .example = "dragoman langid train -o langid.gguf en=news.en de=news.de fr=news.fr",
    .options = options,
    .most = -1,
    .saves = DGM_CMD_SAVES,
    .run = run,
};
