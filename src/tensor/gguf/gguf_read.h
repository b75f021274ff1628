/*
 * gguf_read.h: the container of models and checkpoints, GGUF version 3, and how it is read.
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
 * Checksums (base/hash.h). Files of ours hold three keys more, which the writer adds:
 *
 * - dragoman.tensor.checksums, an array of u64: of each tensor's data, in file order, without the
 *   zero bytes behind them;
 * - dragoman.meta.checksum, a u64: of all bytes before the data section, with the eight bytes of
 *   this value itself taken as zero;
 * - dragoman.contents.checksum, a u64: of what Dragoman reads of them (gguf_contents.h). Files from
 *   before 2026-11-28 have none.
 *
 * The remaining bytes are padding, which must be zero: every flipped bit is found, and counts where
 * the last sum has changed, too; else it is taken for the work of another program. The checksums
 * are compared by gguf_load.h; values are taken out by gguf_get.h; files are made by gguf_write.h.
 */
#ifndef DGM_TENSOR_GGUF_GGUF_READ_H
#define DGM_TENSOR_GGUF_GGUF_READ_H

#include "base/env.h"
#include "base/map.h"
#include "tensor/gguf/gguf_rules.h"

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
    unsigned char *owned; /* the block to release, or NULL: bytes are borrowed */
    int is_open, fd; /* tensors are fetched (gguf_fetch.h); fd -1: from `bytes`, which has all */
    int is_trusted;  /* their checksums are not compared */
    size_t head;     /* where the padding before the data section begins */
    size_t alignment, data; /* where the data section begins */
    struct dgm_gguf_key *keys;
    size_t key_count;
    struct dgm_gguf_tensor *tensors;
    size_t tensor_count;
    struct dgm_map key_map, tensor_map;
};

/* Reads a whole file from memory, which is borrowed until dgm_gguf_clear. DGM_MODEL, with a byte
 * offset, if it is bad. `name` is used in messages. */
dgm_status dgm_gguf_parse(struct dgm_env *env, struct dgm_gguf *file, const void *bytes,
                          size_t count, const char *name);

/*
 * The head of a file from its first `count` bytes, which stay borrowed; `total`: bytes of the whole
 * file. The data are not there, but where they lie is checked against `total`. *is_short: it failed
 * because the head is longer than `count`.
 */
dgm_status dgm_gguf_parse_head(struct dgm_env *env, struct dgm_gguf *file, const void *bytes,
                               size_t count, size_t total, const char *name, int *is_short);

/* DGM_MODEL unless all `count` bytes, which stand at `at` in the file, are zero. */
dgm_status dgm_gguf_check_padding(struct dgm_env *env, const struct dgm_gguf *file,
                                  const unsigned char *bytes, size_t at, size_t count);

void dgm_gguf_clear(struct dgm_env *env, struct dgm_gguf *file);

#endif
