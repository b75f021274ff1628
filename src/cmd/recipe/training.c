/* training.c: the options of the training that `train --recipe auto` runs. */
#include "cmd/recipe/training.h"

#include <string.h>

#include "base/option/rules.h"
#include "base/option/settings_file.h"
#include "cmd/common.h"

static const char origin[] = "recipe";

/* ---- settings -------------------------------------------------------------------------------- */

static dgm_status set_files(struct dgm_env *env, struct dgm_settings *settings, const char *name,
                            const char *const *files)
{
    char *items[2];

    memcpy(items, files, sizeof items);
    return dgm_settings_store_items(env, dgm_settings_find(settings, name, strlen(name)), items, 2,
                                    origin);
}

static dgm_status set_row(struct dgm_env *env, struct dgm_settings *settings,
                          const struct dgm_recipe_row *row, const struct dgm_recipe_texts *texts)
{
    DGM_TRY(dgm_settings_file_parse(env, settings, row->options, strlen(row->options), row->name));
    if (!texts->are_alike)
        DGM_TRY(dgm_settings_set(env, settings, "tied-embeddings", "decoder", origin));
    return set_files(env, settings, "valid-sets", texts->valid);
}

/* The tables are the same, and so are the places. */
static dgm_status set_given(struct dgm_env *env, struct dgm_settings *settings,
                            const struct dgm_settings *given)
{
    for (size_t i = 0; i < given->count; i++) {
        const struct dgm_setting *from = &given->items[i];

        if (from->explicit_ && from->value != NULL)
            DGM_TRY(dgm_settings_store(env, &settings->items[i], from->value, from->origin));
        else if (from->explicit_)
            DGM_TRY(dgm_settings_store_items(env, &settings->items[i], from->items,
                                             from->item_count, from->origin));
    }
    return DGM_OK;
}

dgm_status dgm_recipe_training_settings(struct dgm_cmd *cmd, const struct dgm_recipe_row *row,
                                        const struct dgm_recipe_texts *texts,
                                        struct dgm_settings *settings)
{
    const struct dgm_opt *tables[DGM_COMMON_TABLES + 1];

    dgm_common_tables(cmd->command, tables);
    DGM_TRY(dgm_settings_init(cmd->env, settings, tables));
    DGM_TRY(set_row(cmd->env, settings, row, texts));
    DGM_TRY(set_given(cmd->env, settings, &cmd->settings));
    DGM_TRY(dgm_rules_check(cmd->env, settings));
    return set_files(cmd->env, settings, "train-sets", texts->train);
}

/* ---- the command ----------------------------------------------------------------------------- */

/* What the command takes from elsewhere, or is not asked. */
static int is_left_out(const char *name)
{
    static const char *const names[] = { "recipe",  "config", "dump-config", "help", "dry-run",
                                         "threads", "quiet",  "log-level",   "model" };

    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (strcmp(names[i], name) == 0)
            return 1;
    return 0;
}

dgm_status dgm_recipe_training_line(struct dgm_cmd *cmd, const struct dgm_settings *settings,
                                    struct dgm_command_line *line)
{
    DGM_TRY(dgm_command_line_add(cmd->env, line, "train"));
    DGM_TRY(dgm_command_line_add(cmd->env, line, "--model"));
    DGM_TRY(dgm_command_line_add(cmd->env, line, dgm_settings_text(settings, "model")));
    for (size_t i = 0; i < settings->count; i++)
        if (settings->items[i].explicit_ && !is_left_out(settings->items[i].opt->name))
            DGM_TRY(dgm_command_line_add_setting(cmd->env, line, &settings->items[i]));
    return DGM_OK;
}
