/* found.c: folders, what is in them, and languages as tags. */
#include "cmd/model/found.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file/folder.h"
#include "config.h"

enum { TAG = 40 };

/* Options of the model, and of what translates its translations further. */
enum wanted { MODELS, TAG_OF_SOURCE, TAG_OF_TARGET };

static const char *option_of(const struct dgm_cmd_wish *wish, enum wanted which)
{
    static const char *const names[][3] = { { "models", "tag", "target-tag" },
                                            { "then", "then-tag", "then-target-tag" } };

    return names[wish->is_further][which];
}

/* ---- folders --------------------------------------------------------------------------------- */

static dgm_status add_folder(struct dgm_env *env, struct dgm_buf *texts, const char *folder,
                             size_t bytes, const char *below)
{
    if (bytes == 0)
        return DGM_OK;
    DGM_TRY(dgm_buf_add(env, texts, folder, bytes));
    return dgm_buf_add(env, texts, below, strlen(below) + 1);
}

/* As the XDG Base Directory Specification has it: an empty variable is as none. */
static dgm_status add_usual(struct dgm_env *env, struct dgm_buf *texts)
{
    const char *data = getenv("XDG_DATA_HOME"), *home = getenv("HOME");
    const char *others = getenv("XDG_DATA_DIRS");

    if (data != NULL && *data != '\0')
        DGM_TRY(add_folder(env, texts, data, strlen(data), "/dragoman"));
    else if (home != NULL)
        DGM_TRY(add_folder(env, texts, home, strlen(home), "/.local/share/dragoman"));
    if (others == NULL || *others == '\0')
        return add_folder(env, texts, DGM_MODELS, strlen(DGM_MODELS), "");
    while (*others != '\0') {
        const size_t bytes = strcspn(others, ":");

        DGM_TRY(add_folder(env, texts, others, bytes, "/dragoman/models"));
        others += bytes + (others[bytes] == ':');
    }
    return DGM_OK;
}

static dgm_status list_folders(struct dgm_cmd *cmd, const char *option, struct dgm_buf *texts)
{
    const size_t count = dgm_settings_count(&cmd->settings, option);

    for (size_t i = 0; i < count; i++) {
        const char *item = dgm_settings_item(&cmd->settings, option, i);

        DGM_TRY(add_folder(cmd->env, texts, item, strlen(item), ""));
    }
    return count > 0 ? DGM_OK : add_usual(cmd->env, texts);
}

dgm_status dgm_cmd_model_folders(struct dgm_cmd *cmd, struct dgm_buf *texts)
{
    return list_folders(cmd, "models", texts);
}

/* ---- what fits ------------------------------------------------------------------------------- */

/* Whether a code is among those of a list; any is where the list is empty. */
static int has_code(const char *codes, const char *code)
{
    const size_t length = strlen(code);

    if (*codes == '\0')
        return 1;
    for (; *codes != '\0'; codes += strspn(codes, " ")) {
        const size_t bytes = strcspn(codes, " ");

        if (bytes == length && memcmp(codes, code, bytes) == 0)
            return 1;
        codes += bytes;
    }
    return 0;
}

int dgm_cmd_fits(const struct dgm_shelf_card *card, const struct dgm_cmd_wish *wish)
{
    if ((card->kinds & wish->kind) == 0)
        return 0;
    if (wish->from != NULL && !has_code(card->from, wish->from))
        return 0;
    if (wish->to != NULL && (*card->to == '\0' || !has_code(card->to, wish->to)))
        return 0;
    return wish->from == NULL || wish->to == NULL || strcmp(wish->from, wish->to) != 0;
}

/* ---- the one that is found ------------------------------------------------------------------- */

/* Part of a message: " from de to en". */
static const char *say_languages(char text[2 * TAG], const struct dgm_cmd_wish *wish)
{
    snprintf(text, 2 * TAG, "%s%.16s%s%.16s", wish->from != NULL ? " from " : "",
             wish->from != NULL ? wish->from : "", wish->to != NULL ? " to " : "",
             wish->to != NULL ? wish->to : "");
    return text;
}

static dgm_status store_models(struct dgm_cmd *cmd, const struct dgm_cmd_wish *wish, char **items,
                               size_t count, const char *origin)
{
    const char *option = option_of(wish, MODELS);

    return dgm_settings_store_items(cmd->env,
                                    dgm_settings_find(&cmd->settings, option, strlen(option)),
                                    items, count, origin);
}

