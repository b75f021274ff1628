/* cmd_draw_attention.c: maps of attention weights, for the terminal and as SVG. */
#include <string.h>

#include "cmd/common.h"

/* clang-format off */
static const struct dgm_opt options[] = {
    { .name = "input", .letter = 'i', .type = DGM_OPT_FILE, .argument = "FILE", .fallback = "-",
      .aliases = "src",
      .help = "Draw the weights of this file of translate --attention; - is standard input" },
    DGM_CMD_OUTPUT,
    DGM_CMD_PICTURE,
    { .name = "line", .letter = 'n', .type = DGM_OPT_INT, .argument = "N", .fallback = "0",
      .low = 0, .high = 2147483647,
      .help = "Draw only this line of the text that was translated, counted from 1; 0: all" },
    { .name = "kind", .letter = 'k', .type = DGM_OPT_CHOICE, .argument = "KIND", .fallback = "any",
      .choices = "any|encoder|decoder|cross",
      .help = "Draw the self-attention of encoder or decoder, or that from target to source" },
    { .name = "layer", .letter = 'l', .type = DGM_OPT_INT, .argument = "N", .fallback = "0",
      .low = 0, .high = 64, .help = "Draw only this layer, counted from 1; 0: all there are" },
    { .name = "head", .type = DGM_OPT_TEXT, .argument = "N", .fallback = "any",
      .help = "Draw only this head, counted from 0, or the mean of all; any: all there are" },
    { .name = "pieces", .type = DGM_OPT_FLAG, .help = "Draw subword pieces, not words" },
    { .name = "grid", .letter = 'g', .type = DGM_OPT_FLAG,
      .help = "Draw small maps side by side in SVG, a row for each layer and a column for each "
              "head" },
    DGM_CMD_WIDTH("Columns of a text drawing; for wider maps the heaviest columns of each row are "
              "listed; "
                  "auto: those of the terminal, 100 where there is none"),
    { .name = "ascii", .type = DGM_OPT_FLAG,
      .help = "Draw the shades and lines of a text drawing with plain characters" },
    DGM_OPT_END
};
/* clang-format on */

/* NULL for "any". */
static const char *choose(const struct dgm_settings *settings, const char *name)
{
    const char *value = dgm_settings_text(settings, name);

    return strcmp(value, "any") == 0 ? NULL : value;
}

static dgm_status run(struct dgm_cmd *cmd)
{
    const struct dgm_settings *settings = &cmd->settings;
    const char *input = dgm_settings_text(settings, "input");
    dgm_draw_attention_options chosen = { .struct_size = sizeof chosen };
    struct dgm_cmd_sink sink;

    chosen.format = dgm_cmd_picture(settings);
    chosen.width = dgm_cmd_width(settings);
    chosen.ascii = dgm_settings_flag(settings, "ascii");
    chosen.line = (long)dgm_settings_int(settings, "line");
    chosen.kind = choose(settings, "kind");
    chosen.layer = (int)dgm_settings_int(settings, "layer");
    chosen.head = choose(settings, "head");
    chosen.pieces = dgm_settings_flag(settings, "pieces");
    chosen.grid = dgm_settings_flag(settings, "grid");
    DGM_TRY(dgm_cmd_open_sink(cmd, &sink));
    return dgm_cmd_close_sink(&sink, dgm_draw_attention(cmd->context, input, &chosen, dgm_cmd_write,
                                                        &sink));
}

const struct dgm_command dgm_command_draw_attention = {
    .name = "draw attention",
    .summary = "Draw attention weights in the terminal or as SVG",
    .usage = "[OPTION]... < ATTENTION",
    .example = "dragoman draw attention -i test.attention --line 3 -o map.svg",
    .aliases = "draw-attention",
    .options = options,
    .run = run,
};
