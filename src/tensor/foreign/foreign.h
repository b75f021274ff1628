/*
 * foreign.h: tensors in the files of other programs: archives of NumPy (.npz, as Marian writes its
 * models), its binary files, safetensors, and model.bin of CTranslate2.
 *
 * A file is untrusted. What it says of names, shapes and places is checked when it is opened;
 * tensors are read later, in pieces, so that memory is never more than what the tensors of a model
 * need. Nothing is executed. A compressed archive needs zlib.
 */
#ifndef DGM_TENSOR_FOREIGN_FOREIGN_H
#define DGM_TENSOR_FOREIGN_FOREIGN_H

#include "base/map.h"
#include "base/real.h"

#define DGM_FOREIGN_RANK 8
#define DGM_FOREIGN_COUNT 65536 /* most tensors */

enum dgm_foreign_form {
    DGM_FOREIGN_INT,
    DGM_FOREIGN_F16,
    DGM_FOREIGN_BF16,
    DGM_FOREIGN_F32,
    DGM_FOREIGN_F64
};

/* A type of numbers: its name in messages. */
struct dgm_foreign_type {
    const char *name;
    enum dgm_foreign_form form;
    unsigned bytes;
};

/* What whole numbers that stand for real ones are divided by. */
enum dgm_foreign_scaling {
    DGM_FOREIGN_UNSCALED, /* they are whole numbers */
    DGM_FOREIGN_SCALED,   /* by the numbers of another tensor, one for each row or one for all */
    DGM_FOREIGN_SCALED_1000,
    DGM_FOREIGN_SCALED_BEHIND /* by a float32 that stands behind them */
};

struct dgm_foreign_tensor {
    const struct dgm_foreign_type *type;
    int rank;
    size_t dims[DGM_FOREIGN_RANK]; /* outermost first, row-major; 1 beyond rank */
    size_t count, bytes;           /* bytes: of the numbers, not packed */
    uint64_t at, stored;           /* in the file; stored: bytes there */
    size_t skip;                   /* bytes before the numbers, unpacked: an .npy header */
    int is_packed, has_crc;
    uint32_t crc; /* of all bytes, unpacked, `skip` ones included */
    enum dgm_foreign_scaling scaling;
    size_t scale;  /* that tensor */
    int is_scale;  /* of another tensor */
    int is_turned; /* the numbers of a matrix lie there column by column */
    size_t shard;  /* which of the files, from 1 on, has it; 0: there is one */
};

struct dgm_foreign {
    char name[256]; /* of the file, for messages */
    const char *format;
    char network[64]; /* what its writer calls the network, and which revision of it; "" */
    uint32_t revision;
    int fd;                     /* -1: `bytes` has all */
    const unsigned char *bytes; /* borrowed */
    uint64_t size;
    struct dgm_foreign_tensor *tensors;
    size_t count, capacity;
    struct dgm_map names;       /* entry i names tensor i */
    struct dgm_foreign *shards; /* the files that an index names (dgm_foreign_open_shards) */
    size_t shard_count;
};

/* Opens an archive, a safetensors file or a model.bin; its first bytes say which. DGM_MODEL, with
 * the byte, if it is bad; to be cleared after success alone. */
dgm_status dgm_foreign_open(struct dgm_env *env, struct dgm_foreign *file, const char *path);
/* The same of safetensors in several files, by their index, model.safetensors.index.json. */
dgm_status dgm_foreign_open_shards(struct dgm_env *env, struct dgm_foreign *file, const char *path);
/* The same as dgm_foreign_open of a file in memory, borrowed until dgm_foreign_clear. */
dgm_status dgm_foreign_open_memory(struct dgm_env *env, struct dgm_foreign *file, const void *bytes,
                                   size_t size, const char *name);
void dgm_foreign_clear(struct dgm_env *env, struct dgm_foreign *file);

/* The tensor of a name, or NULL. */
const struct dgm_foreign_tensor *dgm_foreign_find(const struct dgm_foreign *file, const char *name);
/* Borrowed, printable ASCII, ended by NUL. */
const char *dgm_foreign_name(const struct dgm_foreign *file,
                             const struct dgm_foreign_tensor *tensor);

/* "(3, 4)" into out, which has room for DGM_FOREIGN_SHAPE bytes. */
#define DGM_FOREIGN_SHAPE 192
void dgm_foreign_shape(char *out, const struct dgm_foreign_tensor *tensor);

/* Takes `count` numbers of a tensor, from number `first` on. */
typedef void dgm_foreign_fn(void *user, size_t first, size_t count, const dgm_real *values);

/* Hands over all numbers of a tensor, in order. DGM_MODEL unless they are real and finite, or where
 * the file is damaged; some have been taken before that is known. */
dgm_status dgm_foreign_read(struct dgm_env *env, const struct dgm_foreign *file,
                            const struct dgm_foreign_tensor *tensor, dgm_foreign_fn *fn,
                            void *user);
/* The only number of a tensor, a whole one of at most 32 bits or a real one; DGM_MODEL for
 * others. */
dgm_status dgm_foreign_number(struct dgm_env *env, const struct dgm_foreign *file,
                              const struct dgm_foreign_tensor *tensor, double *value);
/* The tensor->bytes bytes as they stand in the file. */
dgm_status dgm_foreign_read_bytes(struct dgm_env *env, const struct dgm_foreign *file,
                                  const struct dgm_foreign_tensor *tensor, unsigned char *out);

/* ---- for the readers of formats -------------------------------------------------------------- */

/* Exactly `count` bytes from byte `from` on; DGM_MODEL where the file is shorter. */
dgm_status dgm_foreign_bytes_at(struct dgm_env *env, const struct dgm_foreign *file, void *out,
                                uint64_t from, size_t count);
/* The same of the unpacked bytes of a tensor, with what stands before its numbers: `count` first
 * ones, at most all. */
dgm_status dgm_foreign_begin_at(struct dgm_env *env, const struct dgm_foreign *file,
                                const struct dgm_foreign_tensor *tensor, void *out, size_t count);
/* Adds a tensor, whose `count` and `bytes` follow from its type and dims. DGM_MODEL: a name that is
 * no printable ASCII or is taken, no numbers, too many of them. */
dgm_status dgm_foreign_add(struct dgm_env *env, struct dgm_foreign *file,
                           struct dgm_foreign_tensor *tensor, const char *name, size_t length);
/* DGM_MODEL: the tensor has numbers of a type that is none of ours. */
dgm_status dgm_foreign_fail_type(struct dgm_env *env, const struct dgm_foreign *file,
                                 const char *tensor, const char *type, size_t length);

dgm_status dgm_npz_list(struct dgm_env *env, struct dgm_foreign *file);
dgm_status dgm_marian_bin_list(struct dgm_env *env, struct dgm_foreign *file);
dgm_status dgm_ctranslate2_list(struct dgm_env *env, struct dgm_foreign *file);
dgm_status dgm_safetensors_list(struct dgm_env *env, struct dgm_foreign *file);

#endif
