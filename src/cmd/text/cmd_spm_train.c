/* cmd_spm_train.c: learning a SentencePiece model from text. */
#include "api/program.h"
#include "base/mem.h"
#include "cmd/text/count_words.h"

/* clang-format off */
static const struct dgm_opt options[] = {
    DGM_CMD_INPUTS,
    DGM_CMD_OUTPUT,
    { .name = "vocab-size", .letter = 'V', .type = DGM_OPT_INT, .argument = "N",
      .fallback = "8000", .low = 5, .high = 4194304,
      .help = "Pieces of the model, with <unk>, <s>, </s>, symbols and bytes" },
    { .name = "type", .type = DGM_OPT_CHOICE, .argument = "KIND", .fallback = "unigram",
      .choices = "unigram|bpe|char|word", .aliases = "model-type",
      .help = "What a model of pieces is learned" },
    { .name = "character-coverage", .type = DGM_OPT_REAL, .argument = "X", .fallback = "0.9995",
      .low = 0.01, .high = 1,
      .help = "Share of the text's characters that the most frequent ones make up which become "
              "pieces; the others are unknown" },
    { .name = "normalization", .type = DGM_OPT_CHOICE, .argument = "RULES",
      .fallback = "nmt_nfkc", .choices = "nmt_nfkc|nfkc|identity",
      .help = "How text is rewritten: Unicode's NFKC, and blanks of all kinds as one; NFKC alone; "
              "or not" },
    { .name = "user-symbols", .type = DGM_OPT_WORDS, .argument = "TEXT...",
      .help = "Texts that are pieces and are never cut" },
    { .name = "byte-fallback", .type = DGM_OPT_FLAG,
      .help = "Spell unknown characters by their bytes, which take 256 pieces" },
    { .name = "max-sentence-length", .type = DGM_OPT_INT, .argument = "N", .fallback = "4192",
      .low = 10, .high = 16777216, .help = "Pass over lines of more bytes" },
    { .name = "seed-size", .type = DGM_OPT_INT, .argument = "N", .fallback = "1000000",
      .low = 1, .high = 100000000,
      .help = "Substrings from which a unigram model is pruned" },
    { .name = "learn-lines", .type = DGM_OPT_INT, .argument = "N", .low = 1, .high = 9e15,
      .aliases = "sample",
      .help = "Read a sample of so many lines of all files, always the same ones; unset: all" },
    DGM_OPT_END
};
/* clang-format on */

static dgm_status learn(struct dgm_cmd *cmd, const char **paths, size_t count,
                        const char *const *symbols, size_t symbol_count, struct dgm_buf *model)
{
    const struct dgm_settings *settings = &cmd->settings;
    struct dgm_pieces_learning learning = { .kind = dgm_settings_text(settings, "type") };
    learning.normal = dgm_settings_text(settings, "normalization");
    learning.pieces = dgm_settings_int(settings, "vocab-size");
    learning.seeds = dgm_settings_int(settings, "seed-size");
    learning.longest_line = dgm_settings_int(settings, "max-sentence-length");
    learning.lines = dgm_settings_int(settings, "learn-lines");
    learning.coverage = dgm_settings_real(settings, "character-coverage");
    learning.byte_fallback = dgm_settings_flag(settings, "byte-fallback");
    learning.symbols = symbols;
    learning.symbol_count = symbol_count;
    if (count == 0)
        paths[count++] = "-";
    return dgm_pieces_learn(cmd->context, &learning, paths, count, model);
}

static dgm_status run(struct dgm_cmd *cmd)
{
    const char **paths = NULL, **symbols = NULL;
    size_t count, symbol_count;
    struct dgm_buf model = { .data = NULL };
    dgm_status status;
    DGM_TRY_OUT(dgm_cmd_list(cmd, "input", 1, &paths, &count));
    DGM_TRY_OUT(dgm_cmd_list(cmd, "user-symbols", 0, &symbols, &symbol_count));
    DGM_TRY_OUT(learn(cmd, paths, count, symbols, symbol_count, &model));
    /* The output is opened after all: a run that fails before leaves an old file alone. */
    status = dgm_cmd_put(cmd->env, dgm_settings_text(&cmd->settings, "output"), &model);
out:
    dgm_buf_clear(cmd->env, &model);
    dgm_release(cmd->env, paths);
    dgm_release(cmd->env, symbols);
    return status;
}

const struct dgm_command dgm_command_spm_train = {
    .name = "spm train",
    .summary = "Learn a SentencePiece model from text",
    .usage = "[OPTION]... [FILE]... > MODEL",
    .example = "dragoman spm train -V 8000 -o ja.model train.ja",
    .options = options,
    .most = -1,
    .run = run,
};
