/* archive_forge.c: a small writer of zip and .npy, which can err. */
#include "archive_forge.h"

#include <string.h>

#include "tensor/foreign/crc32.h"

#define GOOD "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }"

/* One member on its way. */
struct member {
    const char *name;
    unsigned char data[1024]; /* as stored */
    size_t stored, plain;
    uint32_t crc, at;
};

static void add(struct archive *archive, const void *bytes, size_t count)
{
    memcpy(archive->bytes + archive->size, bytes, count);
    archive->size += count;
}

static void add_number(struct archive *archive, uint64_t value, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++)
        archive->bytes[archive->size++] = (unsigned char)(value >> 8 * i);
}

static void add_zeros(struct archive *archive, size_t count)
{
    memset(archive->bytes + archive->size, 0, count);
    archive->size += count;
}

/* The bytes of an .npy file. */
static void fill(struct member *member, const char *header, int version, const void *numbers,
                 size_t more)
{
    static const unsigned char floats[24] = {
        0, 0, 0x80, 0x3F, 0, 0, 0,    0x40, 0, 0, 0x40, 0x40,
        0, 0, 0x80, 0x40, 0, 0, 0xA0, 0x40, 0, 0, 0xC0, 0x40
    };
    struct archive npy = { .size = 0 };

    add(&npy, "\x93NUMPY", 6);
    add_number(&npy, (uint64_t)version, 2);
    add_number(&npy, strlen(header), version == 1 ? 2 : 4);
    add(&npy, header, strlen(header));
    add(&npy, numbers != NULL ? numbers : floats, 24);
    add_zeros(&npy, more);
    memcpy(member->data, npy.bytes, npy.size);
    member->stored = member->plain = npy.size;
}

static void take_crc(struct member *member)
{
    struct dgm_crc32 crc;

    dgm_crc32_init(&crc);
    dgm_crc32_add(&crc, member->data, member->plain);
    member->crc = dgm_crc32_value(&crc);
}

/* RFC 1951, 3.2.4: a last block that is not compressed. */
static void deflate(struct member *member)
{
    const size_t count = member->stored;

    memmove(member->data + 5, member->data, count);
    member->data[0] = 1;
    member->data[1] = (unsigned char)(count & 255);
    member->data[2] = (unsigned char)(count >> 8);
    member->data[3] = (unsigned char)~member->data[1];
    member->data[4] = (unsigned char)~member->data[2];
    member->stored += 5;
}

static void add_data(struct archive *archive, struct member *member, const char *own_name,
                     int is_deflated, unsigned own_mark)
{
    const char *name = own_name != NULL ? own_name : member->name;

    member->at = (uint32_t)archive->size;
    add_number(archive, 0x04034b50U ^ own_mark, 4);
    add_number(archive, 20, 4); /* version, flags */
    add_number(archive, is_deflated ? 8 : 0, 2);
    add_zeros(archive, 4); /* time */
    add_number(archive, member->crc, 4);
    add_number(archive, member->stored, 4);
    add_number(archive, member->plain, 4);
    add_number(archive, strlen(name), 4); /* and no extras */
    add(archive, name, strlen(name));
    add(archive, member->data, member->stored);
}

static void add_extra(struct archive *archive, const struct member *member, int is_bad)
{
    add_number(archive, 1, 2);
    add_number(archive, is_bad ? 17 : 16, 2);
    add_number(archive, member->plain, 8);
    add_number(archive, member->stored, 8);
}

static void add_entry(struct archive *archive, const struct member *member,
                      const struct archive_fault *fault)
{
    const int is_large = fault->with_64 || fault->bad_extra;

    add_number(archive, 0x02014b50U ^ fault->mark, 4);
    add_number(archive, 20, 2);
    add_number(archive, 20, 2);
    add_number(archive, fault->flags, 2);
    add_number(archive, fault->method != 0 ? fault->method : (fault->is_deflated ? 8 : 0), 2);
    add_zeros(archive, 4);
    add_number(archive, member->crc ^ fault->crc, 4);
    add_number(archive, is_large ? 0xFFFFFFFFU : member->stored + (size_t)fault->stored, 4);
    add_number(archive, is_large ? 0xFFFFFFFFU : member->plain + (size_t)fault->plain, 4);
    add_number(archive, strlen(member->name), 2);
    add_number(archive, is_large ? 20 : 0, 2);
    add_number(archive, 0, 2); /* comment */
    add_number(archive, fault->disk, 2);
    add_zeros(archive, 6); /* attributes */
    add_number(archive, member->at, 4);
    add(archive, member->name, strlen(member->name));
    if (is_large)
        add_extra(archive, member, fault->bad_extra);
}

static void add_directory(struct archive *archive, struct member members[2],
                          const struct archive_fault *fault)
{
    static const struct archive_fault none = { .header = NULL };
    const size_t at = archive->size;
    const int first = fault->swapped;
    size_t bytes;

    add_entry(archive, &members[first], first == 0 ? fault : &none);
    add_entry(archive, &members[!first], first == 0 ? &none : fault);
    bytes = archive->size - at;
    add_number(archive, 0x06054b50U ^ fault->end, 4);
    add_zeros(archive, 4);
    add_number(archive, (uint64_t)(2 + fault->count), 2);
    add_number(archive, (uint64_t)(2 + fault->count), 2);
    add_number(archive, bytes, 4);
    add_number(archive, at, 4);
    add_zeros(archive, 2);
}

void archive_make(struct archive *archive, const struct archive_fault *fault)
{
    const char *header = fault->header != NULL ? fault->header : GOOD;
    struct member members[2] = { { .name = "a.npy" }, { .name = "b.npy" } };

    archive->size = 0;
    for (int i = 0; i < 2; i++)
        if (fault->name[i] != NULL)
            members[i].name = fault->name[i];
    fill(&members[0], header, fault->version != 0 ? fault->version : 1, fault->numbers,
         fault->more);
    fill(&members[1], GOOD, 1, NULL, 0);
    take_crc(&members[0]);
    take_crc(&members[1]);
    if (fault->is_deflated)
        deflate(&members[0]);
    add_data(archive, &members[0], fault->own_name, fault->is_deflated, 0);
    add_zeros(archive, fault->spare);
    add_data(archive, &members[1], NULL, 0, fault->own_mark);
    members[1].at -= (uint32_t)fault->back;
    add_zeros(archive, fault->behind);
    add_directory(archive, members, fault);
    archive->size -= fault->cut;
}
