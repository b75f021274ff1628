/* cmd_models.c: `models`: the model files that are at hand, and what each is. */
#include <stdio.h>
#include <string.h>

#include "base/file/folder.h"
#include "base/mem.h"
#include "cmd/model/found.h"
#include "cmd/model/models.h"

/* clang-format off */
static const struct dgm_opt options[] = {
    DGM_CMD_MODEL_FILES("Look here: files, and folders, whose files *.gguf are; unset: the "
                        "folders that translate and parse look into"),
    DGM_CMD_OUTPUT,
    { .name = "from", .type = DGM_OPT_TEXT, .argument = "CODE",
      .help = "Models that read this language alone" },
    { .name = "to", .type = DGM_OPT_TEXT, .argument = "CODE",
      .help = "Models that translate to this language alone" },
    { .name = "format", .letter = 'f', .type = DGM_OPT_CHOICE, .argument = "KIND",
      .fallback = "text", .choices = "text|json",
      .help = "Form of the list: a table, or an object of JSON on each line" },
    DGM_OPT_END
};
/* clang-format on */

enum { MOST_PAIRS = 6 };

static const char *say_kind(unsigned kinds)
{
    switch (kinds) {
    case DGM_SHELF_TRANSLATION: return "translation";
    case DGM_SHELF_PARSER: return "parser";
    case DGM_SHELF_LANGID: return "languages";
    default: return "translation, parser";
    }
}

static size_t count_codes(const char *codes)
{
    size_t count = *codes != '\0';

    for (; *codes != '\0'; codes++)
        count += *codes == ' ';
    return count;
}

/* "en-de de-en": every pair of two of the codes. */
static dgm_status add_pairs(struct dgm_env *env, struct dgm_buf *text, const char *codes)
{
    const char *blank = "";
    size_t from, to;

    for (const char *a = codes; *a != '\0'; a += from + (a[from] == ' ')) {
        from = strcspn(a, " ");
        for (const char *b = codes; *b != '\0'; b += to + (b[to] == ' ')) {
            to = strcspn(b, " ");
            if (a == b)
                continue;
            DGM_TRY(dgm_buf_add_format(env, text, "%s%.*s-%.*s", blank, (int)from, a, (int)to, b));
            blank = " ";
        }
    }
    return DGM_OK;
}

static dgm_status add_languages(struct dgm_env *env, struct dgm_buf *text,
                                const struct dgm_shelf_card *card)
{
    const size_t count = count_codes(card->from);

    if (card->is_tagged && count * (count - 1) <= MOST_PAIRS)
        return add_pairs(env, text, card->to);
    if (count > MOST_PAIRS)
        return dgm_buf_add_format(env, text, "%zu languages", count);
    if (*card->to != '\0')
        return dgm_buf_add_format(env, text, "%s-%s", card->from, card->to);
    return dgm_buf_add_text(env, text, card->from);
}

static dgm_status add_line(struct dgm_env *env, struct dgm_buf *text, const char *cell[5],
                           const size_t width[5])
{
    for (int c = 0; c < 5; c++)
        DGM_TRY(dgm_buf_add_format(env, text, "%-*s%s", (int)(c < 4 ? width[c] : 0), cell[c],
                                   c < 4 ? "  " : ""));
    while (text->size > 0 && text->data[text->size - 1] == ' ')
        text->size--;
    return dgm_buf_add_char(env, text, '\n');
}

/* ---- a table --------------------------------------------------------------------------------- */

/* Cells of a model, in a line of `cells` with NULs between. */
static dgm_status add_cells(struct dgm_env *env, struct dgm_buf *cells,
                            const struct dgm_shelf_card *card)
{
    DGM_TRY(dgm_json_text_escape(env, cells, card->path, strlen(card->path)));
    DGM_TRY(dgm_buf_add(env, cells, "", 1));
    DGM_TRY(dgm_buf_add(env, cells, say_kind(card->kinds), strlen(say_kind(card->kinds)) + 1));
    DGM_TRY(add_languages(env, cells, card));
    DGM_TRY(dgm_buf_add(env, cells, "", 1));
    DGM_TRY(dgm_buf_add_real(env, cells, (double)card->bytes / (1 << 20), 3));
    DGM_TRY(dgm_buf_add(env, cells, " MiB", 5));
    DGM_TRY(dgm_json_text_escape(env, cells, card->name, strlen(card->name)));
    if (*card->name != '\0' && *card->license != '\0')
        DGM_TRY(dgm_buf_add_text(env, cells, ", "));
    DGM_TRY(dgm_json_text_escape(env, cells, card->license, strlen(card->license)));
    return dgm_buf_add(env, cells, "", 1);
}

