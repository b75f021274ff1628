/*
 * archive_forge.h: archives of NumPy of two arrays, "a" and "b", made in memory with one thing
 * wrong.
 */
#ifndef DGM_ARCHIVE_FORGE_H
#define DGM_ARCHIVE_FORGE_H

#include <stddef.h>
#include <stdint.h>

/* What differs from a good archive; zeroed: nothing. */
struct archive_fault {
    const char *header;           /* of "a": the literal of its .npy header */
    const char *name[2];          /* members, in the directory and in front of their data */
    const char *own_name;         /* of "a", in front of its data alone */
    const void *numbers;          /* of "a", 24 bytes; else 1 to 6 as floats */
    size_t more;                  /* bytes of "a" behind its numbers */
    size_t spare;                 /* bytes of the file between "a" and "b" */
    size_t behind;                /* ... between "b" and the directory */
    int version;                  /* of the .npy of "a"; else 1 */
    uint32_t crc;                 /* bits of the checksum of "a" that are flipped */
    unsigned flags, method, disk; /* of "a" in the directory */
    int is_deflated;              /* "a" is one stored block of deflated data */
    int back;                     /* how many bytes in front of its place "b" is said to be */
    int swapped;                  /* the directory names "b" first */
    int count;                    /* members that the record at the end has more */
    int plain, stored;            /* by how much these sizes of "a" are wrong */
    int with_64;                  /* sizes of "a" stand in 64 bits */
    int bad_extra;                /* an extra field that ends behind the entry */
    unsigned mark, own_mark,
        end;    /* bits of marks that are flipped: of the entry of "a", in front of
                                   * "b", of the record at the end */
    size_t cut; /* bytes that the file lacks at its end */
};

struct archive {
    unsigned char bytes[4096];
    size_t size;
};

void archive_make(struct archive *archive, const struct archive_fault *fault);

#endif
