/* shelf.c: the model files of folders, and what each says of itself. */
#include <string.h>

#include "api/context.h"
#include "api/program.h"
#include "base/file/folder.h"
#include "base/mem.h"
#include "model/file/card.h"

struct item {
    char *path;
    struct dgm_card card;
};

struct dgm_shelf {
    struct dgm_context *context;
    struct item *items;
    size_t count, capacity;
    const char *folder; /* that is listed at the moment */
};

static void clear_item(struct dgm_env *env, struct item *item)
{
    dgm_card_clear(env, &item->card);
    dgm_release(env, item->path);
    memset(item, 0, sizeof *item);
}

static dgm_status add_file(struct dgm_env *env, struct dgm_shelf *shelf, const char *path)
{
    struct item item = { .path = dgm_copy_text(env, path, strlen(path)) };
    dgm_status status = DGM_MEMORY;

    if (item.path == NULL)
        goto out;
    DGM_TRY_OUT(dgm_grow(env, &shelf->items, &shelf->capacity, shelf->count, sizeof item));
    DGM_TRY_OUT(dgm_card_read(env, &item.card, path));
    if (item.card.kinds == 0) {
        clear_item(env, &item);
        return DGM_OK;
    }
    shelf->items[shelf->count++] = item;
    return DGM_OK;
out:
    clear_item(env, &item);
    return status;
}

static dgm_status add_name(struct dgm_env *env, void *user, const char *name)
{
    struct dgm_shelf *shelf = user;
    const size_t length = strlen(name);
    struct dgm_buf path = { 0 };
    dgm_status status;

    if (length < 5 || strcmp(name + length - 5, ".gguf") != 0)
        return DGM_OK;
    status = dgm_buf_add_format(env, &path, "%s/%s", shelf->folder, name);
    if (status == DGM_OK)
        status = add_file(env, shelf, path.data);
    dgm_buf_clear(env, &path);
    if (status == DGM_OK || status == DGM_MEMORY || status == DGM_INTERRUPTED)
        return status;
    dgm_log(env, DGM_LOG_WARNING, "%s: passed over: %s", env->error.file, env->error.message);
    dgm_env_clear_error(env);
    return DGM_OK;
}

static dgm_status add_path(struct dgm_env *env, struct dgm_shelf *shelf, const char *path)
{
    if (!dgm_folder_is(env, path))
        return add_file(env, shelf, path);
    shelf->folder = path;
    return dgm_folder_list(env, path, add_name, shelf);
}

dgm_status dgm_shelf_open(dgm_context *context, const char *const *paths, size_t count,
                          struct dgm_shelf **shelf)
{
    struct dgm_env *env;
    struct dgm_shelf *made;
    dgm_status status = DGM_OK;

    DGM_ENTER_NEW(context, shelf);
    env = &context->env;
    DGM_TRY(dgm_new(env, &made, 1, sizeof *made));
    made->context = context;
    for (size_t i = 0; i < count && status == DGM_OK; i++)
        status = add_path(env, made, paths[i]);
    if (status != DGM_OK) {
        dgm_shelf_close(made);
        return status;
    }
    *shelf = made;
    return DGM_OK;
}

static unsigned kinds_of(const struct dgm_card *card)
{
    return (card->kinds & DGM_IS_TRANSLATION ? DGM_SHELF_TRANSLATION : 0U) |
           (card->kinds & DGM_IS_PARSER ? DGM_SHELF_PARSER : 0U) |
           (card->kinds & DGM_IS_LANGID ? DGM_SHELF_LANGID : 0U);
}

int dgm_shelf_card(const struct dgm_shelf *shelf, size_t number, struct dgm_shelf_card *card)
{
    const struct item *item;

    if (number >= shelf->count)
        return 0;
    item = &shelf->items[number];
    *card = (struct dgm_shelf_card){ .path = item->path,
                                     .name = item->card.name.data,
                                     .license = item->card.license.data,
                                     .from = item->card.from.data,
                                     .to = item->card.to.data,
                                     .kinds = kinds_of(&item->card),
                                     .is_tagged = item->card.is_tagged,
                                     .tags_both = item->card.tags_both,
                                     .bytes = item->card.bytes };
    return 1;
}

void dgm_shelf_close(struct dgm_shelf *shelf)
{
    struct dgm_env *env;

    if (shelf == NULL)
        return;
    env = &shelf->context->env;
    for (size_t i = 0; i < shelf->count; i++)
        clear_item(env, &shelf->items[i]);
    dgm_release(env, shelf->items);
    dgm_release(env, shelf);
}
