/*
 * pipeline_learn_spm.h: SentencePiece models of a pipeline, learned from its training texts.
 */
#ifndef DGM_DATA_TEXT_PIPELINE_LEARN_SPM_H
#define DGM_DATA_TEXT_PIPELINE_LEARN_SPM_H

#include "data/text/pipeline_learn.h"

/* Appends the model of a side, or of both where the pipeline is joint. A vocabulary of its pieces
 * has options->vocab_size entries, or 8000 where that is 0; characters: all there are. */
dgm_status dgm_pipeline_learn_spm(struct dgm_env *env, struct dgm_pipeline *pipeline, int side,
                                  const struct dgm_text_list *texts,
                                  const struct dgm_pipeline_learn_options *options,
                                  struct dgm_buf *out);

#endif
