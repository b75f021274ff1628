/* cmd_sentences.c: running text to one sentence a line. */
#include "api/program.h"
#include "cmd/common.h"

/* clang-format off */
static const struct dgm_opt options[] = {
    DGM_CMD_INPUT,
    DGM_CMD_OUTPUT,
    { .name = "language", .letter = 'l', .type = DGM_OPT_TEXT, .argument = "CODE", .fallback = "en",
      .aliases = "lang",
      .help = "Language of the text; 20 have abbreviations of their own, Chinese and Japanese "
              "rules, others those of Unicode" },
    { .name = "paragraphs", .letter = 'p', .type = DGM_OPT_FLAG,
      .help = "Write an empty line behind the sentences of each line" },
    DGM_OPT_END
};
/* clang-format on */

static dgm_status run(struct dgm_cmd *cmd)
{
    dgm_sentences *sentences;
    dgm_status status;

    DGM_TRY(
        dgm_sentences_new(cmd->context, dgm_settings_text(&cmd->settings, "language"), &sentences));
    if (dgm_settings_flag(&cmd->settings, "paragraphs"))
        dgm_sentences_part_lines(sentences);
    status = dgm_cmd_filter(cmd, dgm_sentences_file, sentences);
    dgm_sentences_free(sentences);
    return status;
}

const struct dgm_command dgm_command_sentences = {
    .name = "sentences",
    .summary = "Cut running text into sentences, one on a line",
    .usage = "[OPTION]... < TEXT > SENTENCES",
    .example = "dragoman sentences -l de < article.de > article.sentences.de",
    .options = options,
    .run = run,
};
