/*
 * form.h: whether training text writes letters with accents in two ways, and so is brought to one.
 *
 * A text is mixed where some lines of a side have composed letters and others, or the same,
 * decomposed ones: one word is then two to vocabularies and to a model. A text that is decomposed
 * throughout is one of its own, and stays what it is.
 */
#ifndef DGM_TRAIN_TRANSLATION_SETS_FORM_H
#define DGM_TRAIN_TRANSLATION_SETS_FORM_H

#include "base/option/settings.h"

/* --unicode auto becomes nfc where the training text is mixed, which is said. Files that are not
 * there, or can be read only once, are not looked at; nor is text that goes to SentencePiece
 * models, which compose it, or to a model of --init, which has learned to read it. */
dgm_status dgm_sets_form_settle(struct dgm_env *env, struct dgm_settings *own);

#endif
