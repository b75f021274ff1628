/*
 * found.h: which model a command uses where no file is named, and which tags ask it for a language.
 *
 * Models are looked for in the folders of --models (DRAGOMAN_MODELS); without those in
 * $XDG_DATA_HOME/dragoman, by default ~/.local/share/dragoman, and in dragoman/models of
 * $XDG_DATA_DIRS, by default of --datadir. The first folder with one that fits has to have no
 * other.
 */
#ifndef DGM_CMD_MODEL_FOUND_H
#define DGM_CMD_MODEL_FOUND_H

#include "api/program.h"
#include "cmd/common.h"

/* The folders of models, ended by NUL each; `texts` holds them. */
dgm_status dgm_cmd_model_folders(struct dgm_cmd *cmd, struct dgm_buf *texts);

/* What a model has to be. */
struct dgm_cmd_wish {
    unsigned kind;         /* of DGM_SHELF_.. */
    const char *from, *to; /* codes of languages, or NULL */
    int is_further;        /* what translates translations: --then, --then-tag, --then-target-tag
                            * stand for --models, --tag and --target-tag */
};
/* Whether it is that. */
int dgm_cmd_fits(const struct dgm_shelf_card *card, const struct dgm_cmd_wish *wish);

/* --models names files from now on. DGM_USAGE where none fits, or more than one. Without --then,
 * what translates further is looked for where --models says, or is the same model. */
dgm_status dgm_cmd_find_models(struct dgm_cmd *cmd, const struct dgm_cmd_wish *wish);

/* Sets --tag and --target-tag to what asks the first model of --models, which are files, for a
 * translation from and to these languages. DGM_USAGE where it does not know them. */
dgm_status dgm_cmd_ask_languages(struct dgm_cmd *cmd, const struct dgm_cmd_wish *wish);

#endif
