/* cmd_draw_chart.c: bars and lines from a table of comma-separated values. */

#include "cmd/common.h"

/* clang-format off */
static const struct dgm_opt options[] = {
    { .name = "input", .letter = 'i', .type = DGM_OPT_FILE, .argument = "FILE", .fallback = "-",
      .aliases = "src",
      .help = "Draw columns of this CSV file, whose first line names them; - is standard input" },
    DGM_CMD_OUTPUT,
    DGM_CMD_PICTURE,
    { .name = "type", .letter = 't', .type = DGM_OPT_CHOICE, .argument = "TYPE",
      .fallback = "bars", .choices = "bars|lines", .help = "What to draw" },
    { .name = "x", .letter = 'x', .type = DGM_OPT_TEXT, .argument = "COLUMN",
      .help = "Column of the axis below: categories for bars, numbers for lines, or categories "
              "where one is no number" },
    { .name = "y", .letter = 'y', .type = DGM_OPT_TEXT, .argument = "COLUMN[,COLUMN...]",
      .help = "Columns of values; several are several series" },
    { .name = "series", .letter = 's', .type = DGM_OPT_TEXT, .argument = "COLUMN",
      .help = "Column whose values split the rows into series" },
    { .name = "error", .letter = 'e', .type = DGM_OPT_TEXT, .argument = "COLUMN[,COLUMN...]",
      .help = "Columns of errors, one for each of --y: draw a whisker that far up and down" },
    { .name = "title", .type = DGM_OPT_TEXT, .argument = "TEXT",
      .help = "Text above the picture" },
    { .name = "x-label", .type = DGM_OPT_TEXT, .argument = "TEXT",
      .help = "Text of the axis below, with its unit; without it the name of the column" },
    { .name = "y-label", .type = DGM_OPT_TEXT, .argument = "TEXT",
      .help = "Text of the axis of values, with its unit; without it the name of a single "
              "column" },
    { .name = "from", .type = DGM_OPT_REAL, .argument = "N",
      .help = "Begin the axis of values here; without it bars begin at 0. A jagged line marks "
              "bars that do not" },
    DGM_CMD_WIDTH("Columns of a text drawing; "
                  "auto: those of the terminal, 100 where there is none"),
    { .name = "ascii", .type = DGM_OPT_FLAG,
      .help = "Draw the bars of a text drawing with plain characters" },
    DGM_OPT_END
};
/* clang-format on */

static dgm_status run(struct dgm_cmd *cmd)
{
    const struct dgm_settings *settings = &cmd->settings;
    dgm_draw_chart_options chosen = { .struct_size = sizeof chosen };
    struct dgm_cmd_sink sink;
    dgm_status status;

    DGM_TRY(dgm_cmd_need(cmd, "x"));
    DGM_TRY(dgm_cmd_need(cmd, "y"));
    chosen.format = dgm_cmd_picture(settings);
    chosen.width = dgm_cmd_width(settings);
    chosen.ascii = dgm_settings_flag(settings, "ascii");
    chosen.type = dgm_settings_text(settings, "type");
    chosen.x = dgm_settings_text(settings, "x");
    chosen.y = dgm_settings_text(settings, "y");
    chosen.series = dgm_settings_text(settings, "series");
    chosen.error = dgm_settings_text(settings, "error");
    chosen.title = dgm_settings_text(settings, "title");
    chosen.x_label = dgm_settings_text(settings, "x-label");
    chosen.y_label = dgm_settings_text(settings, "y-label");
    chosen.from = dgm_settings_text(settings, "from");
    DGM_TRY(dgm_cmd_open_sink(cmd, &sink));
    status = dgm_draw_chart(cmd->context, dgm_settings_text(settings, "input"), &chosen,
                            dgm_cmd_write, &sink);
    return dgm_cmd_close_sink(&sink, status);
}

const struct dgm_command dgm_command_draw_chart = {
    .name = "draw chart",
    .summary = "Draw bars or lines from a table of comma-separated values",
    .usage = "[OPTION]... --x COLUMN --y COLUMN < CSV",
    .example = "dragoman draw chart -i bleu.csv -x system -y BLEU -o bleu.svg",
    .aliases = "draw-chart",
    .options = options,
    .run = run,
};
