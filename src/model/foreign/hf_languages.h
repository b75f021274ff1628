/*
 * hf_languages.h: the vocabulary of a model of transformers that knows many languages, M2M-100 or
 * NLLB-200: pieces, and behind them the names of languages, of which a line begins with one.
 */
#ifndef DGM_MODEL_FOREIGN_HF_LANGUAGES_H
#define DGM_MODEL_FOREIGN_HF_LANGUAGES_H

#include "model/foreign/import.h"

/*
 * Fills import->vocab[DGM_SOURCE]: from vocab.json (M2M-100) or, where there is none, from
 * sentencepiece.bpe.model in fairseq's numbers (NLLB-200: import->tags_from is set); then the
 * languages, from the first of tokenizer.json, added_tokens.json, special_tokens_map.json and
 * tokenizer_config.json that names some. DGM_MODEL where neither vocabulary is there, or where its
 * tokenizer puts languages behind the end (legacy_behaviour).
 */
dgm_status dgm_hf_languages_read(struct dgm_env *env, struct dgm_import *import);

#endif
