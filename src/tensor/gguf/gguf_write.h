/*
 * gguf_write.h: makes GGUF files (format: gguf_read.h).
 */
#ifndef DGM_TENSOR_GGUF_GGUF_WRITE_H
#define DGM_TENSOR_GGUF_GGUF_WRITE_H

#include "base/buf.h"
#include "base/real.h"
#include "tensor/gguf/gguf_read.h"

/* Data in memory: as they stand in a file, dgm_real. */
enum dgm_gguf_kind { DGM_GGUF_RAW, DGM_GGUF_REALS };

struct dgm_gguf_source {
    size_t name; /* entry of tensor_names */
    enum dgm_gguf_type type;
    int rank;
    size_t dims[DGM_GGUF_RANK];
    size_t count, bytes;
    const void *data;
    enum dgm_gguf_kind kind; /* of the data */
};

/*
 * What will be written. Zero-initialise, add keys and tensors in the order of the file,
 * write as often as you like, clear. Strings are copied; tensor data are borrowed until
 * the last write. A name that is used twice, too long or not printable ASCII, and text
 * that is not UTF-8 or holds a NUL, fail with DGM_MODEL. After a failure to add, the
 * writer may only be cleared.
 */
struct dgm_gguf_writer {
    struct dgm_buf keys; /* as they stand in the file */
    size_t key_count;
    size_t strings_missing; /* of an array that was begun */
    struct dgm_gguf_source *tensors;
    size_t tensor_count, tensor_capacity;
    struct dgm_map key_names, tensor_names;
    size_t name_limit;     /* bytes of a tensor name; 0 means DGM_GGUF_NAME_WRITE */
    int without_checksums; /* write the file as other programs do */
};

void dgm_gguf_writer_clear(struct dgm_env *env, struct dgm_gguf_writer *writer);

dgm_status dgm_gguf_add_u32(struct dgm_env *env, struct dgm_gguf_writer *writer, const char *key,
                            uint32_t value);
dgm_status dgm_gguf_add_i64(struct dgm_env *env, struct dgm_gguf_writer *writer, const char *key,
                            int64_t value);
dgm_status dgm_gguf_add_u64(struct dgm_env *env, struct dgm_gguf_writer *writer, const char *key,
                            uint64_t value);
dgm_status dgm_gguf_add_f64(struct dgm_env *env, struct dgm_gguf_writer *writer, const char *key,
                            double value);
dgm_status dgm_gguf_add_bool(struct dgm_env *env, struct dgm_gguf_writer *writer, const char *key,
                             int value);
dgm_status dgm_gguf_add_text(struct dgm_env *env, struct dgm_gguf_writer *writer, const char *key,
                             const char *text, size_t length);

/* An array of strings, one by one: begin, then exactly `count` items. */
dgm_status dgm_gguf_begin_strings(struct dgm_env *env, struct dgm_gguf_writer *writer,
                                  const char *key, size_t count);
dgm_status dgm_gguf_add_item(struct dgm_env *env, struct dgm_gguf_writer *writer, const char *text,
                             size_t length);

/* An array of bytes (u8), whatever they mean. */
dgm_status dgm_gguf_add_bytes(struct dgm_env *env, struct dgm_gguf_writer *writer, const char *key,
                              const void *bytes, size_t count);
dgm_status dgm_gguf_add_u64s(struct dgm_env *env, struct dgm_gguf_writer *writer, const char *key,
                             const uint64_t *items, size_t count);

/* A key as another file has it. Alignment and checksums, which the writer makes, are
 * passed over. */
dgm_status dgm_gguf_add_key(struct dgm_env *env, struct dgm_gguf_writer *writer,
                            const struct dgm_gguf *file, const struct dgm_gguf_key *key);

/* A tensor of shape dims[0..rank-1], outermost first, as f32, f16, bf16, q8_0 or f64. */
dgm_status dgm_gguf_add_reals(struct dgm_env *env, struct dgm_gguf_writer *writer, const char *name,
                              enum dgm_gguf_type type, int rank, const size_t *dims,
                              const dgm_real *data);
/* Bytes as they stand in a file, of any type: a tensor of another file, for instance. */
dgm_status dgm_gguf_add_raw(struct dgm_env *env, struct dgm_gguf_writer *writer, const char *name,
                            enum dgm_gguf_type type, int rank, const size_t *dims,
                            const void *data);

/*
 * Writes atomically, in pieces of at most 1 MiB: nothing is held twice. The data are read
 * twice, first for the checksums, which stand before them.
 */
dgm_status dgm_gguf_write(struct dgm_env *env, const struct dgm_gguf_writer *writer,
                          const char *path);

/* Appends the same bytes to a buffer. */
dgm_status dgm_gguf_write_memory(struct dgm_env *env, const struct dgm_gguf_writer *writer,
                                 struct dgm_buf *out);

#endif
