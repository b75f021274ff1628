/*
 * gguf_forge.h: a file in GGUF made by hand, part by part, for what the writer would never write.
 */
#ifndef DGM_TESTS_GGUF_FORGE_H
#define DGM_TESTS_GGUF_FORGE_H

#include <stddef.h>
#include <stdint.h>

struct forge {
    unsigned char bytes[4096];
    size_t size;
};

/* Starts a file with its header; the parts below are appended. */
void forge_begin(struct forge *f, uint64_t tensors, uint64_t keys);
void forge_u32(struct forge *f, uint32_t value);
void forge_u64(struct forge *f, uint64_t value);
void forge_text(struct forge *f, const char *text);
/* The description of a tensor of one or two dimensions. */
void forge_tensor(struct forge *f, const char *name, uint32_t rank, uint64_t d0, uint64_t d1,
                  uint32_t type, uint64_t offset);
/* Zero bytes up to the alignment, then `count` bytes of data. */
void forge_data(struct forge *f, size_t count);

/* The message of a refusal, or "" if the file passed. */
const char *forge_refusal(const struct forge *f);
/* Whether the message has this part; what it says instead is printed. */
int forge_says(const struct forge *f, const char *part);

#endif
