/* parse_eval_systems.h: `parse-eval` with several systems, or by groups of words. */
#ifndef DGM_CMD_TREE_PARSE_EVAL_SYSTEMS_H
#define DGM_CMD_TREE_PARSE_EVAL_SYSTEMS_H

#include "cmd/common.h"

/* Whether the command line asks for one of these tables. */
int dgm_parse_eval_is_of_systems(const struct dgm_cmd *cmd);
dgm_status dgm_parse_eval_systems(struct dgm_cmd *cmd);

#endif
