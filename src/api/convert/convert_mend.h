/*
 * convert_mend.h: sentences that options let pass, made such that they can be read without them.
 */
#ifndef DGM_API_CONVERT_CONVERT_MEND_H
#define DGM_API_CONVERT_CONVERT_MEND_H

#include "syntax/conllu/conllu.h"

/* Heads that --multi-root has moved; of a sentence with faults (`broken`) the words alone. */
dgm_status dgm_convert_mend(struct dgm_env *env, struct dgm_conllu_sentence *sentence, int broken);

#endif