/* --models becomes the one file of a folder that fits. *found: how many do; *seen: files. */
static dgm_status look_into(struct dgm_cmd *cmd, const char *folder,
                            const struct dgm_cmd_wish *wish, size_t *found, size_t *seen)
{
    struct dgm_shelf_card card, first = { 0 };
    struct dgm_shelf *shelf;
    dgm_status status = DGM_OK;

    *found = *seen = 0;
    DGM_TRY(dgm_shelf_open(cmd->context, &folder, 1, &shelf));
    while (dgm_shelf_card(shelf, (*seen)++, &card) && *found < 2) {
        if (!dgm_cmd_fits(&card, wish))
            continue;
        if ((*found)++ == 0)
            first = card;
        else
            status = dgm_fail(cmd->env, DGM_USAGE,
                              "%s and %s both fit; expected --%s FILE, or languages that only "
                              "one of them has",
                              first.path, card.path, option_of(wish, MODELS));
    }
    *seen -= 1;
    if (*found == 1) {
        char *items[] = { (char *)(size_t)first.path };

        status = store_models(cmd, wish, items, 1, folder);
        dgm_log(cmd->env, DGM_LOG_NOTE, "model: %s", first.path);
    }
    dgm_shelf_close(shelf);
    return status;
}

static dgm_status fail_to_find(struct dgm_cmd *cmd, const struct dgm_buf *folders, size_t seen,
                               const struct dgm_cmd_wish *wish)
{
    struct dgm_buf list = { 0 };
    char languages[2 * TAG];
    dgm_status status = DGM_OK;

    for (size_t at = 0; at < folders->size && status == DGM_OK;
         at += strlen(folders->data + at) + 1)
        status =
            dgm_buf_add_format(cmd->env, &list, "%s%s", at > 0 ? ", " : "", folders->data + at);
    if (status == DGM_OK)
        status = dgm_fail(cmd->env, DGM_USAGE,
                          "no %s%s among %zu model%s in %s; expected --%s FILE, or one "
                          "there (dragoman models lists them)",
                          wish->kind == DGM_SHELF_PARSER ? "parser" : "translation model",
                          say_languages(languages, wish), seen, seen == 1 ? "" : "s", list.data,
                          option_of(wish, MODELS));
    dgm_buf_clear(cmd->env, &list);
    return status;
}

static dgm_status find_in(struct dgm_cmd *cmd, const struct dgm_buf *folders,
                          const struct dgm_cmd_wish *wish)
{
    size_t found = 0, seen, all = 0;

    for (size_t at = 0; at < folders->size && found == 0; at += strlen(folders->data + at) + 1) {
        if (!dgm_folder_is(cmd->env, folders->data + at))
            continue;
        DGM_TRY(look_into(cmd, folders->data + at, wish, &found, &seen));
        all += seen;
    }
    return found > 0 ? DGM_OK : fail_to_find(cmd, folders, all, wish);
}

/* 0: the option names files alone. */
static dgm_status needs_search(struct dgm_cmd *cmd, const char *option, int *needs)
{
    const size_t count = dgm_settings_count(&cmd->settings, option);
    const char *item, *folder = NULL, *file = NULL;

    for (size_t i = 0; i < count; i++) {
        item = dgm_settings_item(&cmd->settings, option, i);
        *(dgm_folder_is(cmd->env, item) ? &folder : &file) = item;
    }
    *needs = file == NULL;
    if (folder == NULL || file == NULL)
        return DGM_OK;
    return dgm_fail_at(cmd->env, DGM_USAGE, folder, 0, 0,
                       "a folder beside the file %s; expected folders, of which the model that "
                       "fits is used, or files",
                       file);
}

/* The same models are to translate further. */
static dgm_status use_again(struct dgm_cmd *cmd, const struct dgm_cmd_wish *wish)
{
    const struct dgm_setting *models = dgm_settings_find(&cmd->settings, "models", 6);

    return store_models(cmd, wish, models->items, models->item_count, models->origin);
}

dgm_status dgm_cmd_find_models(struct dgm_cmd *cmd, const struct dgm_cmd_wish *wish)
{
    const char *option = option_of(wish, MODELS);
    struct dgm_buf folders = { 0 };
    dgm_status status;
    int needs;

    if (wish->is_further && dgm_settings_count(&cmd->settings, option) == 0)
        option = "models";
    DGM_TRY(needs_search(cmd, option, &needs));
    if (!needs)
        return wish->is_further && strcmp(option, "models") == 0 ? use_again(cmd, wish) : DGM_OK;
    status = list_folders(cmd, option, &folders);
    if (status == DGM_OK)
        status = find_in(cmd, &folders, wish);
    dgm_buf_clear(cmd->env, &folders);
    return status;
}

