/*
 * zip.h: the members of a zip archive (APPNOTE.TXT 6.3.10, PKWARE), with 64-bit sizes.
 */
#ifndef DGM_TENSOR_FOREIGN_ZIP_H
#define DGM_TENSOR_FOREIGN_ZIP_H

#include "tensor/foreign/foreign.h"

struct dgm_zip_member {
    const char *name; /* not ended by NUL; borrowed for the call */
    size_t name_bytes;
    uint64_t at, stored, plain; /* the data in the file; their bytes there, and unpacked */
    uint32_t crc;
    int is_packed; /* deflated; else they stand as they are */
};

typedef dgm_status dgm_zip_fn(struct dgm_env *env, struct dgm_foreign *file,
                              const struct dgm_zip_member *member);

/* Hands over every member, in the order of the file. DGM_MODEL, with the byte: no archive, one of
 * several parts, encrypted or otherwise packed members, members that overlap. */
dgm_status dgm_zip_list(struct dgm_env *env, struct dgm_foreign *file, dgm_zip_fn *fn);

#endif
