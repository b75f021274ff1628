/*
 * rules.h: which options go together, as the rows say it (clause.h).
 */
#ifndef DGM_BASE_OPTION_RULES_H
#define DGM_BASE_OPTION_RULES_H

#include "base/option/settings.h"

/* DGM_USAGE where the settings break a rule of one of their rows. */
dgm_status dgm_rules_check(struct dgm_env *env, const struct dgm_settings *settings);

#endif
