/*
 * gguf.h: the container of models and checkpoints, GGUF version 3.
 *
 * A file is: magic, version and counts; key/value pairs; descriptions of the tensors;
 * zero bytes up to a multiple of the alignment; then the tensors' data in the same order,
 * each followed by zero bytes up to a multiple of the alignment. All numbers are
 * little-endian.
 *
 * A file is untrusted. Reading checks every number against the bytes that remain before
 * it is used, refuses whatever has no single meaning (repeated names, holes, overlaps,
 * bytes after the end), and executes nothing. What a loaded file says is well-formed;
 * whether it makes sense is the caller's question.
 *
 * Checksums (base/hash.h). Files of ours hold two keys more, which the writer adds:
 *
 *   dragoman.tensor.checksums   array of u64: of each tensor's data, in file order,
 * without the zero bytes behind them dragoman.meta.checksum      u64: of all bytes before
 * the data section, with the eight bytes of this value itself taken as zero
 *
 * The remaining bytes are padding, which must be zero: every flipped bit is found.
 */
#ifndef DGM_TENSOR_GGUF_GGUF_H
#define DGM_TENSOR_GGUF_GGUF_H

#include "base/buf.h"
#include "base/env.h"
#include "base/map.h"
#include "base/real.h"

#define DGM_GGUF_RANK 4        /* most dimensions of a tensor */
#define DGM_GGUF_NAME 255      /* most bytes of a key or a tensor name, reading */
#define DGM_GGUF_NAME_WRITE 63 /* most bytes of a tensor name, writing, for other readers */

#define DGM_GGUF_KEY_ALIGNMENT "general.alignment"
#define DGM_GGUF_KEY_META "dragoman.meta.checksum"
#define DGM_GGUF_KEY_TENSORS "dragoman.tensor.checksums"

/* Types of tensors, with the numbers they have in a file. */
enum dgm_gguf_type {
    DGM_GGUF_F32 = 0,
    DGM_GGUF_F16 = 1,
    DGM_GGUF_Q8_0 = 8, /* half.h; the innermost dimension is a multiple of 32 */
    DGM_GGUF_I8 = 24,
    DGM_GGUF_I16 = 25,
    DGM_GGUF_I32 = 26,
    DGM_GGUF_I64 = 27,
    DGM_GGUF_F64 = 28,
    DGM_GGUF_BF16 = 30
};

/* Types of values in key/value pairs, with the numbers they have in a file. */
enum dgm_gguf_value {
    DGM_GGUF_VALUE_U8,
    DGM_GGUF_VALUE_I8,
    DGM_GGUF_VALUE_U16,
    DGM_GGUF_VALUE_I16,
    DGM_GGUF_VALUE_U32,
    DGM_GGUF_VALUE_I32,
    DGM_GGUF_VALUE_F32,
    DGM_GGUF_VALUE_BOOL,
    DGM_GGUF_VALUE_STRING,
    DGM_GGUF_VALUE_ARRAY,
    DGM_GGUF_VALUE_U64,
    DGM_GGUF_VALUE_I64,
    DGM_GGUF_VALUE_F64
};

struct dgm_gguf_key {
    const char *name;         /* printable ASCII, ended by NUL */
    enum dgm_gguf_value type; /* of the items, if this is an array */
    int is_array;
    size_t count;     /* items; 1 unless an array */
    size_t at, bytes; /* the value in the file, from behind its type number */
    size_t first;     /* the first item in the file */
    size_t *strings;  /* arrays of strings: where each begins in the file */
};

struct dgm_gguf_tensor {
    const char *name; /* printable ASCII, ended by NUL */
    enum dgm_gguf_type type;
    int rank;                   /* 1..4 */
    size_t dims[DGM_GGUF_RANK]; /* outermost first, row-major: (out, in); 1 beyond rank */
    size_t count;               /* product of dims */
    size_t at, bytes;           /* the data in the file */
};

struct dgm_gguf {
    char name[256]; /* of the file, for messages */
    const unsigned char *bytes;
    size_t size;
    unsigned char *owned;   /* the block to release, or NULL: bytes are borrowed */
    size_t alignment, data; /* where the data section begins */
    struct dgm_gguf_key *keys;
    size_t key_count;
    struct dgm_gguf_tensor *tensors;
    size_t tensor_count;
    struct dgm_map key_map, tensor_map;
};

/* ---- reading (gguf_read.c, gguf_load.c) -------------------------------------------- */

/* Reads a whole regular file into memory. DGM_MODEL, with a byte offset, if it is bad; one that is
 * longer or shorter than its head says is refused before the rest is read. */
dgm_status dgm_gguf_load(struct dgm_env *env, struct dgm_gguf *file, const char *path);

/* The same from memory, borrowed until dgm_gguf_clear. `name` is used in messages. */
dgm_status dgm_gguf_parse(struct dgm_env *env, struct dgm_gguf *file, const void *bytes,
                          size_t count, const char *name);

/* Whether a file is a GGUF file, with this general.architecture (NULL: any); reads no more than its
 * head. Never fails for what the file is. */
dgm_status dgm_gguf_is(struct dgm_env *env, const char *path, const char *architecture, int *is);

