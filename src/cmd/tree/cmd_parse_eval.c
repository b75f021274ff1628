/* cmd_parse_eval.c: the trees of a parser against gold ones, as the CoNLL 2018 shared task. */

#include "cmd/common.h"
#include "cmd/tree/parse_eval_systems.h"

/* clang-format off */
static const struct dgm_opt options[] = {
    DGM_CMD_OUTPUT,
    { .name = "verbose", .letter = 'v', .type = DGM_OPT_FLAG,
      .help = "All metrics, not only UPOS, UAS, LAS, CLAS and MLAS" },
    { .name = "counts", .letter = 'c', .type = DGM_OPT_FLAG,
      .help = "All metrics, as counts of words" },
    { .name = "multi-root", .type = DGM_OPT_CHOICE, .argument = "POLICY", .fallback = "error",
      .choices = "error|attach-first|keep",
      .help = "What to do with several roots in a sentence of SYSTEM" },
    { .name = "earlier-heads", .type = DGM_OPT_FLAG,
      .help = "Leave out words whose gold head stands behind them: what parse --source cannot "
              "know" },
    { .name = "format", .letter = 'f', .type = DGM_OPT_CHOICE, .argument = "KIND",
      .fallback = "text", .choices = "text|json",
      .help = "Form of the output; JSON has all metrics and counts" },
    { .name = "by", .type = DGM_OPT_CHOICE, .argument = "NAME",
      .choices = "relation|distance|depth|length",
      .help = "Score groups of words, by their place in the tree, or of sentences by their words",
      .excludes = "!paired-bs, which is another table" },
    { .name = "paired-bs", .type = DGM_OPT_FLAG,
      .help = "Compare all parsers with the first, by paired bootstrap resampling of sentences" },
    { .name = "metrics", .letter = 'm', .type = DGM_OPT_CHOICES, .argument = "NAME...",
      .choices = "upos|uas|las|clas|mlas",
      .help = "Metrics of --by and --paired-bs; without it las", .needs = "by paired-bs" },
    { .name = "paired-bs-n", .type = DGM_OPT_INT, .argument = "N", .fallback = "1000", .low = 1,
      .high = 10000000, .help = "Samples of --paired-bs", .needs = "paired-bs" },
    { .name = "seed", .type = DGM_OPT_INT, .argument = "N", .fallback = "12345", .low = 0,
      .high = 4294967295.0, .help = "Names the random choices of --paired-bs",
      .needs = "paired-bs" },
    DGM_OPT_END
};
/* clang-format on */

static dgm_status run(struct dgm_cmd *cmd)
{
    dgm_parse_eval_options chosen = { .struct_size = sizeof chosen };
    struct dgm_cmd_sink sink;
    dgm_status status;
    if (dgm_parse_eval_is_of_systems(cmd))
        return dgm_parse_eval_systems(cmd);
    chosen.multi_root = dgm_settings_text(&cmd->settings, "multi-root");
    chosen.all = dgm_settings_flag(&cmd->settings, "verbose");
    chosen.counts = dgm_settings_flag(&cmd->settings, "counts");
    chosen.earlier_heads = dgm_settings_flag(&cmd->settings, "earlier-heads");
    chosen.json = dgm_settings_text(&cmd->settings, "format")[0] == 'j';
    DGM_TRY(dgm_cmd_open_sink(cmd, &sink));
    status = dgm_parse_eval(cmd->context, cmd->arguments[0], cmd->arguments[1], &chosen,
                            dgm_cmd_write, &sink);
    return dgm_cmd_close_sink(&sink, status);
}

const struct dgm_command dgm_command_parse_eval = {
    .name = "parse-eval",
    .summary = "Score the trees of a parser as the CoNLL 2018 shared task does",
    .usage = "[OPTION]... GOLD SYSTEM...",
    .example = "dragoman parse-eval -v gold.conllu system.conllu",
    .aliases = "eval-parse",
    .options = options,
    .least = 2,
    .most = -1,
    .saves = DGM_CMD_SAVES,
    .run = run,
};
