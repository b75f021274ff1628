/* cmd_import.c: `import`: a model of another program as one of ours. */
#include "base/option/option.h"
#include "base/option/settings.h"
#include "cmd/common.h"
#include "cmd/model/models.h"

/* clang-format off */
static const struct dgm_opt options[] = {
    { .name = "output", .letter = 'o', .type = DGM_OPT_OUTPUT, .argument = "FILE",
      .aliases = "out model", .help = "Write the model to this new file; needed" },
    { .name = "from", .type = DGM_OPT_CHOICE, .argument = "PROGRAM", .fallback = "auto",
      .choices = "auto|marian|huggingface|fairseq|opennmt|ctranslate2",
      .help = "Which program's model it is; auto: its files say so" },
    { .name = "spm", .type = DGM_OPT_FILES, .argument = "FILE",
      .help = "SentencePiece models: one, or those of source and target; without: those beside "
              "the model" },
    { .name = "codes", .type = DGM_OPT_FILE, .argument = "FILE",
      .help = "Codes of subword-nmt, for a model without SentencePiece" },
    { .name = "vocabs", .type = DGM_OPT_FILES, .argument = "FILE",
      .help = "Vocabularies: one, or those of source and target; without: those beside the "
              "model" },
    { .name = "tokenize", .type = DGM_OPT_CHOICE, .argument = "HOW",
      .choices = "none|moses|spm",
      .help = "How raw text is cut into words; without: spm where there are such models, else "
              "none" },
    { .name = "source-lang", .letter = 's', .type = DGM_OPT_TEXT, .argument = "L",
      .help = "Language of the source; without: what tokenizer_config.json says, or en" },
    { .name = "target-lang", .letter = 't', .type = DGM_OPT_TEXT, .argument = "L",
      .help = "Language of the target; without: what tokenizer_config.json says, or de" },
    { .name = "dry-run", .type = DGM_OPT_FLAG, .fallback = "false",
      .help = "Print its settings and where each tensor goes, and write no model" },
    { .name = "overwrite", .type = DGM_OPT_FLAG, .fallback = "false",
      .help = "Replace a model that is there already" },
    DGM_OPT_END
};
/* clang-format on */

/* The files of a list, at most two: how many. */
static dgm_status take_files(struct dgm_cmd *cmd, const char *name, const char *files[2],
                             size_t *count)
{
    *count = dgm_settings_count(&cmd->settings, name);
    if (*count > 2)
        return dgm_fail(cmd->env, DGM_USAGE, "--%s: %zu files; expected 1 or 2", name, *count);
    for (size_t i = 0; i < *count; i++)
        files[i] = dgm_settings_item(&cmd->settings, name, i);
    return DGM_OK;
}

static dgm_status print_plan(struct dgm_cmd *cmd, const dgm_import_options *import)
{
    struct dgm_cmd_sink sink = { .env = cmd->env };
    dgm_status status;

    DGM_TRY(dgm_cmd_open_output(cmd->env, &sink.writer, "-"));
    status = dgm_import(cmd->context, cmd->arguments[0], import, NULL, dgm_cmd_write, &sink);
    return dgm_cmd_close_sink(&sink, status);
}

static dgm_status run(struct dgm_cmd *cmd)
{
    const struct dgm_settings *settings = &cmd->settings;
    const char *spm[2], *vocabs[2];
    dgm_import_options import = { .struct_size = sizeof import };

    DGM_TRY(take_files(cmd, "spm", spm, &import.spm_count));
    DGM_TRY(take_files(cmd, "vocabs", vocabs, &import.vocab_count));
    import.spm = spm;
    import.vocabs = vocabs;
    import.from = dgm_settings_text(settings, "from");
    import.codes = dgm_settings_text(settings, "codes");
    import.tokenize = dgm_settings_text(settings, "tokenize");
    import.source_lang = dgm_settings_text(settings, "source-lang");
    import.target_lang = dgm_settings_text(settings, "target-lang");
    if (dgm_settings_flag(settings, "dry-run"))
        return print_plan(cmd, &import);
    DGM_TRY(dgm_cmd_new_model(cmd));
    return dgm_import(cmd->context, cmd->arguments[0], &import,
                      dgm_settings_text(settings, "output"), NULL, NULL);
}

const struct dgm_command dgm_command_import = {
    .name = "import",
    .summary = "Make a model of another program one of ours",
    .usage = "FOLDER|FILE -o OUT [OPTION]...",
    .example = "dragoman import opus-mt-en-de -o model.gguf",
    .options = options,
    .least = 1,
    .most = 1,
    .run = run,
};
