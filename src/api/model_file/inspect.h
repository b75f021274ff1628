/* inspect.h: which keys and tensors of a model file are the state of a training run. */
#ifndef DGM_API_MODEL_FILE_INSPECT_H
#define DGM_API_MODEL_FILE_INSPECT_H

struct dgm_gguf_tensor;

/* Whether a key does: it may differ between checkpoints of one run, and is no part of the model. */
int dgm_inspect_is_state_key(const char *name);
/* Whether a tensor belongs to the state of a training run. */
int dgm_inspect_is_state(const struct dgm_gguf_tensor *tensor);

#endif