/* ---- languages ------------------------------------------------------------------------------- */

static dgm_status set_tag(struct dgm_cmd *cmd, const char *option, const char *code, size_t bytes)
{
    char tag[TAG];

    snprintf(tag, sizeof tag, "<%.*s>", (int)bytes, code);
    return dgm_settings_set(cmd->env, &cmd->settings, option, tag, "--from, --to");
}

/* Of two languages the one that is not `from`; NULL where there are more. */
static const char *other_code(const char *codes, const char *from, size_t *bytes)
{
    const size_t first = strcspn(codes, " ");
    const char *second = codes + first + (codes[first] == ' ');

    if (from == NULL || *second == '\0' || strchr(second, ' ') != NULL)
        return NULL;
    *bytes = strcmp(second, from) == 0 ? first : strlen(second);
    return strcmp(second, from) == 0 ? codes : second;
}

/* Whether the translations of this model are translated further. */
static int has_middle(const struct dgm_cmd *cmd, const struct dgm_cmd_wish *wish)
{
    return !wish->is_further && dgm_settings_find(&cmd->settings, "then", 4) != NULL &&
           dgm_settings_count(&cmd->settings, "then") > 0;
}

/* The language that is wanted, unless a tag says it. */
static dgm_status set_wanted(struct dgm_cmd *cmd, const struct dgm_shelf_card *card,
                             const struct dgm_cmd_wish *wish)
{
    const char *option = option_of(wish, card->tags_both ? TAG_OF_TARGET : TAG_OF_SOURCE);
    size_t bytes = wish->to != NULL ? strlen(wish->to) : 0;
    const char *to = wish->to != NULL ? wish->to : other_code(card->to, wish->from, &bytes);

    if (dgm_settings_text(&cmd->settings, option) != NULL)
        return DGM_OK;
    if (to != NULL)
        return set_tag(cmd, option, to, bytes);
    return dgm_fail_at(cmd->env, DGM_USAGE, card->path, 0, 0,
                       "translates to %.200s; expected one of them behind --%s", card->to,
                       has_middle(cmd, wish) ? "via" : "to");
}

static dgm_status choose_tags(struct dgm_cmd *cmd, const struct dgm_shelf_card *card,
                              const struct dgm_cmd_wish *wish)
{
    const char *option;

    DGM_TRY(set_wanted(cmd, card, wish));
    if (!card->tags_both || wish->from == NULL)
        return DGM_OK;
    option = option_of(wish, TAG_OF_SOURCE);
    if (dgm_settings_text(&cmd->settings, option) != NULL)
        return dgm_fail(cmd->env, DGM_USAGE,
                        "--%s with --%s, which names it itself; expected one of the two", option,
                        wish->is_further ? "via" : "from");
    return set_tag(cmd, option, wish->from, strlen(wish->from));
}

static dgm_status ask(struct dgm_cmd *cmd, const struct dgm_shelf_card *card,
                      const struct dgm_cmd_wish *wish)
{
    char languages[2 * TAG];

    if (!dgm_cmd_fits(card, wish))
        return dgm_fail_at(cmd->env, DGM_USAGE, card->path, 0, 0,
                           "does not translate%s, but from %.200s to %.200s",
                           say_languages(languages, wish), card->from, card->to);
    return card->is_tagged ? choose_tags(cmd, card, wish) : DGM_OK;
}

dgm_status dgm_cmd_ask_languages(struct dgm_cmd *cmd, const struct dgm_cmd_wish *wish)
{
    const char *path = dgm_settings_item(&cmd->settings, option_of(wish, MODELS), 0);
    struct dgm_shelf_card card;
    struct dgm_shelf *shelf;
    dgm_status status = DGM_OK;

    if (wish->from == NULL && wish->to == NULL)
        return DGM_OK;
    DGM_TRY(dgm_shelf_open(cmd->context, &path, 1, &shelf));
    if (dgm_shelf_card(shelf, 0, &card)) /* what is no model, its reader refuses */
        status = ask(cmd, &card, wish);
    dgm_shelf_close(shelf);
    return status;
}
