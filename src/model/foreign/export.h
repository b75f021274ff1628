/*
 * export.h: a translation model for other programs: what the formats (a file and a row of
 * dgm_export_formats each) are given, and what they share.
 */
#ifndef DGM_MODEL_FOREIGN_EXPORT_H
#define DGM_MODEL_FOREIGN_EXPORT_H

#include "base/file/writer.h"
#include "model/file/model.h"
#include "tensor/gguf/gguf_read.h"

enum { DGM_EXPORT_PATH = 1024, DGM_EXPORT_PARTS = 3 };

struct dgm_export {
    struct dgm_env *env;
    struct dgm_gguf file;
    struct dgm_model model;       /* declared, without values */
    char folder[DGM_EXPORT_PATH]; /* that files are written to */
};

struct dgm_export_format {
    const char *name;
    /* DGM_UNSUPPORTED, naming the option, where the format cannot express the model. */
    dgm_status (*check)(const struct dgm_export *job);
    dgm_status (*write)(const struct dgm_export *job);
};

extern const struct dgm_export_format dgm_export_ctranslate2, dgm_export_huggingface;

enum { DGM_EXPORT_FORMATS = 2 };
extern const struct dgm_export_format *const dgm_export_formats[DGM_EXPORT_FORMATS];

/* Every file that a format may write, ended by NULL. */
extern const char *const dgm_export_files[];

/* The translation model of a file as the folder `out`, which may be replaced with `overwrite`. */
dgm_status dgm_export_model(struct dgm_env *env, const char *path,
                            const struct dgm_export_format *format, const char *out, int overwrite);

/* ---- tensors --------------------------------------------------------------------------------- */

/* One to be written as f32: tensors of the model below one another, a table of positions, or a
 * whole number of one byte or two (CTranslate2). */
struct dgm_export_tensor {
    char name[128];
    const struct dgm_gguf_tensor *parts[DGM_EXPORT_PARTS]; /* NULL from the end on */
    int is_positions;                                      /* no parts; rows from 0 on */
    int is_zero;                                           /* no parts; zeros */
    int rank;                                              /* 0: `number` */
    int64_t dims[2];
    int number, number_bytes;
};

/* Zero-initialise. */
struct dgm_export_list {
    struct dgm_export_tensor *items;
    size_t count, capacity;
};

/* A tensor of the model, or several, by our names; NULL: no more. */
dgm_status dgm_export_add(const struct dgm_export *job, struct dgm_export_list *list,
                          const char *name, const char *first, const char *second,
                          const char *third);
/* Rows of a table of positions: max-length + 1, but 1024 at least. They are computed, and whoever
 * reads a longer sentence there gets an exception, and nothing of the sentences beside it. */
int64_t dgm_export_positions(const struct dgm_export *job);
/* The table of positions, zeros where there are none: (dgm_export_positions, D). */
dgm_status dgm_export_add_positions(const struct dgm_export *job, struct dgm_export_list *list,
                                    const char *name);
/* (1,count) zeros. */
dgm_status dgm_export_add_zeros(const struct dgm_export *job, struct dgm_export_list *list,
                                const char *name, int64_t count);
dgm_status dgm_export_add_number(const struct dgm_export *job, struct dgm_export_list *list,
                                 const char *name, int number, int bytes);
int64_t dgm_export_count(const struct dgm_export_tensor *tensor); /* of its numbers */
/* Its numbers, little-endian. */
dgm_status dgm_export_write_tensor(const struct dgm_export *job, struct dgm_writer *writer,
                                   const struct dgm_export_tensor *tensor);

/* ---- text ------------------------------------------------------------------------------------ */

/* Opens a file of the folder. */
dgm_status dgm_export_open(const struct dgm_export *job, struct dgm_writer *writer,
                           const char *name);
/* A whole file of the folder. */
dgm_status dgm_export_write_file(const struct dgm_export *job, const char *name, const void *bytes,
                                 size_t size);
/* Tokens in their order, specials first: ["<s>", ...], or {"<s>": 0, ...}. */
dgm_status dgm_export_write_vocab(const struct dgm_export *job, const char *name, int side,
                                  int is_map);
/* The word of an option of the model. */
const char *dgm_export_option(const struct dgm_export *job, const char *name);

#endif
