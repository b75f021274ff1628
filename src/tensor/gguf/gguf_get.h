/*
 * gguf_get.h: what a GGUF file says: values of its keys, numbers of its tensors.
 */
#ifndef DGM_TENSOR_GGUF_GGUF_GET_H
#define DGM_TENSOR_GGUF_GGUF_GET_H

#include "base/real.h"
#include "tensor/gguf/gguf_read.h"

/* ---- metadata --------------------------------------------------------- */

/* All keys are file->keys[0..key_count-1], in file order. NULL if there is none. */
const struct dgm_gguf_key *dgm_gguf_find_key(const struct dgm_gguf *file, const char *name);

/* UTF-8 without NUL, and not ended by one. NULL if the key is absent or no string. */
const char *dgm_gguf_text(const struct dgm_gguf *file, const char *name, size_t *length);

/* Return 1; or 0, leaving *value alone, if the key is absent, of another type or does not
 * fit. int: any integer type. real: any number. flag: bool only. */
int dgm_gguf_int(const struct dgm_gguf *file, const char *name, int64_t *value);
int dgm_gguf_uint(const struct dgm_gguf *file, const char *name, uint64_t *value);
int dgm_gguf_real(const struct dgm_gguf *file, const char *name, double *value);
int dgm_gguf_flag(const struct dgm_gguf *file, const char *name, int *value);

/* An array of strings, of any integers: NULL if absent or of another type. */
const struct dgm_gguf_key *dgm_gguf_strings(const struct dgm_gguf *file, const char *name,
                                            size_t *count);
const struct dgm_gguf_key *dgm_gguf_ints(const struct dgm_gguf *file, const char *name,
                                         size_t *count);

/* Item i of such an array, or of one of floats; i < count. A u64 above the largest int64_t
 * wraps. */
const char *dgm_gguf_string_at(const struct dgm_gguf *file, const struct dgm_gguf_key *key,
                               size_t i, size_t *length);
int64_t dgm_gguf_int_at(const struct dgm_gguf *file, const struct dgm_gguf_key *key, size_t i);
double dgm_gguf_real_at(const struct dgm_gguf *file, const struct dgm_gguf_key *key, size_t i);

/* ---- tensors ---------------------------------------------------------- */

/* All tensors are file->tensors[0..tensor_count-1], in file order. */
const struct dgm_gguf_tensor *dgm_gguf_find_tensor(const struct dgm_gguf *file, const char *name);

/* The little-endian bytes, tensor->bytes of them. */
const unsigned char *dgm_gguf_data(const struct dgm_gguf *file,
                                   const struct dgm_gguf_tensor *tensor);

/* Converts from f32, f16, bf16, q8_0 or f64. DGM_MODEL if the type or count is another.
 */
dgm_status dgm_gguf_read_reals(struct dgm_env *env, const struct dgm_gguf *file,
                               const struct dgm_gguf_tensor *tensor, dgm_real *out, size_t count);

/* The same of numbers that are computed with: DGM_MODEL, with the tensor's name, if one of them is
 * NaN or infinite. */
dgm_status dgm_gguf_read_finite(struct dgm_env *env, const struct dgm_gguf *file,
                                const struct dgm_gguf_tensor *tensor, dgm_real *out, size_t count);

/* DGM_MODEL unless a tensor has floating-point numbers. */
dgm_status dgm_gguf_check_reals(struct dgm_env *env, const struct dgm_gguf *file,
                                const struct dgm_gguf_tensor *tensor);

/* `count` numbers of such a type, whole blocks of it, from the bytes of a file. */
void dgm_gguf_convert(dgm_real *out, const unsigned char *in, enum dgm_gguf_type type,
                      size_t count);

/* The first number that is not finite, or `count`; and the failure that says which it is. */
size_t dgm_gguf_find_bad(const dgm_real *values, size_t count);
dgm_status dgm_gguf_fail_finite(struct dgm_env *env, const struct dgm_gguf *file,
                                const struct dgm_gguf_tensor *tensor, size_t bad, dgm_real value);

/* The first number further from zero than `most`, which is finite, or NaN; or `count`. And the
 * failure of number `bad` of a tensor, for the type of numbers `type`, which ends at `most`;
 * `expected` says what to do. */
size_t dgm_gguf_find_beyond(const dgm_real *values, size_t count, dgm_real most);
dgm_status dgm_gguf_fail_range(struct dgm_env *env, const struct dgm_gguf *file,
                               const struct dgm_gguf_tensor *tensor, size_t bad, double value,
                               const char *type, double most, const char *expected);

#endif
