/*
 * gguf_forge.c: a file in GGUF made by hand.
 */
#include "gguf_forge.h"

#include <stdio.h>
#include <string.h>

#include "base/le.h"
#include "gguf_lab.h"
#include "test.h"

void forge_u32(struct forge *f, uint32_t value)
{
    dgm_le32_put(f->bytes + f->size, value);
    f->size += 4;
}

void forge_u64(struct forge *f, uint64_t value)
{
    dgm_le64_put(f->bytes + f->size, value);
    f->size += 8;
}

void forge_text(struct forge *f, const char *text)
{
    forge_u64(f, strlen(text));
    memcpy(f->bytes + f->size, text, strlen(text));
    f->size += strlen(text);
}

void forge_begin(struct forge *f, uint64_t tensors, uint64_t keys)
{
    memset(f, 0, sizeof *f);
    memcpy(f->bytes, "GGUF", 4);
    f->size = 4;
    forge_u32(f, 3);
    forge_u64(f, tensors);
    forge_u64(f, keys);
}

void forge_tensor(struct forge *f, const char *name, uint32_t rank, uint64_t d0, uint64_t d1,
                  uint32_t type, uint64_t offset)
{
    forge_text(f, name);
    forge_u32(f, rank);
    forge_u64(f, d0);
    if (rank == 2)
        forge_u64(f, d1);
    forge_u32(f, type);
    forge_u64(f, offset);
}

void forge_data(struct forge *f, size_t count)
{
    f->size = (f->size + 31) / 32 * 32 + count;
}

const char *forge_refusal(const struct forge *f)
{
    dgm_status status = gguf_lab_try(f->bytes, f->size);

    return status == DGM_MODEL ? test_env()->error.message : "";
}

int forge_says(const struct forge *f, const char *part)
{
    const char *message = forge_refusal(f);

    if (strstr(message, part))
        return 1;
    printf("  message: %s\n  wanted:  %s\n", message, part);
    return 0;
}
