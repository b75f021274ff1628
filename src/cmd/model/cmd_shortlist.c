/* cmd_shortlist.c: `shortlist`: which target words `translate --shortlist` may use. */
#include "base/option/settings.h"
#include "cmd/common.h"

/* clang-format off */
static const struct dgm_opt options[] = {
    { .name = "model", .letter = 'm', .type = DGM_OPT_FILE, .argument = "FILE", .aliases = "models",
      .help = "The model whose vocabularies and pieces these are; needed" },
    { .name = "train-sets", .letter = 't', .type = DGM_OPT_FILES, .argument = "FILE FILE",
      .help = "Learn from this parallel corpus, source and target, as `train` reads it" },
    { .name = "lexical-table", .type = DGM_OPT_FILE, .argument = "FILE",
      .help = "Or take probabilities from here: lines `target source probability`, as extract_lex "
              "and Marian have them; or the lists of Marian's lex.s2t.bin" },
    { .name = "output", .letter = 'o', .type = DGM_OPT_OUTPUT, .argument = "FILE", .aliases = "out",
      .help = "Write the shortlist to this file; needed" },
    { .name = "first", .type = DGM_OPT_INT, .argument = "N", .fallback = "100", .low = 0,
      .high = 1000000, .help = "Always allow the N most frequent target words" },
    { .name = "best", .type = DGM_OPT_INT, .argument = "N", .fallback = "100", .low = 1,
      .high = 1000000, .help = "Allow the N most probable translations of each source word" },
    { .name = "threshold", .type = DGM_OPT_REAL, .argument = "P", .fallback = "0", .low = 0,
      .high = 1, .help = "... but none that is less probable than this" },
    { .name = "pairs", .type = DGM_OPT_INT, .argument = "N", .fallback = "500000", .low = 1,
      .high = 100000000,
      .help = "Learn from at most N pairs of a corpus, spread over it: memory grows with them",
      .excludes = "!lexical-table, which has none" },
    { .name = "tag", .type = DGM_OPT_TEXT, .argument = "TAG",
      .help = "Put this tag, such as <de>, in front of each source: that of the translations which "
              "the shortlist is for", .excludes = "!lexical-table, whose sources are words" },
    DGM_OPT_END
};
/* clang-format on */

static dgm_status read_corpus(struct dgm_cmd *cmd, dgm_shortlist_options *chosen)
{
    const struct dgm_settings *settings = &cmd->settings;
    const size_t count = dgm_settings_count(settings, "train-sets");

    if (count == 0)
        return DGM_OK;
    if (count != 2)
        return dgm_fail(cmd->env, DGM_USAGE, "--train-sets with %zu file%s; expected two", count,
                        count == 1 ? "" : "s");
    chosen->source = dgm_settings_item(settings, "train-sets", 0);
    chosen->target = dgm_settings_item(settings, "train-sets", 1);
    return dgm_cmd_read_once(cmd, chosen->source, chosen->target);
}

/* What was not typed is left to the library, which knows whether a list can have it. */
static void read_sizes(const struct dgm_settings *settings, dgm_shortlist_options *chosen)
{
    if (dgm_settings_is_typed(settings, "first")) {
        const int first = (int)dgm_settings_int(settings, "first");

        chosen->first = first == 0 ? -1 : first;
    }
    if (dgm_settings_is_typed(settings, "best"))
        chosen->best = (int)dgm_settings_int(settings, "best");
    if (dgm_settings_is_typed(settings, "threshold"))
        chosen->threshold = dgm_settings_real(settings, "threshold");
}

static dgm_status run(struct dgm_cmd *cmd)
{
    const struct dgm_settings *settings = &cmd->settings;
    dgm_shortlist_options chosen = { .struct_size = sizeof chosen };

    DGM_TRY(dgm_cmd_need(cmd, "model"));
    DGM_TRY(dgm_cmd_need(cmd, "output"));
    chosen.model = dgm_settings_text(settings, "model");
    DGM_TRY(read_corpus(cmd, &chosen));
    chosen.table = dgm_settings_text(settings, "lexical-table");
    if ((chosen.source != NULL) == (chosen.table != NULL))
        return dgm_fail(cmd->env, DGM_USAGE,
                        "%s; expected --train-sets SOURCE TARGET or --lexical-table FILE",
                        chosen.table != NULL ? "two sources of probabilities"
                                             : "nothing to learn from");
    chosen.tag = dgm_settings_text(settings, "tag");
    read_sizes(settings, &chosen);
    if (chosen.table == NULL)
        chosen.pairs = (int)dgm_settings_int(settings, "pairs");
    return dgm_shortlist_make(cmd->context, &chosen, dgm_settings_text(settings, "output"));
}

const struct dgm_command dgm_command_shortlist = {
    .name = "shortlist",
    .summary = "Find the target words that each source word needs, for faster translation",
    .usage = "-m MODEL -t SOURCE TARGET -o FILE [OPTION]...",
    .example = "dragoman shortlist -m m.gguf -t train.en train.de -o m.shortlist",
    .options = options,
    .saves = DGM_CMD_SAVES,
    .run = run,
};
