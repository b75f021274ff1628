/* quantize.h: a translation model, or a parser, with its matrices in fewer bits. */
#ifndef DGM_MODEL_FILE_QUANTIZE_H
#define DGM_MODEL_FILE_QUANTIZE_H

#include "base/env.h"

enum { DGM_QUANTIZE_TYPES = 3 };

/* "q8_0", "bf16", "f16". */
extern const char *const dgm_quantize_types[DGM_QUANTIZE_TYPES];

/* Writes a file's model, whose matrices become numbers of dgm_quantize_types[type]. DGM_MODEL where
 * nothing would become smaller, or a number is beyond the type. */
dgm_status dgm_quantize_file(struct dgm_env *env, const char *path, int type, const char *out);

#endif
