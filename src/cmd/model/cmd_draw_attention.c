/* cmd_draw_attention.c: maps of attention weights, for the terminal and as SVG. */
#include <string.h>

#include "cmd/command.h"

static const struct dgm_opt options[] = {
    { "input", 'i', DGM_OPT_FILE, "FILE", "-", 0, 0, NULL, "src",
      "Draw the weights of this file of translate --attention; - is standard input" },
    DGM_CMD_OUTPUT,
    { "format", 'f', DGM_OPT_CHOICE, "KIND", "auto", 0, 0, "auto|svg|text", NULL,
      "Form of the picture; auto is svg where the output file ends in .svg, else text" },
    { "line", 'n', DGM_OPT_INT, "N", "0", 0, 2147483647, NULL, NULL,
      "Draw only this line of the text that was translated, counted from 1; 0: all" },
    { "kind", 'k', DGM_OPT_CHOICE, "KIND", "any", 0, 0, "any|encoder|decoder|cross", NULL,
      "Draw the self-attention of encoder or decoder, or that from target to source" },
    { "layer", 'l', DGM_OPT_INT, "N", "0", 0, 64, NULL, NULL,
      "Draw only this layer, counted from 1; 0: all there are" },
    { "head", 0, DGM_OPT_TEXT, "N", "any", 0, 0, NULL, NULL,
      "Draw only this head, counted from 0, or the mean of all; any: all there are" },
    { "pieces", 0, DGM_OPT_FLAG, NULL, NULL, 0, 0, NULL, NULL, "Draw subword pieces, not words" },
    { "width", 'w', DGM_OPT_INT, "N", "100", 60, 1000, NULL, NULL,
      "Columns of a text drawing; for wider maps the heaviest columns of each row are listed" },
    { "ascii", 0, DGM_OPT_FLAG, NULL, NULL, 0, 0, NULL, NULL,
      "Draw the shades and lines of a text drawing with plain characters" },
    DGM_OPT_END
};

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
    const char *output = dgm_settings_text(settings, "output");
    dgm_draw_attention_options chosen;
    struct dgm_writer writer;
    struct dgm_cmd_sink sink;
    dgm_status status;

    memset(&chosen, 0, sizeof chosen);
    chosen.struct_size = sizeof chosen;
    chosen.format = dgm_cmd_picture(dgm_settings_text(settings, "format"), output);
    chosen.width = (int)dgm_settings_int(settings, "width");
    chosen.ascii = dgm_settings_flag(settings, "ascii");
    chosen.line = (long)dgm_settings_int(settings, "line");
    chosen.kind = choose(settings, "kind");
    chosen.layer = (int)dgm_settings_int(settings, "layer");
    chosen.head = choose(settings, "head");
    chosen.pieces = dgm_settings_flag(settings, "pieces");
    DGM_TRY(dgm_cmd_open_output(cmd->env, &writer, output));
    sink.env = cmd->env;
    sink.writer = &writer;
    status = dgm_draw_attention(cmd->context, input, &chosen, dgm_cmd_write, &sink);
    return dgm_cmd_close_output(cmd->env, &writer, status);
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
