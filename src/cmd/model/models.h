/* models.h: the files of --models, and where a new model goes. */
#ifndef DGM_CMD_MODEL_MODELS_H
#define DGM_CMD_MODEL_MODELS_H

#include "cmd/common.h"

/* The files of --models. DGM_USAGE if there are none, or if one behind the first is no model. */
enum { DGM_CMD_MODELS = 16 };
dgm_status dgm_cmd_models(struct dgm_cmd *cmd, const char *names[DGM_CMD_MODELS], size_t *count);

/* DGM_USAGE unless --output names a file that is not there, or --overwrite was given. */
dgm_status dgm_cmd_new_model(struct dgm_cmd *cmd);

#endif