static dgm_status align(struct dgm_env *env, struct dgm_buf *text, const struct dgm_buf *cells)
{
    size_t width[5] = { 0 }, c = 0, length;
    const char *cell[5];

    for (size_t at = 0; at < cells->size; at += length + 1, c = (c + 1) % 5) {
        length = strlen(cells->data + at);
        width[c] = length > width[c] ? length : width[c];
    }
    for (size_t at = 0; at < cells->size; at += strlen(cells->data + at) + 1) {
        cell[c++] = cells->data + at;
        if (c == 5)
            DGM_TRY(add_line(env, text, cell, width));
        c %= 5;
    }
    return DGM_OK;
}

static dgm_status add_table(struct dgm_cmd *cmd, struct dgm_buf *text, struct dgm_shelf *shelf,
                            const struct dgm_cmd_wish *wish)
{
    struct dgm_shelf_card card;
    struct dgm_buf cells = { 0 };
    dgm_status status = DGM_OK;

    for (size_t i = 0; dgm_shelf_card(shelf, i, &card) && status == DGM_OK; i++)
        if (dgm_cmd_fits(&card, wish))
            status = add_cells(cmd->env, &cells, &card);
    if (status == DGM_OK)
        status = align(cmd->env, text, &cells);
    dgm_buf_clear(cmd->env, &cells);
    return status;
}

/* ---- JSON ------------------------------------------------------------------------------------ */

static dgm_status add_object(struct dgm_env *env, struct dgm_buf *text,
                             const struct dgm_shelf_card *card)
{
    const struct {
        const char *key, *value;
    } texts[] = { { "file", card->path }, { "kind", say_kind(card->kinds) },
                  { "from", card->from }, { "to", card->to },
                  { "name", card->name }, { "license", card->license } };

    DGM_TRY(dgm_buf_add_char(env, text, '{'));
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        DGM_TRY(dgm_buf_add_format(env, text, "\"%s\": ", texts[i].key));
        DGM_TRY(dgm_json_text_quote(env, text, texts[i].value, strlen(texts[i].value)));
        DGM_TRY(dgm_buf_add_text(env, text, ", "));
    }
    return dgm_buf_add_format(env, text, "\"bytes\": %lld}\n", (long long)card->bytes);
}

static dgm_status add_objects(struct dgm_cmd *cmd, struct dgm_buf *text, struct dgm_shelf *shelf,
                              const struct dgm_cmd_wish *wish)
{
    struct dgm_shelf_card card;

    for (size_t i = 0; dgm_shelf_card(shelf, i, &card); i++)
        if (dgm_cmd_fits(&card, wish))
            DGM_TRY(add_object(cmd->env, text, &card));
    return DGM_OK;
}

/* ---- the command ----------------------------------------------------------------------------- */

/* Folders that nobody named need not be there. */
static dgm_status list_folders(struct dgm_cmd *cmd, struct dgm_buf *folders, const char ***paths,
                               size_t *count)
{
    const int are_named = dgm_settings_count(&cmd->settings, "models") > 0;
    size_t capacity = 0;

    DGM_TRY(dgm_cmd_model_folders(cmd, folders));
    for (size_t at = 0; at < folders->size; at += strlen(folders->data + at) + 1) {
        if (!are_named && !dgm_folder_is(cmd->env, folders->data + at))
            continue;
        DGM_TRY(dgm_grow(cmd->env, paths, &capacity, *count, sizeof **paths));
        (*paths)[(*count)++] = folders->data + at;
    }
    return DGM_OK;
}

static dgm_status write_list(struct dgm_cmd *cmd, struct dgm_shelf *shelf, struct dgm_buf *text)
{
    const struct dgm_settings *settings = &cmd->settings;
    const struct dgm_cmd_wish wish = { .kind = ~0U,
                                       .from = dgm_settings_text(settings, "from"),
                                       .to = dgm_settings_text(settings, "to") };

    DGM_TRY(dgm_settings_choice(settings, "format") > 0 ? add_objects(cmd, text, shelf, &wish)
                                                        : add_table(cmd, text, shelf, &wish));
    if (text->size == 0)
        dgm_log(cmd->env, DGM_LOG_NOTE, "no models; doc/models.md says where they go");
    return dgm_cmd_put(cmd->env, dgm_settings_text(settings, "output"), text);
}

static dgm_status run(struct dgm_cmd *cmd)
{
    struct dgm_buf folders = { 0 }, text = { 0 };
    struct dgm_shelf *shelf = NULL;
    const char **paths = NULL;
    size_t count = 0;
    dgm_status status;

    DGM_TRY_OUT(list_folders(cmd, &folders, &paths, &count));
    DGM_TRY_OUT(dgm_shelf_open(cmd->context, paths, count, &shelf));
    status = write_list(cmd, shelf, &text);
out:
    dgm_shelf_close(shelf);
    dgm_release(cmd->env, paths);
    dgm_buf_clear(cmd->env, &folders);
    dgm_buf_clear(cmd->env, &text);
    return status;
}

const struct dgm_command dgm_command_models = {
    .name = "models",
    .summary = "List the models that are at hand",
    .usage = "[OPTION]...",
    .example = "dragoman models --from de --to en",
    .options = options,
    .run = run,
};
