/* folder.h: the folder of a course, MODEL.course: made, told from others', locked. */
#ifndef DGM_CMD_RECIPE_FOLDER_H
#define DGM_CMD_RECIPE_FOLDER_H

#include "base/file/lock.h"
#include "cmd/recipe/journal.h"

struct dgm_recipe_folder {
    char path[1100];
    struct dgm_lock lock;
    struct dgm_journal journal; /* its file `commands`, by which the folder is known */
};

/* Names it after the model; nothing is looked at. */
dgm_status dgm_recipe_folder_name(struct dgm_env *env, struct dgm_recipe_folder *folder,
                                  const char *model);
/*
 * Makes it, or takes it where a course has made it, and reads what is done there. DGM_FAILURE where
 * somebody else works there, DGM_USAGE where it is a folder of other files.
 */
dgm_status dgm_recipe_folder_open(struct dgm_env *env, struct dgm_recipe_folder *folder,
                                  int may_lack_lock);
void dgm_recipe_folder_close(struct dgm_env *env, struct dgm_recipe_folder *folder);

/* A remark for the journal on a text that a course begins from: another text is another course. */
dgm_status dgm_recipe_folder_text(struct dgm_env *env, struct dgm_recipe_folder *folder,
                                  const char *path);

#endif
