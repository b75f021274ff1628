/* translate_document.h: `translate --format`: a document in, a document out. */
#ifndef DGM_CMD_MODEL_TRANSLATE_DOCUMENT_H
#define DGM_CMD_MODEL_TRANSLATE_DOCUMENT_H

#include "base/ranks/ranks.h"
#include "cmd/common.h"

/* Reads --input, a document of --format, and writes it to --output, translated. Of several ranks
 * the first does so. */
dgm_status dgm_cmd_translate_document(struct dgm_cmd *cmd, dgm_translator *translator,
                                      const struct dgm_ranks *ranks);

#endif
