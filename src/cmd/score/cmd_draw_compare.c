/* cmd_draw_compare.c: translations of two systems side by side, what differs marked. */
#include <string.h>

#include "cmd/common.h"

/* clang-format off */
static const struct dgm_opt options[] = {
    { .name = "input", .letter = 'i', .type = DGM_OPT_FILES, .argument = "FILE...",
      .help = "The two translations to compare" },
    DGM_CMD_OUTPUT,
    { .name = "format", .letter = 'f', .type = DGM_OPT_CHOICE, .argument = "KIND",
      .fallback = "auto", .choices = "auto|html|svg|text",
      .help = "Form of the picture; auto is html or svg where the output file ends in .html or "
              ".svg, else text" },
    { .name = "source", .type = DGM_OPT_FILE, .argument = "FILE",
      .help = "Show the source, too" },
    { .name = "metric", .letter = 'm', .type = DGM_OPT_CHOICE, .argument = "NAME",
      .fallback = "chrf", .choices = "bleu|chrf|chrf++|ter",
      .help = "Score of sentences, by whose difference they are sorted" },
    { .name = "tokenize", .type = DGM_OPT_CHOICE, .argument = "NAME", .fallback = "13a",
      .choices = "13a|none|intl|char|ja-mecab|zh",
      .help = "How lines are cut into words that are marked" },
    { .name = "most", .letter = 'n', .type = DGM_OPT_INT, .argument = "N", .fallback = "20",
      .low = 0, .high = 1000000,
      .help = "Show so many sentences with the largest gains, and with the largest losses; 0: "
              "all" },
    DGM_OPT_END
};
/* clang-format on */

static int ends_in(const char *path, const char *end)
{
    const size_t length = strlen(path), last = strlen(end);
    return length > last && strcmp(path + length - last, end) == 0;
}

static const char *format_of(const struct dgm_settings *settings)
{
    const char *output = dgm_settings_text(settings, "output");
    const char *format = dgm_settings_text(settings, "format");
    if (strcmp(format, "auto") != 0)
        return format;
    return ends_in(output, ".html") ? "html" : ends_in(output, ".svg") ? "svg" : "text";
}

static dgm_status run(struct dgm_cmd *cmd)
{
    const struct dgm_settings *settings = &cmd->settings;
    const size_t count = dgm_settings_count(settings, "input");
    struct dgm_draw_compare asked = { .reference = cmd->arguments[0] };
    struct dgm_cmd_sink sink;
    dgm_status status;
    if (count != 2)
        return dgm_fail(cmd->env, DGM_USAGE,
                        "draw compare has two translations side by side; expected two files of "
                        "--input, got %zu",
                        count);
    for (size_t s = 0; s < 2; s++)
        asked.systems[s] = dgm_settings_item(settings, "input", s);
    asked.source = dgm_settings_text(settings, "source");
    asked.metric = dgm_settings_text(settings, "metric");
    asked.tokenize = dgm_settings_text(settings, "tokenize");
    asked.most = (long)dgm_settings_int(settings, "most");
    asked.format = format_of(settings);
    DGM_TRY(dgm_cmd_open_sink(cmd, &sink));
    status = dgm_draw_compare(cmd->context, &asked, dgm_cmd_write, &sink);
    return dgm_cmd_close_sink(&sink, status);
}

const struct dgm_command dgm_command_draw_compare = {
    .name = "draw compare",
    .summary = "Draw translations of two systems side by side, what differs marked",
    .usage = "[OPTION]... REFERENCE -i ONE OTHER",
    .example = "dragoman draw compare ref.en -i one.en other.en -o compare.html",
    .aliases = "draw-compare",
    .options = options,
    .least = 1,
    .most = 1,
    .run = run,
};
