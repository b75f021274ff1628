/* cmd_bpe_apply.c: cutting words into pieces by learned codes. */
#include "api/program.h"
#include "base/mem.h"
#include "cmd/common.h"

/* clang-format off */
static const struct dgm_opt options[] = {
    DGM_CMD_INPUT,
    DGM_CMD_OUTPUT,
    { .name = "codes", .letter = 'c', .type = DGM_OPT_FILE, .argument = "FILE",
      .help = "Codes that `bpe learn` or subword-nmt has written; needed" },
    { .name = "merges", .letter = 'm', .type = DGM_OPT_INT, .argument = "N", .fallback = "-1",
      .low = -1, .high = 16777216,
      .help = "Use only the first N rules, with 0 none, as subword-nmt does; -1: all" },
    { .name = "separator", .letter = 's', .type = DGM_OPT_TEXT, .argument = "TEXT",
      .fallback = "@@", .help = "What marks a piece that does not end its word" },
    { .name = "vocabulary", .type = DGM_OPT_FILE, .argument = "FILE",
      .help = "Split pieces again that are not in this output of `bpe vocab`" },
    { .name = "vocabulary-threshold", .type = DGM_OPT_INT, .argument = "N", .fallback = "0",
      .low = 0, .high = 9007199254740992.0,
      .help = "... or are there with a lower count than this", .needs = "vocabulary" },
    { .name = "glossaries", .type = DGM_OPT_WORDS, .argument = "WORD...",
      .help = "Words that are never split; regular expressions, too" },
    { .name = "dropout", .type = DGM_OPT_REAL, .argument = "P", .fallback = "0", .low = 0,
      .high = 1, .help = "Pass over rules with this probability: BPE-dropout" },
    { .name = "seed", .type = DGM_OPT_INT, .argument = "N", .fallback = "0", .low = 0,
      .high = 9007199254740992.0,
      .help = "Seed of --dropout; the same seed gives the same pieces", .needs = "dropout" },
    DGM_OPT_END
};
/* clang-format on */

static dgm_status run(struct dgm_cmd *cmd)
{
    const struct dgm_settings *settings = &cmd->settings;
    dgm_segmenter_options chosen = { .struct_size = sizeof chosen };
    dgm_segmenter *segmenter = NULL;
    const char **glossaries;
    dgm_status status;
    DGM_TRY(dgm_cmd_need(cmd, "codes"));
    DGM_TRY(dgm_cmd_list(cmd, "glossaries", 0, &glossaries, &chosen.glossary_count));
    chosen.glossaries = glossaries;
    chosen.codes = dgm_settings_text(settings, "codes");
    chosen.merges = (long)dgm_settings_int(settings, "merges");
    chosen.no_merges = chosen.merges == 0;
    if (chosen.merges < 0)
        chosen.merges = 0;
    chosen.separator = dgm_settings_text(settings, "separator");
    chosen.vocabulary = dgm_settings_text(settings, "vocabulary");
    chosen.threshold = dgm_settings_int(settings, "vocabulary-threshold");
    chosen.dropout = dgm_settings_real(settings, "dropout");
    chosen.seed = (uint64_t)dgm_settings_int(settings, "seed");
    DGM_TRY_OUT(dgm_segmenter_new(cmd->context, &chosen, &segmenter));
    status = dgm_cmd_filter(cmd, dgm_segmenter_apply_file, segmenter);
out:
    dgm_segmenter_free(segmenter);
    dgm_release(cmd->env, glossaries);
    return status;
}

const struct dgm_command dgm_command_bpe_apply = {
    .name = "bpe apply",
    .summary = "Cut words into pieces by BPE codes",
    .usage = "-c CODES [OPTION]... < TOKENS > PIECES",
    .example = "dragoman bpe apply -c codes < train.tok.de > train.bpe.de",
    .aliases = "apply-bpe",
    .options = options,
    .run = run,
};
