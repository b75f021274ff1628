/* card_write.h: a model file with other words of itself: keys of the GGUF specification. */
#ifndef DGM_MODEL_FILE_CARD_WRITE_H
#define DGM_MODEL_FILE_CARD_WRITE_H

#include "base/env.h"

/* "name=English to German": general.name becomes that text; of "languages=en,de" and others that
 * list, an array; nothing behind the = takes the key away. DGM_USAGE for what is no such text or
 * stands there twice. The rest of the file stays, to the byte of each value. */
dgm_status dgm_card_write(struct dgm_env *env, const char *path, char *const *words, size_t count,
                          const char *out);

#endif
