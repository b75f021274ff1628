/* cmd_draw_tree.c: pictures of dependency trees, for the terminal and as SVG. */
#include "cmd/common.h"

/* clang-format off */
static const struct dgm_opt options[] = {
    { .name = "input", .letter = 'i', .type = DGM_OPT_FILE, .argument = "FILE", .fallback = "-",
      .aliases = "src", .help = "Draw the trees of this CoNLL-U file; - is standard input" },
    DGM_CMD_OUTPUT,
    DGM_CMD_PICTURE,
    { .name = "sentence", .letter = 'n', .type = DGM_OPT_INT, .argument = "N", .fallback = "0",
      .low = 0, .high = 2147483647, .help = "Draw only this sentence, counted from 1; 0: all" },
    DGM_CMD_WIDTH("Columns of a text drawing; wider trees are drawn with one word on each line; "
                  "auto: those of the terminal, 100 where there is none"),
    { .name = "page", .type = DGM_OPT_INT, .argument = "PIXELS", .fallback = "1000",
      .low = 0, .high = 1000000,
      .help = "Width of a page of SVG, 300 or more: a wider sentence is broken into rows; 0: "
              "never" },
    { .name = "ascii", .type = DGM_OPT_FLAG,
      .help = "Draw the lines of a text drawing with plain characters" },
    { .name = "tags", .type = DGM_OPT_FLAG, .fallback = "true", .help = "Write the tags of words" },
    { .name = "compare", .letter = 'c', .type = DGM_OPT_FILE, .argument = "FILE",
      .help = "Let arcs stand out that are not in this file: red and dashed, in text with a *" },
    DGM_OPT_END
};
/* clang-format on */

static dgm_status run(struct dgm_cmd *cmd)
{
    dgm_draw_options chosen = { .struct_size = sizeof chosen };
    const struct dgm_settings *settings = &cmd->settings;
    const char *input = dgm_settings_text(settings, "input");
    struct dgm_cmd_sink sink;
    chosen.format = dgm_cmd_picture(settings);
    chosen.sentence = (long)dgm_settings_int(settings, "sentence");
    chosen.width = dgm_cmd_width(settings);
    chosen.page = (int)dgm_settings_int(settings, "page");
    if (chosen.page == 0)
        chosen.page = -1;
    chosen.ascii = dgm_settings_flag(settings, "ascii");
    chosen.no_tags = !dgm_settings_flag(settings, "tags");
    chosen.compare = dgm_settings_text(settings, "compare");
    DGM_TRY(dgm_cmd_open_sink(cmd, &sink));
    return dgm_cmd_close_sink(&sink,
                              dgm_draw_trees(cmd->context, input, &chosen, dgm_cmd_write, &sink));
}

const struct dgm_command dgm_command_draw_tree = {
    .name = "draw tree",
    .summary = "Draw dependency trees in the terminal or as SVG",
    .usage = "[OPTION]... < CONLLU",
    .example = "dragoman draw tree -i corpus.conllu --sentence 3 -o tree.svg",
    .aliases = "draw-tree",
    .options = options,
    .run = run,
};