/* What another kind of file, told by its first bytes, is called ("a zip archive"); NULL.
 */
const char *dgm_gguf_recognise(const unsigned char *bytes, size_t count);

void dgm_gguf_clear(struct dgm_env *env, struct dgm_gguf *file);

/*
 * Compares all checksums; fails with DGM_MODEL and names what is damaged. *has_checksums
 * (may be NULL) becomes 0 for a file that was written without any, which passes.
 */
dgm_status dgm_gguf_verify(struct dgm_env *env, const struct dgm_gguf *file, int *has_checksums);

/* ---- metadata (gguf_get.c) --------------------------------------------------------- */

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

/* An array of strings, of any integers, of floats: NULL if absent or of another type. */
const struct dgm_gguf_key *dgm_gguf_strings(const struct dgm_gguf *file, const char *name,
                                            size_t *count);
const struct dgm_gguf_key *dgm_gguf_ints(const struct dgm_gguf *file, const char *name,
                                         size_t *count);
const struct dgm_gguf_key *dgm_gguf_reals(const struct dgm_gguf *file, const char *name,
                                          size_t *count);

/* Item i of such an array; i < count. A u64 above the largest int64_t wraps. */
const char *dgm_gguf_string_at(const struct dgm_gguf *file, const struct dgm_gguf_key *key,
                               size_t i, size_t *length);
int64_t dgm_gguf_int_at(const struct dgm_gguf *file, const struct dgm_gguf_key *key, size_t i);
double dgm_gguf_real_at(const struct dgm_gguf *file, const struct dgm_gguf_key *key, size_t i);

/* ---- tensors (gguf_get.c) ---------------------------------------------------------- */

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
 * NaN or infinite (gguf_finite.c). */
dgm_status dgm_gguf_read_finite(struct dgm_env *env, const struct dgm_gguf *file,
                                const struct dgm_gguf_tensor *tensor, dgm_real *out, size_t count);

/* Converts from i8, i16, i32 or i64. DGM_MODEL if another type or count is there, or a
 * value that does not fit; then out[] holds the values before it. */
dgm_status dgm_gguf_read_ints(struct dgm_env *env, const struct dgm_gguf *file,
                              const struct dgm_gguf_tensor *tensor, int32_t *out, size_t count);

/* "f32", "q8_0", ... */
const char *dgm_gguf_type_name(enum dgm_gguf_type type);

/* ---- writing (gguf_write.c, gguf_save.c) ------------------------------------------- */

/* Data in memory: as they stand in a file, dgm_real, int32_t. */
enum dgm_gguf_kind { DGM_GGUF_RAW, DGM_GGUF_REALS, DGM_GGUF_INTS };

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
dgm_status dgm_gguf_add_f32(struct dgm_env *env, struct dgm_gguf_writer *writer, const char *key,
                            float value);
dgm_status dgm_gguf_add_f64(struct dgm_env *env, struct dgm_gguf_writer *writer, const char *key,
                            double value);
dgm_status dgm_gguf_add_bool(struct dgm_env *env, struct dgm_gguf_writer *writer, const char *key,
                             int value);
dgm_status dgm_gguf_add_text(struct dgm_env *env, struct dgm_gguf_writer *writer, const char *key,
                             const char *text, size_t length);

/* `lengths` may be NULL: the strings are ended by NUL. */
dgm_status dgm_gguf_add_strings(struct dgm_env *env, struct dgm_gguf_writer *writer,
                                const char *key, const char *const *items, const size_t *lengths,
                                size_t count);
/* The same one by one: begin, then exactly `count` items. */
dgm_status dgm_gguf_begin_strings(struct dgm_env *env, struct dgm_gguf_writer *writer,
                                  const char *key, size_t count);
dgm_status dgm_gguf_add_item(struct dgm_env *env, struct dgm_gguf_writer *writer, const char *text,
                             size_t length);

dgm_status dgm_gguf_add_i32s(struct dgm_env *env, struct dgm_gguf_writer *writer, const char *key,
                             const int32_t *items, size_t count);
dgm_status dgm_gguf_add_u64s(struct dgm_env *env, struct dgm_gguf_writer *writer, const char *key,
                             const uint64_t *items, size_t count);
dgm_status dgm_gguf_add_f32s(struct dgm_env *env, struct dgm_gguf_writer *writer, const char *key,
                             const float *items, size_t count);

/* A key as another file has it. Alignment and checksums, which the writer makes, are
 * passed over. */
dgm_status dgm_gguf_add_key(struct dgm_env *env, struct dgm_gguf_writer *writer,
                            const struct dgm_gguf *file, const struct dgm_gguf_key *key);

/* A tensor of shape dims[0..rank-1], outermost first, as f32, f16, bf16, q8_0 or f64. */
dgm_status dgm_gguf_add_reals(struct dgm_env *env, struct dgm_gguf_writer *writer, const char *name,
                              enum dgm_gguf_type type, int rank, const size_t *dims,
                              const dgm_real *data);
/* Written as i32. */
dgm_status dgm_gguf_add_ints(struct dgm_env *env, struct dgm_gguf_writer *writer, const char *name,
                             int rank, const size_t *dims, const int32_t *data);
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
