/* morphology.c: XPOS, FEATS and LEMMA as classes of words. */
#include "data/tree/morphology.h"

#include <string.h>

#include "text/lemma/lemma_script.h"

const char *const dgm_morph_names[DGM_MORPHS] = { "xpos", "feats", "lemma" };
const char *const dgm_morph_titles[DGM_MORPHS] = { "XPOS", "FEATS", "LEMMA" };
const enum dgm_conllu_column dgm_morph_columns[DGM_MORPHS] = { DGM_CONLLU_XPOS, DGM_CONLLU_FEATS,
                                                               DGM_CONLLU_LEMMA };

/* `_` is a lemma only of the word that is written so. */
static dgm_status script_of(struct dgm_env *env, struct dgm_buf *scratch, const char *form,
                            const char *lemma, const char **name)
{
    if (strcmp(lemma, "_") == 0 && strcmp(form, "_") != 0)
        return DGM_OK;
    dgm_buf_reset(scratch);
    DGM_TRY(dgm_lemma_script_learn(env, scratch, form, lemma));
    *name = scratch->size > 0 ? scratch->data : NULL;
    return DGM_OK;
}

dgm_status dgm_morph_class_of(struct dgm_env *env, struct dgm_buf *scratch, enum dgm_morph morph,
                              const char *form, const char *value, const char **name)
{
    *name = NULL;
    if (morph == DGM_MORPH_LEMMA)
        return script_of(env, scratch, form, value, name);
    if (morph == DGM_MORPH_FEATS || strcmp(value, "_") != 0)
        *name = value;
    return DGM_OK;
}
